"""From raw text to clean sentences: typography, sentence ends, and what is worth keeping."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

SHORTEST, LONGEST = 10, 300  # characters of a sentence
LETTER_SHARE = 0.6  # below this a line is a table or a list of numbers, not a sentence

_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑–−", "-"),
        **dict.fromkeys("—―", "--"),
        "…": "...",
        "•": " ",
        "\u00a0": " ",
        "\u00ad": None,
        "\ufeff": None,
    }
)
_EMPHASIS = re.compile(r"(?<!\w)([_*])(?=\S)(.+?)(?<=\S)\1(?!\w)", re.DOTALL)
_QUOTE_SPACING = re.compile(r"(?<=[“‘(])\s+|\s+(?=[”)])")
_MISSING_SPACE = re.compile(r"(?<=”)(?=[A-Za-z])|(?<=[,:;.])(?=“)|(?<=[a-z]{2}\.)(?=[A-Z][a-z])")
_SPLIT_CONTRACTION = re.compile(r"(?<=[A-Za-z]) (n't|'(?:ve|re|ll|s|d|m))\b")
_DASH_AFTER_STOP = re.compile(r"([,;:.!?])(?:\s*--+)+\s*")
_DASH = re.compile(r"(?:\s*--+)+\s*")
_SPACE_BEFORE_STOP = re.compile(r"\s+([,;:!?]|\.(?!\w))")

_END = re.compile(r"[.!?]+[\"')\]]*\s+(?=[\"'(\[]*[A-Z0-9])")
_LAST_WORD = re.compile(r"(?<![\w'.])([A-Za-z.]+)\.[\"')\]]*\s+$")
_ABBREVIATIONS = frozenset(
    "mr mrs ms messrs dr st prof rev hon gen col capt lt sgt gov sen rep pres sec jr sr esq co corp"
    " inc ltd vs viz etc al ca cf ed approx est dept univ ave blvd mt ft"
    " jan feb mar apr jun jul aug sep sept oct nov dec"
    " e.g i.e a.m p.m u.s u.k u.n u.s.s.r d.c b.c a.d ph.d".split()
)
_BEFORE_NUMBERS = frozenset("no nos vol fig op pp art ch p".split())
# These end a sentence about as often as not: an everyday first word after them decides for an end.
_MAY_END = frozenset(
    "etc jr sr esq co corp inc ltd a.m p.m b.c a.d d.c u.s u.k u.n u.s.s.r al".split()
)
_OPENERS = frozenset(
    "a an the this that these those he she it we they i you in on at for but and if when while as"
    " there his her its our their my your such what who how why not no yes see".split()
)

_ENDED = re.compile(r"[.!?:][\"')\]]*$")
_OPEN_DOUBLE = re.compile(r"(?:(?<=^)|(?<=[\s(\['-]))\"(?=\S)")
_CLOSE_DOUBLE = re.compile(r"(?<=[^\s(\[-])\"(?!\w)")
_ELIDED = (
    "Ay|Em|Faith|Fore|Gainst|Gins|Sblood|Scape|Sdeath|Swounds|"
    "Tis|Twas|Tween|Twere|Twill|Twixt|Twould|Zounds"
)
_OPEN_SINGLE = re.compile(rf"(?:(?<=^)|(?<=[\s(\"]))'(?=[A-Z])(?!(?:{_ELIDED})\b)")
_CLOSE_SINGLE = re.compile(r"(?<=[.,!?;:])'(?!\w)")
# A page that teaches children must not suggest these; WordNet and the Jargon File do define them.
_FOUL = re.compile(
    r"\b(?:\w*fuck\w*|\w*shit(?:s|ty|less|ting)?|cunts?"
    r"|nigg(?:er|a)s?|kikes?|(?<!-)wops?|spics?|wetbacks?|gooks?)\b",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """Makes typography plain: straight quotes, spaced dashes, no emphasis marks, single spaces."""
    text = _MISSING_SPACE.sub(" ", _QUOTE_SPACING.sub("", unicodedata.normalize("NFC", text)))
    text = text.translate(_TYPOGRAPHY)
    text = _EMPHASIS.sub(r"\2", text).replace("_", " ")
    text = re.sub(r"''", '"', text)
    text = _DASH.sub(" - ", _DASH_AFTER_STOP.sub(r"\1 ", text))
    text = _SPLIT_CONTRACTION.sub(r"\1", " ".join(text.split()))
    return _SPACE_BEFORE_STOP.sub(r"\1", text)


def _is_end(before: str, after: str) -> bool:
    """Whether the stop that closes `before` ends a sentence, `after` being what follows."""
    match = _LAST_WORD.search(before)
    if match is None:
        return True
    word = match.group(1).lower()
    if word in _BEFORE_NUMBERS:
        return not after[:1].isdigit()
    if len(word) == 1:  # an initial: "George W. Bush"; but "I" closes sentences
        return word == "i"
    if word in _MAY_END:
        first = re.match(r"[\"'(\[]*(\w+)", after)
        return first is not None and first.group(1).lower() in _OPENERS
    return word not in _ABBREVIATIONS


def split_sentences(text: str) -> list[str]:
    """Cuts plain text after ., ! or ? when a capital or digit follows, minding abbreviations."""
    sentences, start = [], 0
    for match in _END.finditer(text):
        if _is_end(text[start : match.end()], text[match.end() : match.end() + 20]):
            sentences.append(text[start : match.end()].strip())
            start = match.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]


def shorten(sentence: str) -> list[str]:
    """Cuts a sentence of more than `LONGEST` characters into sentences at its semicolons."""
    if len(sentence) <= LONGEST:
        return [sentence]
    pieces: list[str] = []
    for clause in sentence.split("; "):
        if pieces and len(pieces[-1]) + len(clause) <= LONGEST // 2:
            pieces[-1] += "; " + clause
        else:
            pieces.append(clause[:1].upper() + clause[1:])
    return [piece + "." for piece in pieces[:-1]] + pieces[-1:]


def _balance_single(sentence: str) -> str:
    """Completes a lone single quotation mark; leaves a sentence with any doubt as it is."""
    opens, closes = _OPEN_SINGLE.search(sentence), _CLOSE_SINGLE.search(sentence)
    if opens and not re.search(r"'(?!\w)", sentence):
        return sentence + "'"
    if closes and not re.search(r"(?<!\w)'(?=\w)", sentence):
        return "'" + sentence
    return sentence


def _balance_double(sentence: str) -> str:
    depth, opened = 0, [(match.start(), 1) for match in _OPEN_DOUBLE.finditer(sentence)]
    closed = [(match.start(), -1) for match in _CLOSE_DOUBLE.finditer(sentence)]
    before = ""
    for _, step in sorted(opened + closed):
        depth += step
        if depth < 0:
            before, depth = '"', 0
    return (before + sentence + '"' * (depth > 0)).replace('""', '"')


def balance(sentence: str) -> str:
    """Completes quotation marks that a sentence end cut through, and drops lone brackets.

    In 'Well girls," said she' the quotation began a sentence earlier: it begins here as well.
    """
    sentence = sentence.strip(" -").replace("''", "'")
    for left, right in ("()", "[]"):
        if sentence.count(left) != sentence.count(right):
            sentence = sentence.replace(left, "").replace(right, "")
    return _balance_double(_balance_single(sentence)).strip()


def keep(sentence: str) -> bool:
    """Whether a sentence is worth learning from: length, two words, letters, nothing foul."""
    return (
        SHORTEST <= len(sentence) <= LONGEST
        and len(sentence.split()) >= 2
        and sum(map(str.isalpha, sentence)) > LETTER_SHARE * len(sentence)
        and sentence.count('"') % 2 == 0  # quotations nested too deep to mend
        and "\ufffd" not in sentence  # a character that some transcription lost
        and not _FOUL.search(sentence)
    )


def _is_whole(sentence: str) -> bool:
    heading_or_item = sentence.isupper() or sentence[0].islower()
    return not heading_or_item and _ENDED.search(sentence) is not None


def sentences_of(paragraphs: Iterable[str], ended: bool = True) -> tuple[str, ...]:
    """Clean sentences of raw paragraphs, in order.

    Args:
        paragraphs: raw text, one paragraph each.
        ended: keep only what opens and closes like a sentence: no headings, labels, list items.
    """
    return tuple(
        clean
        for paragraph in paragraphs
        for sentence in split_sentences(plain(paragraph))
        for piece in shorten(sentence)
        if keep(clean := balance(piece)) and (_is_whole(clean) or not ended)
    )
