"""The frame around every page: where a visitor arrives, and in which language."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

SHELL = Path(__file__).parents[2] / "components" / "shell.py"
TITLES = {"en": "One sentence, four ways", "zh_TW": "一句話，四種讀法"}


def shell(locale: str = "en-US", **query: str) -> AppTest:
    """The app as a browser with this locale and this link opens it."""
    app = AppTest.from_file(SHELL, default_timeout=120)
    app.context = {"locale": locale}
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def title(app: AppTest) -> str:
    return str(app.title[0].value)


@pytest.mark.parametrize(
    ("locale", "code"),
    [("en-US", "en"), ("zh-TW", "zh_TW"), ("zh-Hans-CN", "zh_TW"), ("fr-FR", "en"), ("", "en")],
)
def test_the_browser_chooses_the_first_language(locale: str, code: str) -> None:
    app = shell(locale)
    assert app.session_state["language"] == code
    assert title(app) == TITLES[code]


@pytest.mark.parametrize(
    ("lang", "code"), [("zh", "zh_TW"), ("zh-TW", "zh_TW"), ("en", "en"), ("xx", "zh_TW")]
)
def test_a_link_chooses_over_the_browser(lang: str, code: str) -> None:
    assert title(shell("zh-TW", lang=lang)) == TITLES[code]


def test_a_link_chooses_once() -> None:
    app = shell(lang="zh")
    app.session_state["language"] = "en"
    app.run()
    assert not app.exception
    assert title(app) == TITLES["en"]


def choose_and_show() -> None:
    """A script that is told a choice, as the switch's callback is, and says what came of it."""
    import streamlit as st

    from components.page_language import KEY, _choose
    from components.words import language

    st.session_state[KEY] = type("State", (), {"chosen": st.session_state["sent"]})()
    _choose()
    st.write(language())


@pytest.mark.parametrize(
    ("sent", "spoken"),
    [("zh_TW", "zh_TW"), ("en", "en"), ("xx", "en"), (None, "en"), (3, "en"), (["zh_TW"], "en")],
)
def test_the_switch_takes_only_known_languages(sent: object, spoken: str) -> None:
    app = AppTest.from_function(choose_and_show)
    app.session_state["sent"] = sent
    app.run()
    assert not app.exception
    assert app.markdown[0].value == spoken


def break_and_apologise() -> None:
    """A script that breaks, and shows what `st.App` shows of it."""
    from components.failure import show_failure
    from components.words import set_language

    set_language("zh_TW")
    assert show_failure(ValueError("secret words of a visitor")) is True


def test_a_broken_page_says_so_without_details() -> None:
    app = AppTest.from_function(break_and_apologise).run()
    assert not app.exception
    (message,) = (error.value for error in app.error)
    assert "重新載入頁面" in message
    assert "secret" not in message
