"""The English-Chinese corpus from small made packages: what it takes, how it cleans and splits."""

from __future__ import annotations

import doctest
import json
from pathlib import Path
from typing import Any

import pytest
from babel.messages import Catalog
from babel.messages.mofile import write_mo

from models.training import help_corpus, pair_tokenizers
from models.training.pair_texts import in_small_letters, own_pairs
from models.training.sources import bilingual, libreoffice
from models.training.sources.bilingual import agree, cut, tidy
from models.training.sources.pair import Pair, read_pairs, write_pairs
from models.training.split import is_held_out, normal_form

SWITCH = (
    'Press <span class="switchinline"><span class="MAC">Command</span>'
    '<span id="default"><span class="keycode">Ctrl</span></span></span>+C<br>twice.'
)


def page(folder: Path, language: str, *paragraphs: tuple[str, str]) -> None:
    file = folder / "usr/share/libreoffice/help" / language / "text" / "a.html"
    file.parent.mkdir(parents=True)
    lines = [f'<p id="{name}" class="paragraph">{text}</p>\n' for name, text in paragraphs]
    file.write_text("<html><body>" + "".join(lines), encoding="utf-8")


def pair(source: str, target: str, corpus: str = "help") -> Pair:
    return Pair(corpus, f"text:{normal_form(source)}", source, target)


def test_examples_in_the_documentation_hold() -> None:
    found = doctest.testmod(bilingual)
    assert found.attempted and not found.failed


def test_a_passage_for_another_system_is_left_out() -> None:
    assert libreoffice.plain(SWITCH) == "Press Ctrl+C twice."


def test_paragraphs_pair_by_page_and_id_if_somebody_translated_them(tmp_path: Path) -> None:
    english, chinese = tmp_path / "en", tmp_path / "zh"
    page(english, "en-US", ("par_id1", "Open."), ("par_id2", "Save."), ("hd_id3", "Close."))
    page(chinese, "zh-TW", ("hd_id3", "關<b>閉</b>。"), ("par_id1", "開啟。"), ("par_id2", "Save."))
    assert list(libreoffice.help_texts(english, chinese)) == [
        ("Open.", "開啟。"),
        ("Close.", "關閉。"),
    ]


def test_programs_are_no_paragraphs() -> None:
    text = '<p id="par_id1" class="code">Dim 甲</p><h2 id="hd_id2" dir="auto">Name</h2>'
    assert libreoffice.paragraphs(text) == {"hd_id2": "Name"}


def test_words_of_windows_lose_their_shortcuts_and_those_with_slots_are_left_out(
    tmp_path: Path,
) -> None:
    catalog = Catalog("zh_TW")
    catalog.add("_Add", "加入(_A)", context="dialog|add")
    catalog.add("About %PRODUCTNAME", "關於 %PRODUCTNAME", context="menu")
    catalog.add("Move %1", "移動 %1", context="undo")
    catalog.add("Dogra", "多格拉文", context="RID_SUBSETMAP")
    catalog.add("OK", "OK", context="button")
    folder = tmp_path / "usr/lib/libreoffice/program/resource/zh_TW/LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "a.mo").open("wb") as file:
        write_mo(file, catalog)
    found = set(libreoffice.window_texts(tmp_path))
    assert found == {("Add", "加入"), ("About LibreOffice", "關於 LibreOffice")}


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("按一下 [確定] 。", "按一下「確定」。"),
        ('從"檔案"功能表', "從「檔案」功能表"),
        ("設定(A1)", "設定（A1)"),
        ("儲存檔案  到 URL", "儲存檔案到 URL"),
        ("[A1:B2] 是範圍", "[A1:B2] 是範圍"),
        ("版本 7.4", "版本 7.4"),
    ],
)
def test_chinese_is_made_uniform(given: str, wanted: str) -> None:
    assert tidy(given) == wanted
    assert tidy(wanted) == wanted


def test_sentences_are_cut_only_where_both_sides_have_as_many() -> None:
    english = "Open it. Save it."
    assert list(cut(english, "開啟。儲存。")) == [("Open it.", "開啟。"), ("Save it.", "儲存。")]
    assert list(cut(english, "開啟並儲存。")) == [(english, "開啟並儲存。")]


