"""Which positions each objective trains on the sentence, with the loss of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

import models
from components.takeaway import panel_bar
from components.targets import Trained
from components.targets import targets as draw
from components.targets.exports import numbers, picture
from components.words import msg, t
from models.company import Member
from models.trace import Targets
from pages.comparing.lanes import WAYS
from pages.filling.asking import Check
from pages.filling.seed import seed_of_draw
from pages.seeing.asking import Seeing

TITLE = msg("What each objective trains")
KEY, SEED = "sees_targets", "sees_seed"

OBJECTIVES: Mapping[str, str] = {
    "bert": msg("masked words: 15% of the tokens, drawn by chance"),
    "gpt": msg("the next word: every token"),
    "elmo": msg("the next word and the one before: every token twice"),
    "seq": msg("the whole sentence again: every token that the decoder writes"),
}


def show(seeing: Seeing) -> None:
    """The seed, the lanes and their bar."""
    st.subheader(t(TITLE), anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        seed = seed_of_draw(SEED)
    shown = [_trained(seeing, member, seed) for member in seeing.members]
    draw(shown, key=KEY)
    found = [each.targets for each in shown if each.targets]
    if not found:
        return
    panel_bar(
        key="targets",
        title=t(TITLE),
        numbers=lambda: numbers(shown),
        code=lambda: "\n\n".join(
            f"# {each.name}: {each.model}\n\n{each.targets.snippet}"
            for each in shown
            if each.targets
        ),
        picture=lambda: picture(shown),
        link=seeing.link(seed=str(seed)),
        about=[each.provenance for each in found],
        how=t(
            "The loss of a position is −ln p of the token that stands there. A masked model is "
            "asked at the selected positions alone, be they masked, replaced or kept; the words "
            "that are hidden from the Transformer’s encoder are those in which the same draw "
            "selects a token, and its decoder writes all tokens, the true ones before each given: "
            "those that the encoder sees it only copies. Losses of different objectives do not "
            "compare, since each model sees something else."
        ),
    )


def _trained(seeing: Seeing, member: Member, seed: int) -> Trained:
    """What one model's objective trains, or why there is nothing."""
    way, text = WAYS[member.family], seeing.text
    one = Trained(way.name, t(OBJECTIVES[member.family]), member.model, way.colour)

    def question(check: Check) -> Targets:
        return models.targets(member.model, text, seed, check=check)

    found = seeing.once("targets", member, (text, seed), question)
    return replace(one, note=found) if isinstance(found, str) else replace(one, targets=found)
