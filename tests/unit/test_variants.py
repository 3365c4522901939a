"""Variants: each differs from the base in one thing; pairs of passages; parts of a text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from transformers import BertForMaskedLM, BertForPreTraining

from models.training import starts
from models.training.loop import MOMENTS, Budget, Run, train
from models.training.next_sentence import make_pairs, with_next_sentence
from models.training.objectives import Special
from models.training.readouts import mean_loss
from models.training.recipe import Recipe
from models.training.tasks import TASKS
from models.training.variants import BASE, VARIANTS
from tests.unit.test_training import counting_store

SPECIAL = Special(0, 1, 2, 3, 4)
ONES = torch.ones(60, dtype=torch.long)


def begun(recipe: Recipe) -> BertForMaskedLM:
    changes = dict(recipe.changes)
    model = starts.start_model(recipe.start, SPECIAL, ONES, None, recipe.seed, changes)
    starts.fix_positions(model, recipe.positions)
    return model


@pytest.mark.parametrize("recipe", VARIANTS, ids=lambda recipe: recipe.name)
def test_a_variant_differs_from_the_base_in_what_it_says_and_nothing_else(recipe: Recipe) -> None:
    named = {field for field in vars(recipe) if getattr(recipe, field) != getattr(BASE, field)}
    about = named - {"name", "differs", "keep_at"}
    assert bool(about) == bool(recipe.differs) == (recipe is not BASE)
    assert len(about & {"seed", "changes", "positions", "start"}) <= 2
    assert about <= {"seed", "changes", "positions", "start", "frozen", "objective", "short",
                     "block", "only_tokens", "target_tokens"}  # fmt: skip
    model = begun(recipe)
    ids = torch.randint(5, 60, (4, 12), generator=torch.Generator().manual_seed(0))
    task = TASKS[recipe.objective]
    loss = mean_loss(task(model, ids, SPECIAL, 0.15, torch.Generator().manual_seed(1)))
    loss.backward()
    assert loss.isfinite()


def test_names_are_told_apart_and_equal_sizes_are_equal() -> None:
    names = [recipe.name for recipe in VARIANTS]
    assert len(set(names)) == len(names)
    sizes = {recipe.name: begun(recipe).num_parameters() for recipe in VARIANTS}
    for one, other in [
        ("bert-v", "bert-v-attention"),
        ("bert-v", "bert-v-8-heads"),
        ("bert-v", "gpt-v"),
        ("gpt-v", "lstm-v-4-layers"),
        ("gpt-v-2-layers", "lstm-v-2-layers"),
        ("gpt-v-1-layer", "lstm-v-1-layer"),
    ]:
        assert sizes[one] == pytest.approx(sizes[other], rel=0.05)


def test_positions_become_sinusoids_or_nothing() -> None:
    by_name = {recipe.name: recipe for recipe in VARIANTS}
    table = begun(by_name["bert-v-sinusoids"]).bert.embeddings.position_embeddings.weight.detach()
    assert table[0, 0] == 0 and table[0, 1] == pytest.approx(starts.VECTOR_SCALE)
    products = table @ table.T
    for offset in (1, 5):
        along = products.diagonal(offset)
        assert along.max() - along.min() < 1e-5, "the product hangs on the distance alone"
    none = begun(by_name["bert-v-no-positions"]).bert.embeddings.position_embeddings.weight
    assert not none.any()


def test_half_of_the_second_passages_are_those_of_other_rows() -> None:
    ids = torch.arange(5, 5 + 20 * 10).reshape(20, 10)
    ids[:, 0], ids[:, -1] = 2, 3
    pairs = make_pairs(ids, SPECIAL, torch.Generator().manual_seed(0))
    assert pairs.ids.shape == ids.shape and (pairs.ids[:, [5, 9]] == 3).all()
    assert (pairs.types == torch.tensor([0] * 6 + [1] * 4)).all()
    assert 5 <= int(pairs.goes_on.sum()) <= 15
    for row, whole, goes_on in zip(pairs.ids, ids, pairs.goes_on, strict=True):
        assert torch.equal(row[:5], whole[:5])
        assert torch.equal(row[6:9], whole[5:8]) == bool(goes_on)
    moved = pairs.ids[~pairs.goes_on][:, 6]
    assert set(moved.tolist()) <= set(ids[:, 5].tolist()), "each begins in the middle of a text"


def test_next_sentence_counts_0_for_what_follows_as_transformers_does() -> None:
    model = begun(next(r for r in VARIANTS if r.objective == "next-sentence"))
    assert isinstance(model, BertForPreTraining)
    ids = torch.randint(5, 60, (8, 12), generator=torch.Generator().manual_seed(2))
    generator = torch.Generator().manual_seed(3)
    words, follows = with_next_sentence(model, ids, SPECIAL, 0.15, generator)
    pairs = make_pairs(ids, SPECIAL, torch.Generator().manual_seed(3))
    assert follows.targets.tolist() == (~pairs.goes_on).long().tolist()
    alone = TASKS["pairs"](model, ids, SPECIAL, 0.15, torch.Generator().manual_seed(3))
    assert len(alone) == 1 and torch.equal(alone[0].targets, words.targets)


def test_a_part_of_a_text_is_whole_documents() -> None:
    store = counting_store()
    part = store.part(len(store.ids) // 3)
    assert len(store.ids) / 3 <= len(part.ids) < len(store.ids)
    assert part.ids[-1] == part.sep and len(part.weights) == len(part.starts) - 1
    assert part.starts[-1] == len(part.ids)
    whole = "," + ",".join(map(str, store.ids)) + ","
    for document in np.split(part.ids, np.flatnonzero(part.ids == part.sep)[:-1] + 1):
        assert "," + ",".join(map(str, document)) + "," in whole


def test_moments_of_a_run_are_kept_as_they_were(tmp_path: Path) -> None:
    recipe = replace(BASE, tokens_per_step=40, keep_at=(1, 100), short=1.0, block=0.0, longest=9)
    model = starts.narrow(starts.bert)(60, SPECIAL)
    run = Run(model, counting_store(), SPECIAL, recipe, tmp_path)
    for _ in range(5):
        run.train_step()
    kept = sorted((tmp_path / MOMENTS).glob("*.safetensors"))
    assert len(kept) == 2 and int(kept[1].stem) >= 100 > int(kept[0].stem)
    first, second = map(load_file, kept)
    name = "bert.encoder.layer.0.output.dense.weight"
    assert first[name].dtype == torch.float16 and not torch.equal(first[name], second[name])


def test_a_curve_has_its_points_at_fixed_tokens(tmp_path: Path) -> None:
    recipe = replace(BASE, tokens_per_step=60, target_tokens=2_000, keep_at=(), look_every=700,
                     short=1.0, block=0.0, longest=9)  # fmt: skip
    run = Run(starts.narrow(starts.bert)(60, SPECIAL), counting_store(), SPECIAL, recipe, tmp_path)
    points: list[float] = []
    train(run, Budget(5), [], lambda record: points.append(record["tokens"]))
    assert len(points) == 3 and points[2] == run.progress.tokens >= 2_000
    assert 700 <= points[0] < 800 and 700 <= points[1] - points[0] < 800
