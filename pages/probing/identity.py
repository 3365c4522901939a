"""What it is: the summary, the checks with their numbers, and what can be done with it."""

from __future__ import annotations

import streamlit as st

import models
from components.facts import facts
from components.facts.exports import picture
from components.takeaway import Column, Table, origin, panel_bar
from components.verbatim import verbatim
from components.words import msg, number, t
from models.trace import Probe
from pages.filling.asking import Check
from pages.probing import said
from pages.probing.asking import Probing

TITLE = msg("What it is")


def show(probing: Probing) -> None:
    """Try it, and say what was found."""
    st.subheader(t(TITLE), anchor=False)

    def question(check: Check) -> Probe | None:
        try:
            return models.probe(probing.name, probing.text, check)
        except ValueError:  # no token in it
            return None

    found = probing.once("probe", probing.text, question, t("Trying it on the text …"))
    if found is None:
        st.info(t("Type some words to try it on."))
        return
    st.markdown(f"**{verbatim(said.summary(found))}**")
    if len(found.text) < len(probing.text.strip()):
        st.caption(t("Tried on the first {count} tokens.", count=number(len(found.tokens))))
    facts(
        said.facts_of(found), label=t("What was measured"), key="probing_facts",
        colour=probing.colour.mark,
    )  # fmt: skip
    st.table([{t("What"): a, t("Found"): verbatim(b)} for a, b in properties(found)],
             hide_index=True)  # fmt: skip
    _abilities(found)
    panel_bar(
        key="probing_identity",
        title=t("What it is: {model}", model=probing.name),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(
            probing.name, said.summary(found), said.facts_of(found), probing.colour.mark,
            origin(found.provenance),
        ),
        link=probing.link(),
        about=found.provenance,
        how=t(
            "One pass with everything recorded, beside a plain eager pass of the same weights. "
            "Then each token is replaced by another (seed 0), all versions in one batch with the "
            "original: what does not arrive is exactly 0. Each change is carried out once. "
            "Windows and groups of queries are read from masks and keys."
        ),
    )  # fmt: skip


def properties(found: Probe) -> list[tuple[str, str]]:
    """What it is made of, one line each."""
    lines = [
        (t("Family"), f"{found.family} ({found.architecture})"),
        (t("Parameters"), number(found.parameters)),
    ]
    if found.attention:
        kinds = t("; ").join(map(said.heads_told, found.attention))
        groups = t("; ").join(map(said.groups_told, found.attention))
        lines += [(t("Attention"), kinds), (t("Keys"), groups),
                  (t("Window"), said.window_told(found))]  # fmt: skip
    else:
        lines.append((t("Attention"), t("none")))
    schemes = t("; ").join(t(said.SCHEMES[each]) for each in found.positions)
    return [
        *lines,
        (t("Positions"), schemes or t("none that is known here")),
        (t("Words in and out"), t(said.TYINGS[found.tied])),
        (t("On top of the body"), t(", ").join(found.extras) or t("nothing")),
    ]


def _abilities(found: Probe) -> None:
    """Everything that can be asked for; folded away, the count outside."""
    every = (*found.recorded, *found.changed)
    can = sum(not each.reason for each in every)
    label = t("What can be recorded and changed: {can} of {count}, each tried",
              can=number(can), count=number(len(every)))  # fmt: skip
    with st.expander(label):
        for title, abilities, recorded in (
            (t("Recorded"), found.recorded, True),
            (t("Changed"), found.changed, False),
        ):
            rows = [
                {title: t(said.NAMES[each.name]),
                 t("Done"): said.ability_told(each, recorded=recorded)}
                for each in abilities
            ]  # fmt: skip
            st.table(rows, hide_index=True)


def numbers(found: Probe) -> Table:
    """Every check, every property and every ability."""
    rows: list[tuple[str, str, float | None]] = [
        ("parity", t("Parity"), found.parity),
        ("largest", t("Largest compared"), found.largest),
        ("broken", t("NaN or infinite"), found.broken),
        ("order", t("Word order"), found.order),
    ]
    rows += [
        (f"row_error_{kind.kind}", said.heads_told(kind), kind.row_error)
        for kind in found.attention
    ]
    for reach in found.reaches:
        rows.append((f"ahead_{reach.watched}", t("Move before the replaced token"), reach.ahead))
        rows.append((f"back_{reach.watched}", t("Move after it"), reach.back))
    for name, text in properties(found):
        rows.append(("property", f"{name}: {text}", None))
    for recorded, several in ((True, found.recorded), (False, found.changed)):
        for each in several:
            told = f"{t(said.NAMES[each.name])}: {said.ability_told(each, recorded=recorded)}"
            rows.append((each.name, told, each.size if not each.reason else None))
    return Table(
        [Column("name", t("Name")), Column("told", t("What")),
         Column("value", t("Value"), lambda value: f"{value:.4g}")],
        rows,
        note=said.summary(found),
    )  # fmt: skip
