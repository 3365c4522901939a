"""Example sentences: chosen by measurement, and still answered so by their weights."""

from __future__ import annotations

import json

import pytest

import models
from models.training.examples import Example, choose


def example(side: str, probability: float, right: bool = True) -> Example:
    return Example("a cat sat", 2, 5, side, "cat", probability, right)


def test_the_surest_of_each_side_and_one_failure_are_chosen() -> None:
    sides = ("left", "right", "both")
    right = [example(side, p) for side in sides for p in (0.2, 0.9, 0.5)]
    wrong = [example("left", 0.3, right=False), example("left", 0.6, right=False)]
    dull = Example("the cat sat", 0, 3, "left", "the", 0.99, True)
    chosen = choose([dull, *right, *wrong], dull={"the"})
    assert [(e.side, e.probability) for e in chosen[:-1]] == [
        (side, p) for p in (0.9, 0.5) for side in ("both", "left", "right")
    ]
    assert chosen[-1] == wrong[1]


SHOWN = [facts for facts in models.bundled() if (facts.folder / "examples.json").is_file()]


@pytest.mark.parametrize("facts", SHOWN, ids=lambda facts: facts.name)
def test_the_weights_answer_their_examples_as_stored(facts: models.catalog.ModelFacts) -> None:
    rows = json.loads((facts.folder / "examples.json").read_text())
    sentences = models.examples(facts.name)
    assert len(rows) == len(sentences) >= 4
    assert any(not row["right"] for row in rows), "a failure belongs among the examples"
    for row, sentence in zip(rows, sentences, strict=True):
        (blank,) = models.predict(facts.name, sentence).blanks
        assert blank.best is not None
        assert blank.best.text == row["answer"]
        assert blank.best.probability == pytest.approx(row["probability"], abs=2e-3)
