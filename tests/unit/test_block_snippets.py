"""Programs about a block, run in a fresh process, print what the page shows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from models.block_records import WAYS
from models.blocks_asked import (
    block_alike,
    block_dropout,
    block_ffn,
    block_heads,
    block_stream,
)
from models.loading import Model
from models.trace import Sentence
from tests.unit.kinds import build_kind

ROOT = Path(__file__).parents[2]
SENTENCE = Sentence("the cat sat on the red mat in paris", ((8, 11),))
RUN = """
import sys, json
for program in json.load(sys.stdin):
    print("---", flush=True)
    exec(compile(program, "snippet", "exec"), {"__name__": "__main__"})
"""


def ran(programs: list[str]) -> list[list[np.ndarray]]:
    """What each program prints, all in one process; starting torch takes seconds."""
    done = subprocess.run(
        [sys.executable, "-c", RUN], input=json.dumps(programs), cwd=ROOT,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    parts = done.stdout.split("---\n")[1:]
    return [[np.array(json.loads(line)) for line in part.splitlines()] for part in parts]


def lines(model: Model) -> list[tuple[str, list[object]]]:
    """Each program beside what it has to print."""
    ffn, alike = block_ffn(model, SENTENCE, 1), block_alike(model, SENTENCE)
    heads, stream = block_heads(model, SENTENCE), block_stream(model, SENTENCE)
    logits = [part.logit for part in stream.parts]
    of_ways = [
        numbers
        for way in range(len(WAYS))
        for numbers in (alike.residual[way], alike.cosine[way], alike.log_p[way])
    ]
    vectors = [ffn.input, ffn.expanded, ffn.activated, ffn.contracted, ffn.sparsity[1]]
    swapped = [each.log_p for each in ffn.swapped]
    return [
        (ffn.snippet, [*vectors, 1.0, *swapped]),
        (alike.snippet, of_ways),
        (heads.snippet, [heads.alone, heads.least_first, heads.most_first]),
        (stream.snippet, [logits, stream.logit, stream.logit]),
    ]


@pytest.mark.parametrize("kind", ["bert", "gpt"])
def test_a_program_prints_what_was_found(kind: str, tmp_path: Path) -> None:
    expected = lines(build_kind(kind, tmp_path))
    printed = ran([program for program, _ in expected])
    for got, (program, wanted) in zip(printed, expected, strict=True):
        assert len(got) == len(wanted), program
        for one, other in zip(got, wanted, strict=True):
            np.testing.assert_allclose(one, other, atol=2e-3, rtol=2e-3)


def test_dropout_is_repeated_with_this_projects_code(tmp_path: Path) -> None:
    found = block_dropout(build_kind("bert", tmp_path), SENTENCE, 0.2, seed=3)
    assert "models.block_dropout(" in found.snippet and ", 0.2, 3, 0)" in found.snippet
    compile(found.snippet, "snippet", "exec")
