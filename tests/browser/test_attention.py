"""Attention: open heads, read exact weights, follow a query, compare with what silencing does."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.visits import IDLE, Visits

TEXT = "The chef who ran to the store was out of [[food]]."
SIDES = {"x": "width", "y": "height"}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
COUNT = """() => {
    window.drawn = 0
    const put = CanvasRenderingContext2D.prototype.putImageData
    CanvasRenderingContext2D.prototype.putImageData = function (image, ...at) {
        if (this.canvas.closest(".heads")) window.drawn++
        return put.call(this, image, ...at)
    }
}"""


def idle(page: Page) -> None:
    page.wait_for_timeout(400)
    page.wait_for_selector(IDLE, timeout=60_000)


def listening(page: Page) -> list[int]:
    """The sizes of all messages from the server, from now on."""
    received: list[int] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on(
        "Network.webSocketFrameReceived",
        lambda frame: received.append(len(frame["response"]["payloadData"])),
    )
    return received


def copied_link(page: Page, panel: str) -> str:
    """The way of a panel's link, after the address of the server."""
    page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text }")
    bar = page.get_by_role("group", name=f"Take away: {panel}")
    bar.get_by_role("button", name="Link").click()
    page.wait_for_function("window.copied")
    return str(page.evaluate("new URL(copied).pathname + new URL(copied).search"))


def test_open_a_head_and_read_it(visit: Visits) -> None:
    page = visit(f"/attention?text={TEXT}&head=3.11")
    thumbnails = page.locator(".heads .cells button")
    expect(thumbnails).to_have_count(72, timeout=30_000)
    expect(page.locator(".head h3")).to_have_text("Layer 3 · head 11")
    expect(page.locator(".effects .headline")).to_contain_text("“food”", timeout=60_000)
    idle(page)

    received = listening(page)
    page.evaluate(COUNT)
    thumbnails.nth(40).hover()
    expect(page.locator(".heads .readout")).to_contain_text("Layer 4 · head 5: entropy")
    page.wait_for_timeout(300)
    assert not received, "pointing at a head asks nothing of the server"
    thumbnails.nth(40).click()
    expect(page.locator(".head h3")).to_have_text("Layer 4 · head 5", timeout=30_000)
    expect(page.locator(".head .bar .note")).to_have_text("")
    idle(page)
    assert page.evaluate("drawn") == 0, "the thumbnails are not sent or drawn again"
    expect(thumbnails.nth(40)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".effects .cells button").nth(40)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".stages h3")).to_contain_text("Layer 4 · head 5", timeout=30_000)

    square = page.locator(".square")
    size = square.bounding_box()
    assert size
    square.hover(position={"x": size["width"] * 2.5 / 14, "y": size["height"] * 1.5 / 14})
    told = page.locator(".head .readout")
    expect(told).to_have_text(re.compile(r"^“The” gives “chef” the weight \d\.\d{6}\.$"))
    rows, keys = page.locator(".tokens.rows button"), page.locator(".tokens.columns button")
    expect(rows.nth(1)).to_have_class(re.compile("lit"))
    expect(keys.nth(2)).to_have_class(re.compile("lit"))


def test_by_keyboard_alone_and_by_link(visit: Visits) -> None:
    page = visit(f"/attention?text={TEXT}&head=3.11")
    opened = page.locator(".heads .cells [aria-pressed=true]")
    expect(opened).to_have_count(1, timeout=30_000)
    expect(page.locator(".stages .chain button")).to_have_count(6, timeout=60_000)
    idle(page)
    opened.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator(".head h3")).to_have_text("Layer 4 · head 10", timeout=30_000)
    idle(page)

    rows = page.locator(".tokens.rows button")
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(rows.nth(2)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".head .readout")).to_have_text(re.compile("^“chef” looks most at"))
    expect(page.locator(".stages h3")).to_contain_text("“chef”", timeout=30_000)
    steps = page.locator(".stages .chain button")
    steps.last.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".stages .told")).to_contain_text("multiplied number by number")
    expect(page.locator(".stages tbody tr").nth(1).locator("td").last).not_to_be_visible()

    page.get_by_text("Hide special tokens and renormalise").click()
    expect(rows).to_have_count(12, timeout=30_000)
    idle(page)
    link = copied_link(page, "One head")
    again = visit(link.replace("lang=en", "lang=zh_TW"), color_scheme="dark", **PHONE)
    expect(again.locator(".head h3")).to_have_text("第 4 層 · 第 10 頭", timeout=60_000)
    expect(again.locator(".tokens.rows button")).to_have_count(12)
    assert again.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_pair_sorted_mixed_and_filtered(visit: Visits) -> None:
    page = visit(f"/attention?text={TEXT}&pair=She bought bread.", **PHONE)
    thumbnails = page.locator(".heads .cells button:visible")
    expect(thumbnails).to_have_count(72, timeout=30_000)
    idle(page)
    flag = page.locator(".flags .pill").first
    count = int(str(flag.locator("b").text_content()))
    flag.tap()
    page.get_by_label("Order").select_option(index=1)
    expect(thumbnails).to_have_count(count)
    page.get_by_role("button", name="Mix heads").tap()
    thumbnails.nth(1).tap()
    expect(page.locator(".head h3")).to_have_text(re.compile(r"^Mean of the heads"), timeout=30_000)
    idle(page)
    page.get_by_text("first → second").click()
    expect(page.locator(".tokens.columns .text")).to_have_text(
        ["She", "bought", "bread", "."], timeout=30_000
    )
    page.locator(".head summary").tap()
    expect(page.locator(".head details tbody tr")).to_have_count(12)


