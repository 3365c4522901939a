"""Shakespeare's plays and poems in modern spelling: no speakers' names, no stage directions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from models.training.sources.document import Document
from models.training.sources.text import sentences_of

_SCENE = re.compile(
    r"^\s*(?:act|scene|prologue|epilogue|induction|chorus)\b.*$", re.IGNORECASE | re.MULTILINE
)
_SECTION = re.compile(r"^\s*[IVXLC]+\.?\s*$", re.MULTILINE)
_DIRECTION = re.compile(
    r"[\[{][^\]}]*[\]}]?|^\s*(?:Enter|Exit|Exeunt|Re-enter)\b[^\n]*$", re.MULTILINE
)
_INLINE_LABEL = re.compile(r"^(?:[A-Z][A-Z'-]+[ ,]*){1,4}[.:]\s+(?=\S)")
_LABEL = re.compile(r"^\s*(?:\d )?(?:[A-Z][\w'-]*[ .,&]*(?:and|of|the|to|&)?\s*){1,5}\.?\s*$")


def speeches(scene: str) -> Iterator[str]:
    """Yields each speech without the speaker's name, which stands alone on its first line."""
    for paragraph in re.split(r"\n\s*\n", _DIRECTION.sub("", scene.replace("*", ""))):
        lines = paragraph.strip().splitlines()
        if len(lines) > 1 and _LABEL.match(lines[0]):
            lines = lines[1:]
        yield _INLINE_LABEL.sub("", " ".join(lines))


def documents(folder: Path) -> Iterator[Document]:
    """One document a scene, sonnet or poem; the First Folio's old spelling (`_f`) is left out."""
    for path in sorted(folder.glob("*/shksprdata/texts/*_gut.txt")):
        text = path.read_text(encoding="utf-8", errors="replace")
        cut = _SCENE if len(_SCENE.findall(text)) > 5 else _SECTION
        scenes = cut.split(text)[1:] or [text]
        for number, scene in enumerate(scenes, start=1):
            sentences = sentences_of(speeches(scene))
            if sentences:
                yield Document("shakespeare", f"shakespeare:{path.stem[:-4]}:{number}", sentences)
