"""The Jargon File 4.4.7: how programmers talk (dictd format)."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

from models.training.sources.document import Document
from models.training.sources.text import sentences_of

_HEADWORD = re.compile(r"(?<=\n\n)\S.*$", re.MULTILINE)
_LINK = re.compile(r"\{\s*([^{}]*?)\s*\}", re.DOTALL)
_ETYMOLOGY = re.compile(r"\[[^\]]*\]")
_NUMBER = re.compile(
    r"^\s*(?:\d+\.\s*)?"
    r"(?:(?:n|v|vt|vi|adj|adv|obs|excl|interj|prov|quant|num)\b\.?[,;]?\s*)*"
    r"(?:\d+[a-z]?\.\s*)?"
)
_POINTER = re.compile(r"^(?:See|Compare|Contrast|Oppose|Cf|Also|Syn)\b.{0,80}$")
_CODE = re.compile(r"https?:|ftp:|www\.|\S@\S|[{}<>=\\|^~#$│·〈〉]|\w/\w.*/|//|(?:^|\s)/\S")


def paragraphs_of(body: str) -> list[str]:
    """Paragraphs of an entry; figures and programs, which are indented further, are left out."""
    body = _LINK.sub(lambda match: " ".join(match.group(1).split()), body)
    paragraphs = re.split(r"\n\s*\n", body)
    plain_ones = (p for p in paragraphs if re.match(r"\n* {4}\S", p))
    return [_NUMBER.sub("", _ETYMOLOGY.sub("", " ".join(p.split())).strip()) for p in plain_ones]


def _is_prose(sentence: str) -> bool:
    short = len(sentence.split()) < 4
    return not (short or _POINTER.match(sentence) or _CODE.search(sentence))


def documents(folder: Path) -> Iterator[Document]:
    """One document an entry."""
    text = gzip.decompress((folder / "usr/share/dictd/jargon.dict.dz").read_bytes()).decode("utf-8")
    marks = list(_HEADWORD.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=True):
        found = sentences_of(paragraphs_of(text[mark.end() : end]))
        kept = tuple(sentence for sentence in found if _is_prose(sentence))
        if kept and not mark.group().startswith("00-database"):
            yield Document("jargon", f"jargon:{mark.group().strip()}", kept)
