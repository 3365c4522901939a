"""Sentences that help when there is no answer, or when it covers less than was typed."""

from __future__ import annotations

from collections.abc import Sequence

from components.words import number, t, tn
from models.trace import Prediction, Sentence

NAMED = 12
"""Words named one by one before the rest is counted."""


def notices(
    sentence: Sentence, prediction: Prediction, *, prompt: str = "", foreign: str = ""
) -> list[str]:
    """What a visitor should know about this answer, most important first.

    Args:
        sentence: What was asked.
        prediction: The answer to it.
        prompt: What to type, where nothing is typed yet; by default an English sentence.
        foreign: Said where the model has not read the language of the text: that is then all there
            is to say about words that it does not know, and before any other word is hidden.
    """
    found = [
        _not_read(prediction),
        foreign or _nothing_to_answer(sentence, prediction, prompt),
        "" if foreign else _unknown(prediction),
        _too_long(prediction),
    ]
    return [notice for notice in found if notice]


def waiting(place: int) -> str:
    """Where a visitor stands in the queue, 1 = next."""
    if place == 1:
        return t("Others are asking too. You are next.")
    return t("Others are asking too. You are number {place} in the queue.", place=number(place))


def too_busy() -> str:
    """The queue is full."""
    return t("Many people are asking just now. Your sentence is kept: ask again in a moment.")


def not_ready(model: str) -> str:
    """There is no such model here; the log, not the page, says why."""
    return t(
        "The model “{model}” is not ready on this server, so there are no answers yet. "
        "Your sentence is kept. Whoever runs the server finds the reason in its log.",
        model=model,
    )


def _nothing_to_answer(sentence: Sentence, prediction: Prediction, prompt: str) -> str:
    if prediction.blanks:
        return ""
    if not sentence.text.strip():
        return prompt or t("Type an English sentence, or choose an example.")
    if not any(character.isalnum() for character in sentence.text):
        return t("There is no word here yet. Type one, then click it to hide it.")
    if prediction.unread:
        return t("The hidden word lies in the part that is not read. Hide one before it.")
    return t("Click a word to hide it, and the model says what it would put there.")


def _not_read(prediction: Prediction) -> str:
    """Name what was cut; all of it was kept, only the model does not see it."""
    words = prediction.cut.split()
    if not words:
        return ""
    # One word can be as long as a page.
    named = shorten(" ".join(words[:NAMED]), NAMED * 12)
    if len(words) <= NAMED:
        return t("This is longer than the model reads at once. Not read: “{words}”", words=named)
    return tn(
        "This is longer than the model reads at once. Not read: “{words}” and {count} more word.",
        "This is longer than the model reads at once. Not read: “{words}” and {count} more words.",
        len(words) - NAMED,
        words=named,
    )


def _unknown(prediction: Prediction) -> str:
    if not prediction.unknown:
        return ""
    return t(
        "The vocabulary lacks signs to spell all of {words}: where one is missing, the model sees "
        "an unknown word.",
        words=_named(prediction.unknown),
    )


def _too_long(prediction: Prediction) -> str:
    if not prediction.too_long or prediction.longest_word is None:
        return ""
    return t(
        "The model takes words of up to {limit} characters. It sees an unknown word in place of "
        "{words}.",
        limit=number(prediction.longest_word),
        words=_named(prediction.too_long),
    )


def _named(words: Sequence[str]) -> str:
    """Words in quotation marks, one after the other."""
    quoted = [t("“{word}”", word=shorten(word, 40)) for word in words[:NAMED]]
    return t(", ").join(quoted)


def shorten(text: str, length: int) -> str:
    """`text`, or its first `length` characters and a sign that it goes on."""
    return text if len(text) <= length else f"{text[:length]}…"
