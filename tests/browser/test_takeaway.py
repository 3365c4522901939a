"""Taking things away, as a visitor does: files are downloaded, links opened, text pasted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from PIL import Image
from playwright.sync_api import Browser, Download, Page, expect

from tests.browser.serving import running
from tests.browser.visits import Visits

LAUNCHER = """
from pathlib import Path
import streamlit as st
from starlette.middleware import Middleware
from components.headers import SecurityHeaders

app = st.App(Path(__file__).with_name("panels.py"), middleware=[Middleware(SecurityHeaders)])
"""
PANELS = """
import streamlit as st
from components.page_language import page_language, settle_language
from components.pictures import Bar, Group, bar_chart
from components.takeaway import Column, Table, panel_bar
from models.trace import Provenance

settle_language()
page_language()
HOSTILE = "</script><img src=x onerror=alert(1)>"
ABOUT = Provenance("bert-en", "0123456789ab", "float32", (("torch", "2.13.0"),))


@st.fragment
def panel():
    st.session_state.runs = st.session_state.get("runs", 0) + 1
    st.text(f"run {st.session_state.runs}")
    word = st.text_input("word", HOSTILE)
    columns = [Column("head", "Head"), Column("word", "Word"), Column("p", "P", "{:.2f}".format)]
    panel_bar(
        key="panel_one",
        title="Panel",
        numbers=lambda: Table(columns, [(0, word, 0.123456), (11, "b", 0.5)]),
        code=lambda: f"print({word!r})\\n" + "x = 1  # " + "a long line " * 30,
        picture=lambda: bar_chart(word, [Group("G", [Bar(word, 0.5, "50%")])], full=1.0,
                                  axis="100%", colour="#0072B2"),
        link={"text": st.query_params.get("text") or word},
        about=ABOUT,
        how="How it is measured.",
    )


panel()
panel_bar(key="panel_two", title="Second", link={"text": "a" * 20_000})
"""
HOSTILE = "</script><img src=x onerror=alert(1)>"
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}
SIZES = {"wide": {"width": 1440, "height": 900}, "small phone": {"width": 320, "height": 568}}


@pytest.fixture(scope="module")
def panels(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page with two panels, under the app's own security policy."""
    folder = tmp_path_factory.mktemp("panels")
    (folder / "panels.py").write_text(PANELS)
    (folder / "launcher.py").write_text(LAUNCHER)
    with running(folder / "launcher.py") as address:
        yield address


