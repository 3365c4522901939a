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
SPACES = "▁Ġ \u00a0"
"""How tokenizers write a space: SentencePiece, byte-level, plainly."""
JOINER = "\u200d"
"""Joins emoji into one picture, and letters of some scripts."""
SKIN_TONES = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"


@dataclass(frozen=True)
class Piece:
    """One token as the tokenizer gives it."""

    id: int
    piece: str
    span: Span
    """Code points in its own text; empty for what the tokenizer added."""
    sequence: int | None
    """Which text it comes from; None for what the tokenizer added, or a model guessed."""


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


def words_of(tokens: Sequence[Token]) -> list[tuple[int, ...]]:
    """Indices of the tokens of each word, in reading order; special tokens and spaces are none."""
    words: list[list[int]] = []
    for index, token in enumerate(tokens):
        if token.kind in ("special", "space"):
            continue
        before = tokens[index - 1] if words and words[-1][-1] == index - 1 else None
        if before is not None and (token.kind == "continuation" or _same_word(before, token)):
            words[-1].append(index)
        else:
            words.append([index])
    return [tuple(word) for word in words]


def _same_word(before: Token, token: Token) -> bool:
    """One of the two is a byte, whose kind does not say whether it continues a word."""
    if token.kind != "byte" or before.sequence != token.sequence:
        return False
    touching = before.end == token.start and _in_word(before.text[-1]) and _in_word(token.text[0])
    return before.group == token.group or touching


def _token(
    texts: Sequence[str], piece: Piece, special: Collection[int], unknown: int | None, group: int
) -> Token:
    """A token by itself, before its neighbours are looked at."""
    whole = "" if piece.sequence is None else texts[piece.sequence]
    start, end = _span(whole, piece)
    text = whole[start:end]
    kind: TokenKind = "word" if text.strip() else "space"
    if piece.sequence is None or (piece.id in special and piece.id != unknown):
        text, kind = piece.piece, "special"
    return Token(
        text, start, end, piece.id, piece.piece, kind, group, piece.sequence, piece.id == unknown
    )


def _span(text: str, piece: Piece) -> Span:
    """The code points a piece stands for, where its tokenizer's own answer needs mending."""
    start, end = piece.span
    if not piece.piece.strip(SPACES):  # nothing but spaces, as written by the tokenizer
        if not text[start:end].strip():
            # Byte-level tokenizers trim a space to nothing: it stands before where they point.
            return (start - (start == end and text[start - 1 : start].isspace()), end)
        return start, start  # a space that is not in the text, put before its first word
    word = text[start:end]
    if not word.strip():
        return start, end
    # The space before a word is no part of the word.
    return start + len(word) - len(word.lstrip()), end - len(word) + len(word.rstrip())


def _overlap(before: Token, token: Token) -> bool:
    """The two share a character of the text."""
    return (
        before.sequence == token.sequence is not None
        and "space" not in (before.kind, token.kind)
        and token.start < before.end
        and before.start < token.end
    )


def _continues(texts: Sequence[str], before: Token, token: Token) -> bool:
    """The token goes on where the one before it stopped, inside one word."""
    if token.sequence is None or before.sequence != token.sequence:
        return False
    if before.kind in ("special", "space"):
        return False
    text = texts[token.sequence]
    if token.piece.startswith(WORD_PIECE) and not token.text.startswith(WORD_PIECE):
        return not any(map(str.isspace, text[before.end : token.start]))
    if before.end != token.start:
        return False
    last, first = text[token.start - 1], text[token.start]
    return (_in_word(last) and _in_word(first)) or JOINER in (last, first) or _attaches(first)


def _in_word(character: str) -> bool:
    """A letter, digit or accent of a script that writes words apart (so no Chinese character)."""
    return unicodedata.category(character)[0] in "LMN" and not _stands_alone(character)


def _stands_alone(character: str) -> bool:
    """A character that is a unit by itself: Chinese characters and kana."""
    return unicodedata.name(character, "").startswith(("CJK", "HIRAGANA", "KATAKANA"))


def _attaches(character: str) -> bool:
    """A mark drawn onto the character before it: an accent, a skin tone, an emoji's style."""
    return unicodedata.category(character)[0] == "M" or character in SKIN_TONES
