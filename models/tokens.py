"""Tokens a reader can trust: each one tied to a slice of the visitor's own text.

Ids decoded one at a time lie: the three bytes of 你 become three replacement marks, and ``Ġthe`` is
nobody's word. So a token is shown as the slice of the text that its offsets name, and tokens that
share a character (bytes of é, 你, 😀) carry the same group, to be drawn as one. No torch here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from models.results import Span
from models.traces import Token, TokenKind

WORD_PIECE = "##"
"""How WordPiece marks a piece that continues a word."""


@dataclass(frozen=True)
class Piece:
    """One token as the tokenizer gives it."""

    id: int
    piece: str
    span: Span
    """Code points in its own text; empty for what the tokenizer added."""
    sequence: int | None
    """Which text it comes from; None for what the tokenizer added."""


def describe(
    texts: Sequence[str], pieces: Sequence[Piece], special: Collection[int], unknown: int | None
) -> tuple[Token, ...]:
    """Tokens as a reader sees them.

    Args:
        texts: The text, and the second one of a pair.
        pieces: What the tokenizer made of them, in order.
        special: Ids that are no text: start, end, mask.
        unknown: The id of what cannot be spelled; counts as a word, not as special.
    """
    tokens: list[Token] = []
    for piece in pieces:
        before = tokens[-1] if tokens else None
        token = _token(texts, piece, special, unknown, group=before.group + 1 if before else 0)
        if before is not None and _overlap(before, token):
            tokens[-1] = before = replace(before, kind="byte")
            token = replace(token, kind="byte", group=before.group)
        elif before is not None and token.kind == "word" and _continues(texts, before, token):
            token = replace(token, kind="continuation")
        tokens.append(token)
    return tuple(tokens)


def _token(
    texts: Sequence[str], piece: Piece, special: Collection[int], unknown: int | None, group: int
) -> Token:
    """A token by itself, before its neighbours are looked at."""
    start, end = piece.span
    text = texts[piece.sequence][start:end] if piece.sequence is not None else ""
    kind: TokenKind = "word"
    if piece.id in special and piece.id != unknown:
        text, kind = piece.piece, "special"
    elif not text.strip():
        kind = "space"
    else:  # the space before a word is no part of the word
        start += len(text) - len(text.lstrip())
        end -= len(text) - len(text.rstrip())
        text = text.strip()
    return Token(
        text, start, end, piece.id, piece.piece, kind, group, piece.sequence, piece.id == unknown
    )


def _overlap(before: Token, token: Token) -> bool:
    """The two share a character of the text."""
    return (
        before.sequence == token.sequence is not None
        and token.start < before.end
        and before.start < token.end
    )


def _continues(texts: Sequence[str], before: Token, token: Token) -> bool:
    """The token goes on where the one before it stopped, inside one word."""
    if before.sequence != token.sequence or before.end != token.start:
        return False
    if before.kind in ("special", "space") or token.sequence is None:
        return False
    if token.piece.startswith(WORD_PIECE) and not token.text.startswith(WORD_PIECE):
        return True
    text = texts[token.sequence]
    return _in_word(text[token.start - 1]) and _in_word(text[token.start])


def _in_word(character: str) -> bool:
    """A letter, digit or accent of a script that writes words apart (so no Chinese character)."""
    category = unicodedata.category(character)
    return category[0] in "LMN" and not _stands_alone(character)


def _stands_alone(character: str) -> bool:
    """A character that is a unit by itself: Chinese characters and kana."""
    name = unicodedata.name(character, "")
    return name.startswith(("CJK", "HIRAGANA", "KATAKANA"))
