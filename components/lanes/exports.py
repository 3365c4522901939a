"""The lanes to take away: influence as a table, arcs and answers as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as Xml

from components.answers import share
from components.lanes import ANSWERS, Lane, Word, in_bits
from components.pictures import FONTS, INK, PAPER, SOFT, TRACK, Svg, clean, estimate, fit
from components.takeaway import Column, Table, origin
from components.words import number, percent, t
from models.trace import BLANK

MARGIN, SPACE, SIZE = 28, 20, 15
"""Pixels around the picture and between words, and of the letters."""
RISE, DEEP = 0.28, 130
"""How much of its distance an arc rises, and how far at most."""
PER_BIT, HAIR = 14, 0.7
"""Width of an arc, as on the page."""
PANEL, LABELS, SHARES, ROW = 280, 100, 60, 24
"""The answers: width of all, of the words, of the numbers; height of one."""


def numbers(shown: Sequence[Lane]) -> Table:
    """One row for each arc."""
    return Table(
        columns=[
            Column("model", t("Model")),
            Column("position", t("Position"), number),
            Column("word", t("Word")),
            Column("influence_bits", t("Influence in bits"), _precise),
        ],
        rows=[
            (lane.model, position, word.text, bits)
            for lane in shown
            for position, word, bits in _arcs(lane)
        ],
        note=t("Words are counted from 1, blanks and punctuation included."),
    )


def _arcs(lane: Lane) -> list[tuple[int, Word, float]]:
    """Position, counted from 1, word and influence of every arc."""
    if lane.arcs is None:
        return []
    pairs = enumerate(zip(lane.words, lane.arcs, strict=True), start=1)
    return [(position, word, bits) for position, (word, bits) in pairs if bits is not None]


def _precise(bits: float) -> str:
    return f"{bits:.4g}"


def picture(lane: Lane, focus: int, full: float) -> Svg:
    """One lane: the words, the arcs to the blank in focus, and the answers there.

    Args:
        lane: With an answer.
        focus: Which blank.
        full: The probability of a full bar.
    """
    places, words_end = _places(lane.words)
    width, base = round(max(words_end, 320) + PANEL + MARGIN), MARGIN + 56 + DEEP
    height, alt = base + 84, clean(describe(lane, focus))
    root = Xml.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img"})
    root.attrib |= {"width": str(width), "height": str(height), "font-family": FONTS}
    root.set("viewBox", f"0 0 {width} {height}")
    _add(root, "title").text = alt
    _add(root, "rect", width=width, height=height, fill=PAPER)
    _text(root, lane.name, MARGIN, MARGIN + 12, size=18, fill=lane.colour.mark, weight=700)
    _text(root, lane.sees, MARGIN, MARGIN + 32, size=13, fill=SOFT)
    _scene(root, lane, places, base, focus)
    _answers(root, lane, focus, width - MARGIN - PANEL + SPACE, full)
    _footnotes(root, lane, base + 52, full)
    return Svg(Xml.tostring(root, encoding="unicode"), width, height, alt)


def _places(words: Sequence[Word]) -> tuple[list[float], float]:
    """The middle of every word, and where they end."""
    places, at = [], float(MARGIN)
    for word in words:
        width = estimate(word.text if word.blank is None else BLANK, SIZE)
        places.append(at + width / 2)
        at += width + SPACE
    return places, at


def _scene(root: Xml.Element, lane: Lane, places: Sequence[float], base: int, focus: int) -> None:
    """The words, and the arcs to the blank in focus."""
    blanks = [word.blank for word in lane.words]
    to = places[blanks.index(focus)]
    for position, _, bits in _arcs(lane):
        _arc(root, places[position - 1], to, base, bits, lane.colour.mark)
    for x, word in zip(places, lane.words, strict=True):
        _word(root, word, x, base + 22, focus, lane.colour.mark)


def _footnotes(root: Xml.Element, lane: Lane, y: int, full: float) -> None:
    legend = t("Arc width = change of the answer when that word changes (measured)")
    scale = t("A full bar is {full}.", full=percent(full))
    _text(root, f"{legend} · {scale}", MARGIN, y, size=12, fill=SOFT)
    if lane.answer:
        _text(root, origin(lane.answer.provenance), MARGIN, y + 18, size=12, fill=SOFT)


def describe(lane: Lane, focus: int) -> str:
    """The picture in words: the sentence, the best answers, the widest arc."""
    sentence = " ".join(BLANK if word.blank is not None else word.text for word in lane.words)
    parts = [f"{lane.name}: {sentence}"]
    if lane.answer:
        best = lane.answer.blanks[focus].candidates[:3]
        parts.append(", ".join(f"{answer.text} {share(answer.probability)}" for answer in best))
    if arcs := _arcs(lane):
        _, word, bits = max(arcs, key=lambda arc: arc[2])
        parts.append(t("Widest arc: “{word}” · {bits}", word=word.text, bits=in_bits(bits)))
    return " · ".join(parts)


def _arc(root: Xml.Element, x: float, to: float, base: int, bits: float, colour: str) -> None:
    top = base - min(DEEP, 12 + RISE * abs(x - to)) * 4 / 3
    _add(
        root,
        "path",
        d=f"M{x:.1f} {base}C{x:.1f} {top:.1f} {to:.1f} {top:.1f} {to:.1f} {base}",
        fill="none",
        stroke=colour,
        stroke_width=round(max(HAIR, PER_BIT * bits), 2),
        stroke_opacity=round(0.5 + 0.45 * min(1, bits / 0.4), 2),
    )


def _word(root: Xml.Element, word: Word, x: float, y: int, focus: int, colour: str) -> None:
    if word.blank is None:
        node = _text(root, word.text, x, y, anchor="middle", fill=INK if word.seen else SOFT)
        if not word.seen:
            node.set("text-decoration", "line-through")
    else:
        chosen = word.blank == focus
        fill, weight = (colour, 700) if chosen else (SOFT, 400)
        _text(root, BLANK, x, y, anchor="middle", fill=fill, weight=weight)


def _answers(root: Xml.Element, lane: Lane, focus: int, x: int, full: float) -> None:
    if lane.answer is None:
        return
    track, blank = PANEL - SPACE - LABELS - SHARES, lane.answer.blanks[focus]
    for i, answer in enumerate(blank.candidates[:ANSWERS]):
        y = MARGIN + 12 + i * ROW
        weight = 700 if i + 1 == blank.original_rank else 400
        label = f"…{answer.text}" if answer.continuation else answer.text
        _text(root, fit(label, 14, LABELS - 8), x, y, size=14, weight=weight)
        _add(root, "rect", x=x + LABELS, y=y - 10, width=track, height=11, fill=TRACK)
        length = round(max(1.5, track * min(1, answer.probability / full)), 1)
        _add(root, "rect", x=x + LABELS, y=y - 10, width=length, height=11, fill=lane.colour.mark)
        end = x + PANEL - SPACE
        _text(root, share(answer.probability), end, y, size=14, anchor="end", fill=SOFT)


def _add(root: Xml.Element, tag: str, **attributes: object) -> Xml.Element:
    named = {name.replace("_", "-"): f"{value}" for name, value in attributes.items()}
    return Xml.SubElement(root, tag, named)


def _text(
    root: Xml.Element,
    text: str,
    x: float,
    y: float,
    *,
    size: int = SIZE,
    fill: str = INK,
    weight: int = 400,
    anchor: str = "start",
) -> Xml.Element:
    place = {"x": round(x, 1), "y": y, "text_anchor": anchor}
    node = _add(root, "text", **place, font_size=size, font_weight=weight, fill=fill)
    node.text = " ".join(clean(text).split())
    return node
