"""The languages, and the `.po` files that hold their words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po

FOLDER = Path(__file__).parent
DOMAIN = "unmask"


@dataclass(frozen=True)
class Language:
    """A language the app speaks: how Babel names it, how a browser does, how its readers do."""

    code: str  # Babel and gettext: "zh_TW"
    tag: str  # BCP 47, for `<html lang>`: "zh-Hant-TW"
    name: str  # in the language itself
    space: str = " "  # between two sentences


LANGUAGES: Mapping[str, Language] = {
    "en": Language("en", "en", "English"),
    "zh_TW": Language("zh_TW", "zh-Hant-TW", "中文", space=""),
}
SOURCE = "en"  # the language the messages are written in: it needs no catalogue


@dataclass(frozen=True)
class Catalogue:
    """The translations into one language; a message that is absent is shown as written."""

    one: Mapping[str, str] = field(default_factory=dict)
    many: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by its singular


def path(code: str) -> Path:
    """Where the words of language `code` are kept."""
    return FOLDER / code / "LC_MESSAGES" / f"{DOMAIN}.po"


@cache
def catalogue(code: str) -> Catalogue:
    """Read the words of language `code`, once per process."""
    if code == SOURCE:
        return Catalogue()
    with path(code).open("rb") as file:
        messages = [m for m in read_po(file, locale=code) if m.id and not m.fuzzy]
    one: dict[str, str] = {}
    many: dict[str, tuple[str, ...]] = {}
    for message in messages:
        match message.id, message.string:
            case str(text), str(translation) if translation:
                one[text] = translation
            case [singular, _], [*forms] if all(forms):
                many[singular] = tuple(forms)
    return Catalogue(one, many)


def closest(tag: str | None) -> str | None:
    """The language of ours for a browser's tag ("zh-HK", "en_GB", "zh"); None if there is none.

    Every Chinese is served in Traditional characters, the only ones the catalogue has.
    """
    primary = (tag or "").replace("_", "-").split("-")[0].lower()
    return next((code for code in LANGUAGES if code.split("_")[0] == primary), None)
