"""The way of one token, step by step, and BERT's head with and without its transform."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import streamlit as st

import models
from components.head_steps.verdict import caution, verdict
from components.present import carried
from components.routes import first_route
from components.takeaway import panel_bar
from components.token_path import asked, token_path
from components.token_path.exports import numbers, picture
from components.tokens.marks import to_marks
from components.verbatim import verbatim
from components.words import msg, t
from models.company import Member
from models.trace import HeadSteps, TokenPath
from pages.building.asking import in_order
from pages.comparing.lanes import WAYS
from pages.filling.asking import Check
from pages.filling.linked import follow
from pages.seeing.asking import Seeing

TITLE = msg("The way of one token")
KEY = "architecture_path"
FIRST = "bert"
MOST = 4_096
"""Of tokens or layers that a browser may ask for."""


@st.fragment
def show(seeing: Seeing) -> None:
    """The chain of steps and its bar; another token or layer reruns this alone."""
    st.subheader(t(TITLE), anchor=False)
    member = _member(in_order(seeing.members))
    query, way = st.query_params, WAYS[member.family]
    # What was chosen in other tokens says nothing about these.
    key = f"{KEY}_{member.family}_{crc32(to_marks(seeing.sentence).encode()):x}"
    place = asked(key, "token", MOST, query.get("token", ""), otherwise=-1)
    layer = asked(key, "layer", MOST, query.get("layer", ""))
    found = _path(seeing, member, None if place < 0 else place, layer)
    if isinstance(found, str):
        st.info(found)
        return
    step = _step(key, found, query.get("step", ""))
    token_path(found, key=key, step=step, colour=way.colour)
    panel_bar(
        key="token_path",
        title=t(TITLE),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(found, way.name, way.colour),
        link=seeing.link(
            way=member.family,
            token=str(found.position + 1),
            layer=str(found.layer + 1),
            step=str(step + 1),
        ),
        about=found.provenance,
        how=t(
            "Every step is computed by its formula from the model’s own weights, and held to what "
            "transformers computes; the last one is the model’s own answer. Of the Transformer a "
            "token of the decoder is followed, of ELMo the forward model."
        ),
    )
    if member.family == "bert":
        _head(seeing, member)


def _member(members: list[Member]) -> Member:
    """Whose way is followed; BERT's at first."""
    families = [member.family for member in members]
    if (linked := follow("way", KEY)) in families:
        st.session_state[KEY] = linked
    if st.session_state.get(KEY) not in families:
        st.session_state[KEY] = FIRST if FIRST in families else families[0]
    chosen = st.radio(
        t("Model"),
        families,
        format_func=lambda family: WAYS[family].name,
        key=KEY,
        horizontal=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    return members[families.index(chosen)]


def _step(key: str, found: TokenPath, link: str) -> int:
    """Which step is open: the one of the same name when the model or the sentence changes."""
    memory = st.session_state.setdefault("architecture/step", {})
    names = [step.name for step in found.steps]
    before = names.index(memory["name"]) if memory.get("name") in names else 0
    step = asked(key, "step", len(names), "" if memory else link, otherwise=before)
    memory["name"] = names[step]
    return step


def _path(seeing: Seeing, member: Member, position: int | None, layer: int) -> TokenPath | str:
    """The way of a token; of the usual one, in the first layer, where there is none such."""

    def question(check: Check) -> TokenPath:
        for place, at in ((position, layer), (None, layer)):
            try:
                return models.token_path(member.model, seeing.sentence, place, at, check)
            except ValueError:  # a link, or a browser, may ask for anything
                continue
        return models.token_path(member.model, seeing.sentence, check=check)

    return seeing.once("token_path", member, (seeing.sentence, position, layer), question)


def _head(seeing: Seeing, member: Member) -> None:
    """C5: whether the word needs dense, activation and LayerNorm."""
    if not seeing.sentence.hidden:
        return

    def question(check: Check) -> HeadSteps:
        return models.head_steps(member.model, seeing.sentence, check=check)

    found = seeing.once("path_head", member, seeing.sentence, question)
    if isinstance(found, str):
        return
    title = t("With and without the head’s transform")
    st.markdown(f"**{title}**")
    st.markdown(verbatim(verdict(found)))
    st.caption(caution())
    if first_route(["fill"]):
        st.page_link(
            Path(__file__).parents[1].joinpath("fill.py"),
            label=t("The head, step by step"),
            query_params={"model": member.model, "text": to_marks(seeing.sentence), **carried()},
        )
