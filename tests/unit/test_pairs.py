"""Pairs of texts: batches, the translation objective, looks, and greedy answers of a toy."""

from __future__ import annotations

import doctest
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer, MarianMTModel

import models.training.anchors
from models.loading import open_model
from models.training import commands, pair_texts, publishing, starts, tables, translation
from models.training.anchors import alignment, anchors, cross_attention
from models.training.batches import TokenStore
from models.training.looks import fixed_batches, quick_figures
from models.training.loop import Run
from models.training.pair_tokenizers import letters
from models.training.pairs import PairBatch, PairStore, tokenize_pairs
from models.training.readouts import mean_loss
from models.training.recipes import RECIPES
from models.training.sources.pair import Pair, write_pairs
from models.training.tasks import TASKS
from models.training.texts import load_store, make_text, special_ids
from models.training.translation import (
    character_error_rate,
    evaluate_translation,
    exact_match,
    translate,
)
from tests.unit.test_training import counting_store

TOKENIZER = letters()
SPECIAL = special_ids(TOKENIZER)
RECIPE = replace(RECIPES["seq-dates"], tokens_per_step=256, warmup_steps=10, peak_rate=5e-3)


def pairs(count: int = 120) -> list[Pair]:
    """Two or three of three letters, to be written the other way round."""
    draws = np.random.default_rng(0).integers(0, 3, (count, 3))
    words = ["".join("abc"[i] for i in row[: 2 + n % 2]) for n, row in enumerate(draws)]
    return [Pair("toy", word, word, word[::-1].upper()) for word in words]


STORE = tokenize_pairs(pairs(), TOKENIZER, {})


def toy() -> MarianMTModel:
    torch.manual_seed(0)
    model = starts.translator(len(TOKENIZER), SPECIAL, width=32, dropout=0.0)
    model.generation_config.max_length = 12
    return model


def spelled(row: torch.Tensor) -> str:
    return str(TOKENIZER.decode(row, skip_special_tokens=True))


def test_examples_in_the_documentation_hold() -> None:
    found = doctest.testmod(translation)
    assert found.attempted and not found.failed


def test_a_batch_holds_whole_pairs_side_by_side_and_depends_on_the_step_alone() -> None:
    for step in range(10):
        batch = STORE.draw(RECIPE, step)
        assert batch.numel() <= RECIPE.tokens_per_step
        for source, target in zip(batch.source, batch.target, strict=True):
            assert spelled(target) == spelled(source)[::-1] and len(spelled(source)) in (2, 3)
            for row in (source, target):
                ids = row[row != SPECIAL.pad]
                assert ids[0] == SPECIAL.cls and ids[-1] == SPECIAL.sep
                assert (row[len(ids) :] == SPECIAL.pad).all()
        again = STORE.draw(RECIPE, step)
        assert torch.equal(batch.source, again.source) and torch.equal(batch.target, again.target)


def test_pairs_of_different_lengths_do_not_share_a_batch() -> None:
    lengths = [(2, 2), (2, 40), (40, 2)] * 10
    mixed = [Pair("toy", f"{n}", "a" * a, "b" * b) for n, (a, b) in enumerate(lengths)]
    store = tokenize_pairs(mixed, TOKENIZER, {})
    shapes = {tuple(side.shape[1] for side in (b.source, b.target))
              for b in (store.draw(RECIPE, step) for step in range(60))}  # fmt: skip
    assert shapes == {(a + 2, b + 2) for a, b in lengths}


def test_every_pair_is_drawn_alike_but_for_its_weight() -> None:
    own = [
        Pair("often", "0", "a", "b"),
        Pair("rare", "1", "cc", "dddddd"),
        Pair("often", "2", "e", "f"),
    ]
    store = tokenize_pairs(own, TOKENIZER, {"rare": 0.25})
    seen: dict[str, int] = {}
    for step in range(300):
        for row in store.draw(replace(RECIPE, tokens_per_step=60), step).source:
            seen[spelled(row)] = seen.get(spelled(row), 0) + 1
    assert seen["a"] == pytest.approx(seen["e"], rel=0.15)
    assert seen["cc"] == pytest.approx(0.25 * seen["a"], rel=0.3)


def test_pairs_that_cannot_be_written_or_are_too_long_are_left_out() -> None:
    own = [Pair("x", "0", "a ☃", "a"), Pair("x", "1", "a", "☃"), Pair("x", "2", "a" * 200, "a")]
    store = tokenize_pairs(own, TOKENIZER, {})
    assert len(store.weights) == 1
    assert SPECIAL.unk in store.source.ids


