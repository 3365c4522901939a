"""The way of one token, step by step, from its embedding to the probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from torch import Tensor

from models.blueprints import PathRow, PathStep, Side, StepName, TokenPath
from models.building import snippets
from models.building.parts import activation_name, family_of, inputs_of, labels
from models.building.steps import Check, Seen, walk
from models.building.towers import Anatomy, anatomy
from models.inputs import Inputs
from models.masked.asking import answer
from models.recording import to_numpy
from models.results import Sentence
from models.snippets import Source

if TYPE_CHECKING:
    from models.loading import Model

TOP = 10


def token_path(
    model: Model,
    sentence: Sentence,
    position: int | None = None,
    layer: int = 0,
    check: Check = None,
) -> TokenPath:
    """One token's way; see `models.architecture.token_path`."""
    inputs, found = inputs_of(model, sentence), anatomy(model.name, model.network)
    tokens, side = inputs.target_tokens or inputs.tokens, answering(found)
    at = focus(model, inputs, sentence) if position is None else position
    layers = _depth(found)
    if not 0 <= at < len(tokens):
        raise ValueError(f"position {at} of {len(tokens)}")
    if not 0 <= layer < layers:
        raise ValueError(f"layer {layer} of {layers}")
    seen, family = walk(found, inputs, check), family_of(found)
    way: Side = side if found.recurrent else ""
    log_p = to_numpy(seen[way, None, "logits"][at].double().log_softmax(-1).float())
    source = Source.of(model, sentence.text, inputs.tensors)
    no_words = np.flatnonzero(~model.vocabulary.is_word).tolist()
    tower = found.towers[-1] if found.towers else None
    return TokenPath(
        family=family,
        tokens=labels(tokens),
        memory=labels(inputs.tokens) if inputs.target_tokens else (),
        position=at,
        layer=layer,
        layers=layers,
        heads=tower.layers[0].attention.heads if tower else 0,
        steps=tuple(_steps(found, seen, side, at, layer, layers)),
        best=answer(model, log_p, None, TOP).best,
        visible=at + 1 if tower is None or tower.causal else len(tokens),
        activation=activation_name(tower.layers[0].activation) if tower else "",
        provenance=model.provenance,
        snippet=snippets.path(source, family, at, no_words),
    )


def answering(found: Anatomy) -> Side:
    """The tower in which the token stands whose way is followed: the last; ELMo's forward one."""
    return found.towers[-1].side if found.towers else found.recurrent[0].side


def focus(model: Model, inputs: Inputs, sentence: Sentence) -> int:
    """The position that answers for the hidden word, or else for the longest.

    BERT answers at the word itself, who reads from the left at the token before it.
    """
    tokens = inputs.target_tokens or inputs.tokens
    before = 0 if model.objective == "masked" else 1
    hidden = sentence.hidden[0] if sentence.hidden else None
    places = [i for i, token in enumerate(tokens) if token.end > token.start and i >= before]
    if not places:
        return 0
    if hidden is not None:
        inside = [i for i in places if tokens[i].start < hidden[1] and tokens[i].end > hidden[0]]
        if inside:
            return inside[0] - before
    longest = max(places, key=lambda i: tokens[i].end - tokens[i].start)
    return longest - before


def _depth(found: Anatomy) -> int:
    if found.towers:
        return len(found.towers[-1].layers)
    return len(found.recurrent[0].stack.layers)


def _steps(
    found: Anatomy, seen: Seen, side: Side, at: int, layer: int, layers: int
) -> Iterator[PathStep]:
    def row(name: str, i: int | None, label: str | None = None) -> PathRow:
        return _row(label or name, seen[side, i, name], at)

    if found.towers:
        yield _embedding(found, seen, side, at)
        if layer:
            yield PathStep("before", (row("input", layer),))
        yield from _attention(seen, side, at, layer)
        yield from _feed_forward(seen, side, at, layer)
    else:
        words = _row("words", seen["", None, "words"], at)
        yield PathStep("embedding", (words,))
        if layer:
            yield PathStep("before", (row("input", layer),))
        names = ("input gate", "forget gate", "candidate", "output gate")
        gates = np.split(to_numpy(seen[side, layer, "gates"][at]), 4)
        yield PathStep("gates", tuple(PathRow(n, v) for n, v in zip(names, gates, strict=True)))
        yield PathStep("cell", (row("cell", layer), row("lstm", layer)))
        yield PathStep("dense of lstm", (row("dense of lstm", layer), row("output", layer)))
    if layer < layers - 1:
        last = "ffn norm" if found.towers else "output"
        yield PathStep("after", (row(last, layers - 1, "output"),))
    yield from _head(seen, "" if found.towers else side, at)


def _row(name: str, tensor: Tensor, at: int) -> PathRow:
    return PathRow(name, to_numpy(tensor[at]))


def _embedding(found: Anatomy, seen: Seen, side: Side, at: int) -> PathStep:
    """Word (as scaled), position, segment, their sum, and that normed."""
    tower = found.towers[-1]
    rows = [_row("words", tower.scale * seen[side, None, "words"], at)]
    rows += [
        _row(name, seen[side, None, name], at)
        for name in ("positions", "segments", "sum", "first norm")
        if (side, None, name) in seen
    ]
    return PathStep("embedding", tuple(rows))


def _attention(seen: Seen, side: Side, at: int, layer: int) -> Iterator[PathStep]:
    """Query, key and value; scores, mask, softmax; heads joined; residual and norm; cross."""

    def rows(*names: str) -> tuple[PathRow, ...]:
        return tuple(_row(name, seen[side, layer, name], at) for name in names)

    def grid(name: str) -> np.ndarray:
        return to_numpy(seen[side, layer, name][:, at])

    yield PathStep("query key value", rows("query", "key", "value"))
    steps: tuple[tuple[StepName, str], ...] = (
        ("scores", "scores"), ("mask", "masked"), ("softmax", "weights"),
    )  # fmt: skip
    for step, name in steps:
        yield PathStep(step, grid=grid(name))
    yield PathStep("joined", rows("joined", "attention"))
    yield PathStep("attention norm", rows("attention sum", "attention norm"))
    if (side, layer, "cross") in seen:
        yield PathStep("cross", rows("cross query", "cross"), grid("cross weights"))
        yield PathStep("cross norm", rows("cross sum", "cross norm"))


def _feed_forward(seen: Seen, side: Side, at: int, layer: int) -> Iterator[PathStep]:
    def rows(*names: str) -> tuple[PathRow, ...]:
        return tuple(_row(name, seen[side, layer, name], at) for name in names)

    yield PathStep("expand", rows("expand"))
    yield PathStep("activation", rows("activation"))
    yield PathStep("contract", rows("ffn"))
    yield PathStep("ffn norm", rows("ffn sum", "ffn norm"))


def _head(seen: Seen, side: Side, at: int) -> Iterator[PathStep]:
    """The head's own steps where it has any, logits, probabilities."""
    names = [n for n in ("dense", "activation", "head norm") if ("", None, n) in seen]
    rows = [_row(name, seen["", None, name], at) for name in names]
    if side:
        rows.append(_row("last norm", seen[side, None, "last norm"], at))
    if rows:
        yield PathStep("head", tuple(rows))
    yield PathStep("logits", (_row("logits", seen[side, None, "logits"], at),))
    yield PathStep("probabilities", (_row("probabilities", seen[side, None, "probabilities"], at),))
