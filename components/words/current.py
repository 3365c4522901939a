"""Which language is being spoken: one per visitor, whatever thread runs their script."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.words.catalogue import LANGUAGES, SOURCE

# A visitor's choice lives in their session: fragments and callbacks run in threads of their own,
# before or without the shell, so a thread's context would not do.
_KEY = "language"
_override: ContextVar[str | None] = ContextVar("language", default=None)


def language() -> str:
    """The code of the language to speak now; English outside a visitor's session."""
    if (chosen := _override.get()) is not None:
        return chosen
    if get_script_run_ctx(suppress_warning=True) is None:
        return SOURCE
    return str(st.session_state.get(_KEY, SOURCE))


def set_language(code: str) -> None:
    """Speak `code` to this visitor from now on.

    Raises:
        ValueError: The app does not speak `code`.
    """
    st.session_state[_KEY] = _known(code)


def is_chosen() -> bool:
    """Whether this visitor's language has been settled already."""
    return _KEY in st.session_state


@contextmanager
def use_language(code: str) -> Iterator[None]:
    """Speak `code` inside a `with` block, in this thread only: for tests and exports."""
    token = _override.set(_known(code))
    try:
        yield
    finally:
        _override.reset(token)


def _known(code: str) -> str:
    if code not in LANGUAGES:
        raise ValueError(f"unknown language {code!r}; there are {', '.join(LANGUAGES)}")
    return code
