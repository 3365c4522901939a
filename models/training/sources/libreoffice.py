"""LibreOffice in English and Traditional Chinese: its help pages and the words of its windows."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

Texts = Iterator[tuple[str, str]]  # English, Chinese

_HELP = "usr/share/libreoffice/help"
_WINDOWS = "usr/lib/libreoffice/program/resource/zh_TW/LC_MESSAGES"
_PARAGRAPH = re.compile(
    r'<(p|h[1-6])\b[^>]*?\bid="((?:par|hd)_id[^"]*)"([^>]*)>(.*?)</\1>', re.DOTALL
)
_CODE = re.compile(r'class="[^"]*code')
_SHORTCUT = re.compile(r"\s*[(（][_~&]\w[)）]|[_~](?=\w)")
_SLOT = re.compile(r"%|\$|<|\{|\\|\n")
_LISTS = ("STR_ARR_SVT_LANGUAGE_TABLE", "RID_SUBSETMAP", "RID_STRLIST_FUNCTION_NAMES")


class _Plain(HTMLParser):
    """The text of a paragraph as one sees it on a computer that is no Mac.

    A passage that differs between systems or modules stands there once for each of them, marked by
    a class in capitals, and once as the default.
    """

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._shown: list[bool] = [True]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("img", "br"):
            self.parts.append(" ")
            return
        kind = dict(attrs).get("class") or ""
        self._shown.append(self._shown[-1] and not kind.isupper())

    def handle_endtag(self, tag: str) -> None:
        if len(self._shown) > 1:
            self._shown.pop()

    def handle_data(self, data: str) -> None:
        if self._shown[-1]:
            self.parts.append(data)


def plain(markup: str) -> str:
    """The text of a piece of HTML in one line."""
    parser = _Plain()
    parser.feed(markup)
    parser.close()
    return " ".join("".join(parser.parts).split())


def paragraphs(page: str) -> dict[str, str]:
    """The paragraphs and headings of a page by their ids, programs left out."""
    found: dict[str, str] = {}
    for _, name, rest, inside in _PARAGRAPH.findall(page):
        if not _CODE.search(rest):
            found.setdefault(name, plain(inside))
    return found


def help_texts(english: Path, chinese: Path) -> Texts:
    """Paragraphs of the same id of the same page; those that nobody has translated are left out."""
    folder = english / _HELP / "en-US"
    for path in sorted(folder.rglob("*.html")):
        other = chinese / _HELP / "zh-TW" / path.relative_to(folder)
        theirs = paragraphs(other.read_text(encoding="utf-8"))
        for name, text in paragraphs(path.read_text(encoding="utf-8")).items():
            if translated(theirs.get(name, "")):
                yield text, theirs[name]


def window_texts(folder: Path) -> Texts:
    """Menus, buttons, tips and messages; those with slots to be filled in ("%1") are left out.

    So are the names of the world's languages and scripts and of a spreadsheet's functions.
    """
    for path in sorted((folder / _WINDOWS).glob("*.mo")):
        with path.open("rb") as file:
            catalog = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
        for key, message in catalog.items():
            where, _, english = (key if isinstance(key, str) else key[0]).rpartition("\4")
            texts = [text.replace("%PRODUCTNAME", "LibreOffice") for text in (english, message)]
            if where not in _LISTS and translated(message) and not any(map(_SLOT.search, texts)):
                ours, theirs = (_SHORTCUT.sub("", text).strip() for text in texts)
                yield ours, theirs


def translated(text: str) -> bool:
    """Whether a text has Chinese characters."""
    return re.search("[\u4e00-\u9fff]", text) is not None
