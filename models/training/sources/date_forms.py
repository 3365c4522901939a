"""The ways to write a day in English, each a function of the day and a source of chance.

Numeric dates are written day first, as in most of the world; month first only where no day could
be meant ("12/21/2012"). Two-digit years are never written: nobody could tell the century.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from random import Random

from models.training.sources.numerals import cardinal_words, ordinal, ordinal_words, year_words

Form = Callable[[datetime.date, Random], str]

MONTHS = (
    "January February March April May June July August September October November December"
).split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()

NAMED: dict[tuple[int, int], tuple[str, ...]] = {
    (1, 1): ("New Year's Day", "New Years Day", "New Year"),
    (1, 6): ("Epiphany", "Three Kings' Day"),
    (1, 25): ("Burns Night",),
    (2, 2): ("Groundhog Day", "Candlemas"),
    (2, 14): ("Valentine's Day", "St Valentine's Day", "Valentines Day", "Saint Valentine's Day"),
    (2, 28): ("Peace Memorial Day",),
    (2, 29): ("Leap Day",),
    (3, 8): ("International Women's Day", "Women's Day"),
    (3, 14): ("Pi Day",),
    (3, 17): ("St. Patrick's Day", "St Patrick's Day", "Saint Patrick's Day", "St Patricks Day"),
    (4, 1): ("April Fools' Day", "April Fool's Day", "April Fools Day"),
    (4, 22): ("Earth Day",),
    (4, 23): ("St George's Day", "Saint George's Day"),
    (4, 25): ("Anzac Day",),
    (5, 1): ("May Day", "International Workers' Day"),
    (5, 5): ("Cinco de Mayo",),
    (6, 19): ("Juneteenth",),
    (7, 1): ("Canada Day",),
    (7, 4): ("Independence Day", "the Fourth of July", "the 4th of July", "Fourth of July"),
    (7, 14): ("Bastille Day",),
    (10, 10): ("Double Tenth Day", "Double Ten Day", "Double Ten"),
    (10, 31): ("Halloween", "Hallowe'en", "Reformation Day"),
    (11, 1): ("All Saints' Day", "All Saints Day"),
    (11, 2): ("All Souls' Day",),
    (11, 5): ("Guy Fawkes Night", "Bonfire Night", "Guy Fawkes Day"),
    (11, 11): ("Armistice Day", "Remembrance Day", "Veterans Day"),
    (11, 30): ("St Andrew's Day", "Saint Andrew's Day"),
    (12, 6): ("St Nicholas Day", "Saint Nicholas Day"),
    (12, 24): ("Christmas Eve", "Xmas Eve"),
    (12, 25): ("Christmas Day", "Christmas", "Xmas", "Xmas Day", "Christmas day"),
    (12, 26): ("Boxing Day", "St Stephen's Day"),
    (12, 31): ("New Year's Eve", "New Years Eve"),
}
"""Days with a name and the same date each year, by (month, day)."""


def sometimes(rng: Random, chance: float, text: str, otherwise: str = "") -> str:
    """One text or the other."""
    return text if rng.random() < chance else otherwise


def month_of(day: datetime.date, rng: Random) -> str:
    """The month's name: in full, or short with or without a stop."""
    name = MONTHS[day.month - 1]
    if rng.random() < 0.55:
        return name
    short = "Sept" if day.month == 9 and rng.random() < 0.5 else name[:3]
    return short + sometimes(rng, 0.3, ".")


def day_of(day: datetime.date, rng: Random) -> str:
    """The day of the month: 3, 03, 3rd, third, three."""
    kind = rng.random()
    if kind < 0.42:
        return f"{day.day}"
    if kind < 0.47:
        return f"{day.day:02}"
    if kind < 0.78:
        return ordinal(day.day)
    hyphen = sometimes(rng, 0.6, "-", " ")
    return (ordinal_words if kind < 0.96 else cardinal_words)(day.day, hyphen)


def year_of(day: datetime.date, rng: Random, worded: float = 0.06) -> str:
    """The year: in figures, now and then in words."""
    if rng.random() < worded:
        return rng.choice(year_words(day.year, sometimes(rng, 0.6, "-", " ")))
    return f"{day.year}"


def weekday_of(day: datetime.date, rng: Random) -> str:
    """The weekday that this day really was."""
    name = WEEKDAYS[day.weekday()]
    return name if rng.random() < 0.6 else name[:3] + sometimes(rng, 0.3, ".")


def day_month_year(day: datetime.date, rng: Random) -> str:
    """The 3rd of August, 1997."""
    number, of = day_of(day, rng), sometimes(rng, 0.4, " of ", " ")
    the = sometimes(rng, 0.5 if of == " of " else 0.1, "the ")
    before_year = rng.choice([" "] * 7 + [", "] * 4 + [" in ", " of ", ", in the year "])
    return f"{the}{number}{of}{month_of(day, rng)}{before_year}{year_of(day, rng)}"


def month_day_year(day: datetime.date, rng: Random) -> str:
    """August 3rd, 1997."""
    the = sometimes(rng, 0.15, "the ")
    comma = rng.choice([", ", ", ", " ", " ", " of ", ","])
    return f"{month_of(day, rng)} {the}{day_of(day, rng)}{comma}{year_of(day, rng)}"


