"""The training frame on toys: objectives, batches, optimizer, resumption, pruning, scores."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import BertConfig, BertForMaskedLM

from models.training.batches import TokenStore, batch
from models.training.card import control
from models.training.evaluation import outcome, summarize
from models.training.loop import Run
from models.training.minilm import COMMON, SPECIAL, prune
from models.training.objectives import Special, choose, corrupt, masked_lm
from models.training.optimizer import MasterAdamW
from models.training.readouts import mean_loss
from models.training.recipe import Recipe, learning_rate

SPECIAL_IDS = Special(pad=0, unk=1, cls=2, sep=3, mask=4)
VOCABULARY = 40
RECIPE = Recipe("toy", tokens_per_step=256, warmup_steps=5, peak_rate=1e-2, average_steps=20)


def tiny_bert() -> BertForMaskedLM:
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=VOCABULARY,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.2,  # the usual 0.02 is too little for so narrow a model
    )
    config._attn_implementation = "eager"
    return BertForMaskedLM(config)


def store_of(sentences: list[np.ndarray]) -> TokenStore:
    """A corpus in which every sentence is a document of its own."""
    rows = [np.append(row, SPECIAL_IDS.sep) for row in sentences]
    starts = np.concatenate([[0], np.cumsum([len(r) for r in rows])])
    ids = np.concatenate(rows).astype(np.uint16)
    return TokenStore(ids, starts, np.ones(len(rows)), SPECIAL_IDS.cls, SPECIAL_IDS.sep)


def counting_store() -> TokenStore:
    """Sentences that count upwards from somewhere."""
    draws = np.random.default_rng(0).integers([0, 6], [20, 12], (400, 2))
    return store_of([5 + first + np.arange(n) for first, n in draws])


def repeating_store() -> TokenStore:
    """Sentences that say one word again and again: the rest tells every hidden word."""
    draws = np.random.default_rng(0).integers([5, 6], [VOCABULARY, 12], (400, 2))
    return store_of([np.full(n, word) for word, n in draws])


@given(st.integers(0, 10_000), st.floats(0.05, 0.5))
@settings(max_examples=30, deadline=None)
def test_chosen_positions_are_ordinary_and_never_none(seed: int, rate: float) -> None:
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(5, VOCABULARY, (6, 9), generator=generator)
    ids[:, 0], ids[:, -1], ids[0, 3:8] = 2, 3, 0
    chosen = choose(ids, SPECIAL_IDS, rate, generator)
    assert chosen.any(dim=1).all()
    assert (ids[chosen] >= 5).all()


def test_corruption_hides_80_replaces_10_keeps_10() -> None:
    generator = torch.Generator().manual_seed(1)
    ids = torch.randint(5, VOCABULARY, (200, 100), generator=generator)
    chosen = torch.rand(ids.shape, generator=generator) < 0.5
    seen = corrupt(ids, chosen, SPECIAL_IDS, VOCABULARY, generator)
    assert (seen[~chosen] == ids[~chosen]).all()
    masked = (seen[chosen] == 4).float().mean().item()
    kept = (seen[chosen] == ids[chosen]).float().mean().item()
    assert masked == pytest.approx(0.8, abs=0.02)
    assert kept == pytest.approx(0.1 + 0.1 / (VOCABULARY - 5), abs=0.02)
    assert (seen[chosen] >= 4).all()


def test_loss_is_the_models_own_loss_at_the_chosen_positions() -> None:
    model, ids = tiny_bert().eval(), torch.randint(5, VOCABULARY, (4, 12))
    loss = mean_loss(masked_lm(model, ids, SPECIAL_IDS, 0.3, torch.Generator().manual_seed(3)))
    generator = torch.Generator().manual_seed(3)
    chosen = choose(ids, SPECIAL_IDS, 0.3, generator)
    seen = corrupt(ids, chosen, SPECIAL_IDS, VOCABULARY, generator)
    labels = torch.where(chosen, ids, -100)
    theirs = model(input_ids=seen, attention_mask=torch.ones_like(ids), labels=labels).loss
    torch.testing.assert_close(loss, theirs, atol=1e-5, rtol=1e-5)


def test_batches_depend_on_seed_and_step_alone_and_frame_each_row() -> None:
    store = counting_store()
    first, again = batch(store, RECIPE, 7), batch(store, RECIPE, 7)
    assert (first == again).all()
    assert not np.array_equal(first, batch(store, RECIPE, 8))
    for step in range(20):
        rows = batch(store, RECIPE, step)
        assert (rows[:, 0] == 2).all() and (rows[:, -1] == 3).all()
        assert rows.size <= max(RECIPE.tokens_per_step, 512)


def test_sentence_batches_are_whole_sentences() -> None:
    store = counting_store()
    only_short = Recipe("toy", tokens_per_step=256, short=1.0, block=0.0, long=0.0)
    for step in range(10):
        inner = batch(store, only_short, step)[:, 1:-1]
        assert (np.diff(inner, axis=1) == 1).all()


def test_counts_leave_out_the_separator() -> None:
    store = store_of([np.array([7, 7, 9]), np.array([9])])
    assert store.counts(11).tolist() == [0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0]


def test_master_weights_follow_plain_adamw() -> None:
    ours, theirs = torch.nn.Linear(4, 3), torch.nn.Linear(4, 3)
    theirs.load_state_dict(ours.state_dict())
    optimizer = MasterAdamW(ours, weight_decay=0.0, average_steps=10)
    plain = torch.optim.AdamW(theirs.parameters(), 1e-2, (0.9, 0.98), 1e-6, weight_decay=0.0)
    for step in range(5):
        x = torch.randn(8, 4, generator=torch.Generator().manual_seed(step))
        for model in (ours, theirs):
            model(x).square().sum().backward()
        torch.nn.utils.clip_grad_norm_(theirs.parameters(), 1.0)
        plain.step()
        plain.zero_grad()
        optimizer.step(1e-2, step)
    torch.testing.assert_close(ours.weight, theirs.weight)


def test_a_resumed_run_ends_where_an_unbroken_one_does(tmp_path: Path) -> None:
    def fresh(folder: str) -> Run:
        return Run(tiny_bert(), counting_store(), SPECIAL_IDS, RECIPE, tmp_path / folder)

    unbroken, broken = fresh("a"), fresh("b")
    losses = [unbroken.train_step() for _ in range(8)]
    halves = [broken.train_step() for _ in range(4)]
    broken.save()
    resumed = fresh("b")
    assert resumed.resume() and resumed.progress.step == 4
    halves += [resumed.train_step() for _ in range(4)]
    assert halves == losses
    for name, value in unbroken.averaged().items():
        torch.testing.assert_close(resumed.averaged()[name], value)


def test_masked_lm_learns_below_the_unigram_entropy(tmp_path: Path) -> None:
    store = repeating_store()
    only_short = replace(RECIPE, short=1.0, block=0.0, long=0.0)
    run = Run(tiny_bert(), store, SPECIAL_IDS, only_short, tmp_path)
    losses = [run.train_step() for _ in range(100)]
    counts = np.bincount(store.ids[store.ids != 3])
    p = counts[counts > 0] / counts.sum()
    assert np.mean(losses[-10:]) < 0.5 * -(p * np.log(p)).sum()


def test_learning_rate_warms_up_then_falls_with_the_root_of_tokens() -> None:
    recipe = Recipe("x", peak_rate=1.0, warmup_steps=10, full_rate_tokens=100)
    assert learning_rate(recipe, 0, 0) == pytest.approx(0.1)
    assert learning_rate(recipe, 50, 100) == pytest.approx(1.0)
    assert learning_rate(recipe, 50, 400) == pytest.approx(0.5)


def test_pruning_keeps_specials_singles_dictionary_and_corpus_words() -> None:
    words = ["the", *(f"word{i}" for i in range(20_000)), "llama", "fridges"]
    pieces = ["[PAD]", "[unused0]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##a", *words]
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    counts = Counter({"llama": 3, "word19000": 1})
    kept = prune(vocabulary, counts, COMMON + 10, dictionary={"fridge"})
    assert kept[:5] == SPECIAL
    assert {"a", "##a", "the", "word100", "fridges", "llama", "word19000"} <= set(kept)
    assert "[unused0]" not in kept and f"word{COMMON + 100}" not in kept
    assert len(kept) == len(set(kept)) <= COMMON + 10


def test_unknown_targets_count_as_wrong_and_sources_weigh_alike() -> None:
    initial = torch.ones(VOCABULARY, dtype=torch.bool)
    sure = torch.log_softmax(torch.eye(VOCABULARY)[[7, 1]] * 50, dim=-1)
    right = outcome("a", torch.tensor([7, 1]), sure, initial, unknown=1)
    assert right.hits.tolist() == [1.0, 1.0, 1.0]
    other = outcome("b", torch.tensor([9, 9]), sure, initial, 1)
    scores = summarize([right, other, other])
    assert scores.top1.mean == pytest.approx(0.25)


def test_the_card_tells_a_control_where_there_is_one(tmp_path: Path) -> None:
    assert control(tmp_path) == ""
    shares = {"echoes": [0.1, 0.02], "everyday_top1": [0.4, 0.04], "everyday_top5": [0.6, 0.04],
              "held_out_top1": [0.38, 0.01]}  # fmt: skip
    found = {"from": 15_500_000, "tokens": 640_000, "with": shares, "without": shares}
    (tmp_path / "control.json").write_text(json.dumps(found))
    assert "from 15.5 M tokens on for 0.64 M more" in control(tmp_path)
    assert "| without | 10.0 ± 2.0 | 40.0 ± 4.0 |" in control(tmp_path)
