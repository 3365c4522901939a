"""The lanes to take away as a picture: words, arcs and answers, one lane below the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from xml.etree import ElementTree as Xml

from components.lanes import ANSWERS, SAMPLES
from components.lanes.exports import measured
from components.lanes.lane import Lane, Word
from components.lanes.told import full_bar, in_bits, sides
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
from components.takeaway import origin
from components.words import percent, sentences, t
from models.trace import Span

MARGIN, SPACE, SIZE = 28, 20, 15
"""Pixels around the picture and between words, and of the letters."""
RISE, DEEP = 0.28, 90
"""How much of its distance an arc rises, and how far at most."""
PER_BIT, HAIR = 14, 0.7
"""Width of an arc, as on the page."""
PANEL, LABELS, SHARES, ROW = 300, 110, 60, 22
"""The answers: width of all, of the words, of the numbers; height of one."""
HEAD, LANE = 48, 210
"""Height of a lane's name, and of all of it."""

Places = Mapping[Span, float]
"""The middle of every word."""


def picture(shown: Sequence[Lane], focus: int) -> Svg:
    """The lanes: words, the arcs to the blank in focus, and the answers there.

    Args:
        shown: Those with an answer are drawn.
        focus: Which blank.
    """
    shown = [lane for lane in shown if lane.blank(focus)]
    places, end = _places(shown, focus)
    width, full = round(max(end, 420) + PANEL + MARGIN), full_bar(shown)
    height, alt = MARGIN + LANE * len(shown) + _notes(shown), clean(describe(shown, focus))
    root = Xml.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img"})
    root.attrib |= {"width": str(width), "height": str(height), "font-family": FONTS}
    root.set("viewBox", f"0 0 {width} {height}")
    _add(root, "title").text = alt
    _add(root, "rect", width=width, height=height, fill=PAPER)
    for i, lane in enumerate(shown):
        group = _add(root, "g", transform=f"translate(0 {MARGIN + i * LANE})")
        _text(group, lane.name, MARGIN, 12, size=18, fill=lane.colour.mark, weight=700)
        _text(group, fit(lane.sees, 13, width - PANEL), MARGIN, 32, size=13, fill=SOFT)
        _scene(group, lane, places, focus)
        _answers(group, lane, focus, width - MARGIN - PANEL + SPACE, full)
    _footnotes(
        root, shown, MARGIN + LANE * len(shown), sentences(*_signs(shown, focus), _scale(full))
    )
    return Svg(Xml.tostring(root, encoding="unicode"), width, height, alt)


def _sign(lane: Lane, word: Word, focus: int) -> str:
    """What stands in the picture for a word: for a blank its sign, or the model's own guess."""
    if word.blank is None:
        return word.text
    blank = lane.blank(focus)
    guesses = {guess.blank: joined(guess.word) for guess in blank.guesses} if blank else {}
    return guesses.get(word.blank) or blank_sign(word.blank, lane.blank(1) is not None)


def _places(shown: Sequence[Lane], focus: int) -> tuple[Places, float]:
    """The same place for a word in all lanes, and where they end."""
    widths: dict[Span, float] = {}
    for lane in shown:
        for word in lane.words:
            width = estimate(_sign(lane, word, focus), SIZE)
            widths[word.span] = max(widths.get(word.span, 0), width)
    places, at = {}, float(MARGIN)
    for span, width in sorted(widths.items()):
        places[span] = at + width / 2
        at += width + SPACE
    return places, at


def _scene(root: Xml.Element, lane: Lane, places: Places, focus: int) -> None:
    """The words, and the arcs to the blank in focus."""
    base = HEAD + DEEP + 16
    to = next(places[word.span] for word in lane.words if word.blank == focus)
    for _, word, bits in measured(lane):
        _arc(root, places[word.span], to, base, bits, lane.colour.mark)
    for word in lane.words:
        _word(root, lane, word, places[word.span], base + 22, focus)


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


def _word(root: Xml.Element, lane: Lane, word: Word, x: float, y: int, focus: int) -> None:
    seen, chosen = lane.sees_word(word, focus), word.blank == focus
    plain = INK if word.blank is None and seen else SOFT
    fill, weight = (lane.colour.mark, 700) if chosen else (plain, 400)
    sign = _sign(lane, word, focus)
    node = _text(root, sign, x, y, anchor="middle", fill=fill, weight=weight)
    if not seen:
        node.set("text-decoration", "line-through")
    elif word.blank is not None and sign != blank_sign(word.blank, True) and not chosen:
        node.set("font-style", "italic")


