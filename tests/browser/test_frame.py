"""Journeys through the frame: links, languages, themes, sizes, and what the browser may do."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from components.headers import security_headers
from tests.browser.serving import ROOT, running
from tests.browser.visits import Visits

SIZES = {
    "wide": {"width": 1440, "height": 900},
    "phone": {"width": 390, "height": 844},
    "small phone": {"width": 320, "height": 568},
}
BROKEN = """
import streamlit as st
from components.page_language import page_language, settle_language

settle_language()
page_language()
st.title("Before the fault")
raise RuntimeError("secret words of a visitor")
"""
LAUNCHER = """
from pathlib import Path
import streamlit as st
from components.failure import show_failure

app = st.App(Path(__file__).with_name("broken.py"), on_script_error=show_failure)
"""


def title_of(page: Page, title: str) -> None:
    """The tab and the page agree on what it is called."""
    expect(page).to_have_title(f"{title} · Unmask")
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def background(page: Page) -> str:
    return str(
        page.evaluate("getComputedStyle(document.querySelector('[data-testid=stApp]')).background")
    )


def test_a_deep_link_can_be_the_first_request_of_a_fresh_server(visit: Visits) -> None:
    with running() as fresh:
        page = visit("/fill", server=fresh)
        title_of(page, "Fill the mask")
        expect(page.get_by_role("dialog")).to_have_count(0)  # "Page not found"
        assert page.url == f"{fresh}/fill"


def test_the_address_alone_leads_to_the_first_page(visit: Visits) -> None:
    page = visit("/")
    title_of(page, "One sentence, four ways")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(f"{visit.server}/")


def test_the_browsers_language(visit: Visits) -> None:
    page = visit("/fill", locale="zh-TW")
    title_of(page, "遮字填空")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant-TW")


def test_a_link_chooses_the_language(visit: Visits) -> None:
    title_of(visit("/fill?lang=zh"), "遮字填空")
    title_of(visit("/?lang=zh"), "一句話，四種讀法")
    title_of(visit("/fill?lang=en", locale="zh-TW"), "Fill the mask")


@pytest.mark.parametrize("size", SIZES)
def test_the_switch_changes_the_language_and_back(visit: Visits, size: str) -> None:
    page = visit("/fill", viewport=SIZES[size])
    english, chinese = (page.get_by_role("button", name=name) for name in ("English", "中文"))
    expect(english).to_have_attribute("aria-pressed", "true")
    chinese.click()
    title_of(page, "遮字填空")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant-TW")
    expect(chinese).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("group", name="語言")).to_be_visible()
    english.click()
    title_of(page, "Fill the mask")
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_the_switch_can_be_used_from_the_keyboard(visit: Visits) -> None:
    page = visit("/fill")
    chinese = page.get_by_role("button", name="中文")
    chinese.focus()
    page.keyboard.press("Enter")
    title_of(page, "遮字填空")
    expect(chinese).to_be_focused()


def test_two_visitors_speak_their_own_languages(visit: Visits) -> None:
    first, second = visit("/fill"), visit("/fill")
    first.get_by_role("button", name="中文").click()
    title_of(first, "遮字填空")
    second.reload()
    title_of(second, "Fill the mask")


def test_light_and_dark_follow_the_system(visit: Visits) -> None:
    assert "rgb(251, 250, 247)" in background(visit("/fill", color_scheme="light"))
    assert "rgb(18, 22, 31)" in background(visit("/fill", color_scheme="dark"))


@pytest.mark.parametrize("locale", ["en-US", "zh-TW"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_wider_than_the_window(visit: Visits, size: str, locale: str) -> None:
    page = visit("/fill", viewport=SIZES[size], locale=locale)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = page.get_by_role("button", name="中文").bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= SIZES[size]["width"]
    assert box["height"] >= 24, "WCAG 2.5.8: a target can be hit with a finger"


@pytest.mark.parametrize("path", ["/", "/fill", "/_stcore/health", "/no/such/thing.js", "SCRIPT"])
def test_every_response_carries_the_headers(server: str, path: str) -> None:
    if path == "SCRIPT":
        with urllib.request.urlopen(server) as page:
            path = "/static/" + page.read().decode().split('src="./static/')[1].split('"')[0]
    try:
        response = urllib.request.urlopen(server + path)
    except urllib.error.HTTPError as refused:
        response = refused
    with response:
        for name, value in security_headers().items():
            assert response.headers.get_all(name) == [value]


def test_no_other_site_may_steer_the_app(server: str) -> None:
    with urllib.request.urlopen(f"{server}/_stcore/host-config") as answer:
        assert json.load(answer)["allowedOrigins"] == []


def test_the_policy_stops_foreign_and_inline_content(visits: Visits) -> None:
    page, refused = visits("/fill"), []
    page.on("requestfailed", lambda request: refused.append((request.url, request.failure)))
    page.evaluate(
        """() => {
            const script = document.createElement("script")
            script.textContent = "window.breached = true"
            document.body.append(script)
            const image = document.createElement("img")
            image.src = "http://example.invalid/pixel.png"
            document.body.append(image)
        }"""
    )
    page.wait_for_timeout(300)
    assert page.evaluate("window.breached") is None
    assert [p for p in visits.problems if p.startswith("console: policy: script-src")]
    assert [p for p in visits.problems if p.startswith("console: policy: img-src")]
    assert refused == [("http://example.invalid/pixel.png", "csp")]


def test_a_page_that_breaks_says_so_plainly(visits: Visits, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(BROKEN)
    (tmp_path / "launcher.py").write_text(LAUNCHER)
    with running(tmp_path / "launcher.py") as fresh:
        page = visits("/", server=fresh, locale="zh-TW")
        expect(page.get_by_role("alert")).to_contain_text("重新載入頁面")
        shown = page.locator("[data-testid=stApp]").inner_text()
    assert "Before the fault" in shown, "what was drawn before the fault stays"
    for detail in ("secret", "RuntimeError", "Traceback", str(ROOT)):
        assert detail not in shown
