"""The both-sides test: its sentences, how it is scored, and verdicts that can go either way."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import models
from models import catalog
from models.catalog import BUNDLED, bundled
from models.claims import CLAIMS, verdict, verdicts
from models.loading import Model, shelf
from models.revisions import revision
from models.sides import FILE, METRICS, SIDES, BothSides, stored
from models.training import both_sides
from models.training.everyday import Item, read_items

ITEMS = read_items(both_sides.SIDES)
ENGLISH = [
    facts.name
    for facts in bundled()
    if facts.languages == ("en",) and facts.objective != "translation" and not facts.variant
]
COMMITTED = stored()


def test_sixty_sentences_or_more_twenty_for_each_side() -> None:
    counts = Counter(item.side for item in ITEMS)
    assert set(counts) == set(SIDES)
    assert min(counts.values()) >= 20
    assert len({item.sentence for item in ITEMS}) == len(ITEMS) >= 60
    assert {item.sentence for item in ITEMS}.isdisjoint(item.sentence for item in read_items())
    for item in ITEMS:
        assert item.sentence.count("[MASK]") == len(item.accepted) == 1
        assert len(item.sentence) <= 80


def test_the_tags_are_what_they_say() -> None:
    """Only a full stop follows where the left decides; little goes before where the right does."""
    for item in ITEMS:
        before, after = item.sentence.split("[MASK]")
        if item.side == "left":
            assert after == "."
        elif item.side == "right":
            assert len(before.split()) <= 1
        else:
            assert len(before.split()) >= 2 and len(after.split()) >= 2, item.sentence


@pytest.mark.skipif(not ENGLISH, reason="no English model is trained yet")
@pytest.mark.parametrize("name", ENGLISH)
def test_every_hidden_word_is_in_every_vocabulary(name: str) -> None:
    from transformers import PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast.from_pretrained(catalog.folder(name))
    for item in ITEMS:
        ids = tokenizer(item.accepted[0], add_special_tokens=False)["input_ids"]
        assert len(ids) == 1 and ids[0] != tokenizer.unk_token_id, item.accepted


@pytest.fixture(scope="module")
def tested(
    kinds: dict[str, Model], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BothSides]:
    """The whole command on tiny models and few sentences."""
    items = [
        Item("the [MASK] sat on the mat", ("cat",), "right"),
        Item("the dog is [MASK] in the garden", ("happy",), "both"),
        Item("he was in [MASK].", ("paris",), "left"),
    ]
    folders = {kind: kinds[kind].folder for kind in ("bert", "gpt", "elmo", "seq")}
    facts = tuple(
        replace(each, folder=folders[each.family])
        for each in BUNDLED
        if each.name.endswith("-s-en") and each.family in folders
    )
    zoo = tmp_path_factory.mktemp("zoo")
    for each in facts:
        (zoo / each.name).symlink_to(each.folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalog, "BUNDLED", facts)
        patch.setattr(catalog, "ZOO", zoo)
        patch.setattr(both_sides, "ZOO", zoo)
        patch.setattr(both_sides, "read_items", lambda path=None: items if path else items[:1])
        patch.setattr("sys.argv", ["both_sides"])
        shelf.cache_clear()
        both_sides.main()
        found = stored()
        assert found is not None
        yield found
    shelf.cache_clear()


def test_the_command_keeps_every_answer(kinds, tested: BothSides) -> None:
    assert tested.views == ("bert", "gpt", "elmo", "forward", "backward", "seq")
    assert tested.items[0].sentence.text == "the cat sat on the mat"
    for item in tested.items:
        for family in ("bert", "gpt", "elmo", "seq"):
            (blank,) = models.predict(kinds[family], item.sentence, 1).blanks
            assert item.ranks[family] == blank.original_rank
            assert item.bits[family] == pytest.approx(
                -np.log2(blank.original_probability), abs=1e-3
            )
            assert item.answers[family] == blank.best.text
            for view in blank.views:
                assert item.ranks[view.way] == view.original_rank
    assert tested.changed == ()
    assert tested.weights["gpt-s-en"] == revision(kinds["gpt"].folder)


def test_every_word_is_hidden_once_and_counted_in_its_third(kinds, tested: BothSides) -> None:
    assert tested.words.tolist()[0] == [2.0, 2.0, 2.0]  # the cat | sat on | the mat
    hits = tested.sums["gpt", "top5"]
    assert (hits <= tested.words).all() and (hits >= tested.sums["gpt", "top1"]).all()
    assert (tested.sums["gpt", "bits"] > 0).sum() == (tested.words > 0).sum()


def test_other_weights_are_noticed(tested: BothSides, tmp_path: Path) -> None:
    moved = replace(tested, weights={**tested.weights, "gpt-s-en": "0" * 12})
    assert moved.changed == ("gpt-s-en",)
    assert replace(tested, weights={"nobody": "0" * 12}).changed == ("nobody",)


def made(by_side: dict[str, dict[str, list[float]]]) -> BothSides:
    """A run whose bits are given."""
    base = COMMITTED or pytest.skip("no run is kept yet")
    items = [
        replace(base.items[0], side=side, bits={view: bits[i] for view, bits in views.items()},
                ranks={view: 1 + int(bits[i]) for view, bits in views.items()})
        for side, views in by_side.items()
        for i in range(len(next(iter(views.values()))))
    ]  # fmt: skip
    return replace(base, items=tuple(items))


VIEWS = ("bert", "gpt", "elmo", "forward", "backward", "seq")


def flat(**bits: float) -> dict[str, list[float]]:
    rng = np.random.default_rng(0)
    return {view: (bits.get(view, 8.0) + rng.normal(0, 0.1, 30)).tolist() for view in VIEWS}


def outcomes(found: BothSides) -> dict[str, str]:
    return {each.claim: each.outcome for each in verdicts(found, "bits")}


def test_verdicts_go_either_way() -> None:
    textbook = made({"left": flat(gpt=3, forward=3), "right": flat(bert=4, backward=4),
                     "both": flat(bert=2, elmo=5, forward=7)})  # fmt: skip
    found = outcomes(textbook)
    assert [found[c] for c in ("fused", "joined", "forward", "backward", "left only", "right")] == [
        "supported"] * 6  # fmt: skip
    upside_down = made({"left": flat(backward=3), "right": flat(gpt=3, forward=3),
                        "both": flat(elmo=5, forward=2)})  # fmt: skip
    found = outcomes(upside_down)
    assert [found[c] for c in ("fused", "joined", "forward", "backward", "left only", "right")] == [
        "opposite"] * 6  # fmt: skip
    found = outcomes(made({side: flat() for side in SIDES}))
    assert set(list(found.values())[:6]) == {"within noise"}


def test_a_verdict_needs_two_standard_errors() -> None:
    rng = np.random.default_rng(0)
    spread = rng.normal(0, 1, 2_000)
    for effect, outcome in (
        (2.2, "supported"),
        (1.8, "within noise"),
        (-1.8, "within noise"),
        (-2.2, "opposite"),
    ):
        assert verdict("x", np.array([effect, *(effect + spread)])).outcome == outcome
    assert verdict("x", np.zeros(9)).outcome == "within noise"


def test_means_and_their_intervals() -> None:
    found = made({side: flat(gpt=3) for side in SIDES})
    score = found.by_side("gpt", "bits", "left")
    assert score.mean == pytest.approx(np.mean(found.values("gpt", "bits", "left")))
    assert score.low < score.mean < score.high
    assert score.high - score.low == pytest.approx(4 * 0.1 / 30**0.5, rel=0.35)
    assert score.items == 30
    assert (found.means("gpt", "bits", "left")[0], found.by_third("gpt", "top1", 0).mean) == (
        pytest.approx(score.mean), pytest.approx(found.thirds("gpt", "top1")[0, 0]))  # fmt: skip


@pytest.mark.skipif(COMMITTED is None, reason="no run is kept yet")
@pytest.mark.parametrize("metric", METRICS)
def test_the_run_that_is_kept_can_be_judged(metric) -> None:
    found = COMMITTED
    assert len(found.items) >= 60
    assert {each.claim for each in verdicts(found, metric)} == set(CLAIMS)
    assert verdicts(found, metric) == verdicts(found, metric), "seeded"
    for view in found.views:
        for side in SIDES:
            assert np.isfinite(found.by_side(view, metric, side).mean)


def test_nothing_is_kept_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "ZOO", tmp_path)
    assert models.both_sides() is None


def test_the_file_is_written_once_per_run_on_one_line(tested: BothSides) -> None:
    text = (catalog.ZOO / FILE).read_text()
    assert text.count("\n") == 1
    assert set(json.loads(text)) == {"models", "weights", "versions", "seed", "items", "thirds"}
