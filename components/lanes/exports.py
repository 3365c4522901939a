"""The lanes to take away: influence as a table, arcs and answers as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree as Xml

from components.lanes import ANSWERS, SAMPLES, Lane, Word, in_bits
from components.pictures import (
    FONTS,
    INK,
    PAPER,
    SOFT,
    TRACK,
    Svg,
    blank_sign,
    clean,
    estimate,
    fit,
)
from components.shares import joined, share
from components.takeaway import Column, Table, origin, precise
from components.words import number, percent, t

MARGIN, SPACE, SIZE = 28, 20, 15
"""Pixels around the picture and between words, and of the letters."""
RISE, DEEP = 0.28, 130
"""How much of its distance an arc rises, and how far at most."""
PER_BIT, HAIR = 14, 0.7
"""Width of an arc, as on the page."""
PANEL, LABELS, SHARES, ROW = 280, 100, 60, 24
"""The answers: width of all, of the words, of the numbers; height of one."""


def numbers(shown: Sequence[Lane], focus: int = 0) -> Table:
    """One row for each arc, then one for each answer.

    Args:
        shown: The lanes.
        focus: The blank that the arcs lead to, counted from 0.
    """
    return Table(
        columns=[
            Column("model", t("Model")),
            Column("blank", t("Blank"), number),
            Column("position", t("Position"), number),
            Column("word", t("Word")),
            Column("influence_bits", t("Influence in bits"), precise),
            Column("rank", t("Rank"), number),
            Column("probability", t("Probability"), precise),
        ],
        rows=[
            (lane.model, *row) for lane in shown for row in (*_rated(lane, focus), *_answered(lane))
        ],
        note=t(
            "First how much each word matters to the answer, then the answers. Positions, blanks "
            "and punctuation included, and blanks are counted from 1."
        ),
    )


def _rated(lane: Lane, focus: int) -> list[tuple[object, ...]]:
    """The rows of the arcs; without rank and probability."""
    return [(focus + 1, at, word.text, bits, None, None) for at, word, bits in _arcs(lane)]


def _answered(lane: Lane) -> list[tuple[object, ...]]:
    """The rows of the answers, after them the hidden word where it ranks lower; no influence."""
    positions = {word.blank: at for at, word in enumerate(lane.words, start=1)}
    found: list[tuple[object, ...]] = []
    for i, blank in enumerate(lane.answer.blanks if lane.answer else ()):
        listed = list(enumerate(blank.candidates[:ANSWERS], start=1))
        rows: list[tuple[object, ...]] = [
            (rank, joined(answer), answer.probability) for rank, answer in listed
        ]
        if blank.original is not None and blank.original_rank not in dict(listed):
            rows.append((blank.original_rank, blank.original, blank.original_probability))
        at = positions.get(i)
        found += [(i + 1, at, word, None, rank, shown) for rank, word, shown in rows]
    return found


def _arcs(lane: Lane) -> list[tuple[int, Word, float]]:
    """Position, counted from 1, word and influence of every arc."""
    if lane.arcs is None:
        return []
    pairs = enumerate(zip(lane.words, lane.arcs, strict=True), start=1)
    return [(position, word, bits) for position, (word, bits) in pairs if bits is not None]


def picture(lane: Lane, focus: int, full: float) -> Svg:
    """One lane: the words, the arcs to the blank in focus, and the answers there.

    Args:
        lane: With an answer.
        focus: Which blank.
        full: The probability of a full bar.
    """
    lane = _named(lane)
    places, words_end = _places(lane.words)
    width, base = round(max(words_end, 320) + PANEL + MARGIN), MARGIN + 56 + DEEP
    height, alt = base + 132, clean(describe(lane, focus))
    root = Xml.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img"})
    root.attrib |= {"width": str(width), "height": str(height), "font-family": FONTS}
    root.set("viewBox", f"0 0 {width} {height}")
    _add(root, "title").text = alt
    _add(root, "rect", width=width, height=height, fill=PAPER)
    _text(root, lane.name, MARGIN, MARGIN + 12, size=18, fill=lane.colour.mark, weight=700)
    _text(root, lane.sees, MARGIN, MARGIN + 32, size=13, fill=SOFT)
    _scene(root, lane, places, base, focus)
    _answers(root, lane, focus, width - MARGIN - PANEL + SPACE, full)
    _footnotes(root, lane, base + 56, full)
    return Svg(Xml.tostring(root, encoding="unicode"), width, height, alt)


def _named(lane: Lane) -> Lane:
    """The lane with what stands in the picture for each blank: "[MASK]", numbered if several."""
    several = sum(word.blank is not None for word in lane.words) > 1
    return replace(
        lane,
        words=tuple(
            word if word.blank is None else replace(word, text=blank_sign(word.blank, several))
            for word in lane.words
        ),
    )


def _places(words: Sequence[Word]) -> tuple[list[float], float]:
    """The middle of every word, and where they end."""
    places, at = [], float(MARGIN)
    for word in words:
        width = estimate(word.text, SIZE)
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
    """What the arcs' widths mean, with some of them; the scale of the bars; and the origin."""
    if lane.arcs:
        legend = t("Arc width = change of the answer when that word changes (measured)")
        _text(root, legend, MARGIN, y, size=12, fill=SOFT)
        _samples(root, lane.colour.mark, y + 20)
    scale = t("A full bar is {full}.", full=percent(full))
    _text(root, scale, MARGIN, y + 40, size=12, fill=SOFT)
    if lane.answer:
        _text(root, origin(lane.answer.provenance), MARGIN, y + 58, size=12, fill=SOFT)


def _samples(root: Xml.Element, colour: str, y: int) -> None:
    """Lines as wide as arcs of some bits."""
    x = float(MARGIN)
    for i, bits in enumerate(SAMPLES):
        label = in_bits(bits) if i else t("up to {bits}", bits=in_bits(bits))
        line = {"x1": x, "x2": x + 28, "y1": y - 4, "y2": y - 4}
        _add(root, "line", **line, stroke=colour, stroke_width=max(HAIR, PER_BIT * bits))
        _text(root, label, x + 36, y, size=12, fill=SOFT)
        x += 36 + estimate(label, 12) + SPACE


def describe(lane: Lane, focus: int) -> str:
    """The picture in words: the sentence, the best answers, the widest arc."""
    sentence = " ".join(word.text for word in lane.words)
    parts = [t("{name}: {text}", name=lane.name, text=sentence)]
    if lane.answer:
        best = lane.answer.blanks[focus].candidates[:3]
        listed = t(", ").join(f"{joined(each)} {share(each.probability)}" for each in best)
        several = len(lane.answer.blanks) > 1
        title = t("Blank {number}", number=focus + 1)
        parts.append(t("{name}: {text}", name=title, text=listed) if several else listed)
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
        _text(root, word.text, x, y, anchor="middle", fill=fill, weight=weight)


def _answers(root: Xml.Element, lane: Lane, focus: int, x: int, full: float) -> None:
    if lane.answer is None:
        return
    track, blank = PANEL - SPACE - LABELS - SHARES, lane.answer.blanks[focus]
    several = len(lane.answer.blanks) > 1
    if several:
        _text(root, t("Blank {number}", number=focus + 1), x, MARGIN + 12, size=14, fill=SOFT)
    for i, answer in enumerate(blank.candidates[:ANSWERS]):
        y = MARGIN + 12 + (i + several) * ROW
        weight = 700 if i + 1 == blank.original_rank else 400
        _text(root, fit(joined(answer), 14, LABELS - 8), x, y, size=14, weight=weight)
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
