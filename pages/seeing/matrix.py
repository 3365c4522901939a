"""Who sees what: the matrices of all models, measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

import models
from components.sights import Seen, changed, sights
from components.sights.exports import numbers, picture
from components.takeaway import panel_bar
from components.words import number, t
from models.company import Member
from models.trace import Sight
from pages.comparing.lanes import WAYS
from pages.filling.asking import Check
from pages.filling.linked import follow
from pages.seeing.asking import Seeing

KEY, PADDING = "sees_sights", "sees_padding"
PADS = 2


def show(seeing: Seeing, padding: bool) -> None:
    """The matrices and their bar."""
    shown = [_seen(seeing, member, padding) for member in seeing.members]
    at = changed(KEY, shown, st.query_params.get("changed", ""), _first(seeing, shown))
    sights(shown, key=KEY, changed=at)
    seen = [each.sight for each in shown if each.sight]
    if not seen:
        return
    panel_bar(
        key="sight",
        title=t("Who sees what"),
        numbers=lambda: numbers(shown),
        code=lambda: _programs(shown),
        picture=lambda: picture(shown),
        link=seeing.link(changed=str(at + 1), padding=str(int(padding))),
        about=[sight.provenance for sight in seen],
        how=t(
            "Every word is replaced by {count} others that are drawn by how common they are, one "
            "word at a time, and so is every special token. Nothing is hidden. The state at the "
            "top layer is compared before and after: the distance, divided by the length of the "
            "state before. Original and changed texts go through the model in one batch, so that "
            "what does not arrive is exactly 0. The mask is the architecture’s rule, through all "
            "layers; a position always sees itself.",
            count=number(seen[0].substitutes),
        ),
    )


def with_padding() -> bool:
    """Whether padding is appended; a switch."""
    if (linked := follow("padding", KEY)) is not None:
        st.session_state[PADDING] = linked == "1"
    st.session_state.setdefault(PADDING, True)
    return st.toggle(
        t("With padding"),
        key=PADDING,
        help=t(
            "Shorter sentences in a batch are filled up with padding tokens. The mask keeps them "
            "from being seen."
        ),
        persist_state="session",
    )


def _seen(seeing: Seeing, member: Member, padding: bool) -> Seen:
    """One model's matrices, or why there are none."""
    way = WAYS[member.family]
    seen = Seen(way.name, t(way.sees), member.model, way.colour)
    text = seeing.text

    def question(check: Check) -> Sight:
        return models.sight(member.model, text, PADS if padding else 0, check)

    found = seeing.once("sight", member, (text, padding), question)
    return replace(seen, note=found) if isinstance(found, str) else replace(seen, sight=found)


def _first(seeing: Seeing, shown: Sequence[Seen]) -> int:
    """The hidden word, or else the longest: little hangs on function words."""
    longest = max((s.sight.panes[0].columns for s in shown if s.sight), key=len, default=())
    units = [unit for unit in longest if unit.kind != "padding"]
    hidden = seeing.sentence.hidden
    if hidden and (found := [i for i, unit in enumerate(units) if unit.span == hidden[0]]):
        return found[0]
    words = [i for i, unit in enumerate(units) if unit.kind == "word"]
    return max(words, key=lambda i: len(units[i].text), default=0)


def _programs(shown: Sequence[Seen]) -> str:
    """A program for each matrix."""
    return "\n\n".join(
        f"# {seen.name}, {pane.name}: {seen.model}\n\n{pane.snippet}"
        for seen in shown
        for pane in (seen.sight.panes if seen.sight else ())
    )
