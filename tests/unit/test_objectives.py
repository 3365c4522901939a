"""Every objective, on the real classes made small: its loss, what it learns, what it cannot see."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional as F
from transformers import PreTrainedModel

from models.elmo import ElmoForPreTraining
from models.training import starts
from models.training.loop import Run
from models.training.objectives import (
    Special,
    denoising,
    echoes,
    hidden_words,
    one_mask_per_word,
    two_way_lm,
)
from models.training.readouts import Readout, mean_loss
from models.training.recipe import Recipe
from models.training.recipes import RECIPES
from models.training.tasks import TASKS
from tests.unit.test_training import repeating_store

SIZE = 40
CONTINUING = torch.arange(SIZE) >= 30  # pieces 30..39 go on with a word
SPECIAL = Special(pad=0, unk=1, cls=2, sep=3, mask=4, continuing=CONTINUING)
KINDS = {
    "bert": "masked",
    "gpt": "causal",
    "elmo": "two-way",
    "lstm": "two-way",
    "seq": "denoising",
}


def toy(kind: str, monkeypatch: pytest.MonkeyPatch) -> PreTrainedModel:
    monkeypatch.setattr(starts, "WIDTH", 32)
    monkeypatch.setattr(starts, "LAYERS", 2)
    return starts.start_model(kind, SPECIAL, torch.ones(SIZE, dtype=torch.long), None, seed=0)


def rows(generator: torch.Generator, count: int = 6, length: int = 9) -> torch.Tensor:
    ids = torch.randint(5, SIZE, (count, length), generator=generator)
    ids[:, 0], ids[:, 1], ids[:, -1] = 2, 7, 3
    return ids


def test_the_chunked_loss_and_its_gradients_are_those_of_cross_entropy() -> None:
    generator = torch.Generator().manual_seed(0)
    shapes = (600, 8), (SIZE, 8), (SIZE,)
    ours = [torch.randn(s, generator=generator).requires_grad_() for s in shapes]
    theirs = [t.detach().clone().requires_grad_() for t in ours]
    targets = torch.randint(SIZE, (600,), generator=generator)
    loss = 3 * Readout(*ours, targets).loss()
    plain = 3 * F.cross_entropy(F.linear(*theirs), targets)
    torch.testing.assert_close(loss, plain)
    for mine, other in zip(
        torch.autograd.grad(loss, ours), torch.autograd.grad(plain, theirs), strict=True
    ):
        torch.testing.assert_close(mine, other, atol=1e-6, rtol=1e-4)


def test_what_is_avoided_adds_its_unlikelihood_and_the_right_gradient() -> None:
    generator = torch.Generator().manual_seed(0)
    shapes = (5, 8), (SIZE, 8), (SIZE,)
    ours = [torch.randn(s, generator=generator).requires_grad_() for s in shapes]
    targets, avoided = torch.tensor([1, 2, 3, 4, 5]), torch.tensor([[7, 7, 1]] * 5)
    loss = Readout(*ours, targets, avoided=avoided, avoidance=0.7).loss()
    log_p = F.log_softmax(F.linear(*ours), dim=-1)
    extra = -torch.log1p(-log_p[:, 7].exp()).sum() - torch.log1p(-log_p[1:, 1].exp()).sum()
    plain = (F.nll_loss(log_p, targets, reduction="sum") + 0.7 * extra) / 5
    torch.testing.assert_close(loss, plain)
    for mine, other in zip(
        torch.autograd.grad(loss, ours), torch.autograd.grad(plain, ours), strict=True
    ):
        torch.testing.assert_close(mine, other, atol=1e-6, rtol=1e-4)


def test_echoes_are_the_content_words_beside_a_blank_in_a_single_sentence() -> None:
    content = torch.zeros(SIZE, dtype=torch.bool)
    content[[8, 9]] = True
    special = replace(SPECIAL, rarely_twice=content, avoidance=0.5)
    ids = torch.tensor([[2, 8, 7, 9, 3]])
    chosen = torch.tensor([[False, False, True, True, False]])
    found = echoes(ids, chosen, special)
    assert found is not None
    assert found.tolist() == [[7, 8, 7, 7, 7], [9, 8, 9, 9, 9]]
    assert echoes(ids.repeat(1, 10), chosen.repeat(1, 10), special) is None
    assert echoes(ids, chosen, replace(special, avoidance=0.0)) is None
    assert echoes(ids, chosen, SPECIAL) is None


@pytest.mark.parametrize("kind", ["gpt", "elmo", "lstm", "seq"])
def test_the_loss_is_the_models_own(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, generator = toy(kind, monkeypatch), torch.Generator().manual_seed(1)
    ids = rows(generator)
    given = torch.Generator().manual_seed(2)
    loss = mean_loss(TASKS[KINDS[kind]](model, ids, SPECIAL, 0.3, given))
    asked = {"input_ids": ids, "labels": ids}
    if kind == "seq":
        hidden = hidden_words(ids, SPECIAL, 0.3, torch.Generator().manual_seed(2))
        source = one_mask_per_word(ids, hidden, SPECIAL)
        asked = {"input_ids": source, "attention_mask": (source != 0).long(),
                 "decoder_input_ids": ids[:, :-1], "labels": ids[:, 1:].contiguous()}  # fmt: skip
    torch.testing.assert_close(loss, model(**asked).loss, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_toy_learns_below_the_unigram_entropy(
    kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store = repeating_store()
    recipe = Recipe("toy", objective=KINDS[kind], tokens_per_step=256, short=1.0, block=0.0,
                    long=0.0, warmup_steps=5, peak_rate=1e-2, frozen=())  # fmt: skip
    special = replace(SPECIAL, continuing=None)
    run = Run(toy(kind, monkeypatch), store, special, recipe, tmp_path)
    losses = [run.train_step() for _ in range(100)]
    counts = np.bincount(store.ids[store.ids != 3])
    p = counts[counts > 0] / counts.sum()
    assert np.mean(losses[-10:]) < 0.7 * -(p * np.log(p)).sum()


@pytest.mark.parametrize("kind", ["gpt", "lstm", "elmo"])
def test_one_way_answers_do_not_move_when_the_other_side_does(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = toy(kind, monkeypatch).eval()
    ids = rows(torch.Generator().manual_seed(3), count=1)
    other = ids.clone()
    other[:, 5] = 6 if ids[0, 5] != 6 else 8
    generator = torch.Generator()
    readouts = TASKS[KINDS[kind]](model, torch.cat([ids, other]), SPECIAL, 0.0, generator)
    before, after = readouts[0].hidden.unflatten(0, (2, -1))
    assert torch.equal(before[:5], after[:5])  # they answer tokens 1..5 from those before
    assert not torch.equal(before[5:], after[5:])
    if kind == "elmo":
        before, after = readouts[1].hidden.unflatten(0, (2, -1))
        assert torch.equal(before[5:], after[5:])  # they answer tokens 5.. from those after
        assert not torch.equal(before[:5], after[:5])


def test_padding_changes_nothing_for_elmo(monkeypatch: pytest.MonkeyPatch) -> None:
    model = toy("elmo", monkeypatch).eval()
    assert isinstance(model, ElmoForPreTraining)
    ids = rows(torch.Generator().manual_seed(4), count=2)
    padded = F.pad(ids, (0, 4))
    mask = (padded != 0).long()
    alone, among = model(ids), model(padded, attention_mask=mask)
    torch.testing.assert_close(among.forward_logits[:, :9], alone.forward_logits)
    torch.testing.assert_close(among.backward_logits[:, :9], alone.backward_logits)


def test_a_hidden_word_is_hidden_whole_and_becomes_one_mask() -> None:
    #               [CLS] word ##go ##on word word ##go [SEP]
    ids = torch.tensor([[2, 7, 31, 32, 8, 9, 33, 3]])
    for seed in range(20):
        hidden = hidden_words(ids, SPECIAL, 0.4, torch.Generator().manual_seed(seed))[0].tolist()
        assert hidden[1] == hidden[2] == hidden[3] and hidden[5] == hidden[6]
        assert not hidden[0] and not hidden[-1] and any(hidden)
    words = torch.tensor([[False, True, True, True, False, True, True, False]])
    assert one_mask_per_word(ids, words, SPECIAL).tolist() == [[2, 4, 8, 4, 3]]


def test_only_hidden_words_count_when_denoising_is_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    model = toy("seq", monkeypatch)
    ids = rows(torch.Generator().manual_seed(5))
    (readout,) = denoising(model, ids, SPECIAL, 0.3, torch.Generator().manual_seed(6))
    hidden = hidden_words(ids, SPECIAL, 0.3, torch.Generator().manual_seed(6))
    assert readout.counted.tolist() == ids[hidden].tolist()
    assert len(readout.targets) == ids[:, 1:].numel()


def test_each_direction_of_elmo_answers_every_token(monkeypatch: pytest.MonkeyPatch) -> None:
    model = toy("elmo", monkeypatch)
    ids = rows(torch.Generator().manual_seed(7))
    left, right = two_way_lm(model, ids, SPECIAL, 0.0, torch.Generator())
    assert left.targets.tolist() == ids[:, 1:].flatten().tolist()
    assert right.targets.tolist() == ids[:, :-1].flatten().tolist()


@pytest.mark.parametrize("family", ["en", "zh"])
def test_a_family_is_equal_but_for_one_thing(family: str) -> None:
    members = [r for name, r in RECIPES.items() if name.endswith(f"-{family}") and r.frozen == ()]
    special = replace(SPECIAL, continuing=None)
    sizes = {}
    for recipe in members:
        counts = torch.ones(recipe.vocabulary_size, dtype=torch.long)
        model = starts.start_model(recipe.start, special, counts, None, seed=0)
        sizes[recipe.name] = sum(p.numel() for p in model.parameters())
    assert len(sizes) == {"en": 5, "zh": 4}[family]
    assert max(sizes.values()) <= 1.05 * min(sizes.values())
    same = {replace(r, name="", start="", objective="masked") for r in members}
    assert len(same) == 1  # text, pieces, steps and tokens


def test_a_table_of_sinusoids_is_never_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """transformers does not save it: a trained one would be lost, and the model spoiled."""
    model = toy("seq", monkeypatch)
    before = model.model.decoder.embed_positions.weight.detach().clone()
    recipe = replace(RECIPES["seq-s-en"], tokens_per_step=60, warmup_steps=1)
    run = Run(model, repeating_store(), SPECIAL, recipe, tmp_path)
    run.train_step()
    assert torch.equal(run.model.model.decoder.embed_positions.weight.float(), before.bfloat16())
    assert not any("embed_positions" in name for name in run.optimizer.master)


def test_a_recipe_changes_from_stage_to_stage() -> None:
    recipe = Recipe("x", later=((10, (("short", 0.9),)), (20, (("short", 0.7), ("block", 0.2)))))
    assert recipe.at(9) is recipe
    assert (recipe.at(10).short, recipe.at(25).short) == (0.9, 0.7)
    assert recipe.at(25).block == 0.2
