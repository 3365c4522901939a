"""Your checkpoint in a real browser: choose a folder, open attention, hide a word, switch back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.serving import running
from tests.browser.visits import IDLE, Visits
from tests.unit.broken import broken
from tests.unit.conftest import build_bert
from tests.unit.tracing_models import build_network, build_tokenizer

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TEXT = "The [[cat]] sat on the mat."


@pytest.fixture(scope="module")
def address(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose operator has opened a folder of models, and switched the hub off."""
    root = tmp_path_factory.mktemp("root")
    (root / "good").mkdir()
    build_bert(root / "good")
    broken(root / "good", root / "torn", "more_layers")
    build_network("gpt2").save_pretrained(root / "writer")
    build_tokenizer("causal").save_pretrained(root / "writer")
    added = {"UNMASK_MODEL_ROOTS": str(root), "UNMASK_HUB_POLICY": "off"}
    before = dict(os.environ)
    os.environ.update(added)
    try:
        with running() as found:
            yield found
    finally:
        os.environ.clear()
        os.environ.update(before)
        shutil.rmtree(root)


def idle(page: Page) -> None:
    page.wait_for_timeout(400)
    page.wait_for_selector(IDLE, timeout=60_000)


def pick(page: Page, name: str) -> None:
    """By keyboard: type a part of the name, and Enter."""
    menu = page.get_by_role("combobox").first
    menu.click()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    idle(page)


def test_choose_look_fill_and_switch_back(visit: Visits, address: str) -> None:
    page = visit("/checkpoint", address)
    pick(page, "good")
    expect(page.get_by_text("Parameters", exact=True)).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Load it").click()
    expect(page.get_by_role("heading", name="dir:good")).to_be_visible(timeout=60_000)
    idle(page)

    pick(page, "torn")
    page.get_by_role("button", name="Load it").click()
    expect(page.get_by_text("would be drawn at random")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("heading", name="dir:good")).to_be_visible()

    page.get_by_role("main").get_by_role("link", name="Attention").click()
    expect(page.get_by_role("heading", name="Attention", exact=True)).to_be_visible(timeout=60_000)
    idle(page)
    expect(page.get_by_role("combobox").first).to_have_value("dir:good")
    expect(page.locator(".heads canvas").first).to_be_visible(timeout=60_000)

    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Fill the mask").click()
    expect(page.get_by_role("heading", name="Fill the mask")).to_be_visible(timeout=60_000)
    idle(page)
    pick(page, "dir:good")
    expect(page.get_by_text("dir:good: 2 layers")).to_be_visible(timeout=60_000)
    pick(page, "bert-en")
    expect(page.get_by_text("bert-en: 6 layers")).to_be_visible(timeout=60_000)


def test_in_chinese_on_a_phone_in_the_dark_without_a_hub(visit: Visits, address: str) -> None:
    page = visit(
        "/checkpoint?model=dir:writer", address, locale="zh-TW", color_scheme="dark", **PHONE
    )
    expect(page.get_by_role("heading", name="dir:writer")).to_be_visible(timeout=60_000)
    idle(page)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.get_by_text("Hugging Face hub", exact=True).click()
    expect(page.get_by_text("關掉了 hub")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("heading", name="dir:writer")).to_be_visible()


def test_a_link_to_another_page_brings_the_model(visit: Visits, address: str) -> None:
    page = visit(f"/fill?model=dir:good&text={TEXT}", address)
    expect(page.get_by_text("dir:good: 2 layers")).to_be_visible(timeout=60_000)
    page = visit("/fill?model=dir:torn", address)
    expect(page.get_by_text("would be drawn at random")).to_be_visible(timeout=60_000)
