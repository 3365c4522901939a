"""What is read of a text, what is cut, and what a visitor cannot smuggle in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from models.loading import Model
from models.reading import Reading
from tests.unit.weird import WEIRD


def read(model: Model, text: str, characters: int = 2_000, tokens: int = 64) -> Reading:
    return model.reader.read(text, characters, tokens)


def test_reads_as_the_tokenizer_does(any_model: Model) -> None:
    text = "The cat sat on the red mat, happy; we've walked (in Paris)."
    assert list(read(any_model, text).ids) == any_model.tokenizer(text)["input_ids"]


def test_special_tokens_typed_by_a_visitor_are_text(tiny_bert: Model) -> None:
    reading = read(tiny_bert, "a [CLS] b [SEP] [PAD] [MASK ]")
    special = set(tiny_bert.tokenizer.all_special_ids)
    assert not special & set(reading.ids[1:-1])
    assert tiny_bert.reader.spell(reading.ids)[2:5] == ("[", "cls", "]")


def test_special_tokens_of_another_family_are_text_too(tiny_roberta: Model) -> None:
    ids = read(tiny_roberta, "the </s> cat <s>").ids
    special = set(tiny_roberta.tokenizer.all_special_ids)
    assert not special & set(ids[1:-1])


def test_a_typed_mask_is_the_models_own_mask(any_model: Model) -> None:
    typed = read(any_model, "The [MASK] sat")
    own = any_model.tokenizer(f"The {any_model.tokenizer.mask_token} sat")["input_ids"]
    assert list(typed.ids) == own
    assert typed.offsets[typed.ids.index(any_model.reader.mask_id)] == (4, 10)


def test_mask_in_lower_case_is_text(tiny_bert: Model) -> None:
    assert tiny_bert.reader.mask_id not in read(tiny_bert, "the [mask] sat").ids


def test_lone_surrogates_and_nul_keep_the_offsets(tiny_bert: Model) -> None:
    text = "the\ud83d \0cat"
    reading = read(tiny_bert, text)
    start, end = reading.offsets[-2]
    assert text[start:end] == "cat"


def test_unknown_words_are_named_once_and_whole(tiny_bert: Model) -> None:
    assert read(tiny_bert, "the 😀 sat 你好 on 😀 山").unknown == ("😀", "你好")


def test_an_unknown_sign_is_named_with_the_whole_run_it_stands_in(tiny_bert: Model) -> None:
    reading = read(tiny_bert, "the 你山好 on 山水 is é你好山, 😀b")
    assert tiny_bert.reader.unknown_id not in read(tiny_bert, "山水").ids
    assert reading.unknown == ("你山好", "你好山", "😀b")


def test_a_word_too_long_for_the_tokenizer_is_not_called_unknown(tiny_bert: Model) -> None:
    limit = tiny_bert.reader.longest_word
    assert limit == 100
    longest, longer = "a" * limit, "a" * (limit + 1)
    reading = read(tiny_bert, f"{longest} {longer} 😀 {longer}", tokens=512)
    assert (reading.unknown, reading.too_long) == (("😀",), (longer,))
    accents = "a\u0301" * limit  # two code points each, one of which the tokenizer drops
    assert read(tiny_bert, accents, tokens=512).too_long == ()


def test_without_a_limit_no_word_is_too_long(tiny_roberta: Model) -> None:
    assert tiny_roberta.reader.longest_word is None
    assert read(tiny_roberta, "a" * 1_500, tokens=2_000).too_long == ()


def test_reading_stops_at_the_end_of_a_word(tiny_bert: Model) -> None:
    text = "the cat sat on the walkways of the garden"  # walk ##w ##a ##y ##s: the 6th to 10th
    reading = read(tiny_bert, text, tokens=10)
    assert (text[: reading.read], reading.cut) == ("the cat sat on the ", "walkways of the garden")
    assert len(reading.ids) == 7


def test_too_many_characters_are_cut_at_a_space(tiny_bert: Model) -> None:
    reading = read(tiny_bert, "the cat sat on the mat", characters=9)
    assert reading.cut == "sat on the mat"


def test_text_without_spaces_is_cut_where_it_must_be(tiny_bert: Model) -> None:
    reading = read(tiny_bert, "山水" * 100, tokens=12)
    assert (reading.read, len(reading.ids)) == (10, 12)


def test_spaces_at_the_end_are_not_called_cut(tiny_bert: Model) -> None:
    reading = read(tiny_bert, "the cat" + " " * 50, characters=10)
    assert reading.cut == ""


@given(text=WEIRD, tokens=st.integers(8, 40), characters=st.integers(1, 80))
def test_any_text_is_read_up_to_the_limits(
    tiny_bert: Model, text: str, tokens: int, characters: int
) -> None:
    reading = read(tiny_bert, text, characters, tokens)
    assert len(reading.ids) == len(reading.offsets) <= tokens
    assert text[: reading.read] + reading.cut == text
    assert all(0 <= start <= end <= reading.read for start, end in reading.offsets)
    assert reading.ids[0] == tiny_bert.tokenizer.cls_token_id
    assert reading.ids.count(tiny_bert.tokenizer.sep_token_id) == 1
    assert all(word in text for word in reading.unknown)