def test_counts_are_of_what_is_written() -> None:
    store = tokenize_pairs([Pair("x", "0", "aab", "ccd")], TOKENIZER, {})
    found = store.counts(len(TOKENIZER))
    assert found[TOKENIZER.convert_tokens_to_ids("c")] == 2 and found.sum() == 3


def test_either_kind_of_text_comes_back_from_its_folder(tmp_path: Path) -> None:
    make_text(tmp_path, TOKENIZER, STORE, counting_store())
    held = load_store(tmp_path / "train.npz")
    assert isinstance(held, PairStore)
    assert torch.equal(held.draw(RECIPE, 3).target, STORE.draw(RECIPE, 3).target)
    assert isinstance(load_store(tmp_path / "held_out.npz"), TokenStore)


def test_the_loss_is_the_models_own() -> None:
    model, batch = toy().eval(), STORE.draw(RECIPE, 0)
    batch.target[0, -1] = batch.source[1, -1] = SPECIAL.pad
    ours = mean_loss(TASKS["translation"](model, batch, SPECIAL, 0.0, torch.Generator()))
    labels = batch.target[:, 1:].masked_fill(batch.target[:, 1:] == SPECIAL.pad, -100)
    theirs = model(
        input_ids=batch.source,
        attention_mask=(batch.source != SPECIAL.pad).long(),
        decoder_input_ids=batch.target[:, :-1],
        labels=labels,
    ).loss
    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)


def test_padding_changes_no_answer() -> None:
    model, batch = toy().eval(), STORE.draw(RECIPE, 0)
    wider = PairBatch(
        *(torch.nn.functional.pad(side, (0, 3)) for side in (batch.source, batch.target))
    )
    ask = TASKS["translation"]
    (one,), (other,) = (ask(model, b, SPECIAL, 0.0, torch.Generator()) for b in (batch, wider))
    torch.testing.assert_close(one.hidden, other.hidden)
    assert torch.equal(one.targets, other.targets) and torch.equal(one.rows, other.rows)


def test_source_words_drop_out_while_training_only(monkeypatch: pytest.MonkeyPatch) -> None:
    model, batch = toy(), STORE.draw(RECIPE, 0)
    read: list[torch.Tensor] = []
    plain = model.model.forward
    monkeypatch.setattr(
        model.model, "forward", lambda **asked: read.append(asked["input_ids"]) or plain(**asked)
    )
    for training in (True, False):
        TASKS["translation"](
            model.train(training), batch, SPECIAL, 0.5, torch.Generator().manual_seed(0)
        )
    hidden = read[0] != batch.source
    assert (read[0][hidden] == SPECIAL.mask).all()
    assert 0.3 < hidden[:, 1:-1].float().mean() < 0.7 and not hidden[:, 0].any()
    assert torch.equal(read[1], batch.source)


def test_a_toy_learns_and_a_look_tells_what_greedy_writing_gives(tmp_path: Path) -> None:
    run = Run(toy(), STORE, SPECIAL, RECIPE, tmp_path)
    questions = fixed_batches(STORE, RECIPE, SPECIAL)
    before = run.look(questions)
    for _ in range(80):
        run.train_step()
    after = run.look(questions)
    assert after["held_out_loss"] < 0.3 * before["held_out_loss"]
    assert before["held_out_exact"] < after["held_out_exact"]

    run.twin.save_pretrained(tmp_path / "toy")
    TOKENIZER.save_pretrained(tmp_path / "toy")
    model = AutoModelForSeq2SeqLM.from_pretrained(tmp_path / "toy").eval()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "toy")
    scores = evaluate_translation(model, tokenizer, pairs(24))
    batch = tokenize_pairs(pairs(24), TOKENIZER, {})
    (readout,) = TASKS["translation"](
        model,
        PairBatch(batch.source.rows(range(24), batch), batch.target.rows(range(24), batch)),
        SPECIAL, 0.0, torch.Generator(),
    )  # fmt: skip
    right = readout.log_probabilities().argmax(1) == readout.targets
    rows = [bool(right[readout.rows == n].all()) for n in range(24)]
    told = [answer == p.target.lower() for answer, p in zip(scores.answers, pairs(24), strict=True)]
    assert rows == told and any(rows)
    assert scores.exact.mean == np.mean(rows)
    figures = quick_figures(model, [lambda _: {"held_out": readout}])
    assert figures["held_out_exact"] == round(np.mean(rows), 4)


