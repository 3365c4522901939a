"""Where to try a model: the pages that can show it, with its own examples for the first of them."""

from __future__ import annotations

import streamlit as st

import models
from components.present import carried
from components.routes import first_route
from components.tokens.marks import MARKED, to_marks
from components.words import msg, t
from models.catalog import ModelFacts
from models.trace import Sentence
from pages.comparing.links import RECURRENT, SERVING

TITLES = {
    "fill": msg("Fill the mask"),
    "generate": msg("Generate"),
    "write": msg("Read, then write"),
    "attention": msg("Attention"),
    "sees": msg("Who sees what"),
}
"""What the pages are called, by their address."""

OFFERED = 3
FILE = "../pages/{}.py"


def pages_for(facts: ModelFacts) -> list[str]:
    """The pages that are there and can show a model."""
    wanted = [
        page
        for page in SERVING[facts.objective]
        if not (page == "attention" and facts.family in RECURRENT)
    ]
    return [page for page in wanted if first_route([page])]


def try_it(facts: ModelFacts) -> None:
    """Links to the pages, and sentences to begin with."""
    if not (there := pages_for(facts)):
        return
    with st.container(horizontal=True):
        for page in there:
            _link(page, t(TITLES[page]), model=facts.name)
    for sentence in models.examples(facts.name)[:OFFERED]:
        _link(there[0], with_gap(sentence), model=facts.name, text=to_marks(sentence))


def with_gap(sentence: Sentence) -> str:
    """The sentence with a gap where words are hidden."""
    return MARKED.sub("▁▁▁", to_marks(sentence))


def _link(page: str, label: str, **query: str) -> None:
    st.page_link(FILE.format(page), label=label, query_params={**query, **carried()})