def _answers(root: Xml.Element, lane: Lane, focus: int, x: int, full: float) -> None:
    blank, track = lane.blank(focus), PANEL - SPACE - LABELS - SHARES
    if blank is None:
        return
    several = lane.blank(1) is not None
    if several:
        _text(root, t("Blank {number}", number=focus + 1), x, 12, size=14, fill=SOFT)
    for i, answer in enumerate(blank.candidates[:ANSWERS]):
        y = 12 + (i + several) * ROW
        weight = 700 if i + 1 == blank.original_rank else 400
        _text(root, fit(joined(answer), 14, LABELS - 8), x, y, size=14, weight=weight)
        _add(root, "rect", x=x + LABELS, y=y - 10, width=track, height=11, fill=TRACK)
        length = round(max(1.5, track * min(1, answer.probability / full)), 1)
        _add(root, "rect", x=x + LABELS, y=y - 10, width=length, height=11, fill=lane.colour.mark)
        end = x + PANEL - SPACE
        _text(root, share(answer.probability), end, y, size=14, anchor="end", fill=SOFT)
    for i, side in enumerate(sides(blank)):
        y = 14 + (ANSWERS + several) * ROW + i * 17
        _text(root, fit(side, 11, PANEL - SPACE), x, y, size=11, fill=SOFT)


def _footnotes(root: Xml.Element, shown: Sequence[Lane], y: int, signs: str) -> None:
    """What the arcs' widths and other signs mean, and the origins."""
    if any(lane.arcs for lane in shown):
        legend = t("Arc width = change of the answer when that word changes (measured)")
        _text(root, legend, MARGIN, y, size=12, fill=SOFT)
        _samples(root, y + 20)
    _text(root, signs, MARGIN, y + 40, size=12, fill=SOFT)
    for i, lane in enumerate(shown):
        if lane.answer:
            told = origin(lane.answer.provenance)
            _text(root, told, MARGIN, y + 58 + 16 * i, size=12, fill=SOFT)


def _scale(full: float) -> str:
    return t("A full bar is {full}.", full=percent(full))


def _signs(shown: Sequence[Lane], focus: int) -> Iterator[str]:
    """How to read the words, as far as they show it."""
    if any(not lane.sees_word(word, focus) for lane in shown for word in lane.words):
        yield t("What is struck out a model may not look at.")
    if any(blank.guesses for lane in shown if (blank := lane.blank(focus))):
        yield t("A word in italics is the model’s own guess.")


def _notes(shown: Sequence[Lane]) -> int:
    return 62 + 16 * len(shown)


def _samples(root: Xml.Element, y: int) -> None:
    """Lines as wide as arcs of some bits."""
    x = float(MARGIN)
    for i, bits in enumerate(SAMPLES):
        label = in_bits(bits) if i else t("up to {bits}", bits=in_bits(bits))
        line = {"x1": x, "x2": x + 28, "y1": y - 4, "y2": y - 4}
        _add(root, "line", **line, stroke=SOFT, stroke_width=max(HAIR, PER_BIT * bits))
        _text(root, label, x + 36, y, size=12, fill=SOFT)
        x += 36 + estimate(label, 12) + SPACE


def describe(shown: Sequence[Lane], focus: int) -> str:
    """The picture in words: the sentence, then of each lane the best answers and the widest arc."""
    if not shown:
        return ""
    first, several = shown[0], shown[0].blank(1) is not None
    words = (
        word.text if word.blank is None else blank_sign(word.blank, several) for word in first.words
    )
    parts = [" ".join(words)]
    if several:
        parts.append(t("Blank {number}", number=focus + 1))
    for lane in shown:
        blank = lane.blank(focus)
        best = blank.candidates[:3] if blank else ()
        listed = t(", ").join(f"{joined(each)} {share(each.probability)}" for each in best)
        parts.append(t("{name}: {text}", name=lane.name, text=listed))
        if arcs := measured(lane):
            _, word, bits = max(arcs, key=lambda arc: arc[2])
            parts.append(t("Widest arc: “{word}” · {bits}", word=word.text, bits=in_bits(bits)))
    return " · ".join(parts)


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
