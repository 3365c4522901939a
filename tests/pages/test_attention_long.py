"""Attention on long texts, one layer with every weight, and bertviz's views, through the router."""

from __future__ import annotations

from urllib.parse import parse_qsl

import numpy as np
import pytest

import models
from models import costs
from models.loading import Model
from models.trace import Sentence
from tests.pages.attention_page import (
    MARKED,
    MODEL,
    attention,
    can_be_taken_away,
    drawn,
    keys,
    tiny,
)
from tests.pages.fill_page import all_drawn, bar, taken

__all__ = ["tiny"]  # a fixture

LONG = " ".join(["the cat sat on the mat and the dog in the garden was happy"] * 14)
MAT = "the cat sat on the [[mat]]"
"""182 words and 184 tokens."""


def captions(*, of: object) -> str:
    return " ".join(each.value for each in of.caption)  # type: ignore[attr-defined]


def test_short_texts_say_only_how_long_the_training_s_were() -> None:
    app = attention(text=MARKED)
    known = models.trained_on(MODEL)
    assert known is not None
    assert f"was trained on texts of up to {known.tokens} tokens" in captions(of=app)
    assert not app.slider


def test_a_long_text_says_what_it_costs_and_comes_in_blocks() -> None:
    app = attention(text=LONG)
    told = models.text_size(MODEL, Sentence(LONG)).cost
    assert f"{told.tokens} tokens: about {told.seconds:.1f} s" in captions(of=app)
    data = drawn(app, "heads")
    assert data["levels"].shape == data["means"].shape
    assert data["rows"] < told.tokens == len(keys(app))
    assert "A cell stands for" in data["words"]["blocks"]


def test_a_window_is_chosen_linked_and_read(tiny: dict[str, Model]) -> None:
    text = " ".join(["the cat sat on a mat"] * 40)  # 240 words, and the model reads 64 tokens
    app = attention(text=text, model="bert-s-en")
    assert "reads at most 64 at once" in app.info[0].value
    assert len(keys(app)) == 64
    app.slider[0].set_range(101, 120).run()
    assert not app.exception
    assert len(keys(app)) == 22
    link = dict(parse_qsl(bar(app, "head")["link"]))
    assert (link["window"], link["text"]) == ("101-120", text)
    again = attention(**link)
    assert [unit["text"] for unit in keys(again)] == [unit["text"] for unit in keys(app)]


@pytest.mark.parametrize("window", ["x", "9-", "500-900", "0-0", "7-3", "1-2-3"])
def test_any_window_in_a_link_opens_the_page(tiny: dict[str, Model], window: str) -> None:
    text = " ".join(["the cat sat on a mat"] * 40)
    app = attention(text=text, model="bert-s-en", window=window)
    assert 3 <= len(keys(app)) <= 64


def test_what_costs_too_much_is_refused_with_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "MOST_SECONDS", 1e-4)
    app = attention(text=LONG)
    assert "20 seconds, 256 MB, 8 MB" in app.info[0].value
    assert len(keys(app)) < 60


def test_one_layer_is_the_model_s(tiny: dict[str, Model]) -> None:
    app = attention(text=MAT, model="bert-s-en", section="layer", layer="2")
    look = models.all_heads(tiny["bert-s-en"], Sentence("the cat sat on the mat", ((19, 22),)))
    found = models.one_layer(tiny["bert-s-en"], look.reads, look.kind, 1)
    data = drawn(app, "layer")
    assert (data["levels"] == found.levels.ravel()).all()
    assert (data["scales"] == found.scales.ravel()).all()
    can_be_taken_away(app, "layer")
    rows = taken(app, "layer", "numbers")["rows"]
    assert float(rows[0][-1]) == pytest.approx(
        float(np.max(found.levels * found.scales[..., None])), abs=1e-3
    )
    app.session_state["attention_layer"] = {"layer": 0}
    app.run()
    assert drawn(app, "layer")["layer"] == 0
    app.session_state["attention_layer"] = {"layer": 99}
    app.run()
    assert not app.exception


@pytest.mark.parametrize("view", ["head", "model", "neuron"])
@pytest.mark.parametrize("name", ["bert-s-en", "gpt-s-en", "seq-s-en"])
def test_bertviz_gets_the_trace(tiny: dict[str, Model], name: str, view: str) -> None:
    app = attention(text="the cat sat on the mat", model=name, section="bertviz", bertviz=view)
    data = drawn(app, "bertviz_views")
    look = models.all_heads(tiny[name], Sentence("the cat sat on the mat"))
    found = models.vectors(tiny[name], look.reads, look.kind, with_vectors=view == "neuron")
    assert (data["weights"] == found.weights.ravel()).all()
    assert (data["queryVectors"] is None) == (view != "neuron")
    if found.key_vectors is not None:
        assert (data["keyVectors"] == found.key_vectors.ravel()).all()
    assert taken(app, "bertviz", "numbers")["rows"]
    compile(taken(app, "bertviz", "code")["code"], "bertviz", "exec")


def test_bertviz_says_how_long_a_text_it_bears() -> None:
    app = attention(text=LONG, section="bertviz", bertviz="model")
    assert any("up to 32 it is drawn" in each.value for each in app.info)
    assert not all_drawn(app, "bertviz_views")
