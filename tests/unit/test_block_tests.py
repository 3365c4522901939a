"""Claims about a block from made-up tests: either outcome can come, and missing models are said."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from models.block_claims import CLAIMS, block_verdicts, untested
from models.block_tests import BlockTests, from_facts, score
from models.blocks.silencing import points
from models.interventions import NoFeedForward
from models.training.inside import FEW, VARIANTS, _still, curves, likeness, nats
from tests.unit.kinds import build_kind

PASSAGES, LAYERS = 30, 5
WAYS = ("", "/no ffn", "/no skip ffn", "/no skip attention", "/no skips")


def sums(loss: float, rng: np.random.Generator, count: int = PASSAGES) -> dict[str, list[float]]:
    words = rng.integers(3, 9, count).astype(float)
    nats = words * (loss + rng.normal(0, 0.02, count))
    return {"nats": nats.tolist(), "words": words.tolist()}


def made_up(better: float = 0.3) -> dict[str, Any]:
    """Tests in which every textbook claim holds by `better`, or its opposite if that is below 0."""
    rng = np.random.default_rng(0)
    names = [*VARIANTS, *(f"bert-s-en{way}" for way in WAYS)]
    good = {"bert-v", "bert-v-seed1", "bert-v-seed2"}
    loss = {name: 3.0 if name in good else 3.0 + better for name in names}
    loss["bert-v-8-heads"] = loss["bert-v-dropout-10"] = 3.0 - better
    left = {name: 0.6 if name in good else 0.6 - better / 2 for name in names}
    left |= {"bert-s-en": 0.7, "bert-s-en/no ffn": 0.7 - better / 3}
    left["bert-s-en/no skips"] = 0.7 - better / 1.5
    rows = {
        name: (value + rng.normal(0, 0.004, (12, LAYERS))).tolist() for name, value in left.items()
    }
    counts = list(range(17))
    rising = [3 + (0.04 * better * n / 16 if n <= 8 else better * n / 16) for n in counts]
    most = [3 + better * n / 16 + (better if 0 < n < 16 else 0) for n in counts]
    words = [5.0] * 15
    rise, fall = ([[5 * value + x for x in rng.normal(0, 0.01, 15)] for value in curve]
                  for curve in (rising, most))  # fmt: skip
    few = dict(zip(FEW, (0.0, 1.0, 2.0), strict=True))
    return {
        "seed": 0,
        "weights": dict.fromkeys([*VARIANTS, *FEW, "bert-s-en"], "0" * 12),
        "versions": {"torch": "0"},
        "losses": {name: sums(value, rng) for name, value in loss.items()},
        "residual": rows,
        "cosine": deepcopy(rows),
        "silenced": {
            "bert-s-en": {
                "order": [[layer, head] for layer in range(4) for head in range(4)],
                "counts": counts, "least_first": rise, "most_first": fall, "words": words,
            }
        },
        "read": {
            name: {
                "own": sums(2.0 + better * step, rng),
                "held_out": sums(4.0 - 0.5 * better * step, rng),
            }
            for name, step in few.items()
        },
    }  # fmt: skip


def outcomes(found: BlockTests) -> dict[str, str]:
    return {
        verdict.claim: verdict.outcome
        for section in ("ffn", "alike", "heads", "dropout")
        for verdict in block_verdicts(found, section)  # type: ignore[arg-type]
    }


def test_every_claim_can_be_supported_and_opposed() -> None:
    assert set(outcomes(from_facts(made_up())).values()) == {"supported"}
    assert len(outcomes(from_facts(made_up()))) == len(CLAIMS)
    opposite = outcomes(from_facts(made_up(-0.3)))
    del opposite["spare"]  # its opposite is that half of the heads costs much
    assert set(opposite.values()) == {"opposite"}


def test_without_an_effect_it_is_noise() -> None:
    found = outcomes(from_facts(made_up(0.0)))
    assert list(found.values()).count("within noise") >= len(CLAIMS) - 2


def test_seeds_that_lie_far_apart_make_a_variant_noise_and_leave_a_switch_alone() -> None:
    facts = made_up()
    rng = np.random.default_rng(1)
    for name, loss in (("bert-v-seed1", 2.5), ("bert-v-seed2", 3.5)):
        facts["losses"][name] = sums(loss, rng)
    found = outcomes(from_facts(facts))
    assert found["needed"] == "within noise" and found["skips off"] == "supported"


def test_half_of_the_heads_that_cost_as_much_as_all_are_not_spare() -> None:
    facts = made_up()
    curves = facts["silenced"]["bert-s-en"]
    curves["least_first"][8] = curves["least_first"][16]
    assert outcomes(from_facts(facts))["spare"] == "opposite"


def test_differences_are_paired() -> None:
    facts = made_up()
    noisy = np.random.default_rng(2).normal(0, 1, PASSAGES)
    for name in ("bert-v", "bert-v-relu"):  # both find the same passages hard
        row = facts["losses"][name]
        row["words"] = [5.0] * PASSAGES
        level = 3.0 if name == "bert-v" else 3.3
        row["nats"] = (5 * (level + noisy)).tolist()
    found = from_facts(facts)
    (gelu,) = (v for v in block_verdicts(found, "ffn") if v.claim == "gelu")
    assert gelu.error < 1e-6 < found.loss("bert-v").std()


def test_what_is_not_trained_yet_is_named_and_left_out() -> None:
    facts = made_up()
    for name in ("bert-v-1-head", "bert-v-identity"):
        del facts["losses"][name]
    found = from_facts(facts)
    assert "several" not in outcomes(found) and "bends" not in outcomes(found)
    assert untested(found, "heads") == ("bert-v-1-head",)
    assert "bert-v-few" in untested(None, "dropout")


def test_an_interval_holds_the_figure() -> None:
    found = from_facts(made_up())
    one = score(found.loss("bert-v"), PASSAGES)
    assert one.low < one.mean < one.high and one.mean == pytest.approx(3.0, abs=0.05)


def test_a_later_run_measures_only_what_has_other_weights() -> None:
    facts = made_up()
    now = facts["weights"] | {"bert-v": "1" * 12, "bert-s-en": "2" * 12}
    kept, known = _still(facts, now)
    assert known == set(now) - {"bert-v", "bert-s-en"}
    assert not any(name.startswith("bert-s-en") for name in kept["losses"])
    assert kept["losses"]["bert-v-relu"] == facts["losses"]["bert-v-relu"]
    assert not kept["silenced"] and set(kept["read"]) == set(FEW)
    assert _still({}, now) == ({part: {} for part in kept}, set())


def test_what_a_run_measures_of_one_model(tmp_path: Path) -> None:
    model = build_kind("bert", tmp_path)
    ids = [
        torch.randint(6, 60, (12,), generator=torch.Generator().manual_seed(i)) for i in range(6)
    ]
    plain, again = nats(model, ids), nats(model, ids)
    assert plain == again, "what is hidden hangs on the passage alone"
    assert nats(model, ids, [NoFeedForward()])["nats"] != plain["nats"]
    assert nats(model, ids, [NoFeedForward()])["words"] == plain["words"]
    residual, cosine = likeness(model, ids)
    assert np.shape(residual) == np.shape(cosine) == (6, 3)
    found = curves(model, ids)
    assert found["counts"] == points(4) and len(found["order"]) == 4
    assert np.shape(found["least_first"]) == np.shape(found["most_first"]) == (5, 3)
    assert found["least_first"][0] == nats(model, ids[1::2])["nats"], "measured on the odd ones"
    assert found["least_first"][-1] == found["most_first"][-1]
