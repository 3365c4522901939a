"""The corpus of verse from a small made package: which poems it takes, how it splits them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from models.training import characters, verse_corpus
from models.training.sources import verse
from models.training.sources.document import Document
from models.training.split import is_held_out

MOON = ["牀前明月光，疑是地上霜。", "舉頭望明月，低頭思故鄉。"]
LONG = ["兩個黃鸝鳴翠柳，一行白鷺上青天。", "窗含西嶺千秋雪，門泊東吳萬里船。"]


def unit(held_out: bool, skip: int = 0) -> str:
    """An id that the hash sends to the wanted side."""
    ids = (f"verse:{number}" for number in range(10_000))
    share = verse_corpus.HELD_OUT_SHARE
    return [name for name in ids if is_held_out(name, share) is held_out][skip]


def package(folder: Path, **files: list[list[str]]) -> Path:
    """A package with poems by file ("tang_0", "song_1000"), their ids counted."""
    inside = folder / "package" / "dist" / "quantangshi"
    inside.mkdir(parents=True)
    for name, poems in files.items():
        rows: list[dict[str, Any]] = [
            {"author": "某", "title": "題", "paragraphs": poem, "id": f"{name}-{number}"}
            for number, poem in enumerate(poems)
        ]
        path = inside / f"poet.{name.replace('_', '.')}.json"
        path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    (inside / "authors.tang.json").write_text("[]")
    return folder


def test_a_poem_is_one_row_after_the_token_of_its_form(tmp_path: Path) -> None:
    found = list(verse.documents(package(tmp_path, tang_0=[MOON], song_0=[LONG])))
    assert found == [
        Document(
            "verse",
            "verse:tang_0-0",
            ("[五絕]床前明月光，疑是地上霜。舉頭望明月，低頭思故鄉。",),
        ),
        Document(
            "verse",
            "verse:song_0-0",
            ("[七絕]兩個黃鸝鳴翠柳，一行白鷺上青天。窗含西嶺千秋雪，門泊東吳萬里船。",),
        ),
    ]


@pytest.mark.parametrize(
    "poem",
    [
        [],
        MOON[:1],
        [MOON[0].replace("霜", "□"), MOON[1]],
        [MOON[0] + "（一作看月光）", MOON[1]],
        [MOON[0].replace("霜", "{雨/相}"), MOON[1]],
        [MOON[0], LONG[0]],
        [*MOON, MOON[0]],
    ],
)
def test_poems_with_gaps_notes_or_another_form_are_left_out(
    tmp_path: Path, poem: list[str]
) -> None:
    assert not list(verse.documents(package(tmp_path, tang_0=[poem])))


def test_the_same_poem_counts_once_however_it_is_written(tmp_path: Path) -> None:
    again = ["床前明月光，疑是地上霜？", "舉頭望明月。低頭思故鄉。。"]
    files = {"tang_0": [LONG], "tang_1000": [MOON], "song_0": [again]}
    units = [d.unit for d in verse.documents(package(tmp_path, **files))]
    assert units == ["verse:tang_0-0", "verse:tang_1000-0"]


def poem(name: str, *lines: str) -> Document:
    return Document("verse", name, (f"[五絕]{lines[0]}，{lines[1]}。{lines[2]}，{lines[3]}。",))


def test_training_poems_with_a_line_of_a_held_out_one_are_dropped() -> None:
    held = poem(unit(True), "甲甲甲甲甲", "乙乙乙乙乙", "丙丙丙丙丙", "丁丁丁丁丁")
    quotes = poem(unit(False), "子子子子子", "丑丑丑丑丑", "寅寅寅寅寅", "丙丙丙丙丙")
    free = poem(unit(False, 1), "子子子子子", "丑丑丑丑丑", "寅寅寅寅寅", "丙丙丙丙丁")
    assert verse_corpus.split([quotes, held, free]) == ([free], [held], 1)


def test_what_is_written_can_be_read_with_its_counts_and_tokenizer(tmp_path: Path) -> None:
    lines = [character * 5 for character in "春夏秋冬東西南北"]
    train = [poem(unit(False, skip), *lines[skip:][:4]) for skip in range(4)]
    held = [poem(unit(True), "光光光光光", "霜霜霜霜霜", "月月月月月", "鄉鄉鄉鄉鄉")]
    folder = tmp_path / verse_corpus.FOLDER
    verse_corpus.write([*train, *held], folder)
    assert verse_corpus.read_train(tmp_path) == train
    assert verse_corpus.read_held_out(tmp_path) == held
    facts = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["verse"]
    assert facts["train"] == {"documents": 4, "characters": 80, "forms": {"五絕": 4}}
    assert facts["sha256"] == verse_corpus.PACKAGE.sha256
    assert facts["unknown"] == pytest.approx(20 / 24), "all but the marks"
    tokenizer = characters.load(folder / verse_corpus.TOKENIZER)
    assert len(tokenizer) == facts["vocabulary"]
    assert tokenizer.unk_token_id not in tokenizer(train[1].sentences[0])["input_ids"]


POEMS = ["[五絕]春春夏夏春，夏夏春秋春。", "[五絕]春春夏夏春，夏夏春秋春。"]


def test_the_vocabulary_is_special_tokens_forms_marks_then_characters_by_frequency() -> None:
    begin = [*characters.SPECIAL, *characters.FORM_TOKENS, *characters.MARKS]
    assert characters.vocabulary(POEMS, least=3) == [*begin, "春", "夏"]
    assert characters.vocabulary(POEMS, largest=len(begin) + 1, least=1) == [*begin, "春"]


@pytest.fixture
def tokenizer(tmp_path: Path) -> Any:
    characters.tokenizer_of(characters.vocabulary(POEMS, least=1)).save_pretrained(tmp_path)
    return characters.load(tmp_path)


def test_one_character_is_one_token_and_unknown_ones_keep_their_place(tokenizer: Any) -> None:
    text = "[五絕]春 𩃱夏[MASK]，x"
    read = tokenizer(text, return_offsets_mapping=True)
    pieces = tokenizer.convert_ids_to_tokens(read["input_ids"])
    assert pieces == ["[CLS]", "[五絕]", "春", "[UNK]", "夏", "[MASK]", "，", "[UNK]", "[SEP]"]
    slices = [text[start:end] for start, end in read["offset_mapping"]]
    assert slices == ["", "[五絕]", "春", "𩃱", "夏", "[MASK]", "，", "x", ""]


def test_special_ids_come_first_and_decoding_gives_the_poem_back(tokenizer: Any) -> None:
    assert tokenizer.convert_tokens_to_ids(characters.SPECIAL) == [0, 1, 2, 3, 4]
    assert set(tokenizer.convert_tokens_to_ids(characters.FORM_TOKENS)) <= set(
        tokenizer.all_special_ids
    )
    ids = tokenizer(POEMS[0])["input_ids"]
    assert tokenizer.decode(ids, skip_special_tokens=True) == POEMS[0].removeprefix("[五絕]")
    assert tokenizer.decode(ids[1:-1]) == POEMS[0]


def test_unknown_share_counts_text_only(tokenizer: Any) -> None:
    assert characters.unknown_share(tokenizer, ["[五絕]春夏甲，"]) == pytest.approx(1 / 4)
    assert characters.unknown_share(tokenizer, [""]) == 0
