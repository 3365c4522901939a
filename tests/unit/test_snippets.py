"""Every snippet, run in a fresh process, prints the numbers that the app shows."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models import measuring, snippets
from models.interventions import NoFeedForward, SilenceHeads
from models.loading import Model
from models.placing import place_on
from models.results import Sentence
from models.tracing import trace
from tests.unit.tracing_models import CONFIGS, SIZE, TARGET, TEXT, build

ROOT = Path(__file__).parents[2]
COUNTS = np.arange(SIZE) % 7 + 1
HIDDEN = Sentence(TEXT, ((8, 11), (19, 22)))
EDITS = (SilenceHeads(0, (1,)), NoFeedForward((1,)))
FAMILIES = ("bert", "gpt2", "t5", "albert", "distilbert", "llama", "marian", "opt")

RUNNER = """
import contextlib, io, json, sys
printed, root = {}, sys.argv[1]
for name, program in json.load(sys.stdin).items():
    if "import models" in program:  # the last one: the others must do without this project
        sys.path.insert(0, root)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, name, "exec"), {"__name__": "__main__"})
    printed[name] = [json.loads(line) for line in out.getvalue().splitlines()]
print(json.dumps(printed))
"""
"""One process runs all snippets, each with names of its own: starting torch takes seconds."""


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Model]:
    """Tiny models in folders, as a visitor's snippet would load them."""
    models = {}
    for family in FAMILIES:
        folder = tmp_path_factory.mktemp(family)
        model = build(family)
        model.network.save_pretrained(folder)
        model.tokenizer.save_pretrained(folder)
        provenance = replace(model.provenance, model=f"dir:{folder}")
        models[family] = replace(model, name=f"dir:{folder}", provenance=provenance)
    whole = models["bert"]
    half, told = (
        place_on(deepcopy(whole.network).bfloat16(), "cpu"),
        replace(whole.provenance, dtype="bfloat16"),
    )
    models["half"] = replace(whole, network=half, provenance=told)
    return models


def measured(model: Model, family: str) -> dict[str, tuple[str, list[np.ndarray]]]:
    """Name -> (snippet, the numbers it must print, one array per line)."""
    seq = CONFIGS[family][0] == "seq"
    found: dict[str, tuple[str, list[np.ndarray]]] = {}

    def add(name: str, one, lines: Callable = lambda values: [values]) -> None:
        found[name] = one.snippet, lines(one.values)

    seen = trace(model, TEXT, target=TARGET if seq else None)
    stacks = [s for s in (seen.encoder, seen.decoder) if s is not None]
    weights = [s.weights() for s in stacks] + ([seen.decoder.weights(cross=True)] if seq else [])
    found["weights"] = snippets.of_trace(seen), weights
    add("influence", measuring.influence(model, HIDDEN, COUNTS, blank=1, substitutes=3))
    add("visibility", measuring.visibility(model, TEXT, COUNTS, substitutes=2))
    add("rollout", measuring.rollout(model, TEXT))
    add("statistics", measuring.head_statistics(model, TEXT), list)
    add("surprisal", measuring.surprisal(model, TEXT, TARGET if seq else ""), list)
    add("heads", measuring.head_effects(model, HIDDEN, blank=1))
    add("edges", measuring.edge_effects(model, HIDDEN, layer=1))
    add("networks", measuring.ffn_effects(model, HIDDEN, blank=1))
    add("agreement", measuring.agreement(model, HIDDEN, layer=1, blank=1))
    add("lens", measuring.lens(model, HIDDEN), lambda v: list(np.sort(v)[:, :-6:-1]))
    if seq:
        add("cross heads", measuring.head_effects(model, HIDDEN, attention="cross"))
        add("cross edges", measuring.edge_effects(model, HIDDEN, 1, attention="cross"))
    return found


