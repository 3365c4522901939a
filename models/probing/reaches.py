"""Who notices whom, measured: tokens are replaced one by one, and states before and after compared.

No counts of a training text are needed, so it works with any checkpoint. Original and changed texts
go through in one batch, so that what cannot arrive is exactly 0 (`models.measures.visibility`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from models.measures.visibility import moved
from models.probing.records import Reach, Watched
from models.recording import Request, serving
from models.tracing import NAME
from models.wiring import prepare

if TYPE_CHECKING:
    from models.inputs import Inputs
    from models.loading import Model

Check = Callable[[], None] | None
WORK, FEWEST = 4e10, 3
"""Products that all versions of a text may take; at least so many tokens are replaced."""


@dataclass(frozen=True)
class _Seen:
    watched: Watched
    stack: str
    part: slice


def reaches(model: Model, inputs: Inputs, check: Check = None) -> tuple[tuple[Reach, ...], float]:
    """What each kind of state notices; and how far states move when the words are turned round."""
    found = []
    for side, watches in _watches(model).items():
        places = _chosen(model, inputs.tensors[side].shape[1])
        versions = _replaced(model, inputs.tensors[side], places)
        states = _states(model, inputs.tensors, side, versions, check)
        for seen in watches:
            of = states[seen.stack][..., seen.part]
            found.append(_reach(seen.watched, moved(of[0], of[1:]), places))
    return tuple(each for each in found if each.pairs), _order(model, inputs, check)


def _watches(model: Model) -> dict[str, tuple[_Seen, ...]]:
    """By the argument that is changed, what is watched meanwhile."""
    whole = slice(None)
    if model.network.config.is_encoder_decoder:
        return {
            "input_ids": (_Seen("encoder", "encoder_", whole), _Seen("cross", "decoder_", whole)),
            "decoder_input_ids": (_Seen("decoder", "decoder_", whole),),
        }
    if model.objective == "two-way":
        width = int(model.network.config.hidden_size)
        halves = _Seen("forward", "", slice(0, width)), _Seen("backward", "", slice(width, None))
        return {"input_ids": halves}
    return {"input_ids": (_Seen("whole", "", whole),)}


def _chosen(model: Model, length: int) -> list[int]:
    """The tokens to replace: all, or as many as a large network allows, evenly spread."""
    each = 2 * sum(p.numel() for p in model.network.parameters()) * length
    most = int(max(FEWEST, min(length, WORK / each)))
    return sorted({round(i) for i in np.linspace(0, length - 1, most)})


def _replaced(model: Model, ids: Tensor, places: list[int]) -> Tensor:
    """One version for each place, with another word there; drawn from seed 0."""
    rng = np.random.default_rng(0)
    words = np.flatnonzero(model.vocabulary.is_word)
    versions = ids.repeat(len(places), 1)
    for row, place in enumerate(places):
        others = words[words != int(ids[0, place])]
        versions[row, place] = int(rng.choice(others))
    return versions


def _states(
    model: Model, tensors: dict[str, Tensor], side: str, versions: Tensor, check: Check
) -> dict[str, Float[np.ndarray, "version position dim"]]:
    """Top-layer states of the original and of each version, by stack."""
    rows = 1 + len(versions)
    batch = {name: ids.repeat(rows, 1) for name, ids in tensors.items()}
    batch[side] = torch.cat([tensors[side], versions])
    wiring = prepare(model.network, NAME)
    with torch.inference_mode(), serving(Request(wiring.kinds, check=check)):
        output = model.network.base_model(**batch, output_hidden_states=True)
    names = ("encoder_", "decoder_", "")
    return {
        name: output[f"{name}hidden_states"][-1].float().numpy()
        for name in names
        if output.get(f"{name}hidden_states") is not None
    }


def _reach(
    watched: Watched, moves: Float[np.ndarray, "version position"], places: list[int]
) -> Reach:
    """The largest move before and after the places that were changed."""
    positions = np.arange(moves.shape[1])
    before = np.stack([positions < place for place in places])
    after = np.stack([positions > place for place in places])
    if watched == "cross":  # source and target count by themselves: all of it is "ahead"
        before, after = np.ones_like(before), np.zeros_like(after)
    return Reach(
        watched,
        ahead=float(moves[before].max(initial=0.0)),
        back=float(moves[after].max(initial=0.0)),
        pairs=int(before.sum()),
    )


def _order(model: Model, inputs: Inputs, check: Check) -> float:
    """Each word keeps its state, wherever it stands, in a model that knows no order: then 0."""
    ids = inputs.tensors["input_ids"]
    body = [i for i, token in enumerate(inputs.tokens) if token.sequence is not None]
    if len(body) < 2:
        return 0.0
    turned = list(range(ids.shape[1]))
    for place, other in zip(body, reversed(body), strict=True):
        turned[place] = other
    encoder = {"input_ids": ids}
    states = _states(model, encoder | _start(model, ids), "input_ids", ids[:, turned], check)
    of = states.get("encoder_", states.get(""))
    if of is None:
        return 0.0
    return float(moved(of[0][turned], of[1])[body].max(initial=0.0))


def _start(model: Model, ids: Tensor) -> dict[str, Tensor]:
    """A decoder has to read something meanwhile."""
    if not model.network.config.is_encoder_decoder:
        return {}
    return {"decoder_input_ids": ids[:, :1]}
