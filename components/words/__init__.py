"""Every word a visitor reads, in their language.

English text is the key; `<language>/LC_MESSAGES/unmask.po` holds each translation and is read as it
is, so there is no build step:

    st.caption(t("{count} words hidden", count=3))

`python -m components.words` brings new messages from the sources into the catalogues.
"""

from __future__ import annotations

from components.words.catalogue import LANGUAGES, Language, catalogue, closest
from components.words.current import language, set_language, use_language
from components.words.numbers import fixed, number, percent

__all__ = [
    "LANGUAGES",
    "Language",
    "closest",
    "fixed",
    "language",
    "msg",
    "number",
    "percent",
    "sentences",
    "set_language",
    "space",
    "t",
    "tn",
    "use_language",
]


def t(message: str, /, **values: object) -> str:
    """`message` in the visitor's language, with `{name}` filled in from `values`."""
    text = catalogue(language()).one.get(message, message)
    return text.format(**values) if values else text


def tn(singular: str, plural: str, count: int, /, **values: object) -> str:
    """Like `t`, in the grammatical number that `count` asks for; `{count}` is filled in as well."""
    forms = catalogue(language()).many.get(singular)
    if forms is None:
        text = singular if count == 1 else plural
    else:
        text = forms[min(len(forms) - 1, int(count != 1))]
    return text.format(count=number(count), **values)


def space() -> str:
    """What stands between two sentences: nothing in Chinese, whose full stop is wide enough."""
    return LANGUAGES[language()].space


def sentences(*told: str) -> str:
    """Sentences one after the other; empty ones are left out."""
    return space().join(filter(None, told))


def msg(message: str, /) -> str:
    """Mark a constant for the catalogue; show it later with `t(constant)`."""
    return message