def test_cross_attention_and_what_the_decoder_reads(visit: Visits) -> None:
    page = visit(f"/attention?model=seq-s-en&attention=cross&section=agree&text={TEXT}")
    rows, keys = page.locator(".tokens.rows .text"), page.locator(".tokens.columns .text")
    expect(rows.first).to_be_visible(timeout=30_000)
    expect(page.locator(".edges tbody tr")).to_have_count(keys.count(), timeout=60_000)
    expect(page.locator(".edges .headline")).to_contain_text("Integrated gradients agree")
    source = keys.all_text_contents()
    idle(page)
    page.get_by_placeholder("What the decoder reads").fill("She was out.")
    page.keyboard.press("Enter")
    expect(rows).to_have_text(["[CLS]", "She", "was", "out", "."], timeout=30_000)
    assert keys.all_text_contents() == source, "the encoder reads what it read"
    idle(page)
    page.get_by_text("Decoder: target to target").click()
    expect(keys).to_have_text(["[CLS]", "She", "was", "out", "."], timeout=30_000)
    expect(page.get_by_text("Clear its text to see them beside").first).to_be_visible()


def test_the_flow_is_scrubbed_here_and_linked(visit: Visits) -> None:
    page = visit(f"/attention?text={TEXT}&section=flow&sort=entropy")
    told = page.locator(".maps .headline")
    expect(told).to_contain_text("“[MASK]”: looks most at", timeout=60_000)
    idle(page)
    received = listening(page)
    slider = page.locator(".maps input[type=range]")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(told).to_contain_text("Layer 5, “[MASK]”")
    page.locator(".maps select").select_option(index=2)
    expect(told).to_contain_text("Layer 5, “chef”")
    square = page.locator(".maps .square").nth(2)
    size = square.bounding_box()
    assert size
    square.hover(position={"x": size["width"] * 1.5 / 14, "y": size["height"] * 3.5 / 14})
    number = r"\d\.\d{6}"
    cell = rf"^“who” and “The”: Attention {number}; What is carried {number}; Rollout {number}$"
    expect(page.locator(".maps .readout")).to_have_text(re.compile(cell))
    page.locator(".maps summary").click()
    expect(page.locator(".maps details tbody tr")).to_have_count(14)
    page.wait_for_timeout(300)
    assert not received, "layers, tokens and cells are looked at without the server"
    link = copied_link(page, "Flow through the layers")
    again = visit(link.replace("lang=en", "lang=zh_TW"), color_scheme="dark", **PHONE)
    expect(again.locator(".maps .headline")).to_contain_text("第 5 層，「chef」", timeout=60_000)
    expect(again.locator(".heads .bar select")).to_have_js_property("selectedIndex", 1)
    assert again.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_file_keeps_its_hover_without_a_network(visit: Visits, tmp_path: Path) -> None:
    page = visit(f"/attention?text={TEXT}&head=3.11")
    expect(page.locator(".effects .headline")).to_be_visible(timeout=60_000)
    idle(page)
    page.get_by_role("group", name="Take away: All heads").get_by_role(
        "button", name="HTML file"
    ).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download HTML").click(timeout=30_000)
    download.value.save_as(tmp_path / "heads.html")
    hover = {"x": 40, "y": 60}
    page.locator(".head .square").hover(position=hover)
    name, weight = re.findall(
        r"“(\w+)” gives .* (\d\.\d{6})", page.locator(".head .readout").inner_text()
    )[0]

    alone = page.context.browser.new_context(offline=True)  # type: ignore[union-attr]
    kept, asked, wrong = alone.new_page(), [], []
    kept.on("request", lambda request: asked.append(request.url))
    kept.on("console", lambda said: wrong.append(said.text))
    kept.on("pageerror", lambda error: wrong.append(str(error)))
    kept.goto((tmp_path / "heads.html").as_uri())
    thumbnails = kept.locator(".heads .cells button")
    expect(thumbnails).to_have_count(72)
    rows = kept.locator(".head .tokens.rows button")
    rows.filter(has_text=name).first.focus()
    expect(kept.locator(".head .readout")).to_have_text(re.compile(f"^“{name}” looks most at"))
    expect(kept.locator(".head .bar .note")).to_have_text("")
    size = kept.locator(".head .square").bounding_box()
    before = page.locator(".head .square").bounding_box()
    assert size and before
    place = {axis: hover[axis] * size[side] / before[side] for axis, side in SIDES.items()}
    kept.locator(".head .square").hover(position=place)
    expect(kept.locator(".head .readout")).to_contain_text(weight)
    thumbnails.nth(40).hover()
    expect(kept.locator(".heads .readout")).to_contain_text("Layer 4 · head 5: entropy")
    thumbnails.nth(40).click()
    expect(kept.locator(".head h3")).to_have_text("Layer 4 · head 5")
    expect(kept.locator(".head .bar .note")).to_contain_text("1/510")
    assert [url for url in asked if not url.startswith("file:")] == []
    assert wrong == []
    alone.close()