@pytest.mark.parametrize(
    ("english", "chinese", "fit"),
    [
        ("Open the file", "開啟檔案", True),
        ("Press Ctrl+F2", "請按 Ctrl+F2", True),
        ("Press Ctrl+F2", "請按 Ctrl+F3", False),
        ("Page 12", "頁面", False),
        ("The number", "serial 是數字", False),
        ("Comment", "這是一個非常長的完全不同的句子", False),
        ("one two three four five six seven eight nine ten", "檔案", False),
        ("=SUM(A1)", "總和", False),
        ("...", "檔案", False),
    ],
)
def test_texts_that_cannot_be_translations_are_left_out(
    english: str, chinese: str, fit: bool
) -> None:
    assert agree(english, chinese) is fit


def test_the_commonest_translation_stays() -> None:
    file, other = pair("File", "檔案"), pair("file", "文件")
    assert help_corpus.one_translation([other, file, file]) == [file]
    assert help_corpus.one_translation([other, file]) == [other]


def test_no_source_is_on_both_sides_whatever_its_case_and_punctuation() -> None:
    sources = [f"word number {n}{end}" for n in range(300) for end in ("", ".", "!")]
    sources += [source.title() for source in sources]
    train, held_out = help_corpus.split([pair(source, "字") for source in sources])
    forms = [normal_form(p.source) for p in held_out]
    assert set(forms).isdisjoint(normal_form(p.source) for p in train)
    assert len(forms) == len(set(forms)) > 5, "each is asked once"
    assert all(is_held_out(f"text:{form}", help_corpus.HELD_OUT_SHARE) for form in forms)


def test_the_manifest_counts_what_was_written(tmp_path: Path) -> None:
    pairs = [pair("Open the file", "開啟檔案"), pair("Add", "加入", "windows")]
    write_pairs(pairs, tmp_path / "pairs.jsonl")
    assert read_pairs(tmp_path / "pairs.jsonl") == pairs
    facts = json.loads(json.dumps(help_corpus.manifest(pairs, pairs[:1])))
    assert facts["help"]["train"] == {"pairs": 1, "words": 3, "characters": 4}
    assert facts["windows"]["held_out"] == {"pairs": 0, "words": 0, "characters": 0}
    assert all(package["sha256"] for source in facts.values() for package in source["packages"])


TEXTS = [pair("Open the file in LibreOffice", "在 LibreOffice 中開啟檔案")] * 10
TEXTS += [pair("Draw a file", "用 Draw 畫檔案"), pair("draw the file", "畫檔案")] * 10


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("tokenizer")
    pair_tokenizers.words_and_characters(TEXTS).save_pretrained(folder)
    return pair_tokenizers.PreTrainedTokenizerFast.from_pretrained(folder)


def test_words_are_read_whole_names_with_their_capitals_and_the_rest_in_pieces(
    tokenizer: Any,
) -> None:
    assert tokenizer.tokenize("Open the file") == ["open", "the", "file"]
    assert tokenizer.tokenize("LibreOffice libreoffice") == ["LibreOffice", "libreoffice"]
    assert tokenizer.tokenize("Draw draw") == ["draw", "draw"]
    assert "".join(tokenizer.tokenize("zebra")).replace("##", "") == "zebra"


@pytest.mark.parametrize("text", ["在 LibreOffice 中開啟檔案", "用 draw 畫檔案", "開啟 4.5 中"])
def test_chinese_comes_back_with_spaces_at_latin_words_alone(tokenizer: Any, text: str) -> None:
    ids = tokenizer(text)["input_ids"]
    assert tokenizer.decode(ids, skip_special_tokens=True) == text


def test_pairs_with_names_are_read_in_small_letters_too(tokenizer: Any) -> None:
    assert [p.source for p in in_small_letters(TEXTS[9:11], tokenizer)] == [
        "open the file in libreoffice"
    ]


def test_own_pairs_are_split_and_a_line_without_a_tab_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text("".join(f"word {n}\t字 {n}\n" for n in range(100)))
    train, held_out = own_pairs(file)
    assert len(train) + len(held_out) == 100 and held_out
    file.write_text("no tab here\n")
    with pytest.raises(ValueError, match="tab"):
        own_pairs(file)
