"""Ask what next-sentence prediction adds, and keep the answers in the zoo.

    python -m models.training.pair_tests --cache CACHE

writes models/zoo/next_sentence.json: two models trained on the same pairs of passages, one of them
with next-sentence prediction, are asked for the same hidden words of held-out pairs; and the one
that has learned it, whether the second passage goes on where the first ends. Half of the second
passages are exchanged: as in training, with those of any book; and, harder, with those of a
neighbouring passage, so that the subject does not give them away. It needs the corpora
(`python -m models.training corpora`), and about a minute on one core. `models.pair_tests` reads it
and judges.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from transformers import BertForPreTraining

from models.catalog import ZOO
from models.pair_tests import FILE, SEEDS, WITH, WITHOUT
from models.training.batches import TokenStore
from models.training.evaluation import MASK_RATE
from models.training.fetch import default_cache
from models.training.inside import there
from models.training.next_sentence import Pairs, make_pairs
from models.training.objectives import choose
from models.training.recipe import BLOCKS
from models.training.texts import read_text, special_ids

SEED, PAIRS = 0, 400
LENGTH = BLOCKS[0]
"""Tokens of a row, as in training."""


def rows(store: TokenStore, count: int = PAIRS, length: int = LENGTH) -> Int[Tensor, "row token"]:
    """Framed rows of running text that begin at a sentence and do not overlap, drawn by seed.

    They stand in the order of the text: a row's neighbours are mostly of the same book.
    """
    found: list[int] = []
    for start in store.starts[store.starts <= len(store.ids) - (length - 2)].tolist():
        if not found or start >= found[-1] + length - 2:
            found.append(start)
    order = np.random.default_rng(SEED).permutation(len(found))[:count]
    texts = (store.ids[found[i] : found[i] + length - 2].astype(np.int64) for i in sorted(order))
    return torch.tensor([[store.cls, *text.tolist(), store.sep] for text in texts])


def shuffled(count: int) -> Int[Tensor, " row"]:
    """Another order, drawn by seed: then a false second passage may come from any book."""
    return torch.from_numpy(np.random.default_rng(SEED).permutation(count))


@torch.inference_mode()
def found_words(
    model: BertForPreTraining, pairs: Pairs, chosen: Bool[Tensor, "row token"], mask: int
) -> Float[np.ndarray, " row"]:
    """How many of the hidden words of each pair are the first answer; all are shown as [MASK]."""
    hits, kinds = [], model.config.type_vocab_size
    for ids, types, hidden in zip(pairs.ids, pairs.types, chosen, strict=True):
        read = ids.masked_fill(hidden, mask)[None]
        # One that has read no pairs knows no second kind of passage.
        known = types.clamp(max=kinds - 1)[None]
        logits = model(input_ids=read, token_type_ids=known).prediction_logits[0, hidden]
        hits.append(float((logits.argmax(1) == ids[hidden]).sum()))
    return np.array(hits)


@torch.inference_mode()
def knows(model: BertForPreTraining, pairs: Pairs) -> Bool[np.ndarray, " row"]:
    """For each pair, nothing hidden: is the answer right whether the second passage follows?"""
    right = []
    for ids, types, goes_on in zip(pairs.ids, pairs.types, pairs.goes_on, strict=True):
        logits = model(input_ids=ids[None], token_type_ids=types[None]).seq_relationship_logits[0]
        right.append(bool(logits.argmax() == 0) == bool(goes_on))  # transformers: 0 is "follows"
    return np.array(right)


def run(zoo: Path, cache: Path) -> dict[str, Any]:
    """The whole test; both models have to be there."""
    loaded = there(zoo, (WITHOUT, WITH, *SEEDS))
    some = loaded[WITH]
    special = special_ids(some.tokenizer)
    text = read_text("english-xs", cache, len(some.tokenizer))
    if not isinstance(text.held_out, TokenStore):
        raise TypeError("english-xs is a text, not pairs")
    generator = torch.Generator().manual_seed(SEED)
    ordered = rows(text.held_out)
    near = make_pairs(ordered, special, generator)
    pairs = make_pairs(ordered[shuffled(len(ordered))], special, generator)
    chosen = choose(pairs.ids, special, MASK_RATE, generator)
    networks = {name: whole(zoo / name) for name in loaded}
    return {
        "seed": SEED,
        "weights": {name: model.provenance.revision for name, model in loaded.items()},
        "versions": dict(some.provenance.versions),
        "hits": {
            name: found_words(network, pairs, chosen, special.mask).astype(int).tolist()
            for name, network in networks.items()
        },
        "words": chosen.sum(1).tolist(),
        "right": knows(networks[WITH], pairs).astype(int).tolist(),
        "near": knows(networks[WITH], near).astype(int).tolist(),
        "follows": float(pairs.goes_on.float().mean()),
    }


def whole(folder: Path) -> BertForPreTraining:
    """A model with both heads; of one that was not asked about pairs the second is random."""
    network = BertForPreTraining.from_pretrained(folder, local_files_only=True)
    return network.float().eval()


def main() -> None:
    """Run it and write it down."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cache", type=Path, default=default_cache())
    cache = parser.parse_args().cache
    torch.set_num_threads(1)
    text = json.dumps(run(ZOO, cache), separators=(",", ":"))
    (ZOO / FILE).write_text(text + "\n", encoding="utf-8")
    print(f"written: {ZOO / FILE}")


if __name__ == "__main__":
    main()
