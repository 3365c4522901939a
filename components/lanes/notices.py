"""Why a sentence gets no arcs."""

from __future__ import annotations

from components.words import number, t


def no_arcs(words: int, characters: int, most_words: int, most_characters: int) -> str:
    """What to do for a sentence that gets none; "" if it gets them.

    Args:
        words: Visible ones in the sentence.
        characters: Read of it.
        most_words: For which arcs are measured.
        most_characters: Likewise.
    """
    if not words:
        return t("Arcs need a visible word: type one beside the blank.")
    if words <= most_words and characters <= most_characters:
        return ""
    return t(
        "Arcs are measured for up to {words} visible words and {characters} characters. "
        "Here are {now} words and {length} characters: shorten the sentence to see them.",
        words=number(most_words),
        characters=number(most_characters),
        now=number(words),
        length=number(characters),
    )
