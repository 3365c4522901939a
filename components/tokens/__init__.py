"""The sentence strip: type a sentence, click its words to hide them.

The browser owns the sentence, so that no rerun can take away text or caret; it reports what was
typed, and everything it reports is checked here before anyone uses it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from components.register import register
from components.tokens.marks import from_marks
from components.words import space, t
from models.trace import Sentence, Span

_strip = register("tokens", Path(__file__).parent)

_MEMORY = "sentence/memory"

MAX_TEXT = 100_000
"""Code points kept of a text: far more than a model reads, so nobody loses anything in practice."""


@dataclass(frozen=True)
class _Memory:
    """This visitor's sentence, the same on every page, and how the strip on the page began."""

    start: Sentence
    now: Sentence
    link: str
    """The last link that was followed to a sentence, "" if there was none."""
    place: str
    """The key of the strip that was shown last."""
    revision: int = 0
    """Grows with `start`; reports of an earlier strip are known by it."""


def sentence_strip(
    start: Sentence,
    *,
    key: str,
    limit: int,
    examples: Sequence[Sentence] = (),
    link: str = "",
    placeholder: str = "",
) -> Sentence:
    """Show the strip and return the sentence as the visitor last left it, here or on another page.

    A page has one strip: all strips of a visit hold the same sentence.

    Args:
        start: The sentence a new visitor finds.
        key: A name of its own in the session; answers that fill words in carry it too.
        limit: Code points a model reads at most; a counter appears near it, the rest is dimmed.
        examples: Sentences offered beneath the strip.
        link: What the address of the page asks for, marked as in `components.tokens.marks`: it
            takes the place of what the visitor has typed (they can undo).
        placeholder: What the empty line says; by default to type an English sentence.
    """
    link = link if from_marks(link).text.strip() else ""
    memory = _remember(key, start, link)
    result = _strip(
        key=key,
        data={
            "key": key,
            "revision": memory.revision,
            "link": link,
            "sentence": _wire(memory.start),
            "limit": limit,
            "most": MAX_TEXT,
            "examples": [_wire(example) for example in examples],
            "words": _words() | ({"placeholder": placeholder} if placeholder else {}),
        },
        on_sentence_change=lambda: None,
    )
    if (typed := parse(result.get("sentence"), memory.revision)) is not None:
        memory = replace(memory, now=typed)
    st.session_state[_MEMORY] = memory
    return memory.now


def parse(value: object, revision: int = 0) -> Sentence | None:
    """The sentence in a report of the browser; None if it is malformed or of another revision."""
    if not isinstance(value, Mapping) or value.get("revision", revision) != revision:
        return None
    text, hidden = value.get("text"), value.get("hidden")
    if not isinstance(text, str) or not isinstance(hidden, Sequence) or isinstance(hidden, str):
        return None
    # Half of a surrogate pair is no character: neither UTF-8 nor a tokenizer takes it.
    text = text[:MAX_TEXT].encode("utf-8", "replace").decode("utf-8")
    spans = sorted({span for pair in hidden if (span := _span(pair, len(text))) is not None})
    apart = [span for i, span in enumerate(spans) if i == 0 or spans[i - 1][1] <= span[0]]
    return Sentence(text, tuple(apart))


def _span(pair: object, length: int) -> Span | None:
    """`pair` as a span of a text of `length` code points; None if it is not one."""
    if not isinstance(pair, Sequence) or len(pair) != 2:
        return None
    start, end = pair
    if type(start) is not int or type(end) is not int:  # a bool is no offset
        return None
    return (start, end) if 0 <= start < end <= length else None


def _remember(key: str, start: Sentence, link: str) -> _Memory:
    """The memory to mount with: the link's sentence, else where the visitor left off or `start`."""
    memory: _Memory | None = st.session_state.get(_MEMORY)
    if memory is None:
        first = from_marks(link) if link else start
        return _Memory(first, first, link, key)
    if link not in {"", memory.link}:
        asked = from_marks(link)
        return _Memory(asked, asked, link, key, memory.revision + 1)
    if memory.place != key:
        return replace(memory, start=memory.now, place=key, revision=memory.revision + 1)
    # Streamlit forgets a component that a run did not show: the visitor comes from another page.
    # Otherwise the data must stay as they are, or every keystroke would send the strip anew.
    return memory if key in st.session_state else replace(memory, start=memory.now)


def _wire(sentence: Sentence) -> dict[str, object]:
    return {"text": sentence.text, "hidden": [list(span) for span in sentence.hidden]}


def _words() -> dict[str, str]:
    """The words in view.js, in the visitor's language; it fills in what stands in braces."""
    return {
        "chips": t("Words of the sentence: press one to hide or show it"),
        "space": space(),
        "line": t("Your sentence"),
        "placeholder": t("Type an English sentence"),
        "empty": t("Your words appear here."),
        "hint": t("Click a word to hide it. Type in the line to change the sentence."),
        "keys": t("Ctrl + Enter hides the word at the cursor."),
        "showAgain": t("Show again: {word}"),
        "typeIt": t("Type a word here"),
        "unread": t("The model does not read this part."),
        "tooLong": t("Too long to read at once: the model reads the first {read} characters."),
        "count": t("{length} of {limit} characters"),
        "undo": t("Undo"),
        "redo": t("Redo"),
        "clear": t("Clear"),
        "examples": t("Try:"),
        "saidHidden": t("“{word}” is hidden."),
        "saidShown": t("“{word}” is shown again."),
        "saidUndone": t("Undone."),
        "saidRedone": t("Redone."),
        "saidCleared": t("Cleared."),
        "saidExample": t("The example is now your sentence."),
        "saidFilled": t("“{word}” was put into the sentence."),
    }
