"""The snippets of everything asked of a masked model, run in a fresh process, print its numbers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence

import numpy as np
import pytest

import models
from models.answers import Corruption, HeadSteps
from models.fills import (
    Fill,
    JointFill,
    LongerAnswers,
    NamedWords,
    ScoredSentence,
    SentencePair,
)
from models.loading import Model, open_model
from models.masked import longer
from models.results import Sentence
from tests.unit.conftest import build_bert, build_roberta
from tests.unit.tracing_models import TEXT, build

FAMILIES = ("bert", "roberta", "albert", "modernbert")
"""The first two with real sub-words."""
BLANKS = Sentence('the [MASK] sat on the """ [MASK] \u2028 in [MASK]')
HIDDEN = Sentence(TEXT, ((8, 11),))
Lines = list[Sequence[float]]

RUNNER = """
import contextlib, io, json, sys
printed = {}
for name, program in json.load(sys.stdin).items():
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, name, "exec"), {"__name__": "__main__"})
    printed[name] = [json.loads(line) for line in out.getvalue().splitlines()]
print(json.dumps(printed))
"""


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Model]:
    found = {}
    for family in FAMILIES:
        folder = tmp_path_factory.mktemp(family)
        if family == "bert":
            build_bert(folder)
        elif family == "roberta":
            build_roberta(folder)
        else:
            model = build(family)
            model.network.save_pretrained(folder)
            model.tokenizer.save_pretrained(folder)
        found[family] = open_model(f"dir:{folder}", folder)
    return found


def named(found: NamedWords) -> Lines:
    """All but the lines that precede these: each word's pieces, tested with longer answers."""
    scored = [word for word in found.words if word.outcome == "scored"]
    ranks = [np.nan if word.rank is None else word.rank for word in scored]
    return [[word.probability for word in scored], ranks, [word.share for word in scored]]


def longer_words(found: LongerAnswers) -> Lines:
    answers = [*found.two, *found.three]
    pieces = [list(np.log(one.piece_probabilities)) for one in answers]
    return [*pieces, [one.probability for one in answers]]


def joint(found: JointFill) -> Lines:
    def lines(fill: Fill) -> Lines:
        words = [word.token_id for word in fill.words]
        return [words, fill.order, [fill.score], [fill.other_score]]

    return lines(found.joint) + lines(found.independent)


def sentence(found: ScoredSentence) -> Lines:
    known = [word.nats for word in found.words if word.nats is not None]
    return [known, [found.total], [found.pseudo_perplexity]]


def pair(found: SentencePair) -> Lines:
    return sentence(found.first) + sentence(found.second)


def head(found: HeadSteps) -> Lines:
    steps: Lines = [found.hidden, found.dense, found.activation, found.layer_norm]
    logits = (
        [found.logits] if found.without_logits is None else [found.logits, found.without_logits]
    )
    return steps + [five_best(each) for each in logits]


def five_best(logits: np.ndarray) -> np.ndarray:
    exponents = np.exp(logits.astype(float) - logits.max())
    return np.sort(exponents / exponents.sum())[:-6:-1]


def corruption(found: Corruption) -> Lines:
    places = [one.token for one in found.selected]
    return [places, [one.nats for one in found.selected], [found.total], [found.loss]]


ASKED: dict[str, tuple[Callable[[Model], object], Callable[..., Lines]]] = {
    "named": (lambda m: models.score_words(m, BLANKS, "cat, dog, walking, \u2603", 1), named),
    "longer": (lambda m: models.longer_answers(m, BLANKS, 1), longer_words),
    "joint": (lambda m: models.fill_jointly(m, BLANKS), joint),
    "many": (lambda m: models.fill_jointly(m, Sentence("[MASK] " * 11), beam=2), joint),
    "sentence": (lambda m: models.pseudo_perplexity(m, "she was walking in \u2603"), sentence),
    "pair": (lambda m: models.compare_sentences(m, "the cat is happy", "a dog"), pair),
    "head": (lambda m: models.head_steps(m, HIDDEN), head),
    "inner head": (lambda m: models.head_steps(m, HIDDEN, layer=1), head),
    "loss": (lambda m: models.corrupt(m, TEXT, seed=2, rate=0.6), corruption),
}


@pytest.fixture(scope="module")
def results(saved: dict[str, Model]) -> dict[str, tuple[Lines, Lines]]:
    programs, expected = {}, {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(longer, "NEEDS", 0.0)  # random models rarely expect a continuation
        for family, model in saved.items():
            for name, (ask, lines) in ASKED.items():
                found = ask(model)
                programs[f"{family}: {name}"] = found.snippet  # type: ignore[attr-defined]
                expected[f"{family}: {name}"] = lines(found)
    ran = subprocess.run(
        [sys.executable, "-c", RUNNER], input=json.dumps(programs), capture_output=True,
        text=True, cwd="/", check=False,
        env={"PATH": "/usr/bin:/bin", "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    printed = json.loads(ran.stdout.splitlines()[-1])
    return {name: (lines, printed[name]) for name, lines in expected.items()}


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_snippet_prints_what_was_shown(
    results: dict[str, tuple[Lines, Lines]], family: str, name: str
) -> None:
    lines, printed = results[f"{family}: {name}"]
    if name == "named":
        printed = printed[-3:]
    elif name == "longer":
        printed = printed[: len(lines)]
    elif name == "loss":  # what the model reads is checked by what it loses
        printed = printed[1:]
    assert len(printed) == len(lines)
    for line, shown in zip(lines, printed, strict=True):
        found = np.atleast_1d(np.array(shown, dtype=float))
        expected = np.array([np.nan if x is None else x for x in line], dtype=float)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=2e-5, equal_nan=True)


def test_snippets_use_public_packages_only(saved: dict[str, Model]) -> None:
    public = {"functools", "itertools", "json", "numpy", "torch", "transformers"}
    for name, (ask, _) in ASKED.items():
        program = ask(saved["bert"]).snippet  # type: ignore[attr-defined]
        lines = [line for line in program.splitlines() if line.startswith(("import ", "from "))]
        assert {line.split()[1].split(".")[0] for line in lines} <= public, name
        (comment,) = (line for line in program.splitlines() if line.startswith("# The text"))
        assert comment.isascii()
