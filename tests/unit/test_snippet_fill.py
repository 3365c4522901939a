"""The program that repeats the answers prints, in a fresh process, what the app shows."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from models.loading import Model
from models.prediction import predict
from models.results import Sentence
from models.snippet_fill import prediction_snippet

ROOT = Path(__file__).parents[2]
NASTY = 'The cat\n"""\nraise SystemExit("out")\n# \u2028 [SEP] [CLS] sat on the [MASK] in paris.'
HIDDEN = (NASTY.index("cat"), NASTY.index("cat") + 3)


@pytest.fixture
def located(
    any_model: Model, request: pytest.FixtureRequest, bert_folder: Path, roberta_folder: Path
) -> Model:
    """The model under the name that leads a program to its folder."""
    folders = {"tiny-bert": bert_folder, "tiny-roberta": roberta_folder}
    if any_model.name not in folders:
        return any_model
    return replace(any_model, name=f"dir:{folders[any_model.name]}")


def test_a_fresh_process_prints_the_same_answers(located: Model) -> None:
    sentence = Sentence(NASTY, (HIDDEN,))
    ran = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", prediction_snippet(located, sentence)],
        capture_output=True, text=True, cwd=ROOT, encoding="utf-8", check=False,
        env={"PATH": "/usr/bin:/bin", "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    lines = [line.split("\t") for line in ran.stdout.splitlines()]
    assert lines.pop(0) == ["blank", "rank", "token_id", "piece", "probability"]
    expected = [
        (number, rank, answer.token_id, answer.probability)
        for number, blank in enumerate(predict(located, sentence).blanks, start=1)
        for rank, answer in enumerate(blank.candidates, start=1)
    ]
    assert len(lines) == len(expected) == 20
    for (number, rank, token_id, probability), line in zip(expected, lines, strict=True):
        assert [int(value) for value in line[:3]] == [number, rank, token_id]
        assert float(line[4]) == pytest.approx(probability, abs=1e-6)


def test_text_cannot_leave_its_comment(tiny_bert: Model) -> None:
    program = prediction_snippet(tiny_bert, Sentence(NASTY, (HIDDEN,)))
    compile(program, "snippet", "exec")
    assert not [line for line in program.splitlines() if line.lstrip().startswith("raise")]


def test_it_needs_public_packages_only(tiny_bert: Model) -> None:
    program = prediction_snippet(tiny_bert, Sentence("a cat", ((2, 5),)))
    imports = [line for line in program.splitlines() if line.startswith(("import ", "from "))]
    assert {line.split()[1] for line in imports} == {"torch", "transformers"}
