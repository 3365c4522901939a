"""The words a visitor names: the share of each among them, and its place among all words."""

from __future__ import annotations

from components.rated import Panel, Row
from components.shares import full_bar, rare, share, spelled
from components.words import fixed, number, percent, t
from models.trace import NamedWord, NamedWords


def named_words(found: NamedWords, title: str, words: int, own: str | None) -> Panel:
    """A list of words with their shares, probabilities, ranks and surprisal.

    Args:
        found: The list, rated.
        title: What list it is, in the visitor's language.
        words: How many entries of the vocabulary can be an answer.
        own: The word that really stands there, to be marked; None if nobody knows.
    """
    full = full_bar(word.share for word in found.words if word.share is not None)
    heads = t("Share among these"), t("Probability"), t("Rank"), t("Surprisal")
    rows = [_row(word, full, own, found) for word in found.words]
    return Panel(title, percent(full), heads, rows, notes(found, words))


def notes(found: NamedWords, words: int) -> list[str]:
    """How to read the list."""
    told = [
        t(
            "Bars: the share of each word among these alone. Probability and rank: among all "
            "{words} words and word pieces.",
            words=number(words),
        )
    ]
    if found.mixed_lengths:
        told.append(
            t(
                "These words differ in how many pieces they have, and each was computed with as "
                "many masks. Their shares compare them, but are no probabilities of one draw."
            )
        )
    return told


def outcome(word: NamedWord, found: NamedWords) -> str:
    """Why a word has no numbers, and what to do; "" if it has some."""
    if word.outcome == "empty":
        return t("Nothing of this is left for the model to read. Type a word.")
    if word.outcome == "unknown":
        return t("The vocabulary lacks signs to spell this, so the model cannot rate it.")
    if word.outcome == "mask":
        return t("This contains a mask, which stands for a word but is none. Type the word.")
    if word.outcome == "too_long":
        return t("This is too long for one word. Type a shorter one.")
    if word.outcome == "left_out":
        most = sum(each.outcome != "left_out" for each in found.words)
        return t(
            "A list is rated up to its word number {most}. Shorten it to reach this one.",
            most=number(most),
        )
    return ""


def _row(word: NamedWord, full: float, own: str | None, found: NamedWords) -> Row:
    if word.share is None or word.probability is None or word.surprisal_bits is None:
        return Row(word.text, told=outcome(word, found))
    several = len(word.pieces) > 1
    return Row(
        word.text,
        pieces(word.pieces) if several else "",
        word.share / full,
        (
            share(word.share),
            rare(word.probability),
            "–" if word.rank is None else number(word.rank),
            t("{bits} bits", bits=fixed(word.surprisal_bits, 1)),
        ),
        strong=own is not None and word.text.casefold() == own.casefold(),
    )


def pieces(of: tuple[str, ...]) -> str:
    """How a word of several pieces is put together."""
    return t("{count} pieces: {pieces}", count=number(len(of)), pieces=spelled(of))
