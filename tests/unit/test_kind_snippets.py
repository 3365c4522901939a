"""Programs that repeat the answers of each kind of model print, in a fresh process, the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import models
from models.loading import Model
from models.prediction import predict
from models.results import Blank, Sentence, View
from models.snippet_fill import prediction_snippet
from models.traces import Measurement
from tests.unit.kinds import KINDS

ROOT = Path(__file__).parents[2]
TEXT = 'the cat was\n"""\nraise SystemExit("out")\n# [SEP] walking on the [MASK] in paris'
HIDDEN = Sentence(TEXT, ((4, 7), (TEXT.index("walking"), TEXT.index("walking") + 7)))
RUNNER = """
import contextlib, io, json, sys
printed, root = {}, sys.argv[1]
for name, program in json.load(sys.stdin).items():
    if "from models.elmo" in program:  # the last ones: the others must do without this project
        sys.path.insert(0, root)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, name, "exec"), {"__name__": "__main__"})
    printed[name] = out.getvalue()
print(json.dumps(printed))
"""


def influence(kinds, kind, view):
    return models.influence(kinds[kind], HIDDEN, 1, view=view)


def visibility(kinds, kind, view):
    return models.visibility(kinds[kind], "the cat was walking on the mat", view)


MEASURES = [
    ("gpt", influence, None),
    ("gpt", visibility, None),
    ("seq", influence, None),
    ("seq", influence, "source"),
    ("seq", visibility, None),
    ("seq", visibility, "prefix"),
    ("lstm", influence, None),
    ("elmo", influence, None),
    ("elmo", influence, "backward"),
    ("elmo", visibility, None),
    ("elmo", visibility, "forward"),
]
NAMES = [f"{kind} {measure.__name__} {view}" for kind, measure, view in MEASURES]


@pytest.fixture(scope="module")
def measured(kinds: dict[str, Model]) -> dict[str, Measurement]:
    runs = zip(NAMES, MEASURES, strict=True)
    return {name: measure(kinds, kind, view) for name, (kind, measure, view) in runs}


@pytest.fixture(scope="module")
def programs(kinds: dict[str, Model], measured: dict[str, Measurement]) -> dict[str, str]:
    answers = {kind: prediction_snippet(kinds[kind], HIDDEN, 4) for kind in KINDS}
    found = answers | {name: one.snippet for name, one in measured.items()}
    return dict(sorted(found.items(), key=lambda item: "from models.elmo" in item[1]))


@pytest.fixture(scope="module")
def printed(programs: dict[str, str]) -> dict[str, str]:
    """What all programs print; one process runs them, for starting torch takes seconds."""
    ran = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", RUNNER, str(ROOT)],
        input=json.dumps(programs), capture_output=True, text=True, cwd="/",
        encoding="utf-8", check=False,
        env={"PATH": "/usr/bin:/bin", "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    return json.loads(ran.stdout.splitlines()[-1])


def rows(name: str, answer: Blank | View) -> list[tuple[str, str, str, float]]:
    return [
        (name, str(rank), str(candidate.token_id), candidate.probability)
        for rank, candidate in enumerate(answer.candidates, start=1)
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_the_answers(kinds, printed, kind):
    lines = [line.split("\t") for line in printed[kind].splitlines()]
    assert lines.pop(0) == ["blank", "rank", "token_id", "piece", "probability"]
    expected = []
    for number, blank in enumerate(predict(kinds[kind], HIDDEN, 4).blanks, start=1):
        expected += rows(str(number), blank)
        for view in blank.views:
            expected += rows(f"{number} {view.way}", view)
    assert sorted(line[:3] for line in lines) == sorted(list(row[:3]) for row in expected)
    found = {tuple(line[:3]): float(line[4]) for line in lines}
    for *key, probability in expected:
        assert found[tuple(key)] == pytest.approx(probability, abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_the_measures(measured, printed, name):
    (line,) = printed[name].splitlines()
    np.testing.assert_allclose(json.loads(line), measured[name].values, atol=2e-5)


def test_only_elmo_needs_this_project(programs):
    for name, program in programs.items():
        imports = [line for line in program.splitlines() if line.startswith(("import ", "from "))]
        own = [line for line in imports if "models" in line]
        ours = name.startswith(("elmo", "lstm"))
        assert own == ["from models.elmo import ElmoForPreTraining"] * ours
        assert ours <= ("in the project's folder" in program)


def test_text_cannot_leave_its_comment(programs):
    for program in programs.values():
        assert not [line for line in program.splitlines() if line.lstrip().startswith("raise")]
