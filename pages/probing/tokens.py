"""The tokenizer: how it cuts the text, what it knows, and whether it fits the weights."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

import models
from components.facts import Fact, facts
from components.pieces import numbers, picture, pieces
from components.takeaway import panel_bar
from components.verbatim import verbatim
from components.words import msg, number, percent, t
from models.trace import Cutting, Mismatch
from pages.probing.asking import Probing

TITLE = msg("Tokenizer")
MOST = 300
"""Chips that are drawn; the table has all."""

ROLES = {
    "bos": msg("start of text"), "eos": msg("end of text"), "unk": msg("unknown"),
    "sep": msg("separator"), "pad": msg("padding"), "cls": msg("start of a sentence"),
    "mask": msg("mask"), "": msg("other"),
}  # fmt: skip
MISMATCHES = {
    "rows beyond": msg("The network has {theirs} rows, the tokenizer {ours} entries: the rest are "
                       "padding that no text reaches."),
    "no rows": msg("The tokenizer has {ours} entries, the network only {theirs} rows."),
    "holes": msg("{ours} rows of {theirs} belong to no entry."),
    "role": msg("As {role} the tokenizer uses entry {ours}, the configuration says {theirs}."),
    "length": msg("The tokenizer would allow {ours} tokens, the network has {theirs} positions."),
}  # fmt: skip


def show(probing: Probing) -> None:
    """The chips, the numbers, special tokens, mismatches, the bar."""
    text = probing.text
    found = probing.once("cutting", text, lambda _: models.cutting(probing.name, text))
    if found is None:
        return
    if found.tokens:
        pieces(drawn_few(found), key="probing_pieces", colour=probing.colour.mark)
        if len(found.tokens) > MOST:
            st.caption(t("The first {count} tokens; the table has all.", count=number(MOST)))
    facts(_facts(found), label=t(TITLE), key="probing_tokens_facts", colour=probing.colour.mark)
    for each in found.mismatches:
        st.info(verbatim(mismatch(each)))
    if not found.mismatches:
        st.caption(t("Tokenizer and weights agree: entries, rows, special tokens, length."))
    with st.expander(t("Special tokens: {count}", count=number(len(found.specials)))):
        st.table(
            [{t("Role"): t(ROLES[each.role]), t("Token"): f"`{each.token}`",
              t("Number of the entry"): str(each.id)} for each in found.specials],
            hide_index=True,
        )  # fmt: skip
    panel_bar(
        key="probing_tokens",
        title=t("The text in tokens: {model}", model=probing.name),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(drawn_few(found), probing.colour.mark),
        link=probing.link(section="tokens"),
        about=found.provenance,
        how=t(
            "Each token is shown as the part of your text that it stands for. Special tokens that "
            "you type are ordinary text here; only [MASK] keeps its meaning."
        ),
    )


def drawn_few(found: Cutting) -> Cutting:
    """As many tokens as a picture has room for."""
    return replace(found, tokens=found.tokens[:MOST])


def mismatch(found: Mismatch) -> str:
    """What disagrees, in a sentence."""
    values = {"ours": found.ours, "theirs": found.theirs}
    if found.role:
        values["role"] = t(ROLES[found.role])
    return t(MISMATCHES[found.what], **values)


def _facts(found: Cutting) -> list[Fact]:
    body = [token for token in found.tokens if token.sequence is not None]
    letters = sum(not each.isspace() for each in found.text)
    spelled = (
        t("It has an entry for each byte: any text can be spelled.")
        if found.spells_bytes
        else t("It has no entries for bytes: signs that it lacks become unknown.")
    )
    share = percent(found.unknown / max(1, len(body)), 1)
    same = found.again.strip() == found.text.strip()
    return [
        Fact(t("Algorithm"), found.algorithm, spelled),
        Fact(t("Entries"), number(found.entries),
             t("Rows of the input matrix: {rows}.", rows=number(found.rows))),
        Fact(t("Tokens here"), number(len(found.tokens)),
             t("{count} characters to a token of the text; {added} special tokens.",
               count=number(letters / max(1, len(body)), 1),
               added=number(len(found.tokens) - len(body)))),
        Fact(t("Unknown here"), number(found.unknown),
             t("{share} of the text’s tokens.", share=share)),
        Fact(t("There and back"), t("the same") if same else t("not the same"),
             t("The text that the tokens spell: {text}", text=found.again[:120])),
    ]  # fmt: skip
