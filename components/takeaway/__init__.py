"""The bar under every panel: its numbers, code, picture, link and origin, to take away.

    panel_bar(key="fill_take", title=t("Answers"), numbers=lambda: table(prediction), …)

A part may be a function; it is called only while its drawer is open. Opening a drawer reruns this
bar alone, and copying and downloading run nothing at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import streamlit as st

from components.pictures import Svg
from components.register import register
from components.takeaway.parts import (
    Column,
    Lazy,
    T,
    Table,
    csv_text,
    link_query,
    numeric,
    origin,
    precise,
    shown,
    versions,
)
from components.words import msg, t, tn
from models.trace import Provenance

__all__ = ["Column", "Lazy", "Table", "origin", "panel_bar", "precise", "versions"]

_mount = register("takeaway", Path(__file__).parent)

# No two messages are equal: see `components.answers`.
_serial = count()

SHOWN = 200
"""Rows shown in the page; the CSV has all."""

LABELS = {
    "numbers": msg("Numbers"),
    "code": msg("Code"),
    "picture": msg("Picture"),
    "page": msg("HTML file"),
    "link": msg("Link"),
    "about": msg("About"),
}


@dataclass(frozen=True)
class _Parts:
    title: str
    numbers: Lazy[Table] | None
    code: Lazy[str] | None
    picture: Lazy[Svg] | None
    page: Lazy[str] | None
    link: Mapping[str, str] | None
    about: Sequence[Provenance]
    how: str


def panel_bar(  # noqa: PLR0913 - each by its name
    *,
    key: str,
    title: str,
    numbers: Lazy[Table] | None = None,
    code: Lazy[str] | None = None,
    picture: Lazy[Svg] | None = None,
    page: Lazy[str] | None = None,
    link: Mapping[str, str] | None = None,
    about: Provenance | Sequence[Provenance] | None = None,
    how: str = "",
) -> None:
    """Draw the bar; a panel without some part lacks that button.

    Args:
        key: A name of its own in the session; downloads are named after it.
        title: What the panel shows, in the visitor's language.
        numbers: What the panel draws, as a table.
        code: A program that prints these numbers in a fresh process.
        picture: The panel as a picture.
        page: The panel as a file that goes on living without a network (`components.offline`).
        link: Query parameters that make this page show exactly this view; the language is added.
        about: Which model, or which models, and software computed it.
        how: How it is computed, in a sentence or two.
    """
    models = (about,) if isinstance(about, Provenance) else tuple(about or ())
    _bar(key, _Parts(title, numbers, code, picture, page, link, models, how))


@st.fragment
def _bar(key: str, parts: _Parts) -> None:
    kinds = [kind for kind in LABELS if getattr(parts, kind) not in (None, ())]
    opened = _opened(key, kinds)
    _mount(
        key=key,
        data={
            "serial": next(_serial),
            "name": f"unmask-{key.replace('_', '-')}",
            "label": t("Take away: {panel}", panel=parts.title),
            "buttons": [{"kind": kind, "text": t(LABELS[kind])} for kind in kinds],
            "link": None if parts.link is None else link_query(parts.link),
            "open": opened,
            "content": _content(opened, parts),
            "words": _words(),
        },
        on_open_change=lambda: None,
    )


def _opened(key: str, kinds: list[str]) -> str:
    """Which drawer the browser says is open; "" for none (a browser may send anything)."""
    state = st.session_state.get(key)
    kind = state.get("open") if isinstance(state, Mapping) else None
    return kind if isinstance(kind, str) and kind in kinds else ""


def _made(part: Lazy[T]) -> T:
    return part() if callable(part) else part


def _content(opened: str, parts: _Parts) -> dict[str, object]:
    """What the open drawer holds; nothing else is computed or sent."""
    if opened == "numbers" and parts.numbers is not None:
        return _numbers(_made(parts.numbers), parts)
    if opened == "code" and parts.code is not None:
        return {
            "code": _made(parts.code),
            "note": t("This program computes the numbers again, without this app."),
        }
    if opened == "picture" and parts.picture is not None:
        note = t(
            "Made for paper and slides. In the SVG, text stays text; "
            "the PNG has twice the resolution."
        )
        return vars(_made(parts.picture)) | {"note": note}
    if opened == "page" and parts.page is not None:
        note = t(
            "One file that goes on working without a network: point, lock, sort and move the "
            "slider in it. It asks for nothing from anywhere."
        )
        return {"page": _made(parts.page), "note": note}
    if opened == "about":
        return {"facts": _facts(parts.about), "note": parts.how}
    return {}


def _numbers(table: Table, parts: _Parts) -> dict[str, object]:
    more = len(table.rows) - SHOWN
    return {
        "note": table.note,
        "caption": parts.title,
        "heads": [column.title for column in table.columns],
        "numeric": numeric(table),
        "rows": shown(table, SHOWN),
        "more": tn("{count} more row in the CSV", "{count} more rows in the CSV", more)
        if more > 0
        else "",
        "csv": csv_text(table, parts.title, parts.about),
    }


def _facts(about: Sequence[Provenance]) -> list[list[str]]:
    """What is known of each model, and once what they have in common."""
    first = about[0]
    return [
        *(
            fact
            for each in about
            for fact in ([t("Model"), each.model], [t("Weights (SHA-256)"), each.revision])
        ),
        [t("Number format"), first.dtype],
        [t("Software"), versions(first)],
    ]


def _words() -> dict[str, str]:
    """The words in the scripts, in the visitor's language."""
    return {
        "wait": t("One moment …"),
        "copy": t("Copy"),
        "csv": t("Download CSV"),
        "svg": t("Download SVG"),
        "png": t("Download PNG"),
        "html": t("Download HTML"),
        "copied": t("Copied."),
        "linkCopied": t("Link copied. It restores this view."),
        "byHand": t("The browser does not let this page copy. Copy the marked text yourself."),
        "tooLong": t("This text is too long for a link. Copy the text itself."),
        "saved": t("Saved: {file}"),
        "noPicture": t("This browser cannot make the PNG. Take the SVG."),
    }