def year_month_day(day: datetime.date, rng: Random) -> str:
    """1997 August 3; in 1997, on the 3rd of August."""
    if rng.random() < 0.4:
        return f"{day.year} {month_of(day, rng)} {day_of(day, rng)}"
    year = sometimes(rng, 0.6, "in ") + year_of(day, rng)
    rest = f"{sometimes(rng, 0.6, 'the ')}{day_of(day, rng)} of {month_of(day, rng)}"
    if rng.random() < 0.4:
        rest = f"{month_of(day, rng)} {day_of(day, rng)}"
    return f"{year}{sometimes(rng, 0.6, ',')} {sometimes(rng, 0.7, 'on ')}{rest}"


def in_words(day: datetime.date, rng: Random) -> str:
    """The third of August, nineteen ninety-seven."""
    hyphen = sometimes(rng, 0.6, "-", " ")
    number, year = ordinal_words(day.day, hyphen), rng.choice(year_words(day.year, hyphen))
    month, comma = MONTHS[day.month - 1], sometimes(rng, 0.5, ",")
    if rng.random() < 0.5:
        return f"{month} {sometimes(rng, 0.3, 'the ')}{number}{comma} {year}"
    if rng.random() < 0.2:
        return f"{cardinal_words(day.day, hyphen)} {month}{comma} {year}"
    of = sometimes(rng, 0.8, "of ")
    return f"{sometimes(rng, 0.7, 'the ')}{number} {of}{month}{comma} {year}"


def numeric(day: datetime.date, rng: Random) -> str:
    """3/8/1997, or 8/30/1997 where the 30 can be no month."""
    mark = rng.choice(["/"] * 5 + ["."] * 3 + ["-"] * 3 + [" ", ". ", " / "])
    width = rng.choice([1, 2])
    parts = [f"{day.day:0{width}}", f"{day.month:0{width}}"]
    if day.day > 12 and rng.random() < 0.5:
        parts.reverse()
    return mark.join([*parts, f"{day.year}"])


def year_first(day: datetime.date, rng: Random) -> str:
    """1997-08-03, 1997/8/3, 19970803, 1997-08-03T10:30."""
    kind = rng.random()
    if kind < 0.15:
        return f"{day:%Y%m%d}"
    if kind < 0.25:
        clock = f"{rng.randrange(24):02}:{rng.randrange(60):02}"
        seconds = sometimes(rng, 0.5, f":{rng.randrange(60):02}{rng.choice(['', 'Z'])}")
        return f"{day.isoformat()}{rng.choice('T ')}{clock}{seconds}"
    width = sometimes(rng, 0.7, "2", "1")
    mark = rng.choice("---//..")
    return mark.join([f"{day.year}", f"{day.month:0{width}}", f"{day.day:0{width}}"])


def joined(day: datetime.date, rng: Random) -> str:
    """03-Aug-1997, Aug/3/1997, 3aug1997."""
    width = rng.choice([1, 2])
    name = MONTHS[day.month - 1]
    parts = [f"{day.day:0{width}}", sometimes(rng, 0.8, name[:3], name)]
    if rng.random() < 0.2:
        parts.reverse()
    return rng.choice(["-", "-", "-", "/", ".", ""]).join([*parts, f"{day.year}"])


def labelled(day: datetime.date, rng: Random) -> str:
    """Day 3, month 8, year 1997."""
    parts = [f"day {day.day}", f"month {day.month}", f"year {day.year}"]
    if rng.random() < 0.5:
        parts.reverse()
    return sometimes(rng, 0.5, ", ", " ").join(parts)


def named(day: datetime.date, rng: Random) -> str:
    """Christmas Day, 1997; only for a day that has a name."""
    name = rng.choice(NAMED[day.month, day.day])
    if rng.random() < 0.1:
        return f"{day.year} {name}"
    link = rng.choice([" "] * 5 + [", "] * 2 + [" in ", " of ", " in the year "])
    return f"{name}{link}{year_of(day, rng)}"


_PLAIN: list[tuple[float, Form]] = [
    (0.30, day_month_year), (0.25, month_day_year), (0.07, year_month_day), (0.08, in_words),
    (0.15, numeric), (0.09, year_first), (0.05, joined), (0.01, labelled),
]  # fmt: skip
_SPOKEN = (day_month_year, month_day_year, in_words)


def written(day: datetime.date, rng: Random) -> str:
    """The day in one of all forms, the named ones where it has a name; perhaps with its weekday."""
    if (day.month, day.day) in NAMED and rng.random() < 0.5:
        return named(day, rng)
    weights, forms = zip(*_PLAIN, strict=True)
    form: Form = rng.choices(forms, weights)[0]
    text = form(day, rng)
    if rng.random() > (0.22 if form in _SPOKEN else 0.06):
        return text
    weekday = weekday_of(day, rng)
    if rng.random() < 0.08:
        return text + sometimes(rng, 0.5, f" ({weekday})", f", a {weekday}")
    return weekday + sometimes(rng, 0.5, ", ", " ") + text
