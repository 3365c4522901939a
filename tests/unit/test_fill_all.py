"""What holds for everything asked of a masked model."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import models
from models import masked
from models.loading import Model
from models.masked import asking
from models.results import Sentence
from tests.unit.masked_by_hand import BLANKS
from tests.unit.tracing_models import TEXT

# --- all of them


ASKED: dict[str, Callable[..., Any]] = {
    "named": lambda m, **k: models.score_words(m, Sentence(BLANKS), "cat, walking", **k),
    "longer": lambda m, **k: models.longer_answers(m, Sentence(BLANKS), **k),
    "joint": lambda m, **k: models.fill_jointly(m, Sentence(BLANKS), **k),
    "sentence": lambda m, **k: models.pseudo_perplexity(m, TEXT, **k),
    "pair": lambda m, **k: models.compare_sentences(m, TEXT, "a cat", **k),
    "lens": lambda m, **k: models.lens(m, Sentence(BLANKS), **k),
    "head": lambda m, **k: models.head_steps(m, Sentence(BLANKS), **k),
    "loss": lambda m, **k: models.corrupt(m, TEXT, **k),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_check_that_raises_ends_it(tiny_bert: Model, name: str) -> None:
    class Enough(Exception):
        pass

    def check() -> None:
        raise Enough

    with pytest.raises(Enough):
        ASKED[name](tiny_bert, check=check)


@pytest.mark.parametrize("name", ["joint", "longer", "sentence"])
def test_long_ones_are_checked_between_batches(
    tiny_bert: Model, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    widest: list[int] = []
    forward = asking._forward

    def watched(model: Model, queries: list[asking.Query]) -> list[np.ndarray]:
        widest.append(sum(len(query.ids) for query in queries))
        return forward(model, queries)

    whole = ASKED[name](tiny_bert)
    monkeypatch.setattr(asking, "BATCH_TOKENS", 30)
    monkeypatch.setattr(asking, "_forward", watched)
    pieces = ASKED[name](tiny_bert, check=lambda: calls.append(1))
    assert len(calls) == len(widest) > 3
    assert max(widest) <= 30
    if name == "sentence":
        assert pieces.total == pytest.approx(whole.total, abs=1e-4)
    elif name == "joint":
        assert pieces.joint.score == pytest.approx(whole.joint.score, abs=1e-4)
    else:
        assert [one.ids for one in pieces.two] == [one.ids for one in whole.two]


def test_results_are_plain_and_can_be_sent_elsewhere(tiny_bert: Model) -> None:
    for ask in ASKED.values():
        found = ask(tiny_bert)
        again = pickle.loads(pickle.dumps(found))
        assert type(again) is type(found)
        assert found.snippet and "from_pretrained" in found.snippet
    assert set(masked.__all__) <= set(models.__all__)


def test_threads_share_a_model(tiny_bert: Model) -> None:
    jobs = [ask for ask in ASKED.values() for _ in range(3)]
    alone = [repr(ask(tiny_bert)) for ask in jobs]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda ask: repr(ask(tiny_bert)), jobs))
    assert together == alone


def test_a_name_is_as_good_as_a_model(monkeypatch: pytest.MonkeyPatch, tiny_bert: Model) -> None:
    monkeypatch.setattr("models.loading.load", lambda name: {"tiny": tiny_bert}[name])
    assert models.pseudo_perplexity("tiny", TEXT) == models.pseudo_perplexity(tiny_bert, TEXT)
