"""What the parts of "who sees what" say, computed: each sentence can come out otherwise."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import models
from components import contexts
from components.both_sides import told as sides_told
from components.contexts.told import Compared, place, said
from components.opened.mix import Mix, as_link, mix_of, mixed, similarity
from components.sights import Seen, changed
from components.sights import told as sights_told
from components.sights.exports import numbers
from components.sights.seen import column_names, row_names
from components.targets import Trained, full_bar, headline
from components.theme import BERT, ELMO, GPT
from components.words import LANGUAGES, use_language
from models.seeing.matrix import leak_check
from models.sides import Score
from models.sights import InContexts, LeakCheck
from models.trace import Verdict

TEXT = "the cat was walking on the mat in paris"
ABOUT = SimpleNamespace(model="m", revision="r", dtype="float32", versions=())


@pytest.fixture(scope="module")
def seen(kinds) -> list[Seen]:
    colours = {"bert": BERT, "gpt": GPT, "elmo": ELMO}
    return [Seen(k, "sees", k, c, models.sight(kinds[k], TEXT)) for k, c in colours.items()]


def leaking(seen: list[Seen]) -> list[Seen]:
    """The second model sees one word that it must not."""
    (pane,) = seen[1].sight.panes
    values = pane.values.copy()
    values[1, 4] = 0.5
    pane = replace(pane, values=values, check=leak_check(values, pane.allowed))
    return [seen[0], replace(seen[1], sight=replace(seen[1].sight, panes=(pane,))), seen[2]]


def test_the_leak_check_says_what_was_found(seen) -> None:
    forbidden = sum(int((~pane.allowed).sum()) for each in seen for pane in each.sight.panes)
    assert f"All {forbidden} forbidden cells are exactly 0" in sights_told.headline(seen)
    assert sights_told.passed(seen)
    told = sights_told.headline(leaking(seen))
    assert f"1 of {forbidden} forbidden cells are not 0. The largest is 0.5, in gpt." in told
    assert not sights_told.passed(leaking(seen))
    assert sights_told.headline([Seen("x", "", "x", BERT, note="none")]) == ""


def test_one_matrix_in_words() -> None:
    check = LeakCheck(1, 0, 0.0, 9, 8, 0.1, 0.25)
    assert sights_told.forbidden(check) == "The one forbidden cell is exactly 0."
    assert sights_told.forbidden(replace(check, forbidden=0)) == "Nothing is forbidden here."
    assert "8 of 9" in sights_told.allowed(check) and "25.0%" in sights_told.allowed(check)


def test_every_cell_is_in_the_table(seen) -> None:
    table = numbers(seen)
    cells = sum(pane.values.size for each in seen for pane in each.sight.panes)
    assert len(table.rows) == cells
    values = [row[6] for row in table.rows[: seen[0].sight.panes[0].values.size]]
    np.testing.assert_array_equal(values, seen[0].sight.panes[0].values.ravel())


def test_names_are_found_again_in_other_models(seen) -> None:
    panes = [pane for each in seen for pane in each.sight.panes]
    for pane in panes:
        shared = set(row_names(pane)) & set(column_names(pane))
        assert {name for name in column_names(pane) if name.startswith("w")} <= shared
        assert len(set(column_names(pane))) == len(column_names(pane))
    assert row_names(panes[0])[0] == row_names(panes[1])[0] == "[CLS]#1"
    assert changed("nobody", seen, "4") == 3
    assert changed("nobody", seen, "999", otherwise=2) == 2


# --- one word in two contexts --------------------------------------------------------------------


def compared(name: str, *similarity: float, **facts: bool) -> Compared:
    layers = ("static", *map(str, range(1, len(similarity))))
    values, same = np.array(similarity), facts.pop("same", False)
    others = np.full(len(values), 0.2)
    found = InContexts("bank", ((0, 4), (0, 4)), layers, values, others, same, ABOUT, "")
    return Compared(name, name, BERT, found=found, **facts)


def test_what_the_textbook_expects_and_its_opposite() -> None:
    low, high = compared("BERT", 1, 0.6, 0.4, both_sides=True), compared("ELMo", 1, 0.9)
    told = " ".join(said([low, high]))
    assert "least alike in BERT (0.40) and most in ELMo (0.90)" in told
    assert "BERT, which sees both sides in every layer, moves them apart most" in told
    assert "never rises from one layer to the next, as expected" in told
    high, low = compared("BERT", 1, 0.6, 0.8, both_sides=True), compared("ELMo", 1, 0.5)
    told = " ".join(said([high, low]))
    assert "Against the textbook, not BERT" in told and "but ELMo" in told
    assert "only in: ELMo." in told


def test_who_cannot_tell_and_who_falls_nowhere() -> None:
    gpt = compared("GPT", 1, 0.9, 1.0, reads_left=True, same=True)
    told = " ".join(said([gpt, compared("ELMo", 1, 0.8, 1.0)]))
    assert "equally alike" in told
    assert "GPT has read the same before both" in told
    assert "In no model does it fall with every layer." in told
    assert said([Compared("GPT", "gpt", GPT, note="none")]) == []


def test_layers_have_their_place() -> None:
    assert [place(layer) for layer in ("static", "input", "1", "12")] == [0, 0.5, 1, 12]
    assert contexts.Context("a b", 0, 1).end == 1


# --- ELMo's mix ----------------------------------------------------------------------------------


def test_a_mix_is_what_peters_writes(kinds) -> None:
    from models.inputs import read
    from models.seeing.states import layer_states, of_words
    from models.tokens import words_of

    found, mix = models.opened(kinds["elmo"], TEXT), Mix((0.5, -1.0, 2.0), gamma=2.0)
    inputs = read(kinds["elmo"], TEXT)
    words = words_of(inputs.tokens)
    layers = [of_words(s, words).numpy() for s in layer_states(kinds["elmo"], inputs).values()]
    states = sum(weight * layer for weight, layer in zip(mix.weights, layers, strict=True))
    np.testing.assert_allclose(mixed(found, mix), states @ states.T, rtol=1e-6)
    unit = states / np.linalg.norm(states, axis=1, keepdims=True)
    np.testing.assert_allclose(similarity(found, mix), unit @ unit.T, rtol=1e-6)
    level = [layer / np.linalg.norm(layer, axis=1, keepdims=True) for layer in layers]
    states = sum(weight * layer for weight, layer in zip(mix.weights, level, strict=True))
    unit = states / np.linalg.norm(states, axis=1, keepdims=True)
    np.testing.assert_allclose(
        similarity(found, replace(mix, level=True)), unit @ unit.T, rtol=1e-6
    )


def test_a_mix_in_a_link_comes_back() -> None:
    mix = Mix((0.5, -1.0, 2.0), 1.5, level=True)
    assert as_link(mix) == "0.5,-1,2,1.5,1"
    assert mix_of("nobody", 3, as_link(mix)) == mix
    assert mix_of("nobody", 3, "1,2") == Mix((0.0, 0.0, 0.0))
    assert Mix((0.0, 0.0)).weights.tolist() == [0.5, 0.5]


# --- targets and both sides ----------------------------------------------------------------------


def test_bars_have_one_scale_and_predictions_are_counted(kinds) -> None:
    shown = [
        Trained(k, "", k, BERT, models.targets(kinds[k], TEXT)) for k in ("bert", "gpt", "elmo")
    ]
    most = max(one.nats for each in shown for one in each.targets.targets)
    assert most <= full_bar(shown) < most + 1
    assert headline(shown).endswith("bert 2, gpt 11, elmo 22.")


@pytest.mark.parametrize("code", LANGUAGES)
def test_scores_and_verdicts_in_words(code: str) -> None:
    with use_language(code):
        score = Score(0.231, 0.05, 0.4, 26)
        assert "23%" in sides_told.interval("top5", score) and "26" in sides_told.interval(
            "top5", score
        )
        worse = Verdict("fused", -3.0205, 0.4485, "opposite")
        assert "−3.0 ± 0.4" in sides_told.effect("bits", worse)
        assert "+23.1 ± 8.1" in sides_told.effect(
            "top5", Verdict("right", 0.231, 0.081, "supported")
        )
        assert "15%" in sides_told.because(worse)
        assert sides_told.because(replace(worse, outcome="supported")) == ""
