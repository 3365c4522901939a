"""Every verdict about positions comes out the other way from opposite data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.measures.positions import asymmetry, sinusoids
from models.placed import (
    Added,
    HeadOffsets,
    Order,
    added_verdicts,
    exact,
    offset_verdicts,
    order_verdicts,
    over,
    table_verdicts,
)
from models.read_back import RESAMPLES, Probed, ReadBack, parse, verdicts
from models.report import Estimate, Report, Tested
from models.results import Provenance
from models.training.position_probe import POSITIONS, folds, predicted
from pages.positioning.trained import trained_without

ABOUT = Provenance("m", "r", "float32", ())
RNG = np.random.default_rng(0)
K = np.arange(-10, 11)
EVEN, ODD = np.cos(K / 3), np.sin(K / 3)


def outcomes(found) -> dict[str, str]:
    return {each.claim: each.outcome for each in found}


def test_a_table_tells_distances_or_not() -> None:
    assert outcomes(table_verdicts(sinusoids(64, 32))) == {
        "distance": "supported", "waves": "supported"}  # fmt: skip
    noise = RNG.normal(size=(64, 32))
    assert "supported" not in outcomes(table_verdicts(noise)).values()
    # Two far-away halves, each alike, in turns that no distance explains better than chance does.
    signs = np.where(np.arange(64) % 7 < 3, 1.0, -1.0)[:, None]
    shuffled = signs[RNG.permutation(64)] * np.ones((1, 4))
    assert outcomes(table_verdicts(shuffled))["distance"] != "supported"
    with pytest.raises(ValueError, match="positions"):
        table_verdicts(noise[:3])


def heads(pattern, real, random) -> HeadOffsets:
    noise = 0.01 * RNG.normal(size=(8, len(K)))
    return HeadOffsets("learned", 64, pattern, real + noise, random + noise, ABOUT, "")


def test_distance_and_direction_of_heads() -> None:
    keeps = outcomes(offset_verdicts(heads(EVEN, EVEN, ODD)))
    assert keeps["symmetric"] == keeps["blurred"] == keeps["kept"] == "supported"
    assert keeps["more directed"] == "opposite"
    turns = outcomes(offset_verdicts(heads(EVEN, ODD, EVEN)))
    assert turns["kept"] == "opposite"
    assert turns["directed"] == turns["more directed"] == "supported"
    same = outcomes(offset_verdicts(heads(EVEN, EVEN, EVEN)))
    assert same["kept"] == same["more directed"] == "within noise"
    odd = outcomes(offset_verdicts(heads(ODD, EVEN, EVEN)))
    assert odd["symmetric"] == "opposite"
    assert odd["directed"] == "opposite"
    assert asymmetry(ODD) > 0.99


def test_adding_and_room() -> None:
    held = np.linspace(0.1, 1, 10)
    chance = np.stack([held + 0.01 * RNG.normal(size=10) for _ in range(9)])
    found = Added(("a",), np.ones((1, 2)), np.ones((1, 2)), held, 0 * held, chance, "learned",
                  ABOUT, "")  # fmt: skip
    assert found.dimensions == 9
    assert outcomes(added_verdicts(found)) == {"tied": "supported", "room": "supported"}
    full = replace(found, concatenated=np.full((1, 2), 1.1), words_held=held + 0.5)
    assert outcomes(added_verdicts(full)) == {"tied": "opposite", "room": "opposite"}
    assert exact("x", float("nan"), 1.0).outcome == "opposite"
    assert over("x", np.array([-1.0])).outcome == "within noise"


def order(difference: float, moved) -> Order:
    return Order((), (), (), np.asarray(moved, dtype=float), difference, 1.0, ABOUT, "")


def test_what_order_is() -> None:
    moved, still = RNG.normal(0.5, 0.05, 8), np.zeros(8)
    found = order_verdicts(order(1, moved), order(1e-6, still), order(1, moved))
    assert set(outcomes(found).values()) == {"supported"}
    against = order_verdicts(order(1, still), order(1e-3, moved), order(1, still))
    assert set(outcomes(against).values()) == {"opposite"}
    assert order_verdicts(order(1, moved), None, None) == ()
    assert len(order_verdicts(None, order(0, []), order(1, moved))) == 1, "no blank, no answer"


def probe(top: float, first: float = 1.0, taken: float = 0.2) -> ReadBack:
    def view(family: str, away: bool, shares) -> Probed:
        layers = ("static", "input", "1")
        tokens = np.full(40, 10.0)
        hits = {}
        for layer, share in zip(layers, shares, strict=True):
            for task in ("position", "word"):
                hits[layer, task] = RNG.binomial(10, share, 40).astype(float)
                hits[layer, f"{task} control"] = RNG.binomial(10, 0.5, 40).astype(float)
        return Probed("m", family, away, layers, hits, {"position": tokens, "word": tokens})

    views = (view("bert", False, (0.2, first, top)), view("bert", True, (0.2, 0.2, taken)),
             view("gpt", True, (0.2, 0.2, 0.6)))  # fmt: skip
    return ReadBack(views, {}, (), 0, 40, 10, 5, {"position": 0.1, "word": 0.3})


def test_what_is_read_back() -> None:
    found = outcomes(verdicts(probe(0.7)))
    assert found["added"] == found["mixed on"] == found["word"] == found["causal"] == "supported"
    other = outcomes(verdicts(probe(0.05, 0.01, 0.02)))
    assert other["added"] == other["word"] == other["encoder"] == "opposite"
    assert outcomes(verdicts(probe(0.99, 0.1)))["mixed on"] == "opposite"
    run = probe(0.5)
    assert len(run.draws(run.views[0], "1", "word")) == RESAMPLES + 1
    assert run.score(run.views[0], "1", "word").items == 400
    assert outcomes(verdicts(replace(run, views=()))) == {}


def test_a_run_is_read_as_it_was_written() -> None:
    tasks = {"position": [1, 0], "position control": [0, 0], "word": [1, 1], "word control": [0, 1]}
    row = {"model": "bert-x", "family": "bert", "taken_away": True, "hits": {"static": tasks},
           "tokens": {"position": [2, 1], "word": [1, 1]}}  # fmt: skip
    found = parse({"views": [row], "weights": {"bert-x": "0"}, "versions": {"torch": "1"},
                   "seed": 0, "sentences": 2, "positions": 3, "words": 1,
                   "often": {"position": 0.5, "word": 1.0}})  # fmt: skip
    view = found.view("bert", taken_away=True)
    assert view is not None and view.name == "bert-x, positions taken away"
    assert found.score(view, "static", "position").mean == pytest.approx(1 / 3)
    assert found.changed == ("bert-x",)
    assert found.provenance[0].model == "bert-x"


def test_the_probe_learns_what_is_there_and_never_from_the_sentence_it_is_asked_about() -> None:
    labels = RNG.integers(0, 4, 400)
    sentence = np.repeat(np.arange(100), 4)
    fold = folds(100)[sentence]
    clear = np.eye(4)[labels] + 0.1 * RNG.normal(size=(400, 4))
    assert (predicted(clear, labels, fold) == labels).mean() > 0.95
    noise = RNG.normal(size=(400, 30))
    assert (predicted(noise, labels, fold) == labels).mean() < 0.4
    # Each sentence has a mark of its own and one label: what is learned of it helps no other.
    own = np.eye(100)[sentence]
    alone = RNG.integers(0, 4, 100)[sentence]
    assert (predicted(own, alone, fold) == alone).mean() < 0.5
    assert len(np.unique(folds(POSITIONS))) == 5


def report(name: str, loss: float) -> Report:
    tested = Tested("masked", 100, {"loss": Estimate(loss, 0.01)})
    facts = type("Facts", (), {"name": name})()
    return Report(facts, None, "", (tested,), (), (), "", ())


def test_variants_are_judged_beside_the_spread_of_seeds() -> None:
    assert trained_without([report("bert-v", 4.0)]) == []
    some = [report("bert-v", 4.0), report("bert-v-seed1", 4.02), report("bert-v-no-positions", 4.5)]
    (one,) = trained_without(some)
    assert one.outcome == "supported"
    (other,) = trained_without([report("bert-v", 4.5), report("bert-v-no-positions", 4.0)])
    assert other.outcome == "opposite"
    wide = [report("bert-v", 4.0), report("bert-v-seed1", 6.0), report("bert-v-no-positions", 4.5)]
    assert trained_without(wide)[0].outcome == "within noise"
