"""Positions of real classes: identities, controls, and programs that print the same numbers."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import numpy as np
import pytest
import torch

import models
from models.measures.positions import offset_curve, sinusoids
from models.placed import kind_of
from models.positioning.table import by_head, entering, vectors
from models.results import Sentence
from models.training.starts import fix_positions
from tests.unit.kinds import build_kind

TEXT = "the cat was walking on the mat in paris"
HIDDEN = Sentence(TEXT, ((4, 7),))


def printed(program: str) -> list[object]:
    """What a program prints, line by line; in this process, without this project's modules."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(program, {})  # noqa: S102 - our own program
    return [json.loads(line) for line in out.getvalue().splitlines()]


def changed(folder: Path, positions: str):
    """A tiny BERT whose positions are sinusoids, or none."""
    model = build_kind("bert", folder)
    with torch.no_grad():
        fix_positions(model.network, positions)
    return model


def test_a_table_is_named_by_its_numbers(kinds, tmp_path: Path) -> None:
    assert kind_of(vectors(kinds["bert"])) == "learned"
    assert kind_of(vectors(changed(tmp_path / "s", "sinusoids"))) == "sinusoids"
    assert kind_of(vectors(changed(tmp_path / "n", "none"))) == "none"
    halves = sinusoids(9, 8)
    assert kind_of(0.3 * np.hstack([halves[:, ::2], halves[:, 1::2]])) == "sinusoids"
    assert kind_of(sinusoids(9, 8) + 0.01) == "learned"
    with pytest.raises(models.CannotTrace):
        models.position_table(kinds["elmo"])


def test_adding_is_concatenating_with_tied_halves(kinds) -> None:
    for kind in ("bert", "gpt", "seq"):
        found = models.added(kinds[kind], TEXT)
        assert found.added.shape[0] == len(found.tokens) > 8
        assert found.difference <= 1e-5 * np.abs(found.added).max()
        assert np.abs(found.added).max() > 0
        for curve in (found.positions_held, found.words_held, *found.chance):
            assert (np.diff(curve) >= -1e-9).all()
            assert curve[-1] == pytest.approx(1)
        out = printed(found.snippet)
        assert out[0] == pytest.approx(found.difference, abs=1e-6)
        np.testing.assert_allclose(out[1], found.words_held, atol=1e-5)


def test_offsets_of_each_head_are_the_models_own_scores(kinds) -> None:
    model = kinds["bert"]
    found = models.head_offsets(model)
    attention = model.network.bert.encoder.layer[0].attention.self
    inside = torch.tensor(entering(model), dtype=torch.float32)[: found.count]
    for head, (query, key) in enumerate(by_head(model)):
        size = len(query)
        rows = slice(head * size, (head + 1) * size)
        np.testing.assert_allclose(query, attention.query.weight[rows].numpy(), atol=1e-6)
        q = inside @ attention.query.weight[rows].T
        k = inside @ attention.key.weight[rows].T
        scores = (q @ k.T).numpy() / np.sqrt(size)
        np.testing.assert_allclose(
            found.heads[head], offset_curve(scores, found.reach), rtol=1e-3, atol=1e-3
        )
        assert key.shape == query.shape
    out = printed(found.snippet)
    np.testing.assert_allclose(out[0], found.pattern, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(out[1:], found.heads, rtol=1e-4, atol=1e-4)


def test_the_positions_part_passes_the_norm_up_to_each_rows_scale(kinds) -> None:
    """LayerNorm(x + p) - LayerNorm's share of x is p's share, once the sum's length is known."""
    model = kinds["bert"]
    norm = model.network.bert.embeddings.LayerNorm
    p = torch.tensor(vectors(model)[3], dtype=torch.float32)
    x = torch.randn(len(p), generator=torch.Generator().manual_seed(0))
    total = x + p
    scale = (total.var(unbiased=False) + norm.eps).rsqrt()
    rest = (x - x.mean()) * norm.weight * scale + norm.bias
    part = torch.tensor(entering(model)[3], dtype=torch.float32) * scale
    torch.testing.assert_close(norm(total), rest + part, rtol=1e-4, atol=1e-4)


def test_an_encoder_without_positions_is_equivariant(kinds, tmp_path: Path) -> None:
    for model, away in ((kinds["bert"], True), (changed(tmp_path, "none"), False)):
        found = models.shuffled(model, HIDDEN, 3, away)
        assert found.difference <= 1e-5 * found.largest
        assert found.moved.max() < 1e-6
        assert [c.text for c in found.before] == [c.text for c in found.after]
    learned = models.shuffled(kinds["bert"], HIDDEN, 3)
    assert learned.difference > 1e-2 * learned.largest
    assert learned.moved.max() > 1e-4
    assert sorted(learned.words[1]) == sorted(learned.words[0]) != list(learned.words[1])


def test_a_causal_model_without_positions_is_not(kinds) -> None:
    found = models.shuffled(kinds["gpt"], Sentence(TEXT + " ."), 0, True)
    assert found.difference > 1e-3 * found.largest
    assert all(words[-1] == "paris" for words in found.words), "the last word stays"
    assert len(set(found.words)) > 1


@pytest.mark.parametrize(("kind", "away"), [("bert", True), ("bert", False), ("gpt", True)])
def test_shuffling_again_by_a_program(kinds, kind: str, away: bool) -> None:
    found = models.shuffled(kinds[kind], HIDDEN, 1, away)
    out = printed(found.snippet)
    assert out[0] == pytest.approx(found.difference, abs=1e-4)
    np.testing.assert_allclose(out[1], found.moved, atol=1e-5)


def test_words_of_several_pieces_stay_whole_and_one_word_is_nothing_to_shuffle(kinds) -> None:
    found = models.shuffled(kinds["bert"], Sentence("the cat was walking on the mat"), 2)
    for words in found.words:
        at = words.index("walk")
        assert words[at + 1] == "ing"
    with pytest.raises(ValueError, match="words"):
        models.shuffled(kinds["bert"], Sentence("cat"))
    without = models.shuffled(kinds["bert"], Sentence(TEXT))
    assert without.before == () and len(without.moved) == 0


@pytest.mark.parametrize("kind", ["bert", "seq"])
def test_programs_print_what_is_drawn(kinds, kind: str) -> None:
    table = models.position_table(kinds[kind])
    out = printed(models.table_program(table, 16))
    np.testing.assert_allclose(out[0], table.vectors[:16], atol=1e-5)
    out = printed(models.table_program(None, 16, 8, 100))
    np.testing.assert_allclose(out[0], sinusoids(16, 8, 100), atol=1e-5)
