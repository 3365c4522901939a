"""Journeys through Fill the mask, as a visitor takes them: mouse, keys, finger, and bad luck."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import models
from models.settings import settings
from tests.browser.serving import ROOT
from tests.browser.visits import Visits

CUP = "She would like a cup of tea with milk."
HOSTILE = "</script><img src=x onerror=alert(1)>"


class Fill:
    """The page, by the names a visitor knows its parts by."""

    def __init__(self, visit: Visits, path: str = "/fill", **options: Any) -> None:
        self.page: Page = visit(path, **options)
        self.words = self.page.get_by_role("toolbar")
        self.line = self.page.locator(".strip textarea")
        self.panels = self.page.locator(".answers .panel")
        expect(self.panels.first).to_be_visible(timeout=30_000)

    def word(self, name: str) -> Locator:
        return self.words.get_by_role("button", name=name, exact=True)

    def hidden(self) -> Locator:
        return self.words.locator("[aria-pressed=true]")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def type(self, text: str) -> None:
        """Replace the sentence by hand, key by key."""
        self.line.press("Control+a")
        self.line.press_sequentially(text)

    def answered(self, *titles: str) -> None:
        expect(self.page.locator(".answers h3")).to_have_text(list(titles))
        expect(self.page.locator(".answers tbody tr")).to_have_count(10 * len(titles))

    def notice(self, text: str) -> None:
        expect(self.page.locator(".notice").filter(has_text=text)).to_be_visible()


def test_type_hide_answer(visit: Visits) -> None:
    fill = Fill(visit)
    fill.type(CUP)
    fill.notice("Click a word")
    fill.word("tea").click()
    fill.answered("In the blank")
    expect(fill.hidden()).to_have_count(1)
    expect(fill.page.locator("p.own")).to_contain_text("Your word: tea")
    expect(fill.page.locator(".said")).to_have_text("“tea” is hidden.")
    fill.hidden().click()
    fill.notice("Click a word")
    expect(fill.line).to_have_value(CUP)


def test_the_first_page_is_alive_before_anyone_touches_it(visit: Visits) -> None:
    fill = Fill(visit)
    fill.answered("In the blank")
    expect(fill.hidden()).to_have_count(1)


def test_several_words(visit: Visits) -> None:
    fill = Fill(visit)
    fill.type(CUP)
    fill.word("milk").click()
    fill.word("tea").click()
    fill.answered("Blank 1", "Blank 2")
    expect(fill.page.locator("p.own").nth(0)).to_contain_text("tea")
    expect(fill.page.locator("p.own").nth(1)).to_contain_text("milk")
    expect(fill.hidden().locator("sup")).to_have_text(["1", "2"])


def test_keyboard_only(visit: Visits) -> None:
    fill = Fill(visit)
    press = fill.page.keyboard.press
    fill.line.fill(CUP)
    fill.words.get_by_role("button").first.focus()
    press("ArrowRight")
    expect(fill.word("would")).to_be_focused()
    press("Enter")
    fill.answered("In the blank")
    press("End")
    expect(fill.word("milk")).to_be_focused()
    press("Home")
    press("Space")
    fill.answered("Blank 1", "Blank 2")
    press("Tab")
    expect(fill.line).to_be_focused()
    press("End")
    fill.page.keyboard.type(" Really")
    press("Control+Enter")
    expect(fill.hidden()).to_have_count(3)
    press("Tab")
    expect(fill.button("Undo")).to_be_focused()
    press("Enter")
    expect(fill.hidden()).to_have_count(2)
    expect(fill.button("Undo")).to_be_focused()


def test_streamlits_own_keys_stay_quiet_while_typing(visit: Visits) -> None:
    fill = Fill(visit)
    fill.type("c r c r")
    expect(fill.page.get_by_role("dialog")).to_have_count(0)
    expect(fill.line).to_have_value("c r c r")


def test_undo_and_redo_go_over_text_and_hiding(visit: Visits) -> None:
    fill = Fill(visit)
    first = fill.line.input_value()
    fill.type("One two three")
    fill.word("two").click()
    fill.button("Clear").click()
    expect(fill.line).to_have_value("")
    fill.line.press("Control+z")
    expect(fill.line).to_have_value("One two three")
    expect(fill.hidden()).to_have_count(1)
    fill.line.press("Control+z")
    expect(fill.hidden()).to_have_count(0)
    fill.line.press("Control+Shift+z")
    expect(fill.hidden()).to_have_count(1)
    fill.line.press("Control+z")
    while fill.button("Undo").get_attribute("aria-disabled") == "false":
        fill.button("Undo").click()
    expect(fill.line).to_have_value(first)
    fill.line.press("Control+y")
    expect(fill.line).not_to_have_value(first)
    fill.answered()


def test_editing_keeps_hidden_words_hidden(visit: Visits) -> None:
    fill = Fill(visit)
    fill.type(CUP)
    fill.word("tea").click()
    fill.line.press("Home")
    fill.page.keyboard.type("Today ")
    expect(fill.page.locator("p.own")).to_contain_text("Your word: tea")
    fill.line.evaluate(
        """line => {
            const at = line.value.indexOf("tea") + 1
            line.setSelectionRange(at, at)
        }"""
    )
    fill.page.keyboard.type("rr")
    expect(fill.page.locator("p.own")).to_contain_text("Your word: trrea")
    expect(fill.hidden()).to_have_count(1)


def test_a_pasted_mask_is_a_blank(visit: Visits) -> None:
    fill = Fill(visit)
    fill.line.fill("Birds can [MASK] in the [MASK].")
    fill.answered("Blank 1", "Blank 2")
    expect(fill.page.locator("p.own").first).to_contain_text("no word of yours")
    fill.hidden().first.click()  # offers to type a word in its place
    fill.page.keyboard.type("fly")
    expect(fill.line).to_have_value("Birds can fly in the [MASK].")
    fill.answered("In the blank")


def test_examples_can_be_undone(visit: Visits) -> None:
    fill = Fill(visit)
    fill.type(CUP)
    example = fill.page.get_by_role("group", name="Try:").get_by_role("button").nth(1)
    example.click()
    expect(fill.line).not_to_have_value(CUP)
    expect(fill.hidden()).not_to_have_count(0)
    expect(fill.panels).not_to_have_count(0)
    expect(example).to_be_focused()
    fill.button("Undo").click()
    expect(fill.line).to_have_value(CUP)


def test_a_bar_is_tried_out_and_put_in(visit: Visits) -> None:
    fill = Fill(visit)
    fill.type(CUP)
    fill.word("tea").click()
    expect(fill.page.locator("p.own")).to_contain_text("Your word: tea")
    row = fill.page.locator(".answers tbody tr").nth(2)
    word = str(row.get_by_role("button").text_content()).lstrip("…")
    row.hover()
    expect(fill.page.locator(".tried b")).to_have_text(word)
    row.get_by_role("button").focus()
    fill.page.keyboard.press("Enter")
    expect(fill.hidden()).to_have_count(0)
    assert word in fill.line.input_value()
    fill.button("Undo").click()
    expect(fill.line).to_have_value(CUP)
    expect(fill.hidden()).to_have_count(1)


def test_caret_and_text_survive_the_answers(visit: Visits) -> None:
    fill = Fill(visit)
    fill.type(CUP)
    fill.word("milk").click()
    fill.line.evaluate("line => { line.focus(); line.setSelectionRange(4, 4) }")
    for letter in "really ":
        fill.page.keyboard.press("Space" if letter == " " else letter)
        fill.page.wait_for_timeout(random.Random(letter).randrange(20, 250))  # noqa: S311
    expect(fill.page.locator(".tried")).to_contain_text("really")
    expect(fill.line).to_have_value("She really would like a cup of tea with milk.")
    assert fill.line.evaluate("line => line.selectionStart") == len("She really ")


def test_composing_characters_is_not_disturbed(visit: Visits) -> None:
    fill = Fill(visit)
    fill.line.fill("a [MASK]")
    fill.answered("In the blank")
    session = fill.page.context.new_cdp_session(fill.page)
    fill.line.press("Home")
    session.send(
        "Input.imeSetComposition", {"text": "ㄋㄧ", "selectionStart": 2, "selectionEnd": 2}
    )
    fill.page.wait_for_timeout(500)
    assert "ㄋㄧ" not in str(fill.page.locator(".tried").text_content())
    session.send("Input.insertText", {"text": "你"})
    expect(fill.page.locator(".tried")).to_contain_text("你")
    expect(fill.line).to_have_value("你a [MASK]")


MASKED = [facts.name for facts in models.bundled() if facts.objective == "masked"]


@pytest.mark.skipif(len(MASKED) < 2, reason="one model alone fills masks")
def test_another_model_answers_and_the_sentence_stays(visit: Visits) -> None:
    fill = Fill(visit, "/fill?model=nobody&text=She would like a cup of [[tea]] with milk.")
    fill.notice("cannot be had on this server")
    shares = fill.page.locator(".answers tbody td").all_text_contents()
    fill.page.get_by_role("combobox", name=re.compile("Model")).click()
    fill.page.get_by_role("option", name=MASKED[1], exact=True).click()
    expect(fill.page.get_by_text(f"{MASKED[1]}: ")).to_be_visible()
    expect(fill.page.locator(".notice")).to_have_count(0)
    expect(fill.page.locator(".answers tbody td")).not_to_have_text(shares)
    fill.answered("In the blank")
    expect(fill.line).to_have_value(CUP)


def test_markup_is_only_text(visit: Visits) -> None:
    fill = Fill(visit)
    dialogs: list[str] = []
    fill.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    fill.line.fill(f"{HOSTILE} is a [MASK].")
    fill.answered("In the blank")
    expect(fill.page.locator(".tried")).to_contain_text(HOSTILE)
    assert fill.page.locator(".strip img, .answers img").count() == 0
    assert not dialogs


def test_markup_in_a_link_is_only_text(visit: Visits) -> None:
    fill = Fill(visit, "/fill?text=%3C/script%3E%3Cimg%20src=x%20onerror=alert(1)%3E%20[[word]]")
    expect(fill.line).to_have_value(f"{HOSTILE} word")
    fill.answered("In the blank")
    assert fill.page.locator(".strip img, .answers img").count() == 0


def test_twenty_thousand_characters(visit: Visits) -> None:
    fill = Fill(visit)
    text = "[MASK] is " + "a word and more to say " * 1_000
    fill.line.fill(text[:20_000])
    fill.notice("Not read: “")
    fill.answered("In the blank")
    expect(fill.line).to_have_value(text[:20_000])
    expect(fill.page.locator(".count")).to_have_text(
        f"20,000 of {settings().max_characters:,} characters"
    )
    unread = fill.page.locator(".unread")
    expect(unread).to_contain_text("The model does not read this part.")
    assert 50 < fill.words.get_by_role("button").count() < 1_000, "only what is read can be clicked"
    assert fill.page.evaluate("document.documentElement.scrollHeight") < 3_000
    fill.button("Undo").click()
    expect(fill.page.locator(".unread")).to_have_count(0)


def test_emoji_and_right_to_left(visit: Visits) -> None:
    fill = Fill(visit)
    fill.line.fill("שלום 👨‍👩‍👧 עולם 🇹🇼 [MASK] טוב")
    words = fill.words.get_by_role("button")
    expect(words).to_have_count(6)
    expect(words.nth(1)).to_have_text("👨‍👩‍👧")
    expect(words.nth(3)).to_have_text("🇹🇼")
    left, right = words.nth(5).bounding_box(), words.nth(0).bounding_box()
    assert left is not None and right is not None and left["x"] < right["x"]
    words.nth(2).click()
    fill.answered("Blank 1", "Blank 2")
    expect(fill.page.locator("p.own").first).to_contain_text("עולם")
    words.nth(2).focus()
    fill.page.keyboard.press("ArrowLeft")
    expect(words.nth(3)).to_be_focused()


def test_two_visitors_at_once_do_not_mix(visit: Visits) -> None:
    one, two = Fill(visit), Fill(visit)
    mine = {one: "A cat sat on the warm mat.", two: "My dog ran in the cold rain."}
    for fill in mine:
        fill.line.fill("")
    for i in range(max(map(len, mine.values()))):
        for fill, text in mine.items():
            if i < len(text):
                fill.line.press_sequentially(text[i])
    for fill, text in mine.items():
        fill.word(text.split()[1]).click()
    for fill, text in mine.items():
        expect(fill.line).to_have_value(text)
        told = f"Your word: {text.split()[1]}"
        expect(fill.page.locator("p.own")).to_contain_text(told, timeout=30_000)
        expect(fill.page.locator(".tried")).to_contain_text(text.split(" ", 2)[2])


@pytest.mark.parametrize("locale", ["en-US", "zh-TW"])
def test_fingers_on_a_phone(visit: Visits, locale: str) -> None:
    fill = Fill(
        visit, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale=locale
    )
    fill.line.fill(CUP)
    fill.word("tea").tap()
    fill.word("milk").tap()
    expect(fill.panels).to_have_count(2)
    for target in fill.page.locator(".chip, .tool, .example, .answers tbody tr").all():
        box = target.bounding_box()
        assert box is not None and box["height"] >= 40 and box["width"] >= 40, target.text_content()
    assert fill.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    fill.hidden().first.tap()
    expect(fill.panels).to_have_count(1)


def test_words_are_kept_when_the_language_changes(visit: Visits) -> None:
    fill = Fill(visit)
    fill.type(CUP)
    fill.word("tea").click()
    fill.page.get_by_role("button", name="中文").click()
    expect(fill.button("復原")).to_be_visible()
    expect(fill.line).to_have_value(CUP)
    expect(fill.page.locator("p.own")).to_contain_text("你的單字")
    fill.button("復原").click()
    expect(fill.hidden()).to_have_count(0)


def test_a_new_answer_takes_the_place_of_the_old_without_a_jump(visit: Visits) -> None:
    fill = Fill(visit)
    fill.type(CUP)
    fill.word("tea").click()
    expect(fill.page.locator("p.own")).to_contain_text("Your word: tea")
    fill.page.locator(".panels").evaluate(
        """panels => {
            const rows = () => panels.querySelectorAll("tbody tr").length
            window.heights = new Set([panels.offsetHeight])
            window.least = rows()
            new MutationObserver(() => {
                window.heights.add(panels.offsetHeight)
                window.least = Math.min(window.least, rows())
            }).observe(panels, { subtree: true, childList: true, characterData: true })
        }"""
    )
    fill.line.press("End")
    fill.page.keyboard.type(" Please do", delay=60)
    expect(fill.page.locator(".tried")).to_contain_text("Please do")
    assert fill.page.evaluate("window.least") == 10, "never blank"
    assert fill.page.evaluate("window.heights.size") == 1, "never a jump"


def test_motion_only_for_those_who_want_it(visit: Visits) -> None:
    moving, still = Fill(visit), Fill(visit, reduced_motion="reduce")
    count = "row => row.querySelectorAll('.chip')[1].getAnimations().length"
    for fill, at_least in ((moving, 1), (still, 0)):
        animations = fill.words.evaluate(
            f"row => {{ row.querySelectorAll('.chip')[1].click(); return ({count})(row) }}"
        )
        assert animations >= at_least and (at_least or animations == 0)


def test_an_edit_maps_hidden_words_like_a_person_would(visit: Visits) -> None:
    """The strip's arithmetic itself, over thousands of random edits."""
    page = visit("/fill")
    source = (ROOT / "components" / "tokens" / "sentence.js").read_text(encoding="utf-8")
    failures = page.evaluate(EDITS, source)
    assert failures == []


