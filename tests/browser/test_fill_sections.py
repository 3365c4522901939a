"""Journeys through the sections of Fill the mask: by mouse, by keys, by link, on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.visits import IDLE, Visits

TEA = "She would like a cup of [[tea]] with milk."
KEYS = "The keys to the cabinet are on the table."


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """A section computes after the answers; a busy machine takes its time."""
    expect.set_options(timeout=20_000)
    yield
    expect.set_options(timeout=5_000)


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("tab", name=name)


def line(page: Page) -> Locator:
    return page.locator(".strip textarea")


def link_of(page: Page, label: str) -> str:
    """What the bar of a panel copies as its link, once the section is drawn."""
    page.wait_for_selector(IDLE)
    page.get_by_role("group", name=f"Take away: {label}").get_by_role("button", name="Link").click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_a_list_of_ones_own_and_a_link_that_brings_it_back(visit: Visits) -> None:
    allowed = {"permissions": ["clipboard-read", "clipboard-write"]}
    page = visit("/fill?" + urlencode({"text": TEA}), **allowed)
    rated = page.locator(".rated tbody tr")
    expect(rated.first).to_contain_text("tea")
    page.get_by_label("Name words to compare").fill("coffee/water, walkingly")
    expect(rated.locator("th span")).to_have_text(["coffee", "water", "walkingly"])
    expect(rated.nth(2)).to_contain_text("2 pieces: walking + …ly")
    line(page).press("End")
    page.keyboard.type(" Please do.")
    expect(page.locator(".tried")).to_contain_text("Please do.")
    expect(rated).to_have_count(3)
    link = link_of(page, "Your list")
    cells = rated.first.locator("td.number").all_text_contents()
    again = visit(link.removeprefix(visit.server))
    expect(again.get_by_label("Name words to compare")).to_have_value("coffee/water, walkingly")
    expect(line(again)).to_have_value("She would like a cup of tea with milk. Please do.")
    expect(again.locator(".rated tbody tr").first.locator("td.number")).to_have_text(cells)


def test_from_one_word_to_several_by_keys(visit: Visits) -> None:
    page = visit("/fill?" + urlencode({"text": TEA}))
    tab(page, "This word").focus()
    page.keyboard.press("ArrowRight")
    expect(tab(page, "Together")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text("Hide one more word")).to_be_visible()
    offer = page.locator(".offers button").first
    expect(offer).to_contain_text("[MASK]")
    offer.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".fills .panel h3")).to_have_text(["Each by itself", "Together"])
    expect(page.locator(".fills .text b")).to_have_count(4)
    expect(page.locator(".strip [aria-pressed=true]")).to_have_count(2)
    expect(page.locator(".fills .headline")).to_contain_text("together")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Hide one more word")).to_be_visible()


def test_two_sentences_against_each_other(visit: Visits) -> None:
    page = visit("/fill?" + urlencode({"text": TEA, "section": "sentence"}))
    field = page.get_by_label("Against another sentence")
    expect(field).not_to_have_value("")
    page.locator(".offers button").first.click()
    expect(line(page)).to_have_value(KEYS)
    expect(field).to_have_value(KEYS.replace(" are ", " is "))
    columns = page.locator(".columns button")
    expect(columns).to_have_count(10)
    expect(page.locator(".columns .differs .names")).to_have_text("areis")
    expect(page.locator(".surprisals .headline")).not_to_be_empty()
    columns.first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".told")).to_contain_text("“keys”")
    page.keyboard.press("End")
    expect(columns.last).to_be_focused()
    field.fill("")
    expect(page.locator(".legend span")).to_have_count(0)
    page.get_by_role("button", name="中文").click()
    expect(tab(page, "整個句子")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".facts dt").first).to_have_text("偽困惑度")


def test_every_section_fits_a_phone(visit: Visits) -> None:
    hidden = "An [[antidisestablishmentarianistically]] long word [[here]], 這個句子很長。"
    query = {"text": hidden, "words": "antidisestablishmentarianistically, a", "longer": "1"}
    page = visit(
        "/fill?" + urlencode(query), viewport={"width": 320, "height": 640}, has_touch=True
    )
    for name, drawn in {
        "This word": ".rated",
        "Together": ".fills",
        "Whole": ".surprisals",
    }.items():
        tab(page, name).click()
        frame = page.locator(drawn).first
        expect(frame).to_be_visible(timeout=20_000)
        assert frame.evaluate("frame => frame.scrollWidth <= frame.clientWidth"), name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
