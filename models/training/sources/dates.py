"""Days to write, and the words people put around them: English dates and their ISO form.

A day is drawn first, then a way to write it, then what stands around it. Some of that is typical
for dates ("born on"), some is any English at all, so that a model learns to look past it.
"""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Iterator, Sequence
from random import Random

from models.training.sources.date_forms import MONTHS, NAMED, written
from models.training.sources.pair import Pair
from models.training.split import is_held_out

HELD_OUT_SHARE = 0.05  # of all days that can be drawn
FIRST_YEAR, LAST_YEAR = 1000, 2999
_SPANS = ((0.60, 1900, 2050), (0.25, 1700, 2100), (0.15, FIRST_YEAR, LAST_YEAR))
_NAMED_SHARE = 0.12  # days with a name are drawn so often on top of their own share

_BEFORE = (
    "born on|born|date of birth:|dob|my birthday is|birthday:|her birthday is|he was born on|died|"
    "let us meet on|let's meet|meet me on|we met on|see you|see you on|the meeting is on|the party "
    "is on|the deadline is|deadline:|due|due on|due by|before|after|since|until|from|by|on|date:|"
    "dated|today is|yesterday was|tomorrow is|it is|it was|that was|the letter is dated|arriving|"
    "we arrived on|i left on|we got married on|they married on|the war ended on|it opened on|"
    "it happened on|it all began on|published|published on|released on|founded on|signed on|"
    "paid on|sent on|received|valid from|expires on|valid until|starts|starting|ends on|"
    "the exam is on|the concert is on|the course starts on|my train leaves on|our flight is on|"
    "remember|what happened on|which weekday was|where were you on|i will be back on|"
    "school begins on|the shop is closed on|the law of|the treaty of|the night of|the morning of|"
    "as of|effective|last seen on|a photo from|in the newspaper of|how about|is it"
).split("|")
_AFTER = (
    "at noon|at midnight|in the morning|in the evening|at night|please|thanks|if possible|"
    "in london|in new york|in taipei|at the office|at my place|was a good day|was a sunday once|"
    "is my birthday|is the deadline|is too late|was long ago|with my family|for the first time|"
    "only|and not later|or so|it was raining|i was there|is fine|would be great|as agreed|"
    "and he was happy|until then|at the latest|onwards|again"
).split("|")
_THINGS = (
    "room page chapter gate bus platform lot seat size number line bed floor highway channel "
    "level unit group step table train track lesson question apartment"
).split()
_PLURALS = "people days books tickets years minutes apples euros friends pages dollars".split()
_MONTH = re.compile("|".join(name for name in MONTHS if len(name) > 5), re.IGNORECASE)
# names of months and counting words in a text around a date could be taken for a part of it
_TELLING = re.compile(
    r"\d|\b(?:"
    + "|".join(f"{name}|{name[:3]}" for name in MONTHS if name != "May")
    + r"|sept|first|"
    r"second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|day|year|month)s?\b",
    re.IGNORECASE,
)


def fragments(sentences: Sequence[str]) -> list[str]:
    """Sentences that hold nothing a date could be mistaken for."""
    return [s.rstrip(".") for s in sentences if not _TELLING.search(s)]


def a_day(rng: Random) -> datetime.date:
    """A day from 1000 to 2999, mostly of the last hundred years; named days more often."""
    _, first, last = rng.choices(_SPANS, [share for share, _, _ in _SPANS])[0]
    year = rng.randint(first, last)
    if rng.random() < _NAMED_SHARE:
        month, day = rng.choice(list(NAMED))
        if (month, day) != (2, 29) or calendar.isleap(year):
            return datetime.date(year, month, day)
    return datetime.date(year, 1, 1) + datetime.timedelta(
        rng.randrange(365 + calendar.isleap(year))
    )


def unit_of(day: datetime.date) -> str:
    """The day's id, by whose hash it is held out."""
    return f"date:{day.isoformat()}"


def around(text: str, rng: Random, any_english: Sequence[str]) -> str:
    """A date with words before it, after it, on both sides or on none."""
    if rng.random() < 0.55:
        text = _before(rng, any_english) + rng.choice([" ", " ", " ", " ", ": ", ", "]) + text
    if rng.random() < 0.25:
        text += rng.choice([" ", " ", ", ", ". "]) + _after(rng, any_english)
    return text + rng.choice(["", "", "", "", ".", ".", "!", "?"])


def _before(rng: Random, any_english: Sequence[str]) -> str:
    kind = rng.random()
    if kind < 0.45:
        return rng.choice(_BEFORE)
    if kind < 0.6:
        return f"{_counted(rng)}{rng.choice(['', ' on', ',', ' since', ' for'])}"
    words = rng.choice(any_english).split()
    return " ".join(words[: rng.randint(1, 6)]) + rng.choice(["", "", " on", " since", " before"])


def _after(rng: Random, any_english: Sequence[str]) -> str:
    kind = rng.random()
    if kind < 0.35:
        return rng.choice(_AFTER)
    if kind < 0.6:
        clock = f"{rng.randrange(24)}:{rng.randrange(60):02}"
        return rng.choice(["at ", ""]) + rng.choice([clock, f"{rng.randint(1, 12)} pm", clock])
    if kind < 0.7:
        return f"in {_counted(rng)}"
    return " ".join(rng.choice(any_english).split()[: rng.randint(1, 6)])


def _counted(rng: Random) -> str:
    """A number that is no part of any date: room 12, 3 people, size 2.5."""
    number = rng.choice([f"{rng.randint(1, 99)}", f"{rng.randint(1, 9)}.{rng.randint(0, 9)}"])
    if rng.random() < 0.5:
        return f"{rng.choice(_THINGS)} {number}"
    return f"{rng.randint(2, 99)} {rng.choice(_PLURALS)}"


def misspelled(text: str, rng: Random) -> str:
    """A slip of the finger in a month's name: a letter lost, doubled, or swapped with the next."""
    name = _MONTH.search(text)
    if name is None:
        return text
    at = rng.randrange(name.start() + 1, name.end() - 1)
    before, one, two, after = text[:at], text[at], text[at + 1], text[at + 2 :]
    return before + rng.choice([two, one + one + two, two + one]) + after


def phrase(day: datetime.date, rng: Random, any_english: Sequence[str]) -> str:
    """The day as somebody might type it."""
    text = written(day, rng)
    if rng.random() < 0.03:
        text = misspelled(text, rng)
    if rng.random() < 0.75:
        text = around(text, rng, any_english)
    return text.lower() if rng.random() < 0.3 else text


def pairs(count: int, held_out: bool, any_english: Sequence[str], seed: int = 0) -> Iterator[Pair]:
    """So many dates, all of held-out days or none of them."""
    rng = Random(f"{seed}:{held_out}")  # noqa: S311 (no secret)
    for _ in range(count):
        day = a_day(rng)
        while is_held_out(unit_of(day), HELD_OUT_SHARE) is not held_out:
            day = a_day(rng)
        yield Pair("dates", unit_of(day), phrase(day, rng, any_english), day.isoformat())
