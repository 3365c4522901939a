"""Programs for attention print, in a fresh process and without this project, the same numbers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import models
from models.loading import Model
from models.measures import STATISTICS
from models.results import Sentence
from tests.unit.test_attributions import LATE
from tests.unit.test_looking import HIDDEN

RUNNER = """
import contextlib, io, json, sys
import torch
torch.set_num_threads(1)  # a pool of threads for each of the small programs would take longer
printed = []
for program in json.load(sys.stdin):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, "snippet", "exec"), {"__name__": "__main__"})
    printed.append([json.loads(line) for line in out.getvalue().splitlines()])
print(json.dumps(printed))
"""


def shown(model: Model, kind: str) -> list[tuple[str, list[np.ndarray]]]:
    """Each program with what it must print."""
    look = models.all_heads(model, HIDDEN, kind=kind)
    last = look.depth - 1
    one = models.one_head(
        model, look.reads, look.kind, [(0, 0), (last, 1)], merge=True, hide_special=True
    )
    query = models.query_stages(model, look.reads, look.kind, (last, 1), 2)
    names = ("entropy", "sink") if kind == "cross" else STATISTICS
    flow = models.flow(model, look.reads, look.kind)
    rolled = [] if flow.reached is None else [flow.reached]
    return [
        (flow.snippet, [flow.mean, flow.carried, *rolled]),
        (look.snippet, [look.statistics[name] for name in names]),
        (one.snippet, [one.weights]),
        (
            query.snippet,
            [query.products, query.scores, query.weights, query.value_norms, query.context],
        ),
    ]


def opinions(model: Model) -> list[tuple[str, list[np.ndarray]]]:
    """Integrated gradients, and how they agree with attention and effects."""
    found = models.attributions(model, LATE)
    third = models.at_blank(model, LATE, 0, attribution=found)
    gradients = [np.nan_to_num(one) for one in found.values.values()]
    rhos = [third.agreement, third.third.attention, third.third.effects]
    return [
        (found.snippet, [*gradients, np.array(found.error)]),
        (third.snippet, [np.array(rho) for rho in rhos]),
    ]


def test_programs_print_what_is_shown(kinds: dict[str, Model], tmp_path: Path) -> None:
    cases = [
        case
        for kind, attention in (
            ("bert", "encoder"),
            ("gpt", "decoder"),
            ("seq", "cross"),
            ("seq", "decoder"),
        )
        for case in shown(kinds[kind], attention)
    ]
    at_blank = models.at_blank(kinds["bert"], HIDDEN, 1)
    cases.append((at_blank.snippet, [np.array(at_blank.agreement)]))
    cases += [case for kind in ("bert", "gpt", "seq") for case in opinions(kinds[kind])]
    look = models.all_heads(kinds["bert"], HIDDEN)
    alike = models.likeness(
        kinds["bert"], look.reads, look.kind, (1, 1), kinds["gpt"], Sentence("the cat was in paris")
    )
    both = np.isfinite(alike.difference)
    rows, columns = both.any(1), both.any(0)
    maps = (alike.first, alike.second, alike.difference)
    cases.append((alike.snippet, [*(m[rows][:, columns] for m in maps), alike.distances]))
    ran = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", RUNNER], input=json.dumps([c[0] for c in cases]),
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-2000:]
    for printed, (_, expected) in zip(json.loads(ran.stdout), cases, strict=True):
        for got, true in zip(printed, expected, strict=True):
            assert np.array(got, dtype=float) == pytest.approx(true, abs=2e-5, nan_ok=True)
