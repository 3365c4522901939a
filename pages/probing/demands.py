"""What running it takes: FLOPs by length, memory, its configuration."""

from __future__ import annotations

import streamlit as st

import models
from components.facts import Fact, facts
from components.plots import Line, Lines, plot
from components.plots.exports import picture
from components.takeaway import Column, Table, origin, panel_bar
from components.words import msg, number, t
from models.trace import Demands
from pages.filling.asking import Check
from pages.probing.asking import Probing

TITLE = msg("Cost and configuration")
UNITS = ("B", "KB", "MB", "GB", "TB")


def show(probing: Probing) -> None:
    """The curve, the numbers, the configuration."""

    def question(check: Check) -> Demands:
        return models.demands(probing.name, check)

    found = probing.once("demands", None, question, t("Counting products …"))
    if found is None:
        return
    if found.flops:
        drawn = curve(found, probing.colour.mark)
        plot(drawn, key="probing_flops", alt=told(found))
    facts(_facts(found), label=t("What running it takes"), key="probing_memory",
          colour=probing.colour.mark)  # fmt: skip
    with st.expander(t("Configuration")):
        st.table([{t("Name"): f"`{name}`", t("Value"): f"`{value[:200]}`"}
                  for name, value in found.config], hide_index=True)  # fmt: skip
    panel_bar(
        key="probing_demands",
        title=t("FLOPs per token by length: {model}", model=probing.name),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(
            t("FLOPs per token by length: {model}", model=probing.name),
            [curve(found, probing.colour.mark)], origin(found.provenance),
        ),
        link=probing.link(section="demands"),
        about=found.provenance,
        how=t(
            "A multiplication and an addition are two. Products of matrices are counted as the "
            "network runs, with eager attention, which computes what a mask then hides. At five "
            "lengths the count is exact; a curve c + a·n + b·n² through three of them must meet "
            "the others to the last digit before it is drawn on. An encoder-decoder reads and "
            "writes as many tokens, and a token counts once."
        ),
    )  # fmt: skip


def lengths_of(found: Demands) -> list[int]:
    """Powers of two up to the longest text, as far as the FLOPs are known, and that one."""
    if found.formula is None:
        return list(found.lengths)
    powers = [2**k for k in range(20) if 2**k < found.longest]
    return [*powers, found.longest]


def per_token(found: Demands, length: int) -> float:
    """FLOPs of a text, divided by its tokens."""
    return (found.at(length) or 0) / length


def curve(found: Demands, colour: str) -> Lines:
    """FLOPs per token, and how much of it does not depend on the length."""
    at = lengths_of(found)
    lines = [Line(t("All products"), at, [per_token(found, n) for n in at], colour)]
    if found.formula is not None:
        a = found.formula[1]
        lines.append(Line(t("Without attention’s products of positions"), at, [a] * len(at),
                          "#7B8494", "dot"))  # fmt: skip
    return Lines("", t("Tokens in the text"), t("FLOPs per token"), lines)


def told(found: Demands) -> str:
    """The curve in words."""
    at = lengths_of(found)
    return t(
        "From {first} FLOPs per token at {short} tokens to {last} at {long}.",
        first=number(per_token(found, at[0])),
        short=number(at[0]),
        last=number(per_token(found, at[-1])),
        long=number(at[-1]),
    )


def _facts(found: Demands) -> list[Fact]:
    shown = [Fact(t("In memory"), in_bytes(found.memory), t("The parameters, in float32."))]
    if found.disk is not None:
        formats = t(", ").join(found.formats)
        shown.append(
            Fact(
                t("On disk"),
                in_bytes(found.disk),
                t("Weights’ files; numbers stored as {formats}.", formats=formats),
            )
        )
    if found.cache is not None:
        shown.append(
            Fact(
                t("Cache per token"),
                in_bytes(found.cache),
                t("Keys and values that a decoder keeps, measured."),
            )
        )
    if found.formula is None and found.lengths:
        shown.append(
            Fact(
                t("Longest counted"),
                number(found.lengths[-1]),
                t("The counts lie on no simple curve, so none is drawn further."),
            )
        )
    return shown  # fmt: skip


def in_bytes(count: int) -> str:
    """`72.0 MB`: powers of 1000, as on disks."""
    size, unit = float(count), 0
    while size >= 1000 and unit < len(UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{number(size, 1 if unit else 0)} {UNITS[unit]}"


def numbers(found: Demands) -> Table:
    """FLOPs of texts, by length."""
    return Table(
        columns=[
            Column("tokens", t("Tokens in the text"), number),
            Column("flops", t("FLOPs"), number),
            Column("per_token", t("FLOPs per token"), number),
            Column("counted", t("Counted"), lambda yes: t("yes") if yes else t("by the formula")),
        ],
        rows=[
            (n, found.at(n), per_token(found, n), int(n in found.lengths))
            for n in lengths_of(found)
        ],
    )
