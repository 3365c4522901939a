"""What is said and drawn of a checkpoint rests on what was measured, expected or not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from components.part_tree import figure, numbers, picture
from components.pieces import kind_of, shown
from components.pieces import numbers as token_rows
from components.pieces import picture as chips
from components.words import use_language
from models import probing
from models.probing.records import Mismatch, Probe
from pages.probing import demands, places, said, several, tensors
from pages.probing.tokens import mismatch
from tests.unit.probing_models import model_of
from tests.unit.tracing_models import TARGET, TEXT


@pytest.fixture(scope="module")
def gpt() -> Probe:
    return probing.probe(model_of("gpt2"), TEXT)


def test_a_leak_is_said_where_one_is_measured(gpt: Probe) -> None:
    assert "no leak" in said.summary(gpt)
    leaks = replace(gpt, reaches=(replace(gpt.reaches[0], ahead=0.25),))
    assert "leaks" in said.summary(leaks)
    assert "25.0%" in said.summary(leaks)
    assert "no leak" not in said.summary(leaks)


def test_two_towers_are_said_as_measured() -> None:
    found = probing.probe(model_of("bart"), TEXT)
    assert "no leak" in said.summary(found)
    assert "It notices the source." in said.summary(found)
    by = {each.watched: each for each in found.reaches}
    deaf = (replace(by["cross"], ahead=0.0), replace(by["decoder"], ahead=0.5))
    other = said.summary(replace(found, reaches=deaf))
    assert "the decoder leaks" in other
    assert "does not notice" in other


def test_too_short_a_text_decides_nothing(gpt: Probe) -> None:
    assert "too short" in said.summary(replace(gpt, reaches=()))


@pytest.mark.parametrize("language", ["en", "zh_TW"])
@pytest.mark.parametrize("family", ["llama", "deberta-v2", "t5", "mistral", "xlnet"])
def test_everything_has_words(family: str, language: str) -> None:
    found = probing.probe(model_of(family), TEXT)
    with use_language(language):  # type: ignore[arg-type]
        told = [said.summary(found), said.window_told(found)]
        told += [said.groups_told(each) for each in found.attention]
        told += [said.ability_told(each, recorded=True) for each in found.recorded]
        told += [f"{each.name} {each.value} {each.told}" for each in said.facts_of(found)]
        assert all(told)
        assert not any("{" in each for each in told)


def test_areas_sum_up() -> None:
    found = probing.part_sizes(model_of("bart"))
    (tree,) = figure(found).data
    assert len(set(tree.ids)) == len(tree.ids)
    for at, value in zip(tree.ids, tree.values, strict=True):
        inside = [v for p, v in zip(tree.parents, tree.values, strict=True) if p == at]
        assert not inside or sum(inside) == value
    assert tree.values[-1] == found.total
    assert sum(row[3] for row in numbers(found).rows) == found.total  # type: ignore[misc]
    assert picture(found, "#0072B2").markup.startswith("<svg")


def test_tokens_are_drawn_as_they_are() -> None:
    found = probing.cutting(model_of("bert"), "the cat xyz")
    assert [kind_of(token) for token in found.tokens][-2:] == ["unknown", "special"]
    assert [shown(token) for token in found.tokens][1:4] == ["the", "cat", "xyz"]
    assert len(token_rows(found).rows) == len(found.tokens)
    assert "xyz" in chips(found, "#0072B2").alt
    for what in ("rows beyond", "no rows", "holes", "role", "length"):
        told = mismatch(Mismatch(what, "1", "2", "pad"))  # type: ignore[arg-type]
        assert "1" in told
        assert "2" in told


def test_a_curve_ends_where_nothing_is_known() -> None:
    whole = probing.demands(model_of("bert"))
    assert demands.lengths_of(whole)[-1] == whole.longest
    part = probing.demands(model_of("xlnet"))
    assert demands.lengths_of(part) == list(part.lengths)
    assert len(demands.curve(part, "#0072B2").lines) == 1
    assert [demands.in_bytes(n) for n in (12, 1200, 2_500_000)] == ["12 B", "1.2 KB", "2.5 MB"]


def test_plots_hold_the_numbers() -> None:
    weight = probing.weight(model_of("bert"), "bert.embeddings.word_embeddings.weight")
    steps, singular = tensors.plots(weight, "#0072B2")
    assert int(np.asarray(steps.lines[0].y)[::2].sum()) == int(weight.counts.sum())
    assert len(singular.lines[0].x) == len(weight.singular)
    assert len(tensors.numbers(weight).rows) >= 64 + len(weight.singular)
    (table,) = probing.places(model_of("bert"))
    _, alike = places.plots(table)
    np.testing.assert_allclose(np.diag(alike.values), 1.0, rtol=1e-5)  # type: ignore[union-attr]


def test_intervals_only_where_there_are_several_sentences() -> None:
    one = probing.glance(model_of("bert"), [TEXT])
    assert "±" not in several.told(one, "previous")
    two = probing.glance(model_of("bert"), [TEXT, TARGET])
    assert "±" in several.told(two, "previous")
    rows = [row for row in several.numbers(two).rows if row[0] == "previous"]
    for _, layer, head, mean, low, high, count in rows:
        at = two.names.index("previous"), layer, head
        assert mean == pytest.approx(two.means[at])
        assert low < mean < high  # type: ignore[operator]
        assert count == 2
