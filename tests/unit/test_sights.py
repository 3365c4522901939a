"""Who sees what: masks by rule and as attention gets them, exact zeros, leaks that are found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

import models
from models.catalog import bundled
from models.counts import word_counts
from models.errors import FilesMissing
from models.loading import Model
from models.measures.visibility import attended, carried
from models.seeing import sight
from models.seeing.matrix import leak_check
from models.seeing.replaced import laid_out
from models.tracing import trace

TEXT = "the cat was walking on the mat in paris"
PANES = {
    "bert": ["whole"],
    "gpt": ["whole"],
    "lstm": ["whole"],
    "elmo": ["forward", "backward"],
    "seq": ["encoder", "decoder", "cross"],
}
CAUSAL = [
    facts.name for facts in bundled() if facts.objective in ("causal", "two-way", "denoising")
]


@pytest.mark.parametrize(("kind", "names"), PANES.items())
def test_each_kind_has_its_panes_and_keeps_to_its_masks(kinds, kind, names):
    found = sight(kinds[kind], TEXT)
    assert [pane.name for pane in found.panes] == names
    assert found.padding == 2
    for pane in found.panes:
        assert pane.values.shape == pane.allowed.shape == (len(pane.rows), len(pane.columns))
        assert (pane.values[~pane.allowed] == 0).all(), "to the bit"
        assert (pane.values[pane.allowed] > 0).all()
        assert pane.check.passed and pane.check.forbidden and pane.check.largest == 0
        assert pane.check.moving == pane.check.allowed == pane.allowed.sum()
        assert 0 < pane.check.smallest <= pane.check.median


def test_words_special_tokens_and_padding_are_replaced(kinds):
    (pane,) = sight(kinds["bert"], TEXT).panes
    assert [unit.kind for unit in pane.columns] == ["special", *["word"] * 9, "special",
                                                    "padding", "padding"]  # fmt: skip
    assert [unit.text for unit in pane.columns[1:10]] == TEXT.split()
    assert pane.columns[4].text == "walking" and len(pane.columns[4].tokens) == 2
    assert [token.text for token in pane.rows[-3:]] == ["[SEP]", "[PAD]", "[PAD]"]


@pytest.mark.parametrize("kind", ["bert", "gpt", "seq"])
def test_the_rule_is_what_attention_gets(kinds, kind):
    """The nominal mask, against the mask that each layer's attention was really given."""
    model = kinds[kind]
    seen = trace(model, TEXT, "mask", target=TEXT if kind == "seq" else None)
    by_kind = {"bert": ["encoder"], "gpt": ["decoder"], "seq": ["encoder", "decoder", "cross"]}
    for pane, attention in zip(sight(model, TEXT, padding=0).panes, by_kind[kind], strict=True):
        mask = seen.attention(attention, 0).mask
        units = [mask[:, list(unit.tokens)].any(axis=1) for unit in pane.columns]
        np.testing.assert_array_equal(pane.allowed, np.stack(units, axis=1))


def test_padding_changes_nothing_but_what_is_padded(kinds):
    for kind in ("bert", "gpt", "elmo", "seq"):
        plain, padded = sight(kinds[kind], TEXT, 0), sight(kinds[kind], TEXT, 2)
        for one, other in zip(plain.panes, padded.panes, strict=True):
            rows, columns = one.values.shape
            np.testing.assert_allclose(other.values[:rows, :columns], one.values, atol=1e-4)
            assert not one.values[:, [u.kind == "padding" for u in one.columns]].size


def test_visibility_is_the_same_where_both_measure(kinds):
    for kind, view in (("gpt", None), ("elmo", "backward"), ("seq", "prefix"), ("seq", None)):
        name = {"backward": "backward", "prefix": "decoder"}.get(view, PANES[kind][0])
        pane = next(p for p in sight(kinds[kind], TEXT, 0).panes if p.name == name)
        words = [unit.kind == "word" for unit in pane.columns]
        before = models.visibility(kinds[kind], TEXT, view)
        np.testing.assert_allclose(pane.values[:, words], before.values, atol=1e-5)


