"""What makes two texts a clean pair of English and Traditional Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator

MOST_WORDS, MOST_CHARACTERS = 40, 64
"""The longest English and Chinese texts of a pair."""

_WIDE = "\u3001-\u303f\u3400-\u9fff\uff01-\uff5e"  # Chinese characters and their punctuation
_FULL = str.maketrans(",;:?!()", "，；：？！（）")
_SMALL_FORMS = str.maketrans("︰﹔﹖﹗．／▸→", "：；？！./>>")
_BRACKETS = re.compile(rf"\[([^\[\]]*[{_WIDE}][^\[\]]*)\]")
_QUOTES = re.compile(rf'["“]([^"“”]*[{_WIDE}][^"“”]*)["”]')
_HALF = re.compile(rf"(?<=[{_WIDE}])\s*([,;:?!()])|([,;:?!()])\s*(?=[{_WIDE}])")
_STOP = re.compile(rf"(?<=[{_WIDE}])\s*\.(?=\s|$)")
_SPACE_BETWEEN = re.compile(
    rf"(?<=[{_WIDE}]) (?=[{_WIDE}])|(?<=[、。「」，；：？！（）]) | (?=[、。「」，；：？！（）])"
)
_SEAM = re.compile(r"(?<=[\u3400-\u9fff])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[\u3400-\u9fff])")

_ENGLISH_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_CHINESE_END = re.compile(r"(?<=[。！？])\s*(?=[^」）\s])")

_CODE = re.compile(
    r"[{}<>\\^~#$@|=*_]|\w\(|\.\w{2,}\b|[\ue000-\uf8ff]|[\u0400-\u04ff\u0600-\u06ff]"
)
_LATIN = re.compile(r"[A-Za-z]+|\d+")
_WORD = re.compile(r"[A-Za-z]+|\d+")
_CHINESE = re.compile(r"[\u3400-\u9fff]")


def tidy(text: str) -> str:
    """Chinese with one kind of punctuation: 「」 for names on screen, full width, no stray spaces.

    >>> tidy("選擇 [檢視] - [助手] 可顯示助手.")
    '選擇「檢視」-「助手」可顯示助手。'
    >>> tidy('開啟Writer文件 (文字), 或 "另存新檔"')
    '開啟 Writer 文件（文字），或「另存新檔」'
    """
    text = " ".join(text.translate(_SMALL_FORMS).split())
    text = _QUOTES.sub(r"「\1」", _BRACKETS.sub(r"「\1」", text))
    text = _HALF.sub(lambda match: (match[1] or match[2]).translate(_FULL), text)
    text = _STOP.sub("。", text)
    return _SEAM.sub(" ", _SPACE_BETWEEN.sub("", text)).strip()


def cut(english: str, chinese: str) -> Iterator[tuple[str, str]]:
    """The sentences of both side by side where there are as many, else the whole texts."""
    ours, theirs = _ENGLISH_END.split(english), _CHINESE_END.split(chinese)
    if len(ours) == len(theirs):
        yield from zip(ours, theirs, strict=True)
    else:
        yield english, chinese


def agree(english: str, chinese: str) -> bool:
    """Whether two texts can well be translations: no code, likely lengths, the same figures.

    Latin words in the Chinese must stand in the English, too: where they do not, one of the two
    speaks of an older version of the program.
    """
    if _CODE.search(english) or _CODE.search(chinese):
        return False
    words, characters = len(_WORD.findall(english)), len(_CHINESE.findall(chinese))
    if not 1 <= words <= MOST_WORDS or len(chinese) > MOST_CHARACTERS:
        return False
    if not 0.6 * words - 2 <= characters <= 3.2 * words + 4:
        return False
    ours, theirs = (set(_LATIN.findall(text.casefold())) for text in (english, chinese))
    figures = {word for word in ours if word.isdigit()}
    return theirs <= ours and figures <= theirs
