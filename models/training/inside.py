"""Measure what the parts of a block are worth, and keep it in the zoo.

    python -m models.training.inside --cache CACHE

writes models/zoo/block.json: the loss of every variant on held-out passages; of single models with
feed-forward networks, skip connections or heads switched off; how alike the positions are, layer by
layer; and of the models that read little text often, the loss on just that text. It needs the
corpora (`python -m models.training corpora`), and some minutes on one core. Variants that are not
trained yet are left out; what was measured with the same weights is kept (``--anew`` measures all
again). `models.block_tests` reads it, `models.block_claims` judges.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from models.block_records import WAYS
from models.block_tests import BASE, FILE, SEEDS
from models.blocks.alike import CHANGES, by_layer
from models.blocks.silencing import points, quiet
from models.catalog import ZOO
from models.interventions import Intervention
from models.loading import Model, open_model
from models.measures.likeness import centred_residual, mean_cosine
from models.recording import EVERY_ROW, Request, serving
from models.revisions import revision
from models.tracing import NAME
from models.training import corpora
from models.training.batches import TokenStore
from models.training.families import asked, held_out_passages
from models.training.fetch import default_cache
from models.training.texts import MANIFESTS, SMALL, read_text, special_ids
from models.training.variants import PART
from models.wiring import prepare

SEED = 0
PASSAGES, ALIKE = 100, 40  # of each source
WINDOWS, LENGTH = 200, 64  # of text that was read, and of text that was not
VARIANTS = (
    *SEEDS, "bert-v-ffn-1x", "bert-v-identity", "bert-v-relu", "bert-v-no-ffn", "bert-v-attention",
    "bert-v-1-head", "bert-v-2-heads", "bert-v-8-heads", "bert-v-dropout-10", "bert-v-dropout-30",
    "bert-v-pairs", "bert-v-next-sentence",
)  # fmt: skip
FEW = ("bert-v-few", "bert-v-few-dropout-10", "bert-v-few-dropout-30")
OPENED = ("bert-s-en", "gpt-s-en", BASE)
"""Models of which parts are switched off."""
Sums = dict[str, list[float]]


@contextmanager
def changed(model: Model, changes: Sequence[Intervention]) -> Iterator[None]:
    """While this is open the model runs with these changes, in this thread."""
    wiring = prepare(model.network, NAME)
    edits = tuple((EVERY_ROW, change) for change in changes)
    with torch.inference_mode():
        request = Request(wiring.kinds, edits=edits)
        with serving(request):
            yield


def nats(model: Model, passages: Sequence[Tensor], changes: Sequence[Intervention] = ()) -> Sums:
    """Nats of each passage at the model's own task, and how many words were asked.

    Args:
        model: Masked or causal.
        passages: (position,) each. What is hidden in the nth depends on n alone.
        changes: What is off.
    """
    objective, special = str(model.objective), special_ids(model.tokenizer)
    found: Sums = {"nats": [], "words": []}
    for seed, ids in enumerate(passages):
        with changed(model, changes):
            (readout,) = asked(model.network, objective, ids[None], special, seed)
            answers, targets = readout.log_probabilities(), readout.counted
            total = -float(answers.gather(1, targets[:, None]).sum())
        found["nats"].append(round(total, 3))
        found["words"].append(float(len(targets)))
    return found


def likeness(
    model: Model, passages: Sequence[Tensor], changes: Sequence[Intervention] = ()
) -> tuple[list[list[float]], list[list[float]]]:
    """Both measures of every passage, by layer; nothing is hidden."""
    residual, cosine = [], []
    for ids in passages:
        with changed(model, changes):
            output = model.network.base_model(ids[None], output_hidden_states=True)
        states = [each[0].numpy() for each in output.hidden_states]
        residual.append(by_layer(states, centred_residual).round(4).tolist())
        cosine.append(by_layer(states, mean_cosine).round(4).tolist())
    return residual, cosine


def curves(model: Model, passages: Sequence[Tensor]) -> dict[str, Any]:
    """Heads silenced in two orders; even passages give the orders, odd ones the losses."""
    ordering, measuring = passages[::2], passages[1::2]
    wiring = prepare(model.network, NAME)
    stack = wiring.stacks[-1]
    heads = range(wiring.heads[stack])
    every = [(layer, head) for layer in range(wiring.depth[stack]) for head in heads]
    alone = [sum(nats(model, ordering, quiet([each]))["nats"]) for each in every]
    order = [every[i] for i in np.argsort(alone, kind="stable")]
    counts = points(len(every))
    least = [nats(model, measuring, quiet(order[:n])) for n in counts]
    most = [nats(model, measuring, quiet(order[len(order) - n :])) for n in counts]
    return {
        "order": order,
        "counts": counts,
        "least_first": [each["nats"] for each in least],
        "most_first": [each["nats"] for each in most],
        "words": least[0]["words"],
    }


def windows(store: TokenStore, seed: int = SEED) -> list[Tensor]:
    """Pieces of running text of one length, framed; drawn by seed."""
    rng = np.random.default_rng(seed)
    starts = store.starts[store.starts < len(store.ids) - LENGTH]
    drawn = rng.choice(starts, size=min(WINDOWS, len(starts)), replace=False)
    rows = [store.ids[start : start + LENGTH - 2].astype(np.int64) for start in drawn]
    return [torch.tensor([store.cls, *row.tolist(), store.sep]) for row in rows]


def there(zoo: Path, names: Sequence[str]) -> dict[str, Model]:
    """Those of some models that are published."""
    complete = [name for name in names if (zoo / name / "model.safetensors").is_file()]
    return {name: open_model(name, zoo / name) for name in complete}


def run(zoo: Path, cache: Path, kept: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """All tests of what is there.

    Args:
        zoo: Where the models lie.
        cache: Where corpora and texts lie.
        kept: What an earlier run found; of models with the same weights it is not measured again.
    """
    loaded = there(zoo, tuple(dict.fromkeys((*OPENED, *VARIANTS, *FEW))))
    weights = {name: revision(zoo / name) for name in loaded}
    facts, known = _still(kept or {}, weights)
    held = corpora.read(cache / MANIFESTS["english-xs"] / "held_out.jsonl")
    documents = [document for document in held if document.source in SMALL]
    for name in dict.fromkeys((*OPENED, *VARIANTS)):
        if name in loaded and name not in known:
            spelled = held_out_passages(documents, loaded[name].tokenizer, PASSAGES)
            _one(facts, loaded[name], [passage.ids for passage in spelled])
            print(f"{name}: measured", flush=True)
    few = {name: loaded[name] for name in FEW if name in loaded and name not in known}
    if few:
        facts["read"] |= _read_often(few, cache)
    some = next(iter(loaded.values()), None)
    return facts | {
        "seed": SEED,
        "weights": weights,
        "versions": {} if some is None else dict(some.provenance.versions),
    }


def _still(
    kept: Mapping[str, Any], weights: Mapping[str, str | None]
) -> tuple[dict[str, Any], set[str]]:
    """What an earlier run found about models that are still the same, and which those are."""
    before: Mapping[str, str] = kept.get("weights", {})
    known = {name for name, now in weights.items() if before.get(name) == now}
    parts = ("losses", "residual", "cosine", "silenced", "read")
    return {
        part: {
            name: found
            for name, found in kept.get(part, {}).items()
            if name.partition("/")[0] in known
        }
        for part in parts
    }, known


def _one(facts: dict[str, Any], model: Model, passages: Sequence[Tensor]) -> None:
    """Everything about one model."""
    some = passages[:: max(1, len(passages) // (ALIKE * len(SMALL)))]
    for way in WAYS if model.name in OPENED else WAYS[:1]:
        name = model.name if way == "trained" else f"{model.name}/{way}"
        facts["losses"][name] = nats(model, passages, CHANGES[way])
        facts["residual"][name], facts["cosine"][name] = likeness(model, some, CHANGES[way])
    if model.name in OPENED or model.name.endswith(("-head", "-heads")):
        facts["silenced"][model.name] = curves(model, passages)


def _read_often(loaded: Mapping[str, Model], cache: Path) -> dict[str, Any]:
    """Of the models that read a part of the text again and again: on it, and beside it."""
    first = next(loaded[name] for name in FEW if name in loaded)
    text = read_text("english-xs", cache, len(first.tokenizer))
    if not isinstance(text.train, TokenStore) or not isinstance(text.held_out, TokenStore):
        raise TypeError("english-xs is a text, not pairs")
    own, held = windows(text.train.part(PART)), windows(text.held_out)
    return {
        name: {"own": nats(loaded[name], own), "held_out": nats(loaded[name], held)}
        for name in FEW
        if name in loaded
    }


def write(facts: Mapping[str, Any], path: Path) -> None:
    """As JSON, in few lines."""
    text = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
    path.write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Run it and write it down."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cache", type=Path, default=default_cache())
    parser.add_argument("--anew", action="store_true", help="measure again what is known")
    arguments = parser.parse_args()
    path = ZOO / FILE
    known = path.is_file() and not arguments.anew
    kept = json.loads(path.read_text(encoding="utf-8")) if known else None
    write(run(ZOO, arguments.cache, kept), path)
    print(f"written: {ZOO / FILE}")


if __name__ == "__main__":
    main()
