"""Tokens tied to the visitor's own text, over every way to cut a text into tokens."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

from models.inputs import read
from models.results import Sentence
from models.tokens import Piece, describe
from models.traces import Token
from tests.unit.tracing_models import shared

SPECIAL = ["[UNK]", "[CLS]", "[SEP]", "[MASK]"]
CORPUS = [
    "the cat sat on the mat", "unhappy happiness walking walked café naïve résumé",
    "你好世界中文字", "שלום עולם مرحبا بالعالم",
    "a 😀 b 👩‍💻 ok", "<script>alert(1)</script>", "don't stop 2024",
] * 3  # fmt: skip

SENTENCES = {
    "repeats": "the cat the cat the the",
    "accents": "café naïve résumé",
    "chinese": "你好，世界",
    "emoji": "a 😀 b",
    "joiner": "ok 👩‍💻 ok",
    "right to left": "שלום עולם",
    "newlines": "the cat\n\nsat\ton",
    "markup": "</script><img src=x onerror=alert(1)>",
    "apostrophe": "don't stop",
    "spaces": "  the   cat ",
    "unknown": "the 龘 cat",
    "decomposed": "cafe\u0301 the",
}


def framed(tokenizer: Tokenizer) -> Tokenizer:
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, tokenizer.token_to_id(name)) for name in ("[CLS]", "[SEP]")],
    )  # fmt: skip
    return tokenizer


def word_piece() -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=160, special_tokens=SPECIAL)
    tokenizer.train_from_iterator(CORPUS, trainer)
    return framed(tokenizer)


def byte_level() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=290, special_tokens=SPECIAL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    tokenizer.train_from_iterator(CORPUS, trainer)
    cls, sep = (("[CLS]", 1), ("[SEP]", 2))
    tokenizer.post_processor = processors.RobertaProcessing(sep, cls, trim_offsets=True)
    return tokenizer


def unigram() -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=150, special_tokens=SPECIAL, unk_token="[UNK]")
    tokenizer.train_from_iterator(CORPUS, trainer)
    return framed(tokenizer)


def byte_fallback() -> Tokenizer:
    """As Llama's: no split into words, and bytes for what is not in the vocabulary."""
    tokenizer = Tokenizer(models.BPE(byte_fallback=True, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    every_byte = [f"<0x{value:02X}>" for value in range(256)]
    trainer = trainers.BpeTrainer(vocab_size=340, special_tokens=[*SPECIAL, *every_byte])
    tokenizer.train_from_iterator(CORPUS[:2], trainer)
    return framed(tokenizer)


def characters() -> Tokenizer:
    every = dict.fromkeys([*SPECIAL, *sorted(set("".join(CORPUS)))])
    vocabulary = {character: i for i, character in enumerate(every)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    return framed(tokenizer)


BUILD = {f.__name__: f for f in (word_piece, byte_level, unigram, byte_fallback, characters)}


@cache
def tokenizer(name: str) -> Tokenizer:
    return BUILD[name]()


def tokens(name: str, *texts: str) -> tuple[Token, ...]:
    encoding = tokenizer(name).encode(*texts)
    rows = zip(encoding.ids, encoding.tokens, encoding.offsets, encoding.sequence_ids, strict=True)
    special = {tokenizer(name).token_to_id(s) for s in SPECIAL}
    return describe(texts, [Piece(*row) for row in rows], special, unknown=0)


def seen(name: str, text: str) -> list[tuple[str, str]]:
    return [(t.text, t.kind) for t in tokens(name, text)[1:-1]]


def covered(text: str, found: tuple[Token, ...]) -> str:
    """The text as its tokens tell it, spaces left out."""
    places = sorted({i for t in found if t.kind != "special" for i in range(t.start, t.end)})
    return "".join(text[i] for i in places if not text[i].isspace())


@pytest.mark.parametrize("name", BUILD)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_every_token_is_a_slice_of_the_text(name, sentence):
    text = SENTENCES[sentence]
    found = tokens(name, text)
    for token in found[1:-1]:
        assert token.text == text[token.start : token.end]
        assert token.kind != "special"
        assert token.kind == "space" or token.text == token.text.strip() != ""
    assert [t.kind for t in (found[0], found[-1])] == ["special", "special"]
    assert [t.text for t in (found[0], found[-1])] == ["[CLS]", "[SEP]"]


@pytest.mark.parametrize("name", BUILD)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_tokens_tell_the_whole_text(name, sentence):
    text = SENTENCES[sentence]
    expected = "".join(text.split())
    if name == "word_piece":  # its normaliser drops accents that stand alone
        expected = expected.replace("\u0301", "")
    assert covered(text, tokens(name, text)) == expected


@pytest.mark.parametrize("name", BUILD)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_tokens_share_a_group_exactly_when_they_share_a_character(name, sentence):
    found = tokens(name, SENTENCES[sentence])
    groups = [t.group for t in found]
    assert groups == sorted(groups)
    assert set(groups) == set(range(groups[-1] + 1))
    for one, other in pairwise(found):
        words = one.sequence == other.sequence == 0 and "space" not in (one.kind, other.kind)
        share = words and other.start < one.end
        assert (one.group == other.group) == share
        if share:
            assert one.kind == other.kind == "byte"


def test_word_piece():
    assert seen("word_piece", "Cats 你好 😀!") == [
        ("Cat", "word"), ("s", "continuation"), ("你", "word"), ("好", "word"), ("😀", "word"),
        ("!", "word"),
    ]  # fmt: skip
    accent = tokens("word_piece", "cafe\u0301s")[1:-1]
    assert [t.kind for t in accent] == ["word", "continuation"]


@pytest.mark.parametrize(
    ("text", "count"), [("你", 3), ("😀", 3), ("ñ", 2), ("שלום"[0], 2), ("龘", 3)]
)
def test_bytes_of_one_character_are_one_group(text, count):
    found = tokens("byte_level", f"a{text}b")[1:-1]
    inside = [t for t in found if t.text == text]
    assert len(inside) == count
    assert {t.kind for t in inside} == {"byte"}
    assert len({t.group for t in inside}) == 1
    assert [t.text for t in (found[0], found[-1])] == ["a", "b"]


def test_neighbouring_characters_in_bytes_stay_apart():
    found = tokens("byte_level", "你好")[1:-1]
    assert [t.text for t in found] == ["你", "你", "你", "好", "好", "好"]
    assert len({t.group for t in found}) == 2


def test_byte_fallback_groups_bytes_too():
    found = [t for t in tokens("byte_fallback", "the 龘!")[1:-1] if t.text == "龘"]
    assert [t.piece for t in found] == ["<0xE9>", "<0xBE>", "<0x98>"]
    assert {t.kind for t in found} == {"byte"}


@pytest.mark.parametrize("name", ["byte_level", "unigram", "byte_fallback", "characters"])
def test_a_space_is_shown_as_a_space(name):
    found = tokens(name, "the \n 你")[1:-1]
    spaces = [t for t in found if t.kind == "space"]
    assert "\n" in {t.text for t in spaces}
    assert all(t.text == "" or t.text.isspace() for t in spaces)
    assert all(t.kind != "space" for t in found if t.text.strip())


def test_a_space_that_the_tokenizer_put_before_the_text_stands_for_nothing():
    first = tokens("unigram", "x cat")[1]
    assert (first.piece, first.kind, first.start, first.end, first.text) == ("▁", "space", 0, 0, "")


def test_a_trimmed_space_stands_where_it_is_in_the_text():
    space = next(t for t in tokens("byte_level", "cat 你") if t.piece == "Ġ")
    assert (space.start, space.end, space.text) == (3, 4, " ")


@pytest.mark.parametrize("name", ["byte_level", "characters"])
def test_a_joined_emoji_goes_on(name):
    found = tokens(name, "👩‍💻")[1:-1]
    heads = [t for t in found if t.kind == "word"]
    assert len(heads) <= 1
    assert covered("👩‍💻", found) == "👩‍💻"


def test_continuations_without_marks():
    assert seen("characters", "cat 你好") == [
        ("c", "word"), ("a", "continuation"), ("t", "continuation"), (" ", "space"),
        ("你", "word"), ("好", "word"),
    ]  # fmt: skip
    kinds = dict(seen("byte_level", "don't"))
    assert kinds["'"] == "word"


def test_what_cannot_be_spelled_is_a_word_and_says_so():
    found = tokens("word_piece", "the 龘 cat")
    assert [(t.text, t.unknown) for t in found[1:-1]] == [
        ("the", False), ("龘", True), ("cat", False)
    ]  # fmt: skip


def test_pairs_have_offsets_into_their_own_text():
    found = tokens("word_piece", "the cat", "the mat")
    assert [(t.text, t.sequence, t.start) for t in found if t.sequence is not None] == [
        ("the", 0, 0), ("cat", 0, 4), ("the", 1, 0), ("mat", 1, 4)
    ]  # fmt: skip
    assert len({t.group for t in found}) == len(found)


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=20), name=st.sampled_from(sorted(BUILD)))
def test_any_text_at_all(text, name):
    found = tokens(name, text)
    assert all(t.text == text[t.start : t.end] for t in found[1:-1])
    if name not in ("word_piece", "unigram"):  # those drop or replace characters
        assert covered(text, found) == "".join(c for c in text if not c.isspace())


def test_hidden_words_are_masks_at_their_place():
    inputs = read(shared("bert"), Sentence("the old cat sat", ((4, 7),)))
    mask = inputs.tokens[2]
    assert (mask.text, mask.kind, mask.start, mask.end) == ("[MASK]", "special", 4, 7)
    assert inputs.tensors["input_ids"][0, 2] == shared("bert").tokenizer.mask_token_id
    typed = read(shared("bert"), "the [MASK] cat sat")
    assert typed.tensors["input_ids"].tolist() == inputs.tensors["input_ids"].tolist()


def test_a_typed_end_of_sentence_is_text():
    inputs = read(shared("bert"), "the [SEP] cat")
    assert inputs.tensors["input_ids"][0].tolist().count(3) == 1
    assert [t.kind for t in inputs.tokens].count("special") == 2


def test_in_a_pair_words_are_hidden_by_typing():
    inputs = read(shared("bert"), "the [MASK]", pair="a [MASK]")
    assert inputs.tensors["input_ids"][0].tolist().count(4) == 2
    with pytest.raises(ValueError, match="typing"):
        read(shared("bert"), Sentence("the cat", ((0, 3),)), pair="a dog")
