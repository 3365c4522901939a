"""Where the lanes of the first page lead: one table, of which only pages that are there count."""

from __future__ import annotations

from typing import get_args
from urllib.parse import parse_qs, urlsplit

import pytest

from models.catalog import Objective
from models.company import Member
from models.trace import Sentence
from pages.comparing import links
from pages.comparing.links import SERVING, link_to

TEA = Sentence("a cup of tea", ((9, 12),))
GPT = Member("gpt-s-en", "gpt", "causal")
ELMO = Member("elmo-s-en", "elmo", "two-way")
LSTM = Member("lstm-s-en", "lstm", "causal")
SEQ = Member("seq-s-en", "seq", "denoising")
BERT = Member("bert-s-en", "bert", "masked")


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The pages that are registered, to be changed by a test."""
    pages: set[str] = set()
    first = lambda wanted: next((page for page in wanted if page in pages), "")  # noqa: E731
    monkeypatch.setattr(links, "first_route", first)
    return pages


def test_every_objective_has_its_pages() -> None:
    assert set(SERVING) == set(get_args(Objective)) and all(SERVING.values())


@pytest.mark.parametrize("member", [BERT, GPT, ELMO, LSTM, SEQ])
def test_without_a_page_there_is_no_link(member: Member, there: set[str]) -> None:
    assert link_to(member, "best", TEA) == ""


@pytest.mark.parametrize(
    ("member", "own"),
    [(BERT, "fill"), (GPT, "generate"), (LSTM, "generate"), (SEQ, "write"), (ELMO, "sees")],
)
def test_a_link_appears_with_its_page(member: Member, own: str, there: set[str]) -> None:
    there |= {"attention", own}
    assert urlsplit(link_to(member, "best", TEA)).path == own


@pytest.mark.parametrize("member", [BERT, GPT, SEQ])
def test_until_then_it_leads_to_attention(member: Member, there: set[str]) -> None:
    there.add("attention")
    address = urlsplit(link_to(member, "best", TEA))
    assert address.path == "attention"
    assert parse_qs(address.query) == {
        "model": [member.model],
        "models": ["best"],
        "text": ["a cup of [[tea]]"],
        "lang": ["en"],
    }


@pytest.mark.parametrize("member", [ELMO, LSTM])
def test_but_not_of_a_model_that_has_none(member: Member, there: set[str]) -> None:
    there.add("attention")
    assert link_to(member, "best", TEA) == ""


def test_who_sees_what_shows_all_of_a_company(there: set[str]) -> None:
    there.add("sees")
    assert parse_qs(urlsplit(link_to(ELMO, "matched", TEA)).query)["models"] == ["matched"]
