"""Journeys of one sentence: to another page, through a reload, and what the strip makes of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.visits import Visits

CUP = "She would like a cup of tea with milk."
LINK = "?text=Birds can [[fly]]."


def line(page: Page) -> Locator:
    return page.locator(".strip textarea")


def word(page: Page, name: str) -> Locator:
    strip = page.get_by_role("toolbar", name=re.compile("^Words of the sentence"))
    return strip.get_by_role("button", name=name, exact=True)


def hidden(page: Page) -> Locator:
    return page.locator(".strip [aria-pressed=true]")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def write(page: Page, text: str, hide: str) -> None:
    line(page).fill(text)
    word(page, hide).click()
    expect(hidden(page)).to_have_count(1)


def answered(page: Page, hide: str) -> None:
    """The answer of Fill the mask is there, for this hidden word alone."""
    told = re.compile(f"^Your word: {hide} ")
    expect(page.locator("p.own")).to_have_text([told], timeout=20_000)


def test_the_sentence_follows_from_page_to_page(visit: Visits) -> None:
    page = visit("/fill")
    write(page, CUP, "tea")
    answered(page, "tea")
    page.get_by_role("link", name="One sentence, four ways").click()
    expect(page.locator(".truth").first).to_contain_text("Hidden word: tea", timeout=20_000)
    expect(line(page)).to_have_value(CUP)
    word(page, "milk").click()  # and at once, before it is answered:
    page.get_by_role("link", name="Fill the mask").click()
    expect(page.locator(".answers h3")).to_have_text(["Blank 1", "Blank 2"], timeout=20_000)
    button(page, "Undo").click()
    answered(page, "tea")
    button(page, "Undo").click()
    expect(hidden(page)).to_have_count(0)
    expect(line(page)).to_have_value(CUP)


@pytest.mark.parametrize("path", ["/fill", f"/fill{LINK}"])
def test_a_reload_keeps_the_sentence(visit: Visits, path: str) -> None:
    page = visit(path)
    write(page, CUP, "tea")
    page.reload()
    answered(page, "tea")
    expect(line(page)).to_have_value(CUP)
    word(page, "milk").click()
    expect(page.locator(".answers h3")).to_have_count(2)


def test_a_link_wins_over_what_the_tab_held(visit: Visits) -> None:
    page = visit("/fill")
    write(page, CUP, "tea")
    address = page.url
    page.goto(f"{address}{LINK}")
    answered(page, "fly")
    expect(line(page)).to_have_value("Birds can fly.")
    page.goto(address)
    answered(page, "fly")


def test_nothing_of_a_cleared_sentence_stays_behind(visit: Visits) -> None:
    page = visit("/fill")
    first = line(page).input_value()
    write(page, CUP, "tea")
    button(page, "Clear").click()
    assert page.evaluate("Object.values({ ...sessionStorage }).join().includes('cup')") is False
    page.reload()
    expect(line(page)).to_have_value(first)


def test_two_tabs_have_a_sentence_each(visit: Visits) -> None:
    one = visit("/fill")
    two = one.context.new_page()
    two.goto(one.url)
    write(one, CUP, "tea")
    write(two, "Birds can fly.", "fly")
    for page in (one, two):
        page.reload()
    answered(one, "tea")
    answered(two, "fly")


def test_whatever_the_tabs_storage_holds_the_page_opens(visit: Visits) -> None:
    page = visit("/fill")
    first = line(page).input_value()
    for value in ("{", "null", "[]", '{"text": 1}', '{"text": "a b", "hidden": [1]}'):
        page.evaluate("value => sessionStorage.setItem('unmask:sentence', value)", value)
        page.reload()
        expect(line(page)).to_have_value(first)


def test_enter_sends_and_breaks_no_line(visit: Visits) -> None:
    page = visit("/fill")
    line(page).fill("one [MASK]\ntwo")
    expect(line(page)).to_have_value("one [MASK] two")
    line(page).press("End")
    page.keyboard.type(" three")
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".tried")).to_contain_text("two three")
    expect(line(page)).to_have_value("one [MASK] two three")
    assert line(page).evaluate("line => line.selectionStart") == len("one [MASK] two three")


def test_enter_of_an_input_method_only_chooses(visit: Visits) -> None:
    page = visit("/fill")
    line(page).fill("a [MASK] ")
    events = """line => ["isComposing", "keyCode"].map(name => line.dispatchEvent(
        new KeyboardEvent("keydown", {
            key: "Enter", cancelable: true, bubbles: true, [name]: name === "keyCode" ? 229 : true,
        })))"""
    assert line(page).evaluate(events) == [True, True], "left to the browser"


def test_a_hidden_word_looks_hidden_at_once(visit: Visits) -> None:
    page = visit("/fill")
    line(page).fill(CUP)
    word(page, "tea").click()
    light = "node => getComputedStyle(node).backgroundColor.match(/[\\d.]+/g).slice(0, 3)"
    colour = [float(part) for part in hidden(page).evaluate(light)]
    assert max(colour) < 90, "dark, the mouse still on it"


def test_a_word_without_end_stays_in_its_row(visit: Visits) -> None:
    page = visit("/fill")
    line(page).fill("a" * 1_500 + " [MASK]")
    expect(hidden(page)).to_have_count(1)
    assert page.locator(".words").evaluate("row => row.scrollWidth <= row.clientWidth")


def test_too_long_is_said_beside_the_line_before_any_answer(visit: Visits) -> None:
    page = visit("/fill")
    line(page).fill("a word and more to say " * 800)
    assert page.locator(".tooLong").text_content(), "at once"
    expect(page.locator(".tooLong")).to_contain_text("Too long to read at once")
    expect(page.locator(".notice").first).to_contain_text("Not read: “", timeout=20_000)
    button(page, "Clear").click()
    expect(page.locator(".tooLong")).to_be_hidden()


def test_every_change_is_said_and_nothing_stale(visit: Visits) -> None:
    page = visit("/fill")
    said = page.locator(".said")
    write(page, CUP, "tea")
    button(page, "Undo").click()
    expect(said).to_have_text("Undone.")
    button(page, "Clear").click()
    expect(said).to_have_text("Cleared.")
    page.locator(".example").nth(1).click()
    expect(said).to_have_text("The example is now your sentence.")
    line(page).press("End")
    page.keyboard.type("!")
    expect(said).to_have_text("")


@pytest.mark.parametrize("text", ["     ", CUP])
def test_without_a_blank_the_first_page_keeps_no_room_for_arcs(visit: Visits, text: str) -> None:
    page = visit("/")
    expect(page.locator(".legend")).to_be_visible()
    line(page).fill(text)
    expect(page.locator(".legend")).to_be_hidden()
    box = page.get_by_role("region", name="BERT").bounding_box()
    assert box is not None and box["height"] < 130
    assert page.locator(".strip .empty").count() == (not text.strip())
