"""One sentence, several ways: for each architecture a lane with its answer and what that rests on.

A lane shows the words of the sentence, arcs from them to one blank, and the answer there. Answers
are quick and arcs are not, so a page draws in one run first `lanes` with all answers, and then the
`arcs` of each lane when they are measured. The browser drops arcs of a question it no longer shows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from components.chosen import chosen
from components.lanes.lane import Lane, Word, arcs_of, words_of
from components.lanes.told import full_bar, in_bits, sides, truth
from components.register import register
from components.shares import joined, share
from components.words import percent, space, t
from models.trace import Blank, Prediction, Sentence

__all__ = ["ANSWERS", "SAMPLES", "Lane", "Word", "arcs", "arcs_of", "focused", "full_bar",
           "in_bits", "lanes", "words_of"]  # fmt: skip

_lanes = register("lanes", Path(__file__).parent)

# No two messages are equal: see `components.answers`.
_serial = count()

ANSWERS = 5
"""Answers shown in a lane."""
SAMPLES = (0.05, 0.25, 0.5)
"""Bits of the arcs in the legend."""


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
    prompt: str = "",
    foot: Sequence[str] = (),
) -> None:
    """Draw the lanes with their answers; earlier arcs stay, dimmed, until `arcs` brings new ones.

    Args:
        sentence: What was asked.
        shown: From top to bottom.
        notices: Sentences that help, about all lanes.
        key: A name of its own in the session.
        strip: The key of the sentence strip: it is told how much of the text was read.
        focus: The blank that the arcs will lead to: `focused`.
        prompt: What to do to get answers, above the lanes.
        foot: Sentences about the models, below all.
    """
    full = full_bar(shown)
    read = [lane.answer.read for lane in shown if lane.answer]
    _lanes(
        key=key,
        data={
            "serial": next(_serial),
            "key": key,
            "focus": focus,
            "strip": strip,
            "text": sentence.text,
            "read": max(read, default=None),
            "lanes": [{"asked": _asked(sentence, lane, focus), **_lane(lane)} for lane in shown],
            "full": full,
            "samples": SAMPLES,
            "notices": list(notices),
            "prompt": prompt,
            "foot": list(foot),
            "words": _words(full),
        },
        on_focus_change=lambda: None,
    )


def arcs(sentence: Sentence, lane: Lane, *, key: str, focus: int = 0) -> None:
    """Send a lane's measured arcs to those drawn under `key`; without any it loses its old ones."""
    _lanes(
        key=f"{key}_arcs_{lane.name}",
        data={
            "serial": next(_serial),
            "key": key,
            "name": lane.name,
            "asked": _asked(sentence, lane, focus),
            "arcs": {"values": _arcs(lane), "unmeasured": lane.unmeasured},
        },
    )


def _asked(sentence: Sentence, lane: Lane, focus: int) -> str:
    """A name for the question, so that arcs never stand over another one."""
    return hashlib.sha256(repr((sentence, lane.model, focus)).encode()).hexdigest()[:16]


def _lane(lane: Lane) -> dict[str, object]:
    answer = lane.answer
    return {
        "name": lane.name,
        "sees": lane.sees,
        "model": lane.model,
        "size": lane.size,
        "link": lane.link,
        "mark": lane.colour.mark,
        "ink": lane.colour.text,
        "words": [
            {"text": word.text, "blank": word.blank, "start": word.span[0]} for word in lane.words
        ],
        "blanks": [_blank(lane, answer, i) for i in range(len(answer.blanks))] if answer else [],
        "note": lane.note,
        "unmeasured": lane.unmeasured,
    }


def _blank(lane: Lane, answer: Prediction, number: int) -> dict[str, object]:
    """One blank, and how the sentence looks to a model that answers there."""
    blank, several = answer.blanks[number], len(answer.blanks) > 1
    return {
        "title": t("Blank {number}", number=number + 1) if several else t("In the blank"),
        "rows": _rows(blank),
        "truth": truth(blank, answer.words),
        "sides": sides(blank),
        "seen": [lane.sees_word(word, number) for word in lane.words],
        "guesses": {
            str(guess.blank): {"word": joined(guess.word), "share": share(guess.word.probability)}
            for guess in blank.guesses
        },
    }


def _rows(blank: Blank) -> list[dict[str, object]]:
    return [
        {
            "word": answer.text,
            "share": share(answer.probability),
            "probability": answer.probability,
            "joins": answer.continuation,
            "own": place + 1 == blank.original_rank,
        }
        for place, answer in enumerate(blank.candidates[:ANSWERS])
    ]


def _arcs(lane: Lane) -> list[dict[str, object] | None] | None:
    if lane.arcs is None:
        return None
    return [None if bits is None else {"bits": bits, "shown": in_bits(bits)} for bits in lane.arcs]


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
        "guess": t("Blank {number}: this model reads its own guess there, “{word}” ({share})"),
        "unread": t("Blank {number}: this model may not look at it"),
        "beyond": t("This model does not read as far as this blank."),
        "one": t("“{word}” · {bits}"),
        "widest": t("Widest arc: “{word}” · {bits}"),
        "unseen": t("“{word}”: this model may not look at it"),
        "measuring": t("Measuring how much each word matters …"),
        "legend": t("Arc width = change of the answer when that word changes (measured)"),
        "samples": [t("up to {bits}", bits=in_bits(SAMPLES[0])), *map(in_bits, SAMPLES[1:])],
        "scale": t("A full bar is {full}.", full=percent(full)),
        "guesses": t("A word in a dashed frame is the model’s own guess."),
        "struck": t("What is struck out a model may not look at."),
        "joined": t("ELMo itself never combines the answers of its two models; here we do."),
    }
