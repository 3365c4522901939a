"""Query · key: one token of the open head, step by step."""

from __future__ import annotations

import streamlit as st

import models
from components.stages import asked, stages
from components.stages.exports import numbers, picture
from components.takeaway import panel_bar
from components.words import msg, t
from models.trace import Token
from pages.filling.linked import follow
from pages.looking.asking import KEY, Looking
from pages.looking.opened import chosen

TITLE = msg("Query · key, step by step")
STAGES = "attention_stages"
LINKED = "attention/linked_query"


def show(looking: Looking) -> None:
    """The stages and their bar."""
    found = looking.found
    token = asked(STAGES, len(found.queries))
    at = chosen(looking).heads[-1]
    query = _first(found.queries) if token is None else token
    seen = looking.once(
        "query",
        (at, query),
        lambda check: models.query_stages(looking.model, found.reads, found.kind, at, query, check),
        st.empty(),
    )
    names = [token.text if token.text.strip() else "␣" for token in found.queries]
    step = st.query_params.get("step", "")
    stages(seen, names, key=STAGES, follows=KEY, colour=looking.colour, step=step)
    panel_bar(
        key="query",
        title=t(TITLE),
        numbers=lambda: numbers(seen),
        code=seen.snippet,
        picture=lambda: picture(seen, looking.colour),
        link=looking.link(section="query", head=f"{at[0] + 1}.{at[1] + 1}", query=str(query + 1)),
        about=seen.provenance,
        how=t(
            "Query, key and value as the model’s own attention gets them, after rotary positions "
            "where it has them. The output is what the head says before the output projection."
        ),
    )


def _first(tokens: tuple[Token, ...]) -> int:
    """The query to begin with: a link's, else the first blank, else the first word."""
    linked = follow("query") or st.session_state.get(LINKED, "")
    st.session_state[LINKED] = linked
    if linked.isascii() and linked.isdecimal() and 1 <= int(linked) <= len(tokens):
        return int(linked) - 1
    blanks = [i for i, token in enumerate(tokens) if token.text == "[MASK]"]
    words = [i for i, token in enumerate(tokens) if token.kind != "special"]
    return next(iter([*blanks, *words, 0]))
