"""Verse by its form: what was asked for, and whether it came."""

from __future__ import annotations

from collections.abc import Sequence

from components.words import number, sentences, t
from models.trace import Sentence, WrittenToken, joined
from models.verse import FORMS, form_of, lines_of

OFFERED = tuple(Sentence(form.token) for form in FORMS)
"""A poem of a form begins with the form's token."""
OPENINGS = (Sentence("明月"), Sentence("[五絕]春風"))


def verdict(prompt: str, tokens: Sequence[WrittenToken]) -> str:
    """Which form a text has so far, and whether it is the one that was asked for."""
    text = prompt + joined(tokens)
    lines = lines_of(text)
    if not tokens or not lines:
        return ""
    asked = next((form for form in FORMS if form.token in prompt), None)
    found = form_of(text)
    counted = t(
        "Lines: {count}; characters in them: {lengths}.",
        count=number(len(lines)),
        lengths=t(", ").join(number(len(line)) for line in lines),
    )
    if asked is None:
        said = t("The text has the form {form}.", form=found) if found else ""
    elif found == asked.name:
        said = t("This is a {form}, as was asked for.", form=asked.name)
    else:
        said = t(
            "A {form} has {lines} lines of {characters} characters; this text is none, or not yet.",
            form=asked.name,
            lines=number(asked.lines),
            characters=number(asked.characters),
        )
    return sentences(said, counted, t("Tones and rhyme are not looked at.") if said else "")
