"""From a visitor's text to token ids: what is read, what is cut, what is hidden. No torch here."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from tokenizers import AddedToken, Encoding, Tokenizer
from transformers import PreTrainedTokenizerFast

from models.results import BLANK, Span
from models.verse import FORMS
from models.vocabulary import space_mark

LOOK_BACK = 64
"""How many characters a cut may step back to fall on a space; text without spaces has none near."""

FORM_TOKENS = frozenset(form.token for form in FORMS)

SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Reading:
    """A text as tokens; `ids` and `offsets` are parallel."""

    text: str
    ids: tuple[int, ...]
    offsets: tuple[Span, ...]
    """Code points of the text behind each token; special tokens have the empty span (0, 0)."""
    read: int
    """Where reading stopped; ``len(text)`` if all was read."""
    unknown: tuple[str, ...]
    """Words that the vocabulary has not every sign of, each once, as they were typed."""
    too_long: tuple[str, ...] = ()
    """Words of more characters than the tokenizer looks at, each once."""
    rewritten: bool = False
    """Some characters were read as others: simplified Chinese as traditional, variants as one."""

    @property
    def cut(self) -> str:
        """The text that was not read."""
        return self.text[self.read :]


class Reader:
    """A tokenizer for text that visitors type.

    Differs from the tokenizer it is made from in two ways. Special tokens typed by a visitor are
    ordinary text, so nobody can forge the end of a sentence; only the mask keeps its meaning, and
    the token that asks for a form of verse. And it changes no shared state (transformers sets
    truncation at each call): threads can share it.

    Args:
        tokenizer: Any fast tokenizer.
        rewrite: What to do to a text before it is read; keeps the number of code points, and says
            whether it changed any.
    """

    def __init__(
        self,
        tokenizer: PreTrainedTokenizerFast,
        rewrite: Callable[[str], tuple[str, bool]] = lambda text: (text, False),
    ) -> None:
        self.rewrite = rewrite
        state = json.loads(tokenizer.backend_tokenizer.to_str())
        state["truncation"] = state["padding"] = None
        self.longest_word: int | None = state["model"].get("max_input_chars_per_word")
        """Characters that WordPiece looks at in one word; a longer one is unknown to it."""
        lstrip = space_mark(state) is not None  # there, the space before a word belongs to it
        for token in state["added_tokens"]:
            if token["id"] == tokenizer.mask_token_id:
                token["special"], lstrip = False, token["lstrip"]
            elif token["content"] in {BLANK, *FORM_TOKENS}:
                token["special"] = False
        self._tokenizer = Tokenizer.from_str(json.dumps(state))
        self._tokenizer.encode_special_tokens = True
        self.mask_id: int | None = tokenizer.mask_token_id
        """What the network reads in place of a hidden word; None where it knows no such token."""
        self._tokenizer.add_tokens([AddedToken(BLANK, lstrip=lstrip, normalized=False)])
        self._typed_id = cast(int, self._tokenizer.token_to_id(BLANK))  # just added
        self.blank_id = self._typed_id if self.mask_id is None else self.mask_id
        """What stands in a reading for a typed mask. Without a mask token it may be an id that the
        network does not have: something else must take its place."""
        self.unknown_id: int | None = tokenizer.unk_token_id

    def read(self, text: str, max_characters: int, max_tokens: int) -> Reading:
        """Tokenise a text, cutting it at the end of a word where it is too long.

        Args:
            text: Anything, lone surrogates and control characters included.
            max_characters: How much of it to look at.
            max_tokens: How many tokens the model can read, special ones included.
        """
        limit = step_back(text, min(len(text), max_characters))
        written, rewritten = self.rewrite(SURROGATE.sub("\ufffd", text[:limit]))  # same length
        encoding = self._tokenizer.encode(written)
        all_ids, spans = encoding.ids, encoding.offsets  # each builds its whole list when asked
        body = [i for i, special in enumerate(encoding.special_tokens_mask) if not special]
        room = max_tokens - (len(encoding) - len(body))
        if len(body) > room:
            # A token belongs to the text read if all of it lies before the cut.
            limit = step_back(text, spans[body[room]][0], spans[body[0]][1])
        left_out = {i for i in body if spans[i][1] > limit} | set(body[room:])
        kept = [i for i in range(len(encoding)) if i not in left_out]
        ids = tuple(self.as_mask(all_ids[i]) for i in kept)
        offsets = tuple(spans[i] for i in kept)
        read = limit if text[limit:].strip() else len(text)
        unknown, too_long = self._not_understood(text[:read], ids, offsets)
        return Reading(text, ids, offsets, read, unknown, too_long, rewritten)

    def spell(self, ids: tuple[int, ...]) -> tuple[str, ...]:
        """The vocabulary entries of some ids, as the tokenizer writes them."""
        return tuple(str(self._tokenizer.id_to_token(i)) for i in ids)

    def join(self, first: Reading, second: Reading) -> Encoding:
        """Two texts as one input, as far as each was read, with the tokenizer's separators.

        Typed masks have an id of their own in it: pass every id through `as_mask`.
        """
        a, b = (self.rewrite(SURROGATE.sub("\ufffd", r.text[: r.read]))[0] for r in (first, second))
        return self._tokenizer.encode(a, b)

    def as_mask(self, token_id: int) -> int:
        """The `blank_id`, where a visitor typed a mask."""
        return self.blank_id if token_id == self._typed_id else token_id

    def _not_understood(
        self, text: str, ids: tuple[int, ...], offsets: tuple[Span, ...]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The text behind unknown tokens: what cannot be spelled, and what is too long a word."""
        unknown: dict[str, None] = {}  # a set that keeps the order
        too_long: dict[str, None] = {}
        for token_id, (start, end) in zip(ids, offsets, strict=True):
            if token_id != self.unknown_id or start == end:
                continue
            if self._is_too_long(text[start:end]):
                too_long[text[start:end]] = None
            else:
                unknown[text[slice(*_whole_run(text, start, end))]] = None
        return tuple(unknown), tuple(too_long)

    def _is_too_long(self, word: str) -> bool:
        if self.longest_word is None:
            return False
        normalizer = self._tokenizer.normalizer  # accents, for one, are gone before it counts
        seen = normalizer.normalize_str(SURROGATE.sub("\ufffd", word)) if normalizer else word
        return len(seen) > self.longest_word


def _whole_run(text: str, start: int, end: int) -> Span:
    """A piece of unspaced script, widened to all that stands together with it.

    Chinese is read sign by sign: without this, the signs that happen to be known would cut a
    sentence into scraps that nobody typed.

    >>> _whole_run("on 今天去學校, 5", 3, 4)
    (3, 8)
    >>> _whole_run("a 😀b", 2, 3)
    (2, 3)
    """
    while start and _unspaced(text[start]) and _unspaced(text[start - 1]):
        start -= 1
    while end < len(text) and _unspaced(text[end - 1]) and _unspaced(text[end]):
        end += 1
    return start, end


def _unspaced(character: str) -> bool:
    """A letter of a script that is written without spaces, such as Chinese."""
    return character.isalpha() and unicodedata.east_asian_width(character) == "W"


def step_back(text: str, limit: int, least: int = 1) -> int:
    """The nearest position at or before `limit` that splits no word, if a space is near.

    >>> step_back("one two three", 10), step_back("one two three", 7)
    (8, 7)
    >>> step_back("一二三四五", 3)
    3
    """
    if limit >= len(text):
        return len(text)
    for position in range(limit, max(least, limit - LOOK_BACK), -1):
        if text[position - 1].isspace() or text[position].isspace():
            return position
    return limit