def test_a_translator_is_trained_resumed_published_and_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(starts.STARTS, "toy", lambda *_: toy())
    monkeypatch.setitem(RECIPES, "toy", replace(RECIPE, name="toy", start="toy"))
    make_text(tmp_path / "text" / "dates", TOKENIZER, STORE, STORE)
    (tmp_path / "corpus-dates").mkdir()
    manifest = pair_texts.dates_manifest(pairs(), pairs(8))
    (tmp_path / "corpus-dates" / "manifest.json").write_text(json.dumps(manifest))
    held_out = [Pair("toy", "own", "abx", "xyc"), *pairs(8)]
    write_pairs(held_out, tmp_path / "corpus-dates" / "held_out.jsonl")
    for _ in range(2):
        commands.train_recipe(tmp_path, tmp_path / "zoo", RECIPES["toy"], 0.001, None)
    publishing.publish(tmp_path, tmp_path / "zoo", "toy")
    folder = tmp_path / "zoo" / "toy"
    facts = json.loads((folder / "training.json").read_text())
    assert facts["corpus"] == manifest and facts["step"] >= 2
    assert facts["curve"][-1].keys() >= {"held_out_loss", "held_out_top1", "held_out_exact"}
    model = AutoModelForSeq2SeqLM.from_pretrained(folder, dtype=torch.float32)
    asked = AutoTokenizer.from_pretrained(folder)("abc", return_tensors="pt")
    assert model.generate(asked["input_ids"]).shape[1] <= 12, "its own limit"
    assert open_model("toy", folder).objective == "translation"
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "| held-out days | 9 | " in card and "(wanted: xyc)" in card
    row = tables.results(tmp_path / "zoo").splitlines()[-1]
    assert row.startswith("| toy |") and "| phrasings written by hand | 60 |" in row


def test_anchors_are_tokens_that_stand_once_on_either_side() -> None:
    assert anchors([1, 5, 6, 6, 2], [1, 6, 5, 2]) == [(0, 0), (2, 1), (3, 4)]
    assert anchors([1, 2], [3]) == []


def test_a_head_that_copies_is_found_to_align(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second head looks at the twin of what comes next, the first always at the beginning."""

    def looks(_: MarianMTModel, source: list[int], target: list[int]) -> torch.Tensor:
        weights = torch.zeros(1, 2, len(target), len(source))
        weights[0, 0, :, 0] = 1
        for at in range(len(target)):
            weights[0, 1, at, len(source) - 2 - at] = 1  # the pairs are each other's mirror
        return weights

    monkeypatch.setattr(models.training.anchors, "cross_attention", looks)
    found = alignment(toy(), TOKENIZER, [Pair("toy", "", "abc", "cba")])
    assert (found.layer, found.head, found.anchors) == (0, 1, 3)
    assert found.found.mean == 1 and found.mean == 0.5


def test_text_without_twins_says_nothing_about_alignment() -> None:
    with pytest.raises(ValueError, match="shares"):
        alignment(toy().eval(), TOKENIZER, [Pair("toy", "", "abc", "xyz")])


def test_cross_attention_is_a_distribution_over_the_source() -> None:
    weights = cross_attention(toy().eval(), [2, 7, 8, 3], [2, 8])
    assert weights.shape[-2:] == (2, 4)
    assert torch.allclose(weights.sum(-1), torch.ones(weights.shape[:-1]), atol=1e-6)


def test_answers_come_in_the_order_of_the_texts() -> None:
    texts = ["a" * n for n in (9, 1, 5, 70, 2)]
    model = toy().eval()
    assert translate(model, TOKENIZER, texts) == [
        translate(model, TOKENIZER, [text])[0] for text in texts
    ]


def test_exact_match_and_character_error_leave_capitals_and_spaces_out() -> None:
    answers = ["開啟 URL", "關閉檔案", "abc"]
    wanted = ["開啟url", "關閉文件", "axcd"]
    assert exact_match(answers, wanted).mean == pytest.approx(1 / 3)
    assert character_error_rate(answers, wanted).mean == pytest.approx((0 + 2 + 2) / (5 + 4 + 4))
    same = character_error_rate(wanted, wanted)
    assert same.mean == 0 and same.error == 0


@pytest.mark.parametrize(("name", "millions"), [("seq-dates", 1.0), ("seq-en-zhtw", 3.0)])
def test_the_translators_are_as_large_as_planned(name: str, millions: float) -> None:
    recipe = RECIPES[name]
    counts = torch.ones(recipe.vocabulary_size, dtype=torch.long)
    model = starts.start_model(recipe.start, SPECIAL, counts, None, seed=0)
    assert sum(p.numel() for p in model.parameters()) == pytest.approx(millions * 1e6, rel=0.15)
