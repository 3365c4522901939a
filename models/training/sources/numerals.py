"""English number words, as far as dates need them."""

from __future__ import annotations

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
_IRREGULAR = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
}  # fmt: skip


def ordinal(number: int) -> str:
    """A number as people count in figures.

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 30)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '30th']
    """
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def cardinal_words(number: int, hyphen: str = "-") -> str:
    """A number below 100 in words.

    >>> cardinal_words(7), cardinal_words(21), cardinal_words(40)
    ('seven', 'twenty-one', 'forty')
    """
    if number < 20:
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens] + (hyphen + _ONES[ones] if ones else "")


def ordinal_words(number: int, hyphen: str = "-") -> str:
    """A number below 100 as people count in words.

    >>> [ordinal_words(n) for n in (1, 12, 20, 21)]
    ['first', 'twelfth', 'twentieth', 'twenty-first']
    """
    words = cardinal_words(number, hyphen)
    cut = max(words.rfind("-"), words.rfind(" ")) + 1
    last = words[cut:]
    regular = last[:-1] + "ieth" if last.endswith("y") else last + "th"
    return words[:cut] + _IRREGULAR.get(last, regular)


def year_words(year: int, hyphen: str = "-") -> list[str]:
    """The ways to say a year from 1000 to 2999.

    >>> year_words(1985)
    ['nineteen eighty-five', 'nineteen hundred and eighty-five', 'nineteen hundred eighty-five']
    >>> year_words(2000)
    ['two thousand']
    >>> year_words(2012)
    ['twenty twelve', 'two thousand twelve', 'two thousand and twelve']
    """
    century, rest = divmod(year, 100)
    hundreds = f"{cardinal_words(century, hyphen)} hundred"
    thousands = f"{_ONES[century // 10]} thousand"
    if century % 10 == 0:
        rounds = [thousands] if rest == 0 else [f"{thousands}{join}" for join in (" ", " and ")]
    else:
        rounds = [hundreds] if rest == 0 else [f"{hundreds}{join}" for join in (" and ", " ")]
    if rest == 0:
        return rounds
    tail = cardinal_words(rest, hyphen)
    said = [form + tail for form in rounds]
    if rest >= 10:
        return [f"{cardinal_words(century, hyphen)} {tail}", *said]
    if century % 10:
        return [f"{cardinal_words(century, hyphen)} oh {tail}", *said]
    return said
