"""A tokenizer for which one character is one token, as small as a tokenizer can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, pre_tokenizers, processors
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

from models.verse import FORMS, lines_of

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
FORM_TOKENS = [form.token for form in FORMS]
MARKS = ["，", "。"]
LARGEST = 6_500
LEAST = 8  # a character seen less often is not learned; it becomes [UNK]


def vocabulary(poems: Iterable[str], largest: int = LARGEST, least: int = LEAST) -> list[str]:
    """Special tokens, form tokens, punctuation, then characters by frequency."""
    counts = Counter(character for poem in poems for line in lines_of(poem) for character in line)
    by_frequency = sorted(counts, key=lambda character: (-counts[character], character))
    often = [character for character in by_frequency if counts[character] >= least]
    return [*SPECIAL, *FORM_TOKENS, *MARKS, *often][:largest]


def tokenizer_of(pieces: Sequence[str]) -> PreTrainedTokenizerFast:
    """A tokenizer over these pieces; spaces are dropped, other characters are [UNK] by themselves.

    Form tokens are special tokens: "[五絕]" in a text is one token, and decoding can skip it.
    """
    ids = {piece: number for number, piece in enumerate(pieces)}
    backend = Tokenizer(WordLevel(ids, unk_token="[UNK]"))
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(r"\s+"), "removed"),
            pre_tokenizers.Split(Regex("."), "isolated"),
        ]
    )
    backend.decoder = decoders.Fuse()
    return framed(backend, FORM_TOKENS)


def framed(backend: Tokenizer, more: Sequence[str] = ()) -> PreTrainedTokenizerFast:
    """The tokenizer as transformers wants it: texts between [CLS] and [SEP], up to 128 tokens.

    Args:
        backend: a tokenizer whose vocabulary has `SPECIAL`.
        more: further special tokens.
    """
    backend.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(token, backend.token_to_id(token)) for token in ("[CLS]", "[SEP]")],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=backend,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        additional_special_tokens=list(more),
        model_max_length=128,
    )


def tokenizer_for(poems: Iterable[str]) -> PreTrainedTokenizerFast:
    """The tokenizer of a corpus of poems."""
    return tokenizer_of(vocabulary(poems))


def load(folder: Path) -> PreTrainedTokenizerFast:
    """A tokenizer that `save_pretrained` wrote."""
    return PreTrainedTokenizerFast.from_pretrained(folder, local_files_only=True)


def unknown_share(tokenizer: PreTrainedTokenizerFast, texts: Sequence[str]) -> float:
    """The share of [UNK] among the tokens of the texts, special tokens aside."""
    ids = Counter(
        i
        for encoding in tokenizer.backend_tokenizer.encode_batch(
            list(texts), add_special_tokens=False
        )
        for i in encoding.ids
    )
    known = sum(ids.values()) - sum(ids[i] for i in tokenizer.all_special_ids)
    unknown = ids[tokenizer.unk_token_id]
    return unknown / max(1, known + unknown)