class Bar:
    """The first bar of the page, by the names a visitor knows its parts by."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frame = page.locator(".takeaway").first
        self.drawer = self.frame.locator(".drawer")
        self.status = self.frame.get_by_role("status")
        expect(self.frame).to_be_visible()

    def press(self, name: str) -> None:
        self.frame.get_by_role("button", name=name, exact=True).click()

    def download(self, name: str) -> Download:
        with self.page.expect_download() as started:
            self.press(name)
        return started.value

    def copied(self) -> str:
        return str(self.page.evaluate("navigator.clipboard.readText()"))


def test_numbers_are_shown_and_saved(visit: Visits, panels: str) -> None:
    bar = Bar(visit("/", server=panels))
    bar.press("Numbers")
    expect(bar.drawer.get_by_role("columnheader")).to_have_text(["Head", "Word", "P"])
    expect(bar.drawer.get_by_role("cell")).to_have_text(["1", HOSTILE, "0.12", "12", "b", "0.50"])
    file = bar.download("Download CSV")
    assert file.suggested_filename == "unmask-panel-one.csv"
    saved = Path(file.path()).read_bytes()
    assert saved.startswith(b"\xef\xbb\xbf# Panel\r\n"), "spreadsheets see that it is UTF-8"
    assert "heads count from 0" in saved.decode()
    assert saved.decode().splitlines()[-2:] == [f'0,"{HOSTILE}",0.123456', '11,"b",0.5']
    expect(bar.status).to_have_text("Saved: unmask-panel-one.csv")


def test_code_is_copied(visit: Visits, panels: str) -> None:
    bar = Bar(visit("/", server=panels, **CLIPBOARD))
    bar.press("Code")
    expect(bar.drawer.locator("pre")).to_contain_text(HOSTILE)
    bar.press("Copy")
    expect(bar.status).to_have_text("Copied.")
    assert bar.copied().startswith(f"print({HOSTILE!r})\nx = 1")
    assert bar.page.locator("img").count() == 0


def test_code_is_copied_where_the_browser_has_no_clipboard_for_pages(
    visit: Visits, panels: str
) -> None:
    page = visit("/", server=panels)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    bar = Bar(page)
    bar.press("Code")
    bar.press("Copy")
    expect(bar.status).to_have_text("Copied.")
    expect(bar.frame.get_by_role("button", name="Copy", exact=True)).to_be_focused()
    line = page.get_by_role("textbox")
    line.press("Control+a")
    line.press("Control+v")
    assert line.input_value().startswith(f"print({HOSTILE!r})")


def test_a_link_is_shown_where_nothing_can_be_copied(visit: Visits, panels: str) -> None:
    page = visit("/", server=panels)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.evaluate("document.execCommand = () => false")
    bar = Bar(page)
    bar.press("Link")
    expect(bar.status).to_contain_text("Copy the marked text yourself")
    field = bar.drawer.get_by_role("textbox")
    expect(field).to_be_focused()
    assert field.evaluate("field => field.selectionEnd") == len(field.input_value()) > 20
    page.keyboard.press("Escape")
    expect(bar.drawer).to_be_hidden()
    expect(bar.frame.get_by_role("button", name="Link")).to_be_focused()


def test_a_picture_is_saved_as_svg_and_as_png_of_twice_the_size(visit: Visits, panels: str) -> None:
    page = visit("/", server=panels)
    bar = Bar(page)
    bar.press("Picture")
    image = bar.drawer.get_by_role("img")
    expect(image).to_have_attribute("alt", f"{HOSTILE} · G: {HOSTILE} 50%")
    page.wait_for_function(
        "image => image.complete && image.naturalWidth > 0", arg=image.element_handle()
    )
    page.context.set_offline(True)
    svg, png = bar.download("Download SVG"), bar.download("Download PNG")
    page.context.set_offline(False)
    assert (svg.suggested_filename, png.suggested_filename) == (
        "unmask-panel-one.svg", "unmask-panel-one.png",
    )  # fmt: skip
    root = Xml.parse(svg.path()).getroot()  # noqa: S314 - our own
    assert HOSTILE in {node.text for node in root.iter()}
    with Image.open(png.path()) as drawn:
        assert drawn.size == (2 * int(root.attrib["width"]), 2 * int(root.attrib["height"]))
        colours = {colour for _, colour in drawn.convert("RGB").getcolors(1 << 20) or []}
    assert {(255, 255, 255), (0, 0x72, 0xB2)} <= colours, "paper and a bar"


@pytest.mark.parametrize("text", ["a [[b]] & c=d? #1 100%.", "「字」 [[詞]]\nשלום 👩‍👧"])
def test_a_link_restores_the_view(visit: Visits, panels: str, text: str) -> None:
    page = visit("/", server=panels, **CLIPBOARD)
    page.get_by_role("textbox").fill(text)
    page.get_by_role("textbox").press("Enter")
    bar = Bar(page)
    expect(page.get_by_text("run 2")).to_be_visible()
    page.get_by_role("button", name="中文").click()
    bar.press("連結")
    expect(bar.status).to_contain_text("已複製")
    url = bar.copied()
    assert url.startswith(f"{panels}/?text=") and url.endswith("&lang=zh_TW")
    opened = visit(url.removeprefix(panels), server=panels, **CLIPBOARD)
    again = Bar(opened)
    again.press("連結")
    expect(again.status).to_contain_text("已複製")
    assert again.copied() == url


def test_what_is_too_long_for_a_link_is_said(visit: Visits, panels: str) -> None:
    second = visit("/", server=panels).locator(".takeaway").nth(1)
    second.get_by_role("button").click()
    expect(second.get_by_role("status")).to_contain_text("too long for a link")


def test_where_it_comes_from_in_the_visitors_language(visit: Visits, panels: str) -> None:
    page = visit("/", server=panels, locale="zh-TW")
    bar = Bar(page)
    bar.press("關於")
    expect(bar.drawer).to_contain_text("How it is measured.")
    expect(bar.drawer.locator("dt")).to_have_text(["模型", "權重（SHA-256）", "數值格式", "軟體"])
    expect(bar.drawer.locator("dd")).to_have_text(
        ["bert-en", "0123456789ab", "float32", "torch 2.13.0"]
    )


def test_opening_a_drawer_computes_no_panel_again(visit: Visits, panels: str) -> None:
    page = visit("/", server=panels)
    bar = Bar(page)
    for name in ("Numbers", "Code", "Picture", "About"):
        bar.press(name)
        expect(bar.drawer).to_have_attribute("aria-busy", "false")
        expect(bar.frame.locator("[aria-expanded=true]")).to_have_text(name)
    expect(page.get_by_text("run 1")).to_be_visible()
    bar.press("About")
    expect(bar.drawer).to_be_hidden()


def test_an_open_drawer_follows_the_panel(visit: Visits, panels: str) -> None:
    page = visit("/", server=panels)
    bar = Bar(page)
    bar.press("Numbers")
    expect(bar.drawer.get_by_role("cell").nth(1)).to_have_text(HOSTILE)
    page.get_by_role("textbox").fill("tea")
    page.get_by_role("textbox").press("Enter")
    expect(bar.drawer.get_by_role("cell").nth(1)).to_have_text("tea")


def test_an_opened_drawer_comes_into_the_window(visit: Visits, panels: str) -> None:
    page = visit("/", server=panels, viewport={"width": 900, "height": 420})
    bar = Bar(page)
    bar.press("Picture")
    image = bar.drawer.get_by_role("img")
    expect(image).to_be_in_viewport(ratio=0.9)
    expect(bar.frame.get_by_role("button", name="Picture")).to_be_visible()


def test_keyboard_only(visit: Visits, panels: str) -> None:
    page = visit("/", server=panels, **CLIPBOARD)
    bar = Bar(page)
    press = page.keyboard.press
    bar.frame.get_by_role("button", name="Numbers").focus()
    press("Tab")
    press("Enter")
    expect(bar.drawer.locator("pre")).to_be_visible()
    expect(bar.frame.get_by_role("button", name="Code")).to_be_focused()
    for _ in ("Picture", "Link", "About", "Copy"):
        press("Tab")
    expect(bar.frame.get_by_role("button", name="Copy", exact=True)).to_be_focused()
    press("Space")
    expect(bar.status).to_have_text("Copied.")
    press("Tab")
    expect(bar.drawer.get_by_role("region", name="Code")).to_be_focused()
    press("Escape")
    expect(bar.drawer).to_be_hidden()
    expect(bar.frame.get_by_role("button", name="Code")).to_be_focused()


@pytest.mark.parametrize("locale", ["en-US", "zh-TW"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_wider_than_the_window(
    visit: Visits, panels: str, size: str, locale: str
) -> None:
    phone = size != "wide"
    page = visit(
        "/", server=panels, viewport=SIZES[size], locale=locale, has_touch=phone, is_mobile=phone
    )
    bar = Bar(page)
    for button in bar.frame.locator(".buttons button:not([name=link])").all():
        button.click()
        expect(bar.drawer).to_have_attribute("aria-busy", "false")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for target in bar.frame.get_by_role("button").all():
            box = target.bounding_box()
            assert box is not None and box["height"] >= (40 if phone else 24)
            assert box["x"] >= 0 and box["x"] + box["width"] <= SIZES[size]["width"]
