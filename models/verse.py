"""The four forms of regulated verse (近體詩), and what can be checked of a poem's form.

A form is counted here: how many lines, how many characters in each. Tones and rhyme are not looked
at, so some old-style poems of the same shape pass, too.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass


@dataclass(frozen=True)
class Form:
    """A form of verse."""

    name: str
    lines: int
    characters: int
    """In each line, punctuation aside."""

    @property
    def token(self) -> str:
        """What a poem of this form begins with, so that a model can be asked for it."""
        return f"[{self.name}]"


FORMS = (Form("五絕", 4, 5), Form("七絕", 4, 7), Form("五律", 8, 5), Form("七律", 8, 7))
_BY_SHAPE = {(form.lines, form.characters): form for form in FORMS}
_TOKEN = re.compile("|".join(re.escape(form.token) for form in FORMS))
_MARK = re.compile(r"[，。？！；、：,.?!;:\s]+")
_CHARACTERS = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")


def lines_of(poem: str) -> tuple[str, ...]:
    """The lines of a poem without punctuation and form token."""
    return tuple(line for line in _MARK.split(_TOKEN.sub("", poem)) if line)


def form_of(poem: str) -> str | None:
    """The name of the form that a poem has (五絕 七絕 五律 七律); None if it has none.

    A form token before the poem is not taken for its form. Anything in a line that is no Chinese
    character, such as [UNK] or □, breaks the form.
    """
    lines = lines_of(poem)
    lengths = {len(line) for line in lines}
    if len(lengths) != 1 or not all(map(_CHARACTERS.fullmatch, lines)):
        return None
    form = _BY_SHAPE.get((len(lines), lengths.pop()))
    return form.name if form else None


def written(lines: tuple[str, ...]) -> str:
    """A poem from its lines: a comma inside each couplet, a full stop after it."""
    return "".join(line + "，。"[number % 2] for number, line in enumerate(lines))


def shares_lines(sample: str, known: Container[str], consecutive: int = 2) -> bool:
    """Whether so many lines in a row of a sample are all known, e.g. from training.

    The known lines need not stand together, or in this order, where they come from: a stricter
    measure of copying than looking for the same two lines in one poem.
    """
    run = 0
    for line in lines_of(sample):
        run = run + 1 if line in known else 0
        if run >= consecutive:
            return True
    return False
