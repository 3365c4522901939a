"""The architectures as blocks, and the block that is open."""

from __future__ import annotations

import streamlit as st

import models
from components.blocks import Drawn, Opened, blocks, opened_at, turned_into
from components.blocks.exports import numbers, picture
from components.blocks.layout import claim, key_of, turns
from components.takeaway import panel_bar
from components.verdicts import Judged, verdicts
from components.words import msg, t
from models.company import Member
from models.trace import OpenPart
from pages.building.asking import drawn, in_order
from pages.filling.asking import Check
from pages.seeing.asking import Seeing

TITLE = msg("Four architectures as blocks")
KEY = "architecture_blocks"
SOURCES = {
    "bert": msg("Devlin et al. 2018 keep the encoder of Vaswani et al. 2017."),
    "gpt": msg(
        "Radford et al. 2018 keep the decoder without cross-attention: that is the encoder’s "
        "layer with a causal mask."
    ),
}


@st.fragment
def show(seeing: Seeing) -> None:
    """The diagram, its claims and their bar; opening a block reruns this alone."""
    members = in_order(seeing.members)
    shown = [drawn(seeing, member) for member in members]
    there = [each for each in shown if each.blueprint]
    if not there:
        st.info(shown[0].note)
        return
    st.subheader(t(TITLE), anchor=False)
    at = opened_at(KEY, shown, st.query_params.get("open", ""))
    turn = turned_into(KEY, st.query_params.get("turn", ""))
    opened = None if at is None else _opened(seeing, members, at)
    blocks(shown, key=KEY, turn=turn, at=at, opened=opened)
    _claims(shown)
    panel_bar(
        key="architectures",
        title=t(TITLE),
        numbers=lambda: numbers(shown),
        code=lambda: _programs(there, opened),
        picture=lambda: picture(shown, t(TITLE)),
        link=seeing.link(turn=turn, open=_link(at)),
        about=[each.blueprint.provenance for each in there if each.blueprint],
        how=t(
            "Blocks, shapes and parameters are read from the models that are loaded; tied weights "
            "count once. FLOPs are those of the matrix products for this sentence, a "
            "multiplication and an addition being two; layer norms, activations and softmax are "
            "not counted. Tensors are computed step by step by the formulas shown."
        ),
    )


def _claims(shown: list[Drawn]) -> None:
    """What is claimed of BERT and GPT, judged by their blocks."""
    turned = turns(shown)
    by_family = {each.family: each for each in shown}
    judged = [
        Judged(*claim(name, one, by_family[name]), source=t(SOURCES[name]))
        for name, one in turned.items()
    ]
    if judged:
        verdicts(judged, key="architecture_claims")


def _opened(seeing: Seeing, members: list[Member], at: Opened) -> OpenPart | None:
    each, part, layer = at
    member = next(member for member in members if member.family == each.family)

    def question(check: Check) -> OpenPart:
        return models.open_part(member.model, seeing.sentence, part.kind, part.side, layer, check)

    about = seeing.sentence, part.kind, part.side, layer
    found = seeing.once("open_part", member, about, question)
    return None if isinstance(found, str) else found


def _link(at: Opened | None) -> str:
    if at is None:
        return ""
    each, part, layer = at
    return key_of(each, part) + ("" if layer is None else f"/{layer + 1}")


def _programs(there: list[Drawn], opened: OpenPart | None) -> str:
    """What counts the parameters of all models, and what computes the open block."""
    found = [
        f"# {each.name}: {each.model}\n\n{each.blueprint.snippet}"
        for each in there
        if each.blueprint
    ]
    if opened is not None:
        found.insert(0, f"# {opened.part.module or 'softmax'}\n\n{opened.snippet}")
    return "\n\n".join(found)
