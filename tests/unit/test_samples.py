"""Samples: what was asked, what came, and what a program can tell of it."""

from __future__ import annotations

import doctest
import json
from pathlib import Path

import pytest
import torch

from models.training import samples, starts
from models.training.characters import tokenizer_of, vocabulary
from models.training.corpora import Document
from models.training.samples import Sample, draw, eight_words, in_words, read_openings, runs
from models.training.texts import reading_way, special_ids

POEM = "床前明月光，疑是地上霜。舉頭望明月，低頭思故鄉。"


def test_examples_in_the_documentation_hold() -> None:
    assert doctest.testmod(samples).failed == 0


def test_a_draw_begins_with_its_prompt_and_is_repeated_by_its_seed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(starts, "WIDTH", 32)
    tokenizer = reading_way(tokenizer_of(vocabulary([POEM], least=1)), "causal")
    counts = torch.ones(len(tokenizer), dtype=torch.long)
    model = starts.start_model("gpt", special_ids(tokenizer), counts, None, seed=0).eval()
    first, again, other = (draw(model, tokenizer, "床前", seed, 6, 2) for seed in (1, 1, 2))
    assert first == again and first != other
    assert all(text.startswith("床前") and len(text) <= 8 for text in first)


def test_ten_openings_are_asked_and_none_twice() -> None:
    openings = read_openings()
    assert len(set(openings)) == len(openings) == 10
    assert not any(opening.endswith(" ") for opening in openings)


def test_eight_words_in_a_row_are_a_copy_whatever_their_case_and_borders() -> None:
    known = eight_words([Document("x", "1", ("One two three four five.", "Six, seven, eight."))])
    assert not known.isdisjoint(runs("and one two three four FIVE six seven eight"))
    assert known.isdisjoint(runs("one two three four five six seven ate"))


def test_the_card_says_how_many_have_their_form_and_how_many_are_copies(tmp_path: Path) -> None:
    poems = [
        Sample("五絕", 0, POEM, "五絕", True),
        Sample("五絕", 0, POEM, None, False),
        Sample("七律", 1, POEM, "五絕", False),
        Sample("七律", 1, POEM, "七律", False),
    ]
    said = in_words(poems)
    assert "50.0% have the form" in said and "25.0% hold two lines" in said
    prose = [Sample("He", seed, "He went", None, seed == 0) for seed in range(10)]
    assert "10 continuations of 1 openings" in in_words(prose) and "10.0% share" in in_words(prose)
    samples.write_samples(tmp_path, poems)
    kept = [json.loads(x) for x in (tmp_path / samples.FILE).read_text("utf-8").splitlines()]
    assert [Sample(**each) for each in kept] == poems
