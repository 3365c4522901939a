"""One sentence, several ways: for each architecture a lane with its answer and what that rests on.

A lane shows the words of the sentence, arcs from them to one blank, and the answer there. Answers
are quick and arcs are not, so a page draws twice in one run: `lanes` with the answers, and `arcs`
when they are measured. The browser drops arcs that belong to a question it no longer shows.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from components import shares
from components.chosen import chosen
from components.register import register
from components.shares import share
from components.theme import Colour
from components.words import number, percent, space, t
from models.trace import Blank, Measurement, Prediction, Sentence, Span

_lanes = register("lanes", Path(__file__).parent)

# No two messages are equal: see `components.answers`.
_serial = count()

ANSWERS = 5
"""Answers shown in a lane."""
SAMPLES = (0.05, 0.25, 0.5)
"""Bits of the arcs in the legend."""


@dataclass(frozen=True)
class Word:
    """A word of the sentence, as a lane shows it."""

    span: Span
    """Where it stands in the sentence's text."""
    text: str
    blank: int | None = None
    """Which blank it is, counted from 0; None for a visible word."""
    seen: bool = True
    """Whether this model may look at it when it answers; what it may not is struck out."""


@dataclass(frozen=True)
class Lane:
    """One architecture's way with the sentence.

    Raises:
        ValueError: `arcs` does not fit `words`, or holds something else than 0 to 1 bits.
    """

    name: str
    """The architecture, such as ``BERT``."""
    sees: str
    """In one line, what it is and what it may look at; translated."""
    model: str
    """The catalogue's name of the model that answers."""
    colour: Colour
    link: str
    """Address of the model's own page, with this sentence."""
    words: tuple[Word, ...] = ()
    answer: Prediction | None = None
    """None if there is none; `note` then says why."""
    arcs: tuple[float | None, ...] | None = None
    """Influence of each word on the blank in focus, in bits: None for blanks and for words that
    are not seen. None altogether if it is not measured (yet)."""
    note: str = ""
    """Shown in place of the answers; translated."""
    unmeasured: str = ""
    """Why there are no arcs and will be none; translated."""

    def __post_init__(self) -> None:
        """Refuse arcs that would be drawn at a wrong word."""
        if self.arcs is None:
            return
        if len(self.arcs) != len(self.words):
            raise ValueError(f"{len(self.arcs)} arcs for {len(self.words)} words")
        for word, bits in zip(self.words, self.arcs, strict=True):
            if (bits is None) != (word.blank is not None or not word.seen):
                raise ValueError(f"{word} has influence {bits}")
            if bits is not None and not 0 <= bits <= 1:  # false for NaN, too
                raise ValueError(f"influence {bits} is not between 0 and 1 bits")


def words_of(
    text: str, visible: Sequence[Span], answer: Prediction, unseen: Sequence[Span] = ()
) -> tuple[Word, ...]:
    """The words of a sentence in reading order: what a model reads, and the blanks in between.

    Args:
        text: The sentence's.
        visible: Where its visible words stand.
        answer: Has the blanks.
        unseen: Those of `visible` that the model may not look at for the blank in focus.
    """
    places: dict[Span, int | None] = dict.fromkeys(visible)
    places |= {blank.span: i for i, blank in enumerate(answer.blanks)}
    return tuple(
        Word(span, text[slice(*span)], blank, span not in unseen)
        for span, blank in sorted(places.items())
    )


def arcs_of(words: Sequence[Word], influence: Measurement) -> tuple[float | None, ...]:
    """`influence`, in the order of a lane's words; None for a word that it does not cover."""
    found = dict(zip(influence.words, influence.values.tolist(), strict=True))
    return tuple(found.get(word.span) for word in words)


def focused(key: str, blanks: int, first: str = "") -> int:
    """Which blank the arcs lead to: the one that the visitor chose, else that of a link.

    Args:
        key: Of the lanes.
        blanks: How many there are.
        first: The blank that a link asks for, counted from 1.
    """
    return chosen(key, "focus", blanks, link=first)


def lanes(
    sentence: Sentence,
    shown: Sequence[Lane],
    notices: Sequence[str] = (),
    *,
    key: str,
    strip: str,
    focus: int = 0,
) -> None:
    """Draw the lanes with their answers; earlier arcs stay, dimmed, until `arcs` brings new ones.

    Args:
        sentence: What was asked.
        shown: From top to bottom.
        notices: Sentences that help, about all lanes.
        key: A name of its own in the session.
        strip: The key of the sentence strip: it is told how much of the text was read.
        focus: The blank that the arcs will lead to: `focused`.
    """
    full = full_bar(shown)
    read = [lane.answer.read for lane in shown if lane.answer]
    _lanes(
        key=key,
        data={
            "serial": next(_serial),
            "key": key,
            "asked": _asked(sentence, focus),
            "focus": focus,
            "strip": strip,
            "text": sentence.text,
            "read": max(read, default=None),
            "lanes": [_lane(lane) for lane in shown],
            "full": full,
            "samples": SAMPLES,
            "notices": list(notices),
            "words": _words(full),
        },
        on_focus_change=lambda: None,
    )