EDITS = """async source => {
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }))
    const { edit, toggle, segment, toWire, fromWire, put } = await import(url)
    let seed = 1
    const random = n => (seed = (seed * 48271) % 2147483647) % n
    const parts = "cat |dog|’s |a| |. |[MASK] |我|👨‍👩‍👧|é|שלום |\\n|-".split("|")
    const some = n => Array.from({ length: random(n) }, () => parts[random(parts.length)]).join("")
    const isWord = (text, [start, end]) =>
        segment(text).some(word => word.start === start && word.end === end && !word.blank)
    const whole = ({ text, hidden }) => hidden.every(span => isWord(text, span))
    const said = ({ text, hidden }) => hidden.map(([start, end]) => text.slice(start, end))
    const failures = []
    const check = (ok, ...what) => { if (!ok && failures.length < 5) failures.push(what) }
    for (let i = 0; i < 4000; i++) {
        let sentence = { text: some(12), hidden: [] }
        for (const word of segment(sentence.text))
            if (!word.blank && random(3) === 0) sentence = toggle(sentence, word)
        const back = fromWire(toWire(sentence))
        check(JSON.stringify(back) === JSON.stringify(sentence), "the wire", sentence)

        const { text } = sentence, at = random(text.length + 1), gone = random(4)
        const after = edit(sentence, text.slice(0, at) + some(4) + text.slice(at + gone))
        check(whole(after), "only whole words are hidden", sentence, after)
        const before = { text, hidden: sentence.hidden.filter(([, end]) => end < at - 1) }
        const kept = said(after)
        check(said(before).every((word, n) => kept[n] === word), "words before it", sentence, after)

        for (const span of sentence.hidden)
            check(whole(put(sentence, span, "new")), "an answer put in", sentence, span)
    }
    return failures
}"""
