"""A stranger's words, as they are, where Streamlit would read Markdown."""

from __future__ import annotations

import string

# Every sign that Markdown, or Streamlit's additions to it, could take for more than itself.
_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in string.punctuation if sign not in "'\",;%/?"})


def verbatim(text: str) -> str:
    r"""`text` for st.info and its like, with nothing in it set, linked or turned into an icon.

    A full stop after a number or a colon before a name mean something at some places only; a
    backslash before any sign is always allowed (CommonMark 2.4).
    """
    return text.translate(_SIGNS)