@pytest.fixture(scope="module")
def results(saved: dict[str, Model]) -> dict[str, tuple[list[np.ndarray], list]]:
    expected = {
        f"{family}: {name}": one
        for family, model in saved.items()
        for name, one in measured(model, "bert" if family == "half" else family).items()
    }
    changed = trace(saved["bert"], TEXT, interventions=EDITS)
    expected["changed"] = snippets.of_trace(changed), [changed.encoder.weights()]
    programs = {name: program for name, (program, _) in expected.items()}
    environment = {
        "PATH": "/usr/bin:/bin",
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
        "UNMASK_MODEL_ROOTS": str(Path(saved["bert"].name[4:]).parent),
    }
    ran = subprocess.run(
        [sys.executable, "-c", RUNNER, str(ROOT)], input=json.dumps(programs),
        capture_output=True, text=True, cwd="/", check=False,
        env=environment,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    printed = json.loads(ran.stdout.splitlines()[-1])
    return {name: (values, printed[name]) for name, (_, values) in expected.items()}


MEASURES = (
    "weights", "influence", "visibility", "rollout", "statistics", "surprisal", "heads", "edges",
    "networks", "agreement", "lens",
)  # fmt: skip


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_snippet_prints_what_was_measured(results, family, measure):
    values, printed = results[f"{family}: {measure}"]
    # Ranks follow the smallest effects, and those the rounding of one batch or another.
    atol = 5e-3 if measure == "agreement" else 2e-5
    assert len(printed) == len(values)
    for line, value in zip(printed, values, strict=True):
        np.testing.assert_allclose(np.array(line, dtype=float), value, atol=atol, equal_nan=True)


@pytest.mark.parametrize("measure", [each for each in MEASURES if each != "agreement"])
def test_half_precision_is_loaded_as_it_was(results, measure):
    values, printed = results[f"half: {measure}"]
    for line, value in zip(printed, values, strict=True):
        # The same products in a batch of another size are rounded in another way: a logit of 4 to 8
        # has 1/32 to the next number.
        found = np.array(line, dtype=float)
        np.testing.assert_allclose(found, value, rtol=1e-2, atol=2 / 32, equal_nan=True)


@pytest.mark.parametrize("measure", ["cross heads", "cross edges"])
@pytest.mark.parametrize("family", ["t5", "marian"])
def test_cross_attention_too(results, family, measure):
    (value,), (printed,) = results[f"{family}: {measure}"]
    np.testing.assert_allclose(np.array(printed, dtype=float), value, atol=2e-5)


def test_snippets_use_public_packages_only(saved):
    public = {"json", "numpy", "torch", "transformers"}
    for name, (program, _) in measured(saved["bert"], "bert").items():
        lines = [line for line in program.splitlines() if line.startswith(("import ", "from "))]
        assert {line.split()[1].split(".")[0] for line in lines} <= public, name


def test_snippets_import_nothing_that_they_do_not_use(saved):
    for name, (program, _) in measured(saved["bert"], "bert").items():
        nodes = list(ast.walk(ast.parse(program)))
        imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
        brought = {each.asname or each.name for node in imports for each in node.names}
        used = {node.id for node in nodes if isinstance(node, ast.Name)}
        assert brought <= used, name


def test_text_in_a_snippet_cannot_leave_its_comment(saved):
    nasty = 'the cat\n"""\nraise SystemExit("out")\n# \u2028 sat'
    program = measuring.rollout(saved["bert"], nasty).snippet
    compile(program, "snippet", "exec")
    assert "\nraise" not in program
    comments = [line for line in program.splitlines() if line.startswith("# The text")]
    assert len(comments) == 1
    assert comments[0].isascii()


def test_a_trace_with_interventions_is_repeated_with_this_projects_code(results):
    (value,), (printed,) = results["changed"]
    np.testing.assert_allclose(printed, value, atol=2e-5)


def test_a_bundled_model_is_found_from_the_projects_folder():
    assert snippets.location("bert-en") == "models/zoo/bert-en"
    assert snippets.location("hub:org/name") == "org/name"
    assert snippets.location("dir:/a/folder") == "/a/folder"
