"""Before a class: large type, one key for the next part, a link that restores where one stood."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.browser.visits import Visits

CUP = "She would like a cup of tea with milk."
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}


class Presented:
    """A presented page, by the names a presenter knows its parts by."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.line = page.locator(".strip textarea")
        self.counter = page.locator(".counter")
        self.place = self.counter.locator(".place")
        self.said = self.counter.get_by_role("status")
        self.lane = page.get_by_role("region", name="BERT")

    def button(self, name: str) -> Locator:
        return self.counter.get_by_role("button", name=name)

    def at(self, number: int, count: int = 2) -> None:
        expect(self.place).to_have_text(f"{number} / {count}", timeout=30_000)

    def query(self) -> dict[str, str]:
        return {name: value for name, (value,) in parse_qs(urlsplit(self.page.url).query).items()}

    def size(self) -> float:
        return float(
            self.page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
        )

    def frame_hidden(self) -> None:
        """Neither Streamlit's menu nor the list of pages is there."""
        expect(self.page.locator("[data-testid=stMainMenu]")).to_have_count(0)
        expect(self.page.get_by_role("link", name="Fill the mask")).to_have_count(0)
        expect(self.page.get_by_role("link", name="遮字填空")).to_have_count(0)


def seen(place: Locator) -> None:
    """It has come into the window and its upper end stays there."""
    expect(place).to_be_in_viewport(ratio=0.3)


def present(visit: Visits, path: str, **options: Any) -> Presented:
    return Presented(visit(path, **options))


def test_in_through_the_stations_and_out_again(visit: Visits) -> None:
    shown = present(visit, "/")
    small = shown.size()
    shown.line.fill(CUP)
    shown.page.get_by_role("link", name="Present").click()
    shown.at(1)
    shown.frame_hidden()
    assert shown.size() == 1.5 * small
    expect(shown.line).to_have_value(CUP)
    shown.page.keyboard.press("PageDown")
    shown.at(2)
    seen(shown.lane)
    expect(shown.said).to_have_text("2 of 2: The answers, and what they rest on")
    assert shown.query()["station"] == "lanes"
    shown.page.keyboard.press("PageUp")
    shown.at(1)
    seen(shown.line)
    shown.button("Next part").click()
    shown.at(2)
    shown.button("Next part").press("Enter")  # there is none, and nothing breaks
    expect(shown.button("Next part")).to_be_focused()
    shown.at(2)
    shown.page.keyboard.press("Escape")
    expect(shown.counter).to_have_count(0)
    expect(shown.page.get_by_role("link", name="Fill the mask")).to_be_visible()
    expect(shown.page.locator("[data-testid=stMainMenu]")).to_be_visible()
    assert shown.size() == small
    assert set(shown.query()) == {"lang"}
    expect(shown.line).to_have_value(CUP)


def test_keys_belong_to_whoever_types(visit: Visits) -> None:
    shown = present(visit, "/?present=1")
    shown.at(1)
    press = shown.page.keyboard.press
    shown.line.fill("Birds can [MASK].")
    # Now the page is long enough to scroll.
    expect(shown.lane.get_by_text("fly").first).to_be_visible(timeout=30_000)
    press("PageDown")
    shown.page.wait_for_timeout(1_000)  # a page that scrolls on its own would have by now
    shown.at(1)
    for key in ("PageDown", "r", "c"):
        press(key)
    expect(shown.line).to_have_value("Birds can [MASK].rc")
    shown.at(1)
    press("Escape")  # out of the line; a second one would end the presentation
    press("Control+PageDown")
    shown.at(1)
    press("PageDown")
    shown.at(2)
    button = shown.page.get_by_role("button", name="Code", exact=True)
    button.click()
    shown.page.locator(".drawer .scroller").focus()
    press("Escape")  # closes the drawer and nothing else
    expect(button).to_be_focused()
    shown.at(2)
    expect(shown.page.get_by_role("dialog")).to_have_count(0)


def test_a_link_restores_the_station_in_chinese_in_the_dark(visit: Visits) -> None:
    link = "/?present=1&station=lanes&lang=zh&text=She had [[tea]]."
    shown = present(visit, link, color_scheme="dark", **CLIPBOARD)
    shown.at(2)
    seen(shown.lane)
    shown.frame_hidden()
    shown.page.get_by_role("button", name="English").click()
    expect(shown.button("Next part")).to_be_visible()
    shown.at(2)
    text = {"lang": "en", "text": "She had [[tea]]."}
    assert shown.query() == {"present": "1", "embed": "true", "station": "lanes"} | text
    shown.page.get_by_role("button", name="Link", exact=True).click()
    expect(shown.page.locator(".takeaway .status")).to_contain_text("Link copied")
    copied = shown.page.evaluate("navigator.clipboard.readText()")
    assert "/?present=1&station=lanes&" in copied, "the link leads back to this station"
    assert "text=She%20had%20%5B%5Btea%5D%5D.&lang=en" in copied
    shown.page.reload()
    shown.at(2)
    seen(shown.lane)


def test_the_place_is_kept_while_the_page_grows_until_somebody_scrolls(visit: Visits) -> None:
    shown = present(visit, "/fill?present=1&station=answers&text=[[She]] had [[tea]].")
    panel = shown.page.locator(".panel").first
    expect(panel).to_be_visible(timeout=30_000)
    shown.at(2, 3)
    seen(panel)
    shown.page.mouse.move(700, 500)
    shown.page.mouse.wheel(0, -10_000)
    shown.at(1, 3)
    seen(shown.line)


def test_presenting_goes_on_on_the_models_page(visit: Visits) -> None:
    shown = present(visit, f"/?present=1&text={CUP.replace('tea', '[[tea]]')}")
    shown.lane.get_by_role("link", name="BERT").click()
    expect(shown.page.get_by_role("heading", level=1)).to_have_text("Fill the mask")
    shown.at(1, 3)
    expect(shown.line).to_have_value(CUP)


def test_the_way_in_is_a_link_with_the_sentence(visit: Visits) -> None:
    shown = present(visit, "/")
    shown.line.fill("Birds can [MASK] & sing")
    way_in = shown.page.get_by_role("link", name="Present")
    way_in.hover()
    expect(way_in).to_have_attribute("href", re.compile("present=1"))
    there = present(visit, f"/{way_in.get_attribute('href')}")
    there.at(1)
    expect(there.line).to_have_value("Birds can [MASK] & sing")


def test_on_a_phone(visit: Visits) -> None:
    shown = present(visit, "/?present=1", **PHONE)
    shown.at(1)
    assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for button in shown.counter.get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 40
    shown.button("Next part").tap()
    shown.at(2)
    seen(shown.lane)
