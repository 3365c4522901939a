"""Everyone can read it: WCAG 2.2 A and AA by axe-core, what is read out, and stillness."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pprint import pformat

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import Axe, NoAxe, fetch
from tests.browser.conftest import skip
from tests.browser.visits import IDLE, Visits

LINK = "?text=She would like a cup of [[tea]] with [[milk]]."
PAGES = ["/", "/fill", "/attention", "/positions", "/architecture", "/block", "/generate",
         "/checkpoint", "/models"]  # fmt: skip
ANSWER = re.compile(r"^(BERT|In the blank): \S+ [\d.]+%")
# Streamlit's own row of tabs: no view inside a shadow root has it.
SECTIONS = "[data-testid=stTab]"
DRAWERS = ["numbers", "code", "picture", "about"]
PHONE = {"width": 390, "height": 844}
# A colour on its way from one theme to the other is neither the one nor the other.
STILL = {"reduced_motion": "reduce"}
# Streamlit's elements have styles of their own; ours stand in shadow roots.
MOVING = """() => [...document.querySelectorAll("*")]
    .flatMap(host => [...host.shadowRoot?.querySelectorAll("*") ?? []])
    .filter(element => {
        const { transitionDuration, animationName } = getComputedStyle(element)
        return animationName !== "none" || transitionDuration.split(", ").some(parseFloat)
    })
    .map(element => element.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="session")
def axe() -> Axe:
    try:
        return fetch()
    except NoAxe as error:
        skip(str(error))


def settled(page: Page) -> None:
    """Nothing runs any more, and what came last is drawn."""
    page.wait_for_timeout(300)
    page.wait_for_selector(IDLE, timeout=60_000)
    page.wait_for_timeout(300)


def states(page: Page) -> Iterator[str]:
    """The page as it opens, then each of its sections in turn (a view has tabs of its own)."""
    settled(page)
    yield "as it opens"
    for tab in page.locator(SECTIONS).all():
        tab.click()
        settled(page)
        yield str(tab.text_content())


def check(axe: Axe, page: Page, state: str) -> None:
    """No complaint, in the light and in the dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("[data-testid=stApp]")).to_have_css("color-scheme", scheme)
        complaints = axe.complaints(page)
        assert not complaints, f"{state}, {scheme}:\n" + pformat(complaints, width=140)


@pytest.mark.parametrize("locale", ["en-US", "zh-TW"])
@pytest.mark.parametrize("path", PAGES)
def test_pages(visit: Visits, axe: Axe, path: str, locale: str) -> None:
    page = visit(path + LINK, locale=locale, **STILL)
    for state in states(page):
        check(axe, page, state)


def test_presented_and_on_a_phone(visit: Visits, axe: Axe) -> None:
    page = visit(f"/{LINK}&present=1", viewport=PHONE, has_touch=True, **STILL)
    settled(page)
    check(axe, page, "presented")


def test_what_can_be_taken_away(visit: Visits, axe: Axe) -> None:
    page = visit(f"/{LINK}", **STILL)
    for kind in DRAWERS:
        page.locator(f"[name={kind}]").click()
        expect(page.locator(".drawer[aria-busy=false]")).to_be_visible()
        settled(page)
        check(axe, page, kind)


def test_new_answers_are_read_out(visit: Visits) -> None:
    for path, view in (("/", ".lanes"), ("/fill", ".answers")):
        page = visit(path)
        said = page.locator(f"{view} [role=status]")
        expect(said).to_have_text(ANSWER, timeout=20_000)
        before = str(said.text_content())
        page.locator(".strip textarea").fill("Birds can [MASK] with their wings.")
        expect(said).not_to_have_text(before, timeout=20_000)
        expect(said).to_have_text(ANSWER)
        word = page.locator(f"{view} tbody th").first
        assert str(word.text_content()).strip() in str(said.text_content())
        expect(said).to_have_css("position", "absolute")
        assert said.is_visible(), "what is hidden altogether is not read out"


def test_nothing_moves_for_those_who_ask(visit: Visits) -> None:
    for path in PAGES:
        page = visit(path + LINK, reduced_motion="reduce")
        for state in states(page):
            assert page.evaluate(MOVING) == [], f"{path}, {state}"
        page.emulate_media(reduced_motion="no-preference")
        assert page.evaluate(MOVING), "the test looks where motion is"
