"""One head, or several mixed, exactly."""

from __future__ import annotations

from functools import partial

import streamlit as st

import models
from components.answers.notices import too_busy
from components.head import Choice, head
from components.head.exports import numbers, picture
from components.offline.heads import one_head_page
from components.takeaway import panel_bar
from components.words import msg, t
from models.trace import HeadAt, OneHead
from pages.filling.asking import Check
from pages.filling.linked import follow
from pages.looking.asking import KEY, Looking
from pages.looking.controls import one_of
from pages.looking.opened import chosen

MERGE, HIDE, BETWEEN = "attention_merge", "attention_hide", "attention_between"
PARTS = {
    "all": msg("All"),
    "00": msg("first → first"),
    "01": msg("first → second"),
    "10": msg("second → first"),
    "11": msg("second → second"),
}
"""Of a pair: which text asks, and which is looked at."""


@st.fragment
def show(looking: Looking) -> None:
    """Controls, the head, and its bar. A click on a head or a token reruns this alone."""
    try:
        _show(looking)
    except models.Cancelled:
        st.stop()
    except models.TooBusy:
        st.info(too_busy())


def _show(looking: Looking) -> None:
    picked, line = chosen(looking), st.empty()
    merge, hide, between = _controls(looking)
    question = partial(_ask, looking, picked.heads, merge, hide, between)
    shown = looking.once("one", (picked.heads, merge, hide, between), question, line)
    plain = not merge and not hide and between is None
    if not shown.queries or not shown.keys:
        st.info(t("No token is left to show. Show the special tokens again, or type a word."))
        return
    head(shown, key=KEY, colour=looking.colour, chosen=picked, plain=plain)
    panel_bar(
        key="head",
        title=t("One head"),
        numbers=lambda: numbers(shown),
        code=shown.snippet,
        picture=lambda: picture(shown, looking.colour, picked.top),
        page=lambda: one_head_page(shown, looking.text, looking.colour, picked),
        link=looking.link(**_link(picked), **_switches(merge, hide, between)),
        about=shown.provenance,
        how=t(
            "The weights as the model computes them. Where words are shown whole, weights to the "
            "pieces of a word are summed, and those from its pieces averaged. Where special "
            "tokens are hidden, their weight is taken out and each row scaled to sum to 1. Of "
            "several heads the mean is shown."
        ),
    )


def plain(looking: Looking, heads: tuple[HeadAt, ...]) -> OneHead:
    """A head, or the mean of several, token by token."""
    question = partial(_ask, looking, heads, False, False, None)
    return looking.once("plain", heads, question, st.empty())


def _ask(
    looking: Looking,
    heads: tuple[HeadAt, ...],
    merge: bool,
    hide: bool,
    between: tuple[int, int] | None,
    check: Check,
) -> OneHead:
    found = looking.found
    return models.one_head(
        looking.model, found.reads, found.kind, heads,
        merge=merge, hide_special=hide, between=between, check=check,
    )  # fmt: skip


def _controls(looking: Looking) -> tuple[bool, bool, tuple[int, int] | None]:
    """Words whole, special tokens hidden, and for a pair which part of it."""
    for parameter, key in (("merge", MERGE), ("hide", HIDE)):
        if (linked := follow(parameter)) is not None:
            st.session_state[key] = linked == "1"
        st.session_state.setdefault(key, False)
    between = "all"
    with st.container(horizontal=True, gap="medium"):
        merge = st.toggle(
            t("Show words whole"),
            key=MERGE,
            help=t("Weights to the pieces of a word are summed, those from them averaged."),
            persist_state="session",
        )
        hide = st.toggle(
            t("Hide special tokens and renormalise"),
            key=HIDE,
            help=t(
                "[CLS] and [SEP] often take most of the weight. Without them each row is scaled "
                "to sum to 1 again: what is left looks larger than it is."
            ),
            persist_state="session",
        )
        if looking.pair is not None:
            between = one_of(t("From which sentence to which"), "part", BETWEEN, PARTS)
    return merge, hide, None if between == "all" else (int(between[0]), int(between[1]))


def _link(picked: Choice) -> dict[str, str]:
    return {
        "head": ",".join(f"{layer + 1}.{at + 1}" for layer, at in picked.heads),
        "rows": ",".join(str(i + 1) for i in picked.rows),
        "columns": ",".join(str(i + 1) for i in picked.columns),
        "top": str(picked.top),
    }


def _switches(merge: bool, hide: bool, between: tuple[int, int] | None) -> dict[str, str]:
    found = {"merge": "1" if merge else "", "hide": "1" if hide else ""}
    if between is not None:
        found["part"] = f"{between[0]}{between[1]}"
    return {name: value for name, value in found.items() if value}
