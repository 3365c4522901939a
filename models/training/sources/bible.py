"""A modern English Bible in the public domain, from a SWORD module (zText, OSIS mark-up)."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from models.training.sources.document import Document
from models.training.sources.text import sentences_of

_FOLDER = "usr/share/sword/modules/texts/ztext/engWEB2015eb"
_CHAPTER = re.compile(r'<chapter [^>]*osisID="([^"]+)"[^>]*sID=[^>]*>')
_DROPPED = re.compile(r"<(note|title|speaker)\b[^>]*?(?<!/)>.*?</\1>", re.DOTALL)
_PARAGRAPH = re.compile(r'<div [^>]*sID="[^"]*"[^>]*type="x-p"[^>]*/>|<lb[^>]*/>')
_TAG = re.compile(r"<[^>]*>?")


def _verses(folder: Path, testament: str) -> Iterator[str]:
    """Reads zText: .bzv says where a verse lies in its block, .bzs where the block lies in .bzz."""
    blocks, verses, packed = (
        (folder / f"{testament}.{end}").read_bytes() for end in ("bzs", "bzv", "bzz")
    )
    unpacked: dict[int, bytes] = {}
    for block, start, size in struct.iter_unpack("<IIH", verses):
        if not size:
            continue
        if block not in unpacked:
            offset, length, _ = struct.unpack_from("<III", blocks, 12 * block)
            unpacked = {block: zlib.decompress(packed[offset : offset + length])}
        yield unpacked[block][start : start + size].decode("utf-8", errors="replace")


def paragraphs_of(markup: str) -> list[str]:
    """Text of OSIS mark-up without notes, headings and speakers, cut at its paragraphs."""
    text = _DROPPED.sub(" ", markup)
    return [" ".join(_TAG.sub("", part).split()) for part in _PARAGRAPH.split(text)]


def documents(folder: Path) -> Iterator[Document]:
    """One document a chapter; prefaces and glossaries lie outside the chapters and are left out."""
    for testament in ("ot", "nt"):
        markup = " ".join(_verses(folder / _FOLDER, testament))
        marks = list(_CHAPTER.finditer(markup))
        for mark in marks:
            end = markup.find("<chapter ", mark.end())
            sentences = sentences_of(paragraphs_of(markup[mark.end() : end if end >= 0 else None]))
            if sentences:  # the Greek Daniel and Esther repeat the Hebrew ones: one unit
                yield Document("bible", f"bible:{mark.group(1).replace('Gr.', '.')}", sentences)
