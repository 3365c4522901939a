"""The catalogue is complete, and speaks to each visitor in their language."""

from __future__ import annotations

import re
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from components.words import LANGUAGES, closest, number, percent, sentences, t, tn, use_language
from components.words.__main__ import extract, update
from components.words.catalogue import SOURCE, catalogue, path

TRANSLATED = [code for code in LANGUAGES if code != SOURCE]
# Characters that only Simplified Chinese writes so: a sign of text that was not written for Taiwan.
SIMPLIFIED = set("们这个为说对时会发现实见关门车东专业务让认识语词习显层头码输测试选择单双网络权")


@pytest.fixture(scope="module")
def sources() -> Catalog:
    return extract()


def read(code: str) -> Catalog:
    with path(code).open("rb") as file:
        return read_po(file, locale=code)


def forms(string: Any) -> list[str]:
    return [string] if isinstance(string, str) else list(string)


def placeholders(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


def translations() -> list[tuple[str, Message]]:
    return [(code, message) for code in TRANSLATED for message in read(code) if message.id]


def test_sources_have_messages(sources: Catalog) -> None:
    assert "Language" in sources


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_message_is_in_the_catalogue_and_no_other(code: str, sources: Catalog) -> None:
    kept = {str(message.id) for message in read(code) if message.id}
    wanted = {str(message.id) for message in sources if message.id}
    hint = "run: python -m components.words, then translate"
    assert not wanted - kept, f"missing; {hint}"
    assert not kept - wanted, f"not in any source; {hint}"
    assert not read(code).obsolete, f"obsolete; {hint}"


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_message_is_translated(code: str) -> None:
    messages = [message for message in read(code) if message.id]
    assert [m.id for m in messages if not all(forms(m.string)) or not m.string] == []
    assert [m.id for m in messages if m.fuzzy] == []


def test_placeholders_agree() -> None:
    for code, message in translations():
        wanted = placeholders(forms(message.id)[-1])  # a singular may do without its count
        for form in forms(message.string):
            assert placeholders(form) == wanted, f"{code}: {message.id} -> {form}"


KEPT = {
    "BertViz", "BertViz: {view}", "FLOPs", "Hugging Face hub", "Top-k", "Top-p", "Transformer",
    "{count} MB", "{count} kB", "{done} of {total} ({share})",
    "{effect} ± {error} nats (n = {count})", "{id} · {size} MB · {licence} · {state}",
}  # fmt: skip
"""Names and units that people write alike in Chinese."""
SOURCE = r"[A-Z][\w& ]+(?: et al\.)? \d{4}\.?"  # a paper, by its authors and year


def test_chinese_is_written_in_chinese() -> None:
    for _, message in translations():
        if message.id in KEPT or re.fullmatch(SOURCE, str(message.id)):
            continue
        words = re.sub(r"\{\w+\}", "", forms(message.id)[0])
        for form in forms(message.string):
            if re.search(r"[A-Za-z]{2}", words):
                assert re.search(r"[\u4e00-\u9fff]", form), f"not translated: {form}"
            assert not SIMPLIFIED & set(form), f"simplified characters: {form}"
            half_width = re.search(r"[\u4e00-\u9fff][,;:!?]|[\u4e00-\u9fff]\.(\s|$)", form)
            assert half_width is None, f"half-width punctuation: {form}"


def test_update_adds_keeps_and_removes(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("components.words.__main__.path", lambda _: tmp_path / "unmask.po")
    first, second = Catalog(), Catalog()
    first.add("kept")
    first.add("gone")
    second.add("kept")
    second.add("{n} new", locations=[("pages/x.py", 7)])
    assert set(update("zh_TW", first)) == {"gone", "kept"}
    file = tmp_path / "unmask.po"
    file.write_text(
        file.read_text().replace('msgid "kept"\nmsgstr ""', 'msgid "kept"\nmsgstr "留著"')
    )
    assert update("zh_TW", second) == ["{n} new"]
    text = file.read_text()
    assert "留著" in text
    assert "gone" not in text
    assert ":7" not in text, "line numbers would change the file with every edit of a source"


def test_speaks_the_chosen_language() -> None:
    assert t("Language") == "Language"
    with use_language("zh_TW"):
        assert t("Language") == "語言"
        with use_language("en"):
            assert t("Language") == "Language"
        assert t("Language") == "語言"
    assert t("Language") == "Language"


def test_an_unknown_message_is_shown_as_written() -> None:
    with use_language("zh_TW"):
        assert t("no {kind} translation", kind="such") == "no such translation"


def test_values_are_filled_in_and_never_parsed() -> None:
    assert t("you typed {text}", text="{0} </script>") == "you typed {0} </script>"
    assert t("a lone { is kept as it is") == "a lone { is kept as it is"


def test_plural_in_english_and_in_a_language_without() -> None:
    assert tn("{count} word", "{count} words", 1) == "1 word"
    assert tn("{count} word", "{count} words", 1234) == "1,234 words"
    assert tn("{count} word of {name}", "{count} words of {name}", 0, name="A") == "0 words of A"
    plural = next((key for key in catalogue("zh_TW").many), None)
    if plural is not None:
        with use_language("zh_TW"):
            values = dict.fromkeys(placeholders(plural) - {"count"}, "x")
            assert tn(plural, plural, 2, **values) != plural.format(count="2", **values)


def test_sentences_stand_one_after_the_other_as_the_language_writes_them() -> None:
    assert sentences("One.", "", "Two.") == "One. Two."
    with use_language("zh_TW"):
        assert sentences("一句。", "", "兩句。") == "一句。兩句。"


def test_numbers() -> None:
    assert [number(1234567), number(2.5, 1), number(2.0, 1)] == ["1,234,567", "2.5", "2"]
    assert [percent(0.463), percent(0.00049, 2), percent(1)] == ["46%", "0.05%", "100%"]


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("zh-TW", "zh_TW"), ("zh-Hant-HK", "zh_TW"), ("zh", "zh_TW"), ("zh_CN", "zh_TW"),
        ("ZH-tw", "zh_TW"), ("en-GB", "en"), ("en", "en"), ("fr-FR", None), ("", None),
        (None, None), ("zhx", None), ("../../etc", None),
    ],
)  # fmt: skip
def test_closest_language(tag: str | None, code: str | None) -> None:
    assert closest(tag) == code


def test_only_known_languages() -> None:
    with pytest.raises(ValueError, match="unknown language 'fr'"), use_language("fr"):
        pass