def test_a_leak_is_found(kinds):
    (pane,) = sight(kinds["gpt"], TEXT).panes
    values = pane.values.copy()
    values[0, 3] = 0.25
    values[1, 5] = np.nan
    check = leak_check(values, pane.allowed)
    assert not check.passed
    assert (check.leaking, check.forbidden) == (2, int((~pane.allowed).sum()))
    assert leak_check(np.where(np.isnan(values), 0, values), pane.allowed).largest == 0.25


def test_a_model_that_looks_ahead_does_not_pass(kinds):
    """The check is no tautology: a bidirectional model under a causal rule fails it."""
    cheat = replace(kinds["bert"], objective="causal")
    (pane,) = sight(cheat, TEXT).panes
    assert not pane.check.passed
    assert pane.check.leaking > 20


def test_rules_by_hand():
    """Three tokens and two of padding; each row of digits is a position."""
    real = np.array([True, True, True, False, False])
    assert rows(attended(real, causal=False)) == "11100 11100 11100 11110 11101"
    assert rows(attended(real, causal=True)) == "10000 11000 11100 11110 11101"
    assert rows(carried(real, backward=False)) == "10000 11000 11100 11110 11111"
    assert rows(carried(real, backward=True)) == "11100 01100 00100 11110 11111"


def rows(allowed: np.ndarray) -> str:
    return " ".join("".join(map(str, row)) for row in allowed.astype(int).tolist())


def test_who_has_no_counts_is_refused(kinds, tmp_path):
    with pytest.raises(FilesMissing):
        sight(replace(kinds["bert"], folder=tmp_path), TEXT)


def test_a_text_at_the_limit_gets_less_padding(kinds):
    model = kinds["bert"]
    room = model.max_tokens - 3
    assert sight(model, " ".join(["cat"] * room), padding=2, count=1).padding == 1


def hundred(model: Model) -> list[str]:
    """Short texts of the model's own common words, the same each time."""
    rng = np.random.default_rng(1)
    common = np.argsort(-word_counts(model) * model.vocabulary.is_word)[:300]
    words = [c.text for c in (model.vocabulary.candidate(int(i), 0.0) for i in common)
             if not c.continuation]  # fmt: skip
    return [" ".join(rng.choice(words, 5)) for _ in range(100)]


@pytest.mark.skipif(not CAUSAL, reason="no such model is trained yet")
@pytest.mark.parametrize("name", CAUSAL)
def test_bundled_models_leak_nothing_on_a_hundred_sentences(name):
    """All hundred in few batches: each sentence and one changed version per position."""
    model = models.load(name)
    network, elmo = model.network.base_model, model.objective == "two-way"
    changed = [_versions(model, text) for text in hundred(model)]
    for ids in {rows.shape[1]: None for rows in changed}:
        rows = torch.cat([each for each in changed if each.shape[1] == ids])
        with torch.inference_mode():
            if model.objective == "denoising":
                output = network(input_ids=rows[:1].expand(len(rows), -1), decoder_input_ids=rows,
                                 output_hidden_states=True).decoder_hidden_states  # fmt: skip
            else:
                output = network(input_ids=rows, output_hidden_states=True).hidden_states
        states = output[-1].view(-1, ids + 1, ids, output[-1].shape[-1])
        moved = (states[:, 1:] - states[:, :1]).abs()  # (sentence, changed, position, dim)
        ahead = torch.ones(ids, ids).triu(1).bool().T  # the position comes before what changed
        halves = moved.chunk(2, dim=-1) if elmo else (moved,)
        assert halves[0].permute(1, 2, 0, 3)[ahead].max() == 0
        if elmo:
            assert halves[1].permute(1, 2, 0, 3)[ahead.T].max() == 0
        assert moved.permute(1, 2, 0, 3)[torch.eye(ids).bool()].amax(-1).min() > 0


def _versions(model: Model, text: str) -> torch.Tensor:
    """The sentence, then for each position a version with another token there."""
    name = "decoder_input_ids" if model.objective == "denoising" else "input_ids"
    ids = laid_out(model, text, 0).tensors[name]
    rows = ids.repeat(1 + ids.shape[1], 1)
    for position in range(ids.shape[1]):
        rows[1 + position, position] = 10 + (ids[0, position] + 1) % 100
    return rows
