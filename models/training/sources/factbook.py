"""The World Factbook: its real sentences, and its capitals put into a few phrasings."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from models.training.sources.document import Document
from models.training.sources.text import balance, keep, plain, split_sentences

PHRASINGS = (
    "The capital of {country} is {capital}.",
    "{capital} is the capital of {country}.",
    "The capital city of {country} is {capital}.",
    "{capital} is the capital city of {country}.",
    "They flew to {capital}, the capital of {country}.",
    "We visited {country} and spent two days in its capital, {capital}.",
)
_WITH_ARTICLE = re.compile(
    r"^(United|Netherlands|Philippines|Maldives|Seychelles|Comoros|Bahamas|Gambia"
    r"|Central African|Czech Republic|Holy See|Federated|Isle of)|Islands$"
)
_IN_FULL = {
    "DRC": "the Democratic Republic of the Congo",
    "Congo": "the Republic of the Congo",
    "The Dominican": "the Dominican Republic",
}
_BASES = ("Akrotiri", "Dhekelia")  # military bases, no capitals
_CAPITALS = re.compile(r"\b(?=[A-Z]*[AEIOUY])[A-Z]{4,}\b")
_ACRONYMS = frozenset(
    "NATO HAMAS UNITA OPEC ASEAN CARICOM MERCOSUR APEC EUFOR CAFTA USSR AIDS OECD ECOWAS SADC"
    " UNESCO UNICEF ECOMOG ISAF KFOR EULEX UNMIK UNAMSIL UNMIL MINUSTAH FARC SARS VIII XVIII CEMAC"
    " AGOA FRELIMO RENAMO SWAPO UNMISET UNTAC CCAMLR EEBC ICAO NAFTA EFTA SWIFT ISIL COMESA".split()
)
_COMMON_TO = 3  # countries; a sentence found in more of them is a form letter
_REAL_SENTENCE = re.compile(r"^[A-Z\"].*[\w)\"%]\.\"?$")


def _countries(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields (unit, profile) in the order of the files' names."""
    for path in sorted((folder / "package").glob("*/??.json")):
        if path.parent.name != "world":
            yield f"factbook:{path.stem}", json.loads(path.read_text(encoding="utf-8"))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for child in value.values():
            yield from _strings(child)


def _surname(match: re.Match[str]) -> str:
    """Writes a surname that the Factbook sets in capitals as a name; leaves acronyms alone."""
    return match.group() if match.group() in _ACRONYMS else match.group().capitalize()


def _sentences(profile: dict[str, Any]) -> tuple[str, ...]:
    texts = (_CAPITALS.sub(_surname, text) for text in _strings(profile))
    found = (balance(s) for text in texts for s in split_sentences(plain(text.replace("++", " "))))
    real = (s for s in found if keep(s) and _REAL_SENTENCE.match(s) and len(s.split()) >= 5)
    return tuple(dict.fromkeys(real))


def documents(folder: Path) -> Iterator[Document]:
    """One document a country; figures, phrases and what is said of many countries are left out."""
    sentences = {unit: _sentences(profile) for unit, profile in _countries(folder)}
    countries = Counter(sentence for found in sentences.values() for sentence in found)
    for unit, found in sentences.items():
        if kept := tuple(s for s in found if countries[s] <= _COMMON_TO):
            yield Document("factbook", unit, kept)


def _name(names: dict[str, Any], form: str) -> str:
    raw = names.get(f"conventional {form} form", {}).get("text") or ""
    text = plain(re.sub(r"\(.*?\)", "", raw))
    return "" if text == "none" else text


def country_and_capital(profile: dict[str, Any]) -> tuple[str, str] | None:
    """Names as they stand in a sentence ("the Bahamas", "Nassau"); None if no clear pair."""
    government = profile.get("Government", {})
    names = government.get("Country name", {})
    country = _name(names, "short") or _name(names, "long")
    capital = plain(government.get("Capital", {}).get("name", {}).get("text") or "")
    capital = re.split(r"[;,(]| - | in ", capital)[0].strip()
    country = _IN_FULL.get(country, country.removesuffix(", The"))
    clear = all(re.fullmatch(r"[^\W\d][\w' .-]+", name) for name in (country, capital))
    if (
        not clear
        or capital[0].islower()
        or country in (capital, *_BASES)
        or len(capital.split()) > 3
    ):
        return None
    country = re.sub(r"^The ", "the ", country)
    return ("the " if _WITH_ARTICLE.search(country) else "") + country, capital


def capitals(folder: Path) -> Iterator[Document]:
    """One document a country: its capital in each of `PHRASINGS`."""
    for unit, profile in _countries(folder):
        pair = country_and_capital(profile)
        if pair is not None:
            country, capital = pair
            sentences = tuple(p.format(country=country, capital=capital) for p in PHRASINGS)
            yield Document("capitals", unit, sentences)
