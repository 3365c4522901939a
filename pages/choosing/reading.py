"""What a model has read, and what to say where a visitor writes something else."""

from __future__ import annotations

import re
from collections.abc import Sequence

import models
from components.answers.notices import shorten
from components.words import t
from models.catalog import ModelFacts
from models.trace import Prediction, Sentence

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def is_chinese(text: str) -> bool | None:
    """Whether most letters of a text are Chinese characters; None if it has no letter.

    >>> is_chinese("床前 moon"), is_chinese("看 the moon"), is_chinese("[MASK]?")
    (False, False, None)
    """
    letters = [character for character in text.replace("[MASK]", "") if character.isalpha()]
    if not letters:
        return None
    return 2 * len(HAN.findall("".join(letters))) > len(letters)


def reads_verse(facts: ModelFacts | None) -> bool:
    """Whether a model knows literary Chinese, and nothing else."""
    return facts is not None and facts.languages == ("lzh-Hant",)


def reads_english(facts: ModelFacts | None) -> bool:
    """Whether a model knows English, and nothing else."""
    return facts is not None and facts.languages == ("en",)


def placeholder(verse: bool) -> str:
    """What to type, as an empty line says it."""
    return t("Type a line of Chinese verse") if verse else t("Type an English sentence")


def prompt(verse: bool) -> str:
    """What to do where nothing is typed."""
    if verse:
        return t("Type a line of Chinese verse, or choose an example.")
    return t("Type an English sentence, or choose an example.")


def foreign(facts: ModelFacts | None, text: str, offered: Sequence[ModelFacts] = ()) -> str:
    """What to know before asking a model about a text in a language that it has not read.

    Args:
        facts: About the model.
        text: What is typed.
        offered: Models that could be chosen instead.
    """
    chinese = is_chinese(text)
    if chinese is True and reads_english(facts):
        if other := next(filter(reads_verse, offered), None):
            return t(
                "This model has read English only. For Chinese verse choose {other} above, or type "
                "an English sentence.",
                other=other.name,
            )
        return t(
            "This model has read English only: type an English sentence, or choose an example."
        )
    if chinese is False and reads_verse(facts):
        if other := next(filter(reads_english, offered), None):
            return t(
                "This model has read Chinese verse only. For English choose {other} above, or type "
                "a line of verse.",
                other=other.name,
            )
        return t("This model has read Chinese verse only: type a line of it, or choose an example.")
    return ""


def rewritten(model: str, sentence: Sentence, answer: Prediction) -> str:
    """That simplified characters and variants were read as those that the model knows, if any."""
    if not answer.rewritten:
        return ""
    read = models.as_read(model, sentence.text)
    return t("Read in the characters that Taiwan uses: “{text}”", text=shorten(read, 60))
