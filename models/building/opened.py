"""A block opened: the tensors that run through it on a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from models.blueprints import BlockTensor, Kind, ModelPart, OpenPart, Side, Spread
from models.building import snippets
from models.building.parts import family_of, inputs_of, labels, parts_of
from models.building.path import focus
from models.building.steps import Check, Seen, walk
from models.building.towers import anatomy
from models.inputs import Inputs
from models.recording import to_numpy
from models.results import Sentence
from models.snippets import Source

if TYPE_CHECKING:
    from models.loading import Model

MOST_WORDS = 48
"""Columns of the vocabulary that a picture has room for: the largest at the position asked for."""

INSIDE: dict[Kind, tuple[str, ...]] = {
    "first norm": ("sum",),
    "attention": ("query", "key", "value", "masked", "weights", "joined"),
    "attention norm": ("attention sum",),
    "cross": ("cross query", "cross key", "cross value", "cross masked", "cross weights",
              "cross joined"),
    "cross norm": ("cross sum",),
    "ffn": ("expand", "activation"),
    "ffn norm": ("ffn sum",),
    "lstm": ("cell", "gates"),
    "vocabulary": ("logits",),
    "softmax": ("probabilities",),
}  # fmt: skip
"""What to show of a block beside what it gives."""
MEMORY = ("cross key", "cross value")
"""Tensors with a row for each token of the encoder."""


def open_part(
    model: Model,
    sentence: Sentence,
    kind: Kind,
    side: Side,
    layer: int | None = None,
    check: Check = None,
) -> OpenPart:
    """A block with its tensors; see `models.architecture.open_part`."""
    inputs, found = inputs_of(model, sentence), anatomy(model.name, model.network)
    parts = {(p.kind, p.side, p.layer): p for p in parts_of(model, found, inputs)}
    part = parts.get((kind, side, layer))
    if part is None:
        raise ValueError(f"{model.name} has no {kind!r} in layer {layer} of {side!r}")
    seen, family = walk(found, inputs, check), family_of(found)
    source = Source.of(model, sentence.text, inputs.tensors)
    return OpenPart(
        part=part,
        tensors=tuple(_tensors(model, part, seen, inputs, sentence)),
        snippet=snippets.output(source, part, family),
        lines=snippets.lines(part, family),
    )


def _tensors(
    model: Model, part: ModelPart, seen: Seen, inputs: Inputs, sentence: Sentence
) -> list[BlockTensor]:
    rows = _rows(part, inputs)
    memory = labels(inputs.tokens)
    if part.kind in ("vocabulary", "softmax"):
        return _over_words(model, part.kind, seen, rows, focus(model, inputs, sentence))
    found = []
    for name in (str(part.kind), *INSIDE.get(part.kind, ())):
        tensor = seen[part.side, part.layer, name]
        keys = memory if name.startswith("cross") else rows
        columns = keys if name.rpartition(" ")[2] in ("masked", "weights") else ()
        shown = "output" if name == part.kind else name
        found.append(_tensor(shown, tensor, memory if name in MEMORY else rows, columns))
    return found


def _rows(part: ModelPart, inputs: Inputs) -> tuple[str, ...]:
    """The tokens of the tower that a block stands in."""
    own = part.side != "encoder" and inputs.target_tokens
    return labels(inputs.target_tokens if own else inputs.tokens)


def _over_words(
    model: Model, kind: Kind, seen: Seen, rows: tuple[str, ...], position: int
) -> list[BlockTensor]:
    """Logits or probabilities of the words that are largest at one position; of every direction."""
    name = INSIDE[kind][0]
    found = []
    sides: tuple[Side, ...] = ("", "forward", "backward")
    for side in sides:
        if (tensor := seen.get((side, None, name))) is None:
            continue
        best = tensor[position].topk(min(MOST_WORDS, tensor.shape[1])).indices
        words = tuple(model.reader.spell((int(i),))[0] or "" for i in best)
        found.append(_tensor(side or "output", tensor[:, best], rows, words, whole=tensor))
    return found


def _tensor(
    name: str,
    values: Tensor,
    rows: tuple[str, ...],
    columns: Sequence[str] = (),
    whole: Tensor | None = None,
) -> BlockTensor:
    return BlockTensor(name, to_numpy(values), rows, spread(values if whole is None else whole),
                  tuple(columns))  # fmt: skip


def spread(tensor: Tensor) -> Spread:
    """How a tensor's numbers lie; −∞ does not count."""
    numbers = tensor[torch.isfinite(tensor)].double()
    return Spread(
        shape=tuple(tensor.shape),
        mean=float(numbers.mean()),
        deviation=float(numbers.std(unbiased=False)),
        low=float(numbers.min()),
        high=float(numbers.max()),
        negative=float((numbers < 0).double().mean()),
    )