def arcs(sentence: Sentence, shown: Sequence[Lane], *, key: str, focus: int = 0) -> None:
    """Send measured arcs to the lanes drawn under `key`; a lane without any loses its old ones."""
    _lanes(
        key=f"{key}_arcs",
        data={
            "serial": next(_serial),
            "key": key,
            "asked": _asked(sentence, focus),
            "arcs": {
                lane.name: {"values": _arcs(lane), "unmeasured": lane.unmeasured} for lane in shown
            },
        },
    )


def _asked(sentence: Sentence, focus: int) -> str:
    """A name for the question, so that arcs never stand over another one."""
    return hashlib.sha256(repr((sentence, focus)).encode()).hexdigest()[:16]


def _lane(lane: Lane) -> dict[str, object]:
    answer = lane.answer
    several = answer is not None and len(answer.blanks) > 1
    return {
        "name": lane.name,
        "sees": lane.sees,
        "model": lane.model,
        "link": lane.link,
        "mark": lane.colour.mark,
        "ink": lane.colour.text,
        "words": [
            {"text": word.text, "blank": word.blank, "seen": word.seen} for word in lane.words
        ],
        "blanks": [
            {
                "title": t("Blank {number}", number=i + 1) if several else t("In the blank"),
                "rows": [
                    {
                        "word": answer_.text,
                        "share": share(answer_.probability),
                        "probability": answer_.probability,
                        "joins": answer_.continuation,
                        "own": place + 1 == blank.original_rank,
                    }
                    for place, answer_ in enumerate(blank.candidates[:ANSWERS])
                ],
                "truth": truth(blank, answer.words),
            }
            for i, blank in enumerate(answer.blanks)
        ]
        if answer
        else [],
        "note": lane.note,
        "unmeasured": lane.unmeasured,
    }


def _arcs(lane: Lane) -> list[dict[str, object] | None] | None:
    if lane.arcs is None:
        return None
    return [None if bits is None else {"bits": bits, "shown": in_bits(bits)} for bits in lane.arcs]


def in_bits(bits: float) -> str:
    """An influence for a reader; never "0", which it hardly ever is."""
    shown = f"< {number(0.01, 2)}" if 0 < bits < 0.01 else number(bits, 2)
    return t("{bits} bits", bits=shown)


def truth(blank: Blank, words: int) -> list[str]:
    """How the model rates the word that really stood there, line by line."""
    if blank.original is None:
        return [t("You typed [MASK], so there is no word of yours to compare.")]
    name = t("Hidden word: {word}", word=blank.original)
    probability = blank.original_probability
    if probability is None:
        return [name, t("The model cannot rate it.")]
    if blank.original_rank is None:
        pieces = number(len(blank.pieces))
        rank = t("{share} · no rank: it has {count} pieces", share=share(probability), count=pieces)
    else:
        place = {"rank": number(blank.original_rank), "words": number(words)}
        rank = t("{share} · rank {rank} of {words}", share=share(probability), **place)
    if probability == 0:  # too small for a number: so is its surprisal too large
        return [name, rank]
    return [name, rank, t("surprisal {bits} bits", bits=number(-math.log2(probability), 1))]


def full_bar(shown: Sequence[Lane]) -> float:
    """What a full bar stands for, the same in all lanes: the least that holds every bar."""
    blanks = [blank for lane in shown if lane.answer for blank in lane.answer.blanks]
    return shares.full_bar(blank.best.probability for blank in blanks if blank.best)


def _words(full: float) -> dict[str, object]:
    """The words in the scripts, in the visitor's language; they fill in what stands in braces."""
    return {
        "best": t("{name}: {text}."),
        "noted": t("{name}: {text}"),
        "comma": t(", "),
        "space": space(),
        "open": t("Open this sentence on the model’s own page"),
        "row": t("Words and their influence: {name}"),
        "word": t("Word"),
        "share": t("Probability"),
        "influence": t("Influence on the answer"),
        "mine": t("your word"),
        "joins": t("continues the word before it"),
        "blank": t("Blank {number}"),
        "choose": t("Blank {number}: press to see what its answer rests on"),
        "one": t("“{word}” · {bits}"),
        "widest": t("Widest arc: “{word}” · {bits}"),
        "unseen": t("“{word}”: this model may not look at it"),
        "measuring": t("Measuring how much each word matters …"),
        "legend": t("Arc width = change of the answer when that word changes (measured)"),
        "samples": [t("up to {bits}", bits=in_bits(SAMPLES[0])), *map(in_bits, SAMPLES[1:])],
        "scale": t("A full bar is {full}.", full=percent(full)),
    }
