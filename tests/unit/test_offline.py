"""A file that lives without a network: nothing in it is fetched, and no text breaks out of it."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from components.head import Choice
from components.offline import Part, inert, offline_page, packed
from components.offline.heads import all_heads_page, one_head_page
from components.theme import BERT
from components.words import use_language
from models.trace import Unit
from tests.unit.test_heads_component import ABOUT, BACK, SINK, look, shown

HOSTILE = "</script><img src=x onerror=alert(1)>$boot{"


def data_in(page: str) -> dict:
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)
    return json.loads(found)


def numbers(packed_: dict) -> np.ndarray:
    return np.frombuffer(base64.b64decode(packed_["base64"]), packed_["numbers"])


def test_the_open_head_is_in_it_exactly() -> None:
    one = shown(np.where(SINK > 0.5, np.nan, SINK))
    page = one_head_page(one, "the cat the", BERT, Choice(((0, 1),), rows=(2,), top=40))
    (part,) = data_in(page)["parts"]
    assert (numbers(part["weights"]).reshape(4, 4) == one.weights)[:, 1:].all()
    assert np.isnan(numbers(part["weights"])[0]), "what is no number stays none"
    assert (part["top"], part["locked"]["rows"]) == (40, [2])
    assert "bert-en" in page and "0123456789ab" in page


def test_all_heads_are_in_it_as_bytes() -> None:
    seen = look(SINK, BACK)
    every, one = data_in(all_heads_page(seen, shown(), "the cat the", BERT))["parts"]
    assert (numbers(every["levels"]) == seen.levels.ravel()).all()
    assert (numbers(every["scales"]) == seen.scales.ravel()).all()
    assert one["plain"]


def test_nothing_in_it_is_fetched() -> None:
    page = all_heads_page(look(SINK), shown(), "the cat", BERT)
    addresses = set(re.findall(r"\bhttps?://[^\s\"'`]+", page))
    assert addresses == {"http://www.w3.org/2000/svg"}, "the name of SVG, which nobody fetches"
    assert not re.search(r"<(link|img|iframe|script[^>]+src)|@import|url\(|\bimport\b\s*\(", page)
    assert "default-src 'none'" in page


def test_no_text_breaks_out_of_it() -> None:
    units = tuple(Unit(HOSTILE, (i,), False, 0) for i in range(4))
    one = replace(shown(), queries=units, keys=units)
    page = one_head_page(one, HOSTILE, BERT, Choice(((0, 1),)))
    assert "<img" not in page
    assert page.count("</script>") == 2
    part = data_in(page)["parts"][0]
    assert (part["keys"] or part["queries"])[0]["text"] == HOSTILE  # alike: named once
    assert "&lt;/script&gt;" in page


def test_it_speaks_the_visitor_s_language() -> None:
    with use_language("zh_TW"):
        page = all_heads_page(look(SINK), shown(), "", BERT)
    assert '<html lang="zh-Hant-TW">' in page
    assert "1 層 × 1 頭" in page


def test_numbers_are_written_low_byte_first() -> None:
    big = np.array([1.5, -2.0], ">f4")
    assert (numbers(packed({"x": big})["x"]) == [1.5, -2.0]).all()
    with pytest.raises(ValueError, match="JSON"):
        inert({"x": float("nan")})


def test_a_script_that_would_not_work_is_refused(tmp_path) -> None:
    (tmp_path / "view.js").write_text("const nothing = 1")
    with pytest.raises(ValueError, match="one default export"):
        offline_page("t", "", [Part(tmp_path, {})], ABOUT)
