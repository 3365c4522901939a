"""Inside a block, through the router: tiny models of BERT's kind, none trained.

What the page draws is read from the data that its components get.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import models
from models import catalog
from models.trace import Sentence
from models.training.inside import write
from tests.pages.fill_page import SHELL, all_drawn, bar, drawn, taken
from tests.pages.tiny_zoo import built_zoo, zoo
from tests.unit.test_block_tests import made_up
from tests.unit.test_pair_tests import made_up as made_up_pairs

__all__ = ["built_zoo", "zoo"]  # fixtures

pytestmark = pytest.mark.usefixtures("zoo")

CAT = "the cat was walking on the [[mat]] in paris"
SENTENCE = Sentence("the cat was walking on the mat in paris", ((27, 30),))


def block(locale: str = "en-US", **query: str) -> AppTest:
    """The page as a new visitor finds it."""
    app = AppTest.from_file(SHELL, default_timeout=120)
    app.switch_page("../pages/block.py")
    app.context = {"locale": locale}
    for name, value in ({"text": CAT, "model": "bert-s-en"} | query).items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def plots(app: AppTest) -> int:
    return len(app.get("plotly_chart"))


def test_the_feed_forward_network_as_computed() -> None:
    app = block()
    data = drawn(app, "block_steps")
    found = models.block_ffn("bert-s-en", SENTENCE, 1)
    shown = [stage["vector"]["values"] for stage in data["stages"]]
    assert [len(values) for values in shown] == [32, 64 * 2, 64 * 2, 32, 32, 32]
    np.testing.assert_allclose(shown[2], found.activated, atol=1e-3)
    assert data["step"] == 2 and data["stages"][2]["before"]["values"] == shown[1]
    assert len(data["outcomes"]) == 3 and "as trained" in data["outcomes"][0]["title"]
    fired = drawn(app, "neurons")["neurons"]
    assert len(fired) == len(found.neurons) and sum(t["here"] for t in fired[0]["tokens"]) == 1
    (parts, silent) = drawn(app, "rows")["tables"]
    assert sum(row["value"] for row in parts["rows"]) == pytest.approx(1)
    assert len(silent["rows"]) == found.layers == 2
    assert "convolutions of width 1" in drawn(app, "rows")["note"]


def test_only_the_open_section_computes_and_each_can_be_opened() -> None:
    app = block(section="alike")
    assert not all_drawn(app, "block_steps") and plots(app) == 2
    app = block(section="heads")
    assert plots(app) == 1 and not all_drawn(app, "rows")
    app = block(section="dropout", share="0")
    (table,) = drawn(app, "rows")["tables"]
    assert all(row["low"] == pytest.approx(row["high"]) for row in table["rows"])
    app = block(section="stream")
    logits, lengths = drawn(app, "rows")["tables"]
    *parts, total = logits["rows"]
    assert sum(row["value"] for row in parts) == pytest.approx(total["value"])
    found = models.block_stream("bert-s-en", SENTENCE)
    assert total["value"] == pytest.approx(found.logit, abs=1e-3)
    assert len(lengths["rows"]) == 3 * 2


def test_the_tests_are_said_to_be_missing_and_how_to_run_them() -> None:
    app = block(section="heads")
    assert any("python -m models.training.inside" in each.value for each in app.info)
    assert not all_drawn(app, "verdicts")


def test_stored_tests_are_drawn_with_their_verdicts() -> None:
    path = Path(catalog.ZOO) / "block.json"
    write(made_up(), path)
    try:
        app = block(section="heads")
        said = drawn(app, "verdicts")["claims"]
        assert {each["outcome"] for each in said} <= {"supported", "within-noise", "opposite"}
        assert len(said) == 4
        (table,) = drawn(app, "rows")["tables"]
        assert [row["strong"] for row in table["rows"]].count(True) == 1
        assert taken(app, "block_stored_heads", "code")["code"].endswith("models.training.inside\n")
        assert not any("Not tested here" in each.value for each in app.caption)
        some = made_up()
        del some["losses"]["bert-v-1-head"]
        write(some, path)
        app = block(section="heads")
        assert any("bert-v-1-head" in each.value for each in app.caption)
        assert len(drawn(app, "verdicts")["claims"]) == 3
        for section in ("ffn", "alike", "dropout"):
            assert drawn(block(section=section), "verdicts")["claims"]
    finally:
        path.unlink()


def test_next_sentence_is_judged_or_not() -> None:
    path = Path(catalog.ZOO) / "next_sentence.json"
    app = block(section="pairs")
    assert any("python -m models.training.pair_tests" in each.value for each in app.info)
    try:
        write(made_up_pairs(0.08), path)
        app = block(section="pairs")
        asked, hidden, added = drawn(app, "rows")["tables"]
        assert [row["value"] for row in asked["rows"]] == pytest.approx([80, 50, 50])
        shares = [row["value"] for row in hidden["rows"]]
        assert added["rows"][0]["value"] == pytest.approx(shares[1] - shares[0])
        assert "tell books apart" in drawn(app, "rows")["headline"]
        (said,) = drawn(app, "verdicts")["claims"]
        assert said["outcome"] == "opposite"
        assert "pair_tests" in taken(app, "block_pairs_bar", "code")["code"]
        write(made_up_pairs(0.08, knows=0.53), path)
        app = block(section="pairs")
        assert not all_drawn(app, "verdicts"), "withheld"
        assert any("No verdict" in each.value for each in app.info)
        assert any("不下結論" in each.value for each in block("zh-TW", section="pairs").info)
    finally:
        path.unlink(missing_ok=True)


def test_a_link_restores_the_view() -> None:
    app = block(section="dropout", share="30", seed="7", model="gpt-s-en")
    link = dict(parse_qsl(bar(app, "block_dropout")["link"]))
    assert link["share"] == "30" and link["seed"] == "7" and link["section"] == "dropout"
    again = block(**{name: link[name] for name in ("text", "model", "section", "share", "seed")})
    assert drawn(again, "rows")["tables"] == drawn(app, "rows")["tables"]


def test_without_a_blank_or_with_another_kind_of_model_it_says_so() -> None:
    app = block(text="the cat")
    assert any("Hide a word" in each.value for each in app.info)
    app = block(model="elmo-s-en")
    assert any("no blocks that could be opened" in each.value for each in app.info)


def test_in_chinese_too() -> None:
    app = block(locale="zh-TW", section="stream")
    assert any("區塊" in each.value for each in app.title)
    assert "層" in str(drawn(app, "rows")["tables"][0]["rows"])
