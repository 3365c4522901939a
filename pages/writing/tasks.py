"""What an encoder-decoder has learned to do, and what to say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import models
from components.tokens.marks import from_marks
from components.words import msg, t
from models.catalog import ModelFacts
from models.trace import Sentence
from pages.choosing.examples import VERSE


@dataclass(frozen=True)
class Task:
    """One task; all words are in English, to be shown by `t`."""

    domain: str
    """What the model knows, and that it knows nothing else."""
    prompt: str
    """What to type."""
    target: str
    """What a given target is."""
    examples: Sequence[Sentence]


TASKS: Mapping[str, Task] = {
    "gaps": Task(
        msg(
            "It has learned to write a sentence out in full when some of its words are hidden from "
            "it. It knows plain English from a few books, and no facts."
        ),
        msg("Type an English sentence"),
        msg("The sentence that should be written"),
        (
            from_marks("The chef who ran to the store was out of [[food]]."),
            from_marks("She [[opened]] the door and looked at [[him]]."),
            from_marks("He sat down by the river."),
            from_marks("The king [[said]] to his [[son]], go in peace."),
        ),
    ),
    "verse": Task(
        msg(
            "It has learned to write lines of Tang and Song verse out in full when some characters "
            "are hidden from it. It knows nothing else."
        ),
        msg("Type a line of Chinese verse"),
        msg("The lines that should be written"),
        VERSE,
    ),
    "dates": Task(
        msg(
            "It has learned one thing: to write a date in English as year, month and day. Anything "
            "else it turns into some date, too."
        ),
        msg("Type a date in English"),
        msg("The date that should be written, such as 2012-04-03"),
        (
            Sentence("3 April 2012"),
            Sentence("the third of May, 1999"),
            Sentence("03/04/2012"),
            Sentence("Tuesday, December 25, 2001"),
            Sentence("12.10.1987"),
        ),
    ),
    "help": Task(
        msg(
            "It has read the help of an office program, in English and in Taiwan’s Chinese. In "
            "that language it translates; elsewhere it guesses."
        ),
        msg("Type a sentence from a program’s help, in English"),
        msg("The translation that should be written"),
        (
            Sentence("Click OK to save the document."),
            Sentence("Select the cells that you want to copy."),
            Sentence("Opens a dialog where you can insert a table."),
            Sentence("The file cannot be opened."),
        ),
    ),
    "other": Task(
        msg("It came from elsewhere: what it has learned, its own card says."),
        msg("Type an English sentence"),
        msg("The text that should be written"),
        (Sentence("He sat down by the river."), Sentence("The chef was out of food.")),
    ),
}


def task_of(facts: ModelFacts | None) -> str:
    """Which task a model has learned."""
    if facts is None:
        return "other"
    if facts.objective == "denoising":
        return "verse" if facts.languages == ("lzh-Hant",) else "gaps"
    if facts.name.startswith("seq-dates"):
        return "dates"
    return "help" if "zh-Hant-TW" in facts.languages else "other"


def examples(name: str, facts: ModelFacts | None) -> Sequence[Sentence]:
    """Sentences to try: the model's own, if it brings some."""
    try:
        own = models.examples(name)
    except models.Refusal:
        own = ()
    return own or TASKS[task_of(facts)].examples


def domain(facts: ModelFacts | None) -> str:
    """What the model knows, in the visitor's language."""
    return t(TASKS[task_of(facts)].domain)
