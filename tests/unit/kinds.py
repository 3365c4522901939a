"""One tiny model of each kind that the app brings, in the real classes, with random weights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from tokenizers.processors import TemplateProcessing
from transformers import BertTokenizer, PreTrainedTokenizerFast

from models.loading import Model, open_model
from models.training import starts, texts
from tests.unit.conftest import LETTERS, SPECIAL, WORDS

OBJECTIVES = {
    "bert": "masked",
    "gpt": "causal",
    "lstm": "causal",
    "elmo": "two-way",
    "seq": "denoising",
}
KINDS = tuple(OBJECTIVES)


def wordpieces() -> PreTrainedTokenizerFast:
    """BERT's word pieces over the tests' few words."""
    vocabulary = list(dict.fromkeys(SPECIAL + WORDS + LETTERS))
    backend = BertTokenizer(vocab={word: i for i, word in enumerate(vocabulary)}).backend_tokenizer
    ids = [(token, vocabulary.index(token)) for token in ("[CLS]", "[SEP]")]
    backend.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=ids
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=backend, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
        sep_token="[SEP]", mask_token="[MASK]", model_max_length=64,
    )  # fmt: skip


def build_kind(kind: str, folder: Path, tokenizer: PreTrainedTokenizerFast | None = None) -> Model:
    """A model of this kind, saved as `publish` does and loaded as `models.load` does."""
    tokenizer = tokenizer or wordpieces()
    counts = torch.arange(len(tokenizer)) * 7 % 31
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"WIDTH": 32, "LAYERS": 2, "HEADS": 2}.items():
            patch.setattr(starts, name, value)
        network = starts.start_model(kind, texts.special_ids(tokenizer), counts, None, seed=0)
    torch.manual_seed(1)
    with torch.no_grad():
        for weights in network.parameters():  # far from even, so that ranks mean something
            weights.add_(0.2 * torch.randn_like(weights))
    network.half().save_pretrained(folder)
    texts.reading_way(tokenizer, OBJECTIVES[kind]).save_pretrained(folder)
    (folder / "unigram.json").write_text(json.dumps(counts.tolist()))
    return open_model(f"dir:{folder}", folder)
