"""Two heads beside each other: words aligned honestly, the nearest head, a difference."""

from __future__ import annotations

import numpy as np
import pytest

import models
from models import looking_alike
from models.errors import CannotTrace
from models.heads import Unit
from models.loading import Model
from models.looking_alike import aligned
from models.results import Sentence
from models.tracing import trace

CAT = Sentence("the cat sat on the mat")
DOG = Sentence("the dog sat on the red mat")


def units(*words: str) -> list[Unit]:
    return [Unit(word, (i,), word.startswith("["), 0) for i, word in enumerate(words)]


def test_special_tokens_stand_beside_special_tokens_alone() -> None:
    first, second = units("[CLS]", "the", "mat", "[SEP]"), units("[CLS]", "The", "rug", "by")
    assert aligned(first, second) == ((0, 0), (1, 1), (2, 2), (3, None), (None, 3))
    assert aligned(units("[A]", "x"), units("[B]", "x")) == ((0, 0), (1, 1))


def divergence(p: np.ndarray, q: np.ndarray) -> float:
    """Jensen-Shannon in bits, as two divergences from the middle."""
    middle = (p + q) / 2
    return sum(
        float((one[one > 0] * np.log2(one[one > 0] / middle[one > 0])).sum()) / 2 for one in (p, q)
    )


def compared(model: Model, other: Model, sentence: Sentence, match: bool = True):
    look = models.all_heads(model, CAT)
    return models.likeness(model, look.reads, look.kind, (1, 0), other, sentence, match)


def test_a_head_is_most_like_itself(kinds: dict[str, Model]) -> None:
    found = compared(kinds["bert"], kinds["bert"], CAT)
    assert found.heads == ((1, 0), (1, 0))
    assert found.distance == pytest.approx(0, abs=1e-9)
    assert found.distances.argmin() == 2
    assert (found.difference == 0).all()
    assert found.elsewhere == pytest.approx((0, 0), abs=1e-6)


def test_words_without_a_counterpart_are_compared_with_nothing(kinds: dict[str, Model]) -> None:
    model = kinds["bert"]
    found = compared(model, model, DOG, match=False)
    pairs = [(each.first, each.second) for each in found.keys]
    assert pairs[1:7] == [
        ("the", "the"), ("cat", "dog"), ("sat", "sat"), ("on", "on"), ("the", "the"), (None, "red"),
    ]  # fmt: skip
    assert [each.same for each in found.keys[1:4]] == [True, False, True]
    red = 6
    assert np.isnan(found.difference[:, red]).all() and np.isnan(found.first[red]).all()
    assert np.isfinite(found.second[red]).sum() == len(found.keys)
    one = trace(model, CAT).encoder.weights()[1, 0]
    two = trace(model, DOG).encoder.weights()[1, 0]
    places = [i for i in range(len(found.keys)) if i != red]
    assert found.first[np.ix_(places, places)] == pytest.approx(one, abs=1e-6)
    letters = list(range(len(two)))
    assert found.second[np.ix_(letters, letters)] == pytest.approx(two, abs=1e-6)
    assert found.elsewhere[0] == pytest.approx(0, abs=1e-6)
    shared = [i for i in letters if i != red]
    assert found.elsewhere[1] == pytest.approx(two[shared][:, red].mean(), abs=1e-6)


def test_the_distance_is_that_of_jensen_and_shannon(kinds: dict[str, Model]) -> None:
    model = kinds["bert"]
    found = compared(model, model, DOG)
    one = trace(model, CAT).encoder.weights()[1, 0].astype(float)
    every = trace(model, DOG).encoder.weights().astype(float)
    red = 6
    kept = [i for i in range(every.shape[-1]) if i != red]
    p = np.c_[one, 1 - one.sum(-1)].clip(0)
    for (layer, head), distance in np.ndenumerate(found.distances):
        q = np.c_[every[layer, head][np.ix_(kept, kept)], every[layer, head][kept, red]]
        by_hand = np.mean([divergence(a, b) for a, b in zip(p, q, strict=True)])
        assert distance == pytest.approx(by_hand, abs=1e-6)
    assert found.heads[1] == found.closest
    assert found.distance == found.distances.min()


def test_two_models_read_the_same_words_in_other_pieces(kinds: dict[str, Model]) -> None:
    found = compared(kinds["bert"], kinds["gpt"], CAT)
    assert found.kinds == ("encoder", "decoder")
    assert found.about[0].model != found.about[1].model
    ends = [(each.first, each.second) for each in found.queries if not each.both]
    assert ends == [("[SEP]", None)], "the one reads an end, the other does not"
    assert np.isnan(found.difference[-1]).all()
    assert np.nansum(found.second[2, 3:]) == 0, "GPT does not look ahead"


def test_a_place_that_is_not_there_gives_way_to_the_nearest(kinds: dict[str, Model]) -> None:
    assert compared(kinds["bert"], kinds["gpt"], CAT, match=False).heads[1] == (1, 0)
    found = compared(kinds["bert"], kinds["seq"], CAT, match=False)  # of one layer
    assert found.heads[1] == found.closest


def test_nothing_in_common_is_no_comparison(
    kinds: dict[str, Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking_alike, "align", lambda one, two: ((0, None), (None, 0)))
    assert compared(kinds["bert"], kinds["bert"], DOG) is None


def test_what_cannot_be_compared_is_refused(kinds: dict[str, Model]) -> None:
    look = models.all_heads(kinds["seq"], CAT, kind="cross")
    with pytest.raises(ValueError, match="cross"):
        models.likeness(kinds["seq"], look.reads, "cross", (0, 0), kinds["bert"], CAT)
    with pytest.raises(CannotTrace):
        compared(kinds["bert"], kinds["elmo"], CAT)
