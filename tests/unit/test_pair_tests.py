"""Next-sentence prediction: judged either way, or not at all where it was not learned."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertForPreTraining

from components.feature_claims import judged
from models.features import Features
from models.features import from_facts as features_from
from models.pair_tests import LITTLE, SEEDS, WITH, WITHOUT, PairTests, from_facts, pair_verdicts
from models.training.batches import TokenStore
from models.training.next_sentence import Pairs, make_pairs
from models.training.objectives import Special, choose
from models.training.pair_tests import found_words, knows, rows
from tests.unit.test_features import layers
from tests.unit.test_features import made_up as made_up_features

PAIRS = 300
SPECIAL = Special(0, 1, 2, 3, 4)


def made_up(adds: float = 0.0, knows: float = 0.8) -> dict[str, Any]:
    """Tests in which being asked adds so much to hidden words, and so many pairs are right."""
    rng = np.random.default_rng(0)
    base = rng.binomial(200, 0.2, PAIRS)

    def moved(by: float) -> list[int]:
        return (base + np.round(200 * by) + rng.integers(0, 2, PAIRS)).astype(int).tolist()

    return {
        "seed": 0,
        "weights": {WITHOUT: "0" * 12, WITH: "1" * 12},
        "versions": {"torch": "0"},
        "hits": {WITHOUT: moved(0), WITH: moved(adds)} | {name: moved(0) for name in SEEDS},
        "words": [200] * PAIRS,
        "right": (np.arange(PAIRS) < knows * PAIRS).astype(int).tolist(),
        "near": (np.arange(PAIRS) < 0.5 * PAIRS).astype(int).tolist(),
        "follows": 0.5,
    }


def features(adds: float) -> Features:
    rng = np.random.default_rng(2)
    facts = made_up_features()
    for name, share in ((WITHOUT, 0.6), (WITH, 0.6 + adds)):
        facts["views"][name] = layers(rng, static=0.4, first=share, last=0.3, control=0.3)
    return features_from(facts)


def outcomes(found: PairTests, probed: Features | None) -> dict[str, str]:
    return {each.claim: each.outcome for each in pair_verdicts(found, probed)}


def test_little_much_and_noise() -> None:
    supported = outcomes(from_facts(made_up(-0.05)), features(-0.3))
    assert supported == {"little words": "supported", "little features": "supported"}
    opposite = outcomes(from_facts(made_up(0.08)), features(0.3))
    assert opposite == {"little words": "opposite", "little features": "opposite"}
    assert outcomes(from_facts(made_up(LITTLE)), None) == {"little words": "within noise"}


def test_at_chance_there_is_no_verdict() -> None:
    assert from_facts(made_up(0.08, knows=0.8)).learned
    for share in (0.5, 0.53, 0.3):
        found = from_facts(made_up(0.08, knows=share))
        assert not found.learned and pair_verdicts(found, features(0.3)) == ()
    one = from_facts(made_up(knows=0.53)).next_sentence()
    assert one.low < 0.5 < one.high and one.mean == pytest.approx(0.53)


def test_seeds_that_lie_far_apart_are_noise() -> None:
    facts = made_up(0.08)
    facts["hits"][SEEDS[1]] = [0] * PAIRS
    assert outcomes(from_facts(facts), None) == {"little words": "within noise"}


def test_what_is_shown_is_the_gain() -> None:
    (said,) = judged(pair_verdicts(from_facts(made_up(0.08)), None), LITTLE)
    assert said.outcome == "opposite" and said.effect.startswith("+8.0 ± ")


@pytest.fixture(scope="module")
def network() -> BertForPreTraining:
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=50, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=32,
    )  # fmt: skip
    return BertForPreTraining(config).eval()


def store(tokens: int = 400) -> TokenStore:
    ids = np.arange(tokens).astype(np.uint16) % 40 + 5
    starts = np.arange(0, tokens + 1, 5)
    return TokenStore(ids, starts, np.ones(len(starts) - 1), 2, 3)


def test_rows_are_framed_and_do_not_overlap() -> None:
    text = store()
    found = rows(text, count=7, length=17)
    assert found.shape == (7, 17) and (found[:, 0] == 2).all() and (found[:, -1] == 3).all()
    every = rows(text, count=1_000, length=17)
    assert len(every) == 400 // 15, "begins of sentences that a row fits after"
    assert every[:, 1:-1].flatten().tolist() == text.ids[: len(every) * 15].tolist()


def test_what_is_asked_of_a_model(network: BertForPreTraining) -> None:
    generator = torch.Generator().manual_seed(0)
    pairs = make_pairs(rows(store(), length=17), SPECIAL, generator)
    turned = Pairs(pairs.ids, pairs.types, ~pairs.goes_on)
    assert (knows(network, pairs) != knows(network, turned)).all()
    chosen = choose(pairs.ids, SPECIAL, 0.15, generator)
    hits = found_words(network, pairs, chosen, SPECIAL.mask)
    assert (hits <= chosen.sum(1).numpy()).all()
    with torch.no_grad():
        network.cls.predictions.bias.fill_(0)
        network.cls.predictions.bias[int(pairs.ids[0, chosen[0]][0])] = 1e4
    assert found_words(network, pairs, chosen, SPECIAL.mask)[0] >= 1, "an answer that is right"


def test_a_model_without_a_second_kind_of_passage_is_asked_too(network: BertForPreTraining) -> None:
    config = BertConfig(**(network.config.to_dict() | {"type_vocab_size": 1}))
    pairs = make_pairs(rows(store(), length=17), SPECIAL, torch.Generator().manual_seed(0))
    chosen = choose(pairs.ids, SPECIAL, 0.15, torch.Generator().manual_seed(0))
    assert len(found_words(BertForPreTraining(config).eval(), pairs, chosen, 4)) == len(pairs.ids)
