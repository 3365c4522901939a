"""How sure a model is at a blank, and how much the word that stands there surprises it."""

from __future__ import annotations

from math import log2

from components.facts import Fact, facts
from components.shares import rare
from components.words import fixed, number, t
from models.trace import Blank, Prediction


def doubts(prediction: Prediction, blank: int, *, key: str, colour: str) -> None:
    """Draw entropy and surprisal at one blank, in bits.

    Args:
        prediction: The answers.
        blank: Which blank, counted from 0.
        key: A name of its own in the session.
        colour: CSS colour of the edges, the architecture's own.
    """
    about = prediction.blanks[blank]
    found = [entropy(about, prediction.words), *surprisal(about)]
    facts(found, label=t("How sure the model is"), key=key, colour=colour)


def entropy(blank: Blank, words: int) -> Fact:
    """The doubt before the word is shown, on a scale from none to all words alike."""
    most = number(log2(words), 1)
    return Fact(
        t("Entropy of the answer"),
        t("{bits} bits", bits=fixed(blank.entropy_bits, 1)),
        t(
            "How unsure the model is before it sees the word: 0 bits if it is certain, {most} bits "
            "if all {words} words seem alike.",
            most=most,
            words=number(words),
        ),
    )


def surprisal(blank: Blank) -> list[Fact]:
    """How unexpected the visitor's own word is; nothing if there is none, or it has no number."""
    probability = blank.original_probability
    if blank.original is None or not probability:
        return []
    return [
        Fact(
            t("Surprisal of “{word}”", word=blank.original),
            t("{bits} bits", bits=fixed(abs(log2(probability)), 1)),
            t(
                "How unexpected the hidden word is: −log₂ of its probability, here {share}. "
                "Each bit halves it.",
                share=rare(probability),
            ),
        )
    ]
