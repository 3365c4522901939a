"""The residual stream: what each part adds, up to the logit of one word."""

from __future__ import annotations

import models
from components.rows import Row, Rows, rows
from components.rows import exports as tabled
from components.shares import joined
from components.takeaway import origin, panel_bar
from components.words import fixed, msg, number, t
from models.trace import Part, PartKind, Stream
from pages.filling.asking import Check
from pages.opening.asking import Opening

TITLE = msg("Residual stream")
KINDS: dict[PartKind, str] = {
    "word": msg("The token that stands here"),
    "position": msg("Its position"),
    "type": msg("Its text (first or second)"),
    "attention": msg("Layer {layer}, attention"),
    "ffn": msg("Layer {layer}, feed-forward"),
    "norms": msg("Biases of the norms"),
    "head": msg("Biases of the output head"),
    "bias": msg("The word by itself (how common it is)"),
}


def show(opening: Opening) -> None:
    """Both tables and their bar."""

    def question(check: Check) -> Stream:
        return models.block_stream(opening.model, opening.sentence, opening.blank, check)

    found = opening.once("stream", None, question)
    tables = [logits(found), lengths(found)]
    rows(tables, key="block_stream_rows", colour=opening.colour, headline=headline(found))
    panel_bar(
        key="block_stream",
        title=t(TITLE),
        numbers=lambda: tabled.numbers(tables, headline(found)),
        code=found.snippet,
        picture=lambda: tabled.picture(
            headline(found), tables, opening.colour.mark, origin(found.provenance)
        ),
        link=opening.link("stream"),
        about=found.provenance,
        how=t(
            "BERT’s block adds and then norms. LayerNorm divides by the size of its input; with "
            "that size held at its actual value it is linear, and so is the head’s activation with "
            "the gain of each unit held. Then every part can be carried to the logit by itself, "
            "and all of them sum to it. It is the direct way only: what later blocks make of a "
            "part counts for them. Another sentence has other sizes."
        ),
    )


def name(part: Part) -> str:
    """A part as a reader knows it; layers count from 1."""
    if part.layer is None:
        return t(KINDS[part.kind])
    return t(KINDS[part.kind], layer=number(part.layer + 1))


def logits(found: Stream) -> Rows:
    """What each part adds to the logit, and which words it would raise most."""
    listed = [
        Row(
            name(part),
            part.logit,
            _signed(part.logit),
            note=t(", ").join(joined(word) for word in part.promotes),
        )
        for part in found.parts
    ]
    total = sum(part.logit for part in found.parts)
    listed.append(Row(t("Sum"), total, fixed(total, 2), strong=True))
    title = t("To the logit of “{word}”", word=joined(found.followed.word))
    return Rows(title, listed, (t("Part"), t("Adds"), t("Raises most")), digits=1)


def lengths(found: Stream) -> Rows:
    """How long what is added is, beside the state that it joins."""
    listed = []
    added = {(part.kind, part.layer): part for part in found.parts}
    for layer, length in enumerate(found.lengths.tolist()[:-1]):
        title = t("Layer {layer}: the state it reads", layer=number(layer + 1))
        listed.append(Row(title, length, fixed(length, 1), strong=True))
        for kind in ("attention", "ffn"):
            part = added[kind, layer]
            listed.append(Row(name(part), part.length, fixed(part.length, 1)))
    return Rows(t("Length of what is added"), listed, (t("Part"), t("‖x‖"), ""), digits=1)


def headline(found: Stream) -> str:
    """That the parts sum up, and which is the largest."""
    word = joined(found.followed.word)
    largest = max((p for p in found.parts if p.kind != "bias"), key=lambda part: abs(part.logit))
    total = sum(part.logit for part in found.parts)
    return t(
        "The logit of “{word}” is {logit}. The parts sum to {total}; the largest that the sentence "
        "decides is “{part}” with {added}.",
        word=word,
        logit=fixed(found.logit, 3),
        total=fixed(total, 3),
        part=name(largest),
        added=_signed(largest.logit),
    )


def _signed(value: float) -> str:
    return f"+{fixed(value, 2)}" if value > 0 else fixed(value, 2)
