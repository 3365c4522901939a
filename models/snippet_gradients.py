"""Programs that print integrated gradients again, with captum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from torch import Tensor

from models import snippet_bodies as bodies
from models.heads import Attribution
from models.snippets import Source

if TYPE_CHECKING:
    from models.loading import Model

GRADIENTS = """\
from captum.attr import IntegratedGradients

torch.set_grad_enabled(True)
model.requires_grad_(False)
table = model.get_input_embeddings().weight
names = [name for name in ("input_ids", "decoder_input_ids") if name in inputs]  # as read
given, seen = [], []


def replace(module, args, output):
    seen.append(output)
    return given.pop(0) if given else None


lookups = [m for m in model.modules() if isinstance(m, torch.nn.Embedding) and m.weight is table]
for module in lookups:  # an encoder-decoder looks words up twice
    module.register_forward_hook(replace)


def answer(*vectors):
    given[:] = vectors
    rows = {name: ids.expand(len(vectors[0]), -1) for name, ids in inputs.items()}
    return model(**rows).logits[:, position].double().log_softmax(-1)[:, word]


model(**inputs)
vectors, baselines = tuple(seen), []
for name, read in zip(names, vectors):  # special tokens and masks stay
    none = torch.arange(len(table)) if mask is None else torch.tensor([mask])
    none = lookups[0](none).mean(0)
    baselines.append(torch.where(torch.tensor(replaced[name])[None, :, None], none, read))
found = IntegratedGradients(answer).attribute(vectors, tuple(baselines), n_steps=64)
values = {name: one[0].sum(-1).double().numpy() for name, one in zip(names, found)}
"""

PRINT = """\
for one in values.values():
    show(one)  # change of log p in nats, one number per token
change = (answer(*vectors) - answer(*baselines)).item()
show(sum(one.sum() for one in values.values()) - change)  # completeness error
"""

THIRD = """\
at = np.array(replaced[side][: len(weights[0])])
third = np.abs(values[side][: len(at)])[at]
for other in (weights, np.abs(effects)):
    first, second = ranks(np.asarray(other)[:, at]), ranks(np.tile(third, (len(weights), 1)))
    show(np.corrcoef(first, second)[0, 1])  # Spearman's rho, over the edges of words
"""


def attributions(
    source: Source, position: int, word: int, replaced: Mapping[str, Tensor], mask: int | None
) -> str:
    """Prints one number per token for each side that reads, then the completeness error."""
    at = {name: one.tolist() for name, one in replaced.items()}
    header = source.header(position=position, word=word, replaced=at, mask=mask)
    return header + GRADIENTS + PRINT


def third(
    source: Source, place: tuple[int, ...], model: Model, attribution: Attribution, side: str
) -> str:
    """Prints ρ of attention and effects, then ρ of either with integrated gradients."""
    position, word, call, heads, keys = place
    header = source.header(
        bodies.EDITING,
        position=position, word=word, call=call, heads=heads, keys=keys, side=side,
        replaced={name: np.isfinite(one).tolist() for name, one in attribution.values.items()},
        mask=None if attribution.mean_baseline else model.reader.mask_id,
    )  # fmt: skip
    three = bodies.EDITED_ATTENTION + bodies.EDGE_EFFECTS + bodies.AGREEMENT
    return header + three + GRADIENTS + THIRD
