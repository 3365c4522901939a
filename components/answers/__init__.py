"""The answers: for every hidden word, what the model would put there and how sure it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

from components import shares
from components.register import register
from components.shares import share, spelled
from components.words import number, percent, space, t
from models.trace import BLANK, Blank, Candidate, Prediction, Sentence

_answers = register("answers", Path(__file__).parent)

# Streamlit (1.67) does not send a large message again while the browser has it; under quick typing
# the browser may drop it in between, and the connection breaks. So no two of ours are equal.
_serial = count()

AROUND = 44
"""Characters of the sentence shown on each side of a blank when an answer is tried out in it."""

Fill = Callable[[str, Sequence[Blank], Sequence[Candidate | None]], str]
"""A text with a word in every blank for which one is given: `models.filled`."""


def answers(
    sentence: Sentence,
    prediction: Prediction | None,
    notices: Sequence[str] = (),
    *,
    key: str,
    strip: str,
    colour: str,
    fill: Fill,
) -> None:
    """Draw one panel per blank: ten words as bars, the visitor's own word, and the doubt.

    Args:
        sentence: What was asked.
        prediction: The answer to exactly this sentence; None if there is none.
        notices: Sentences that help, shown above the panels (or in their place).
        key: A name of its own in the session.
        strip: The key of the sentence strip; choosing a bar puts its word into that strip.
        colour: CSS colour of the bars, the architecture's own.
        fill: How an answer is written into the text.
    """
    _answers(
        key=key,
        data={
            "serial": next(_serial),
            "strip": strip,
            "text": sentence.text,
            "read": prediction.read if prediction else None,
            "colour": colour,
            "notices": list(notices),
            "blanks": _panels(sentence.text, prediction, fill) if prediction else [],
            "full": full_bar(prediction),
            "words": _words(prediction),
        },
    )


def full_bar(prediction: Prediction | None) -> float:
    """The probability that a full bar stands for."""
    blanks = prediction.blanks if prediction else ()
    return shares.full_bar(blank.best.probability for blank in blanks if blank.best)


def _panels(text: str, prediction: Prediction, fill: Fill) -> list[dict[str, object]]:
    blanks = prediction.blanks
    return [
        {
            "title": t("Blank {number}", number=i + 1) if len(blanks) > 1 else t("In the blank"),
            "rows": [_row(i, place, text, blanks, fill) for place in range(len(blank.candidates))],
            "own": own_word(blank, prediction.words),
            "pieces": several_pieces(blank),
            "doubt": doubt(blank.entropy_bits),
            **_context(blank, text, blanks),
        }
        for i, blank in enumerate(blanks)
    ]


def _row(i: int, place: int, text: str, blanks: Sequence[Blank], fill: Fill) -> dict[str, object]:
    """One answer: the word, its share, and how it is written at ``text[at:end of the blank]``."""
    blank, answer = blanks[i], blanks[i].candidates[place]
    choices = [answer if other is blank else None for other in blanks]
    written = fill(text, blanks, choices)[: blank.span[1] - len(text) or None]
    at = len(written) - len(answer.text)
    return {
        "word": answer.text,
        "written": written[at:],
        "at": min(at, blank.span[0]),
        "share": share(answer.probability),
        "probability": answer.probability,
        "joins": answer.continuation,
        # By rank: the same letters may stand here twice, once as a continuation.
        "own": place + 1 == blank.original_rank,
    }


def _context(blank: Blank, text: str, blanks: Sequence[Blank]) -> dict[str, object]:
    """The blank and the words around it, on one line, "…" where the text goes on."""
    start, end = blank.span
    first, last = max(0, start - AROUND), min(len(text), end + AROUND)
    if first:  # begin with a whole word, if one begins near
        first = text.find(" ", first, start - 1) + 1 or first
    return {
        "span": [start, end],
        "before": ("…" if first else "") + _around(text, blanks, first, start),
        "after": _around(text, blanks, end, last) + ("…" if last < len(text) else ""),
    }


def _around(text: str, blanks: Sequence[Blank], start: int, end: int) -> str:
    """``text[start:end]`` on one line, with every blank in it shown as one."""
    parts, at = [], start
    for blank in blanks:
        if start <= blank.span[0] and blank.span[1] <= end:
            parts += [text[at : blank.span[0]], BLANK]
            at = blank.span[1]
    return re.sub(r"\s+", " ", "".join([*parts, text[at:end]]))


def own_word(blank: Blank, words: int) -> str:
    """Where the visitor's own word stands among all words."""
    if blank.original is None:
        return t("You typed [MASK], so there is no word of yours to compare.")
    values: dict[str, object] = {"word": blank.original}
    if blank.original_rank is not None and blank.original_probability is not None:
        values |= {"rank": number(blank.original_rank), "words": number(words)}
        values |= {"share": share(blank.original_probability)}
        return t("Your word: {word} · rank {rank} of {words} · {share}", **values)
    if blank.original_probability is not None:
        return t("Your word: {word} · {share}", share=share(blank.original_probability), **values)
    return t("Your word: {word} · no rank", **values)


def several_pieces(blank: Blank) -> str:
    """Why a word that the vocabulary does not hold whole is not in the list; "" if it does."""
    if len(blank.pieces) < 2:
        return ""
    return t(
        "The model spells it in {count} pieces: {pieces}. A blank holds one piece, so it cannot be "
        "in the list; its share is that of its pieces one after the other.",
        count=number(len(blank.pieces)),
        pieces=spelled(blank.pieces),
    )


def doubt(bits: float) -> str:
    """Entropy in words: among how many equally likely words one would be as unsure."""
    words = round(2**bits)
    if words < 2:
        return t("The model is almost certain ({bits} bits of entropy).", bits=number(bits, 2))
    return t(
        "As unsure as a fair draw among {count} words ({bits} bits of entropy).",
        count=number(words),
        bits=number(bits, 1),
    )


def _words(prediction: Prediction | None) -> dict[str, str]:
    """The words in view.js, in the visitor's language; it fills in what stands in braces."""
    words = number(prediction.words) if prediction else ""
    full = percent(full_bar(prediction))
    return {
        "best": t("{name}: {text}."),
        "comma": t(", "),
        "space": space(),
        "word": t("Word"),
        "full": full,
        "share": t("Probability"),
        "mine": t("your word"),
        "joins": t("continues the word before it"),
        "put": t("Put “{word}” into the sentence"),
        "scale": t(
            "A full bar is {full}. Probabilities are over the full vocabulary of {words} words and "
            "word pieces. Choose a bar to put its word into the sentence.",
            full=full,
            words=words,
        ),
    }
