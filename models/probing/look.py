"""One checkpoint tried on one sentence: what it is, as far as running it tells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import torch

from models.inputs import Inputs, read
from models.interventions import AttentionKind
from models.probing import lookups, snippets
from models.probing.abilities import changed, output_of, possible, recorded
from models.probing.reaches import reaches
from models.probing.records import HeadsOfKind, Probe
from models.probing.twin import eager_twin
from models.results import Sentence
from models.traces import Attention, Trace
from models.tracing import NAME, traced, without_cache
from models.wiring import Wiring, prepare

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None
MOST_TOKENS = 24
"""Every token is replaced once: time grows with the square of the length."""


def probe(model: Model, text: str, check: Check = None) -> Probe:
    """See `models.probing.probe`."""
    wiring = prepare(model.network, NAME)
    inputs = inputs_of(model, text)
    asked, refused = possible(model, wiring)
    whole = traced(model, inputs, asked, check=check)
    mine, plain, compared = _both(model, wiring, inputs, whole)
    found, order = reaches(model, inputs, check)
    network = model.network
    return Probe(
        family=str(network.config.model_type),
        architecture=type(network).__name__,
        objective=model.objective,
        known=wiring.anatomy is not None,
        text=inputs.text[: len(inputs.text) - len(inputs.cut[0])],
        tokens=tuple(token.text for token in inputs.tokens),
        depth=dict(wiring.depth),
        attention=tuple(_heads(whole)),
        reaches=found,
        order=order,
        recorded=recorded(whole, refused),
        changed=changed(model, wiring, inputs, whole, check),
        compared=compared,
        parity=float(np.abs(mine - plain).max(initial=0.0)),
        largest=float(np.abs(plain).max(initial=0.0)),
        broken=_broken(whole, mine),
        positions=lookups.schemes(network),
        window=lookups.window(network),
        tied=lookups.tying(network),
        extras=lookups.on_top(network),
        parameters=sum(each.numel() for each in network.parameters()),
        provenance=model.provenance,
        snippet=snippets.probe(model, inputs),
    )


def inputs_of(model: Model, text: str) -> Inputs:
    """What is read of a text; a decoder beside an encoder reads the same.

    Raises:
        ValueError: There is nothing to read in it.
    """
    short = replace(model, max_tokens=min(model.max_tokens, MOST_TOKENS))
    inputs = read(short, Sentence(text), target=text if model.has_decoder else None)
    if not inputs.tensors["input_ids"].numel():
        raise ValueError("no token")
    return inputs


def _both(
    model: Model, wiring: Wiring, inputs: Inputs, whole: Trace
) -> tuple[np.ndarray, np.ndarray, Literal["logits", "states"]]:
    """The output of tracing and of a plain eager forward pass of a network with the same weights.

    Families with attention of their own are run by it either way.
    """
    twin = eager_twin(model.network)
    with torch.inference_mode():
        output = twin(**inputs.tensors, output_hidden_states=True, **without_cache(wiring))
    if whole.logits is not None:
        return whole.logits, output["logits"][0].float().numpy(), "logits"
    states = output["hidden_states"][-1][0].float().numpy()
    return output_of(whole), states, "states"


def _heads(whole: Trace) -> Iterator[HeadsOfKind]:
    """Each kind of attention that was recorded."""
    stacks: list[tuple[AttentionKind, dict[int, Attention]]] = []
    if whole.encoder is not None:
        stacks.append(("encoder", dict(whole.encoder.attention)))
    if whole.decoder is not None:
        stacks.append(("decoder", dict(whole.decoder.attention)))
        stacks.append(("cross", dict(whole.decoder.cross)))
    for kind, layers in stacks:
        if layers:
            yield _kind(kind, [layer for _, layer in sorted(layers.items())])


def _kind(kind: AttentionKind, layers: list[Attention]) -> HeadsOfKind:
    weights = [layer["weights"] for layer in layers]
    seen = [_allowed(layer) for layer in layers]
    first = layers[0].arrays
    away = [np.abs(np.subtract.outer(*map(np.arange, may.shape))) for may in seen]
    return HeadsOfKind(
        kind=kind,
        layers=len(layers),
        heads=weights[0].shape[0],
        key_heads=_apart(first["key"]) if "key" in first else None,
        d_head=int(first["value"].shape[-1]) if "value" in first else None,
        rows=sum(each.shape[0] * each.shape[1] for each in weights),
        row_error=max(float(np.abs(each.sum(-1, dtype=float) - 1).max()) for each in weights),
        broken=sum(int((~np.isfinite(each)).sum()) for each in weights),
        farthest=tuple(
            int(far[may].max(initial=0)) for far, may in zip(away, seen, strict=True)
        ),
        looks_ahead=any(bool(np.triu(may, 1).any()) for may in seen),
    )  # fmt: skip


def _allowed(layer: Attention) -> np.ndarray:
    """Where anything may look: by the mask, or by the weights where no mask comes out."""
    return layer.mask if layer.mask is not None else np.asarray((layer["weights"] > 0).any(0))


def _apart(keys: np.ndarray) -> int:
    """How many heads have keys of their own: those of a group are the same to the bit."""
    return len(np.unique(keys.reshape(len(keys), -1), axis=0))


def _broken(whole: Trace, output: np.ndarray) -> int:
    stacks = [stack for stack in (whole.encoder, whole.decoder) if stack is not None]
    states = [state for stack in stacks for state in stack.hidden_states.values()]
    return sum(int((~np.isfinite(each)).sum()) for each in (*states, output))
