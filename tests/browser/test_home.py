"""Journeys through the first page: answers at once, arcs after them, and never over other words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import models
from tests.browser.visits import Visits

CUP = "She would like a cup of tea with milk."
LINK = "/?text=She would like a cup of [[tea]] with milk."
TWO = "/?text=She would like a cup of [[tea]] with [[milk]]."
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


FOUR = ("BERT", "GPT", "ELMo", "Transformer")
COMPLETE = len(models.companies()["best"]) == len(FOUR)


class Home:
    """The page, by the names a visitor knows its parts by."""

    def __init__(self, visit: Visits, path: str = LINK, **options: Any) -> None:
        self.page: Page = visit(path, **options)
        self.line = self.page.locator(".strip textarea")
        self.lane = self.page.get_by_role("region", name="BERT")
        self.picture = self.lane.locator(".scene svg")
        self.arcs = self.picture.locator("path:visible")
        self.readout = self.lane.locator(".readout")
        self.answers = self.lane.locator(".answers tbody tr")
        self.truth = self.lane.locator(".truth")
        expect(self.lane).to_be_visible(timeout=30_000)

    def word(self, text: str) -> Locator:
        return self.lane.locator(".row button").filter(has_text=re.compile(f"^{text}$"))

    def blank(self, number: int) -> Locator:
        return self.lane.locator(".row .blank").nth(number - 1)

    def measured(self, arcs: int) -> None:
        """The arcs for what is shown have come, this many."""
        expect(self.picture).not_to_have_class("old", timeout=20_000)
        expect(self.arcs).to_have_count(arcs)
        expect(self.readout).to_contain_text("Widest arc")

    def texts(self) -> list[str]:
        return self.lane.locator(".row .word").all_text_contents()


def test_type_answers_arcs(visit: Visits) -> None:
    home = Home(visit, "/")
    home.line.fill(CUP)
    expect(home.page.locator(".lanes .prompt")).to_contain_text("Click a word")
    expect(home.arcs).to_have_count(0)
    strip = home.page.get_by_role("toolbar", name=re.compile("^Words of the sentence"))
    strip.get_by_role("button", name="tea", exact=True).click()
    expect(home.answers).to_have_count(5)
    expect(home.truth).to_contain_text("Hidden word: tea")
    expect(home.truth).to_contain_text(re.compile(r"rank [\d,]+ of [\d,]+.*surprisal [\d.]+ bits"))
    home.measured(9)
    assert home.texts() == "She would like a cup of with milk .".split()


def test_the_first_page_is_alive_before_anyone_touches_it(visit: Visits) -> None:
    home = Home(visit, "/")
    expect(home.answers).to_have_count(5)
    home.measured(home.lane.locator(".row .word").count())


def test_answers_come_before_arcs_and_old_arcs_are_dimmed_meanwhile(visit: Visits) -> None:
    text = "The keeper of the tall white house came down to the sea that evening"
    home = Home(visit, f"/?text={text} and all of his [[boats]] were gone")  # long: arcs take time
    home.measured(20)
    home.picture.evaluate(
        """picture => {
            const lane = picture.closest(".lane"), seen = window.seen = []
            const now = () => ({
                old: picture.classList.contains("old"),
                arcs: [...picture.children].filter(path => path.style.display !== "none").length,
                words: lane.querySelectorAll(".row .word").length,
                rows: lane.querySelectorAll(".answers tbody tr").length,
                height: lane.offsetHeight,
            })
            const options = { subtree: true, childList: true, attributes: true }
            new MutationObserver(() => seen.push(now())).observe(lane, options)
        }"""
    )
    home.line.press("End")
    home.page.keyboard.type("!")
    expect(home.word("!")).to_be_visible()
    home.measured(21)
    seen = home.page.evaluate("window.seen")
    waiting = [state for state in seen if state["old"] and state["words"] == 21]
    assert waiting and {state["arcs"] for state in waiting} == {20}, "the old ones, no new one yet"
    assert {state["rows"] for state in seen} == {5}, "never blank"
    assert len({state["height"] for state in seen}) == 1, "never a jump"


def test_arcs_of_other_words_are_dropped(visit: Visits) -> None:
    home = Home(visit)
    home.measured(9)
    home.picture.evaluate(
        """picture => {
            window.dropped = false
            new MutationObserver(() => {
                const words = [...picture.closest(".lane").querySelectorAll(".row button")]
                const moved = words.some(word => word.textContent === "Birds")
                const arcs = [...picture.children].filter(path => path.style.display !== "none")
                const old = picture.classList.contains("old")
                if (moved && old && !arcs.length) window.dropped = true
            }).observe(picture, { subtree: true, childList: true, attributes: true })
        }"""
    )
    home.line.fill("Birds can fly with [MASK] wings")
    expect(home.word("Birds")).to_be_visible()
    home.measured(5)
    assert home.page.evaluate("window.dropped"), "no arc of the other sentence stood over this one"


def test_quick_typing_ends_with_the_arcs_of_the_last_text(visit: Visits) -> None:
    home = Home(visit)
    for word in ("One", "two", "three"):
        home.line.press("Home")
        home.page.keyboard.type(f"{word} ")
        expect(home.word(word)).to_be_visible()
    home.measured(12)
    assert home.texts()[:4] == ["three", "two", "One", "She"]


def test_a_word_lights_its_arc_and_tells_its_influence(visit: Visits) -> None:
    home = Home(visit)
    home.measured(9)
    home.word("cup").hover()
    expect(home.readout).to_have_text(re.compile(r"^“cup” · (< )?[\d.]+ bits$"))
    expect(home.picture.locator("path.on")).to_have_count(1)
    home.page.mouse.move(0, 0)
    expect(home.readout).to_contain_text("Widest arc")
    expect(home.picture.locator("path.on")).to_have_count(0)


def test_keyboard_only(visit: Visits) -> None:
    home = Home(visit, TWO)
    home.measured(8)
    press = home.page.keyboard.press
    home.word("She").focus()
    press("ArrowRight")
    expect(home.word("would")).to_be_focused()
    expect(home.readout).to_contain_text("“would”")
    press("End")
    press("ArrowLeft")
    expect(home.blank(2)).to_be_focused()
    expect(home.readout).to_contain_text("Blank 2: press")
    press("Enter")
    expect(home.blank(2)).to_have_attribute("aria-pressed", "true")
    expect(home.truth).to_contain_text("milk")
    expect(home.blank(2)).to_be_focused()
    press("Home")
    expect(home.readout).to_have_text(re.compile("^“She” · .*bits$"), timeout=20_000)
    press("Tab")
    expect(home.word("She")).not_to_be_focused()


def test_another_blank_has_its_own_arcs(visit: Visits) -> None:
    home = Home(visit, TWO)
    home.measured(8)
    first = [arc.get_attribute("style") for arc in home.arcs.all()]
    home.blank(2).click()
    expect(home.truth).to_contain_text("Hidden word: milk")
    home.measured(8)
    assert [arc.get_attribute("style") for arc in home.arcs.all()] != first
    home.line.press("End")
    home.page.keyboard.type(" Yes")
    expect(home.word("Yes")).to_be_visible()
    expect(home.truth).to_contain_text("Hidden word: milk")


def test_everything_is_said_in_a_table_as_well(visit: Visits) -> None:
    home = Home(visit)
    home.measured(9)
    table = home.lane.get_by_role("table", name=re.compile("Influence on the answer"))
    expect(table.get_by_role("row")).to_have_count(10)
    label = home.lane.get_by_role("img").get_attribute("aria-label")
    assert label is not None and "Widest arc" in label
    told = home.page.locator(".lanes [role=status]")
    expect(told).to_have_text(re.compile(r"^BERT: \w+ [\d.]+%.*Widest arc: .* bits$"))


def test_a_long_sentence_scrolls_in_its_lane(visit: Visits) -> None:
    text = "The old keeper of the tall white lighthouse came down to the harbour that evening and "
    home = Home(visit, f"/?text={text}then he went [[home]] again.", viewport=PHONE["viewport"])
    expect(home.picture).not_to_have_class("old", timeout=20_000)
    assert home.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    blank, lane = home.blank(1).bounding_box(), home.lane.bounding_box()
    assert blank is not None and lane is not None
    assert lane["x"] < blank["x"] and blank["x"] + blank["width"] < lane["x"] + lane["width"]


def test_too_long_a_sentence_says_how_long_it_may_be(visit: Visits) -> None:
    home = Home(visit, "/?text=[MASK] is " + "so " * 40)
    expect(home.answers).to_have_count(5)
    expect(home.readout).to_contain_text("up to 32 visible words")
    expect(home.arcs).to_have_count(0)


def test_the_name_opens_the_models_page_and_back_brings_the_sentence(visit: Visits) -> None:
    home = Home(visit)
    home.line.press("Home")
    home.page.keyboard.type("Today ")
    expect(home.word("Today")).to_be_visible()
    home.lane.get_by_role("link", name="BERT").click()
    expect(home.page.get_by_role("heading", level=1)).to_have_text("Fill the mask")
    expect(home.line).to_have_value(f"Today {CUP}")
    home.page.go_back()
    expect(home.page.get_by_role("heading", level=1)).to_have_text("One sentence, four ways")
    expect(home.line).to_have_value(f"Today {CUP}")


@pytest.mark.parametrize("locale", ["en-US", "zh-TW"])
def test_fingers_on_a_phone(visit: Visits, locale: str) -> None:
    home = Home(visit, TWO, locale=locale, **PHONE)
    expect(home.arcs).to_have_count(8, timeout=20_000)
    assert home.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = home.blank(2).bounding_box()
    assert box is not None and box["height"] >= 40
    home.blank(2).tap()
    expect(home.truth).to_contain_text("milk")


def test_markup_is_only_text(visit: Visits) -> None:
    home = Home(visit)
    home.line.fill("<img src=x onerror=alert(1)> is a [MASK]")
    expect(home.word("onerror")).to_be_visible()
    home.measured(14)
    assert home.page.locator(".lanes img, .strip img").count() == 0


def test_motion_only_for_those_who_want_it(visit: Visits) -> None:
    for motion, moves in (("no-preference", True), ("reduce", False)):
        home = Home(visit, reduced_motion=motion)
        duration = "path => parseFloat(getComputedStyle(path).transitionDuration)"
        assert bool(home.picture.locator("path").first.evaluate(duration)) == moves


class Lane:
    """One of several lanes."""

    def __init__(self, page: Page, name: str) -> None:
        self.region = page.get_by_role("region", name=name, exact=True)
        self.words = self.region.locator(".row button")
        self.struck = self.region.locator(".row .unseen")
        self.answers = self.region.locator(".answers tbody tr")

    def places(self) -> list[float]:
        """Where its words stand, from left to right."""
        return [
            word.evaluate("({ offsetLeft, offsetWidth }) => offsetLeft + offsetWidth / 2")
            for word in self.words.all()
        ]


@pytest.mark.skipif(not COMPLETE, reason="the family has no weights yet")
def test_one_sentence_four_ways(visit: Visits) -> None:
    home = Home(visit, f"{TWO}&blank=2")
    bert, gpt, elmo, transformer = lanes = [Lane(home.page, name) for name in FOUR]
    for lane in lanes:
        expect(lane.answers).to_have_count(5)
        expect(lane.region.locator("svg:not(.old) path:visible")).not_to_have_count(0)
        assert lane.places() == pytest.approx(bert.places(), abs=1.5), "words stand aligned"
    expect(gpt.struck).to_have_text(["."])
    for lane in (bert, elmo, transformer):
        expect(lane.struck).to_have_count(0)
    expect(bert.region.locator(".guess")).to_have_count(0)
    for lane in (gpt, elmo, transformer):
        label = lane.region.locator(".guess").get_attribute("aria-label")
        assert label and re.match(r"Blank 1: this model reads its own guess there, “.+” \(", label)
    expect(elmo.region.locator(".sides p")).to_have_count(2)
    home.word("cup").hover()
    for lane in lanes:
        expect(lane.region.locator(".readout")).to_contain_text("“cup” · ")
    gpt.region.locator(".blank").first.click()
    expect(gpt.struck).to_have_text(["with", "2", "."])
    for lane in lanes:
        expect(lane.region.locator(".truth")).to_contain_text("Hidden word: tea")


@pytest.mark.skipif(not COMPLETE, reason="the family has no weights yet")
def test_every_lane_opens_a_page_about_its_model_and_back_brings_the_models(visit: Visits) -> None:
    home = Home(visit, f"{LINK}&models=matched")
    lanes = [Lane(home.page, name) for name in FOUR]
    for lane in lanes:
        expect(lane.region.get_by_role("link")).to_have_attribute(
            "href", re.compile(r"^\w+\?model=")
        )
    lanes[1].region.get_by_role("link", name="GPT").click()
    title = home.page.get_by_role("heading", level=1)
    expect(title).not_to_have_text("One sentence, four ways")
    expect(home.line).to_have_value(CUP)
    expect(home.page).to_have_url(re.compile("[?&]model=gpt-s-en&"))
    home.page.go_back()
    expect(title).to_have_text("One sentence, four ways")
    expect(home.lane).to_contain_text("bert-s-en")


@pytest.mark.skipif(not COMPLETE, reason="the family has no weights yet")
def test_the_matched_family_is_one_click_away(visit: Visits) -> None:
    home = Home(visit)
    foot = home.page.locator(".lanes .foot")
    expect(foot).to_contain_text("Not matched.")
    home.page.get_by_text("A matched family").click()
    expect(home.lane).to_contain_text("bert-s-en")
    expect(foot).to_contain_text("atched")
    home.measured(9)
    assert home.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.skipif("verse" not in models.companies(), reason="verse has no weights yet")
def test_chinese_is_read_by_the_verse_models(visit: Visits) -> None:
    home = Home(visit, locale="zh-TW")
    home.line.fill("举头望明月，低头思[MASK]乡。")
    expect(home.lane).to_contain_text("bert-zh")
    expect(home.word("舉")).to_be_visible()
    expect(home.page.locator(".lanes .notices")).to_contain_text("舉頭望明月")
    expect(home.arcs).to_have_count(11, timeout=20_000)
    home.line.fill(f"{CUP} [MASK]")
    expect(home.lane).to_contain_text("bert-en")
