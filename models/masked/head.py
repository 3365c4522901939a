"""The masked-LM head, one step at a time, by the model's own modules.

BERT's head is dense, activation and LayerNorm before the tied vocabulary matrix: in the authors'
code, though the paper (Devlin et al. 2018) does not mention it. It is no part of a block.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from models.answers import HeadSteps, Row
from models.errors import CannotTrace
from models.families import anatomy
from models.masked import snippets
from models.masked.asking import Check, Masked, answer, best_word, standing
from models.placing import alone, as_usual
from models.questions import ask
from models.readout import Readout
from models.results import Sentence
from models.wiring import find

if TYPE_CHECKING:
    from models.loading import Model


@dataclass
class _Head:
    """A private copy of a head's modules, which shares its weights with the model.

    To look between modules one hooks them, and hooks on the shared ones would meddle with every
    other visitor's run. A copy of the modules alone costs nothing: the weights stay where they are.
    """

    modules: tuple[nn.Module, ...]
    dense: nn.Linear
    layer_norm: nn.LayerNorm
    bypassed: bool = False

    def __post_init__(self) -> None:
        self.seen: dict[str, Tensor] = {}
        self.dense.register_forward_hook(self._after_dense)
        self.layer_norm.register_forward_hook(self._after_layer_norm)

    @classmethod
    def of(cls, network: PreTrainedModel) -> _Head | None:
        """The head of a network; None where its family has no known transform in it."""
        found, readout = anatomy(network.config), Readout.of(network)
        if found is None or readout is None or found.transform is None:
            return None
        shared = [*network.parameters(), *network.buffers()]
        copies: dict[int, Any] = {id(tensor): tensor for tensor in shared}
        modules = deepcopy(readout.modules, copies)
        dense, layer_norm = (copies.get(id(find(network, path))) for path in found.transform)
        if dense is None or layer_norm is None:
            return None
        return cls(modules, dense, layer_norm)

    @property
    def can_be_bypassed(self) -> bool:
        """The vocabulary matrix fits the state itself (ALBERT's head changes the width)."""
        return self.dense.in_features == self.layer_norm.normalized_shape[0]

    @torch.inference_mode()
    def run(self, state: Tensor) -> Row:
        """From a state, (1, width), to logits."""
        return np.asarray(alone(self.modules, state)[0].numpy())

    def _after_dense(self, module: nn.Module, args: tuple[Tensor, ...], output: Tensor) -> None:
        self.seen |= {"hidden": args[0], "dense": output}

    def _after_layer_norm(
        self, module: nn.Module, args: tuple[Tensor, ...], output: Tensor
    ) -> Tensor | None:
        self.seen |= {"activation": args[0], "layer_norm": output}
        return self.seen["hidden"] if self.bypassed else None


def head_steps(
    model: Model,
    sentence: Sentence,
    blank: int = 0,
    layer: int | None = None,
    top_k: int = 5,
    check: Check = None,
) -> HeadSteps:
    """The head at one blank, with and without its transform; see `models.head_steps`."""
    masked = Masked.of(model, sentence)
    _, span = masked.at(blank)
    question, head = ask(model, sentence, blank), _Head.of(model.network)
    if head is None:
        raise CannotTrace(model.name, "head", "no transform")
    if check is not None:
        check()
    with torch.inference_mode():
        states = model.network(**question.tensors, output_hidden_states=True).hidden_states
    layer = len(states) - 1 if layer is None else layer
    if not 0 <= layer < len(states):
        raise ValueError(f"layer {layer} of {len(states) - 1}")
    state = states[layer][:, question.position]
    if layer < len(states) - 1:  # the last state comes normed
        state = _closed(model.network, state)
    logits = head.run(state)
    steps = {name: as_usual(value[0]).numpy() for name, value in head.seen.items()}
    head.bypassed = True
    bare = head.run(state) if head.can_be_bypassed else None
    log_p, without = _log_softmax(logits), None if bare is None else _log_softmax(bare)
    return HeadSteps(
        span=span,
        original=masked.original(blank),
        layer=layer,
        **steps,
        logits=logits,
        answer=answer(model, log_p, question.original, top_k),
        without=None if without is None else answer(model, without, question.original, top_k),
        without_logits=bare,
        best_without=None if without is None else standing(model, without, best_word(model, log_p)),
        provenance=model.provenance,
        snippet=snippets.head(model, masked, question.position, layer, bypass=bare is not None),
    )


def _closed(network: PreTrainedModel, state: Tensor) -> Tensor:
    """What follows the last block; nothing in BERT."""
    readout = Readout.of(network)
    return state if readout is None else torch.from_numpy(readout.norm(state.numpy()))


def _log_softmax(logits: Row) -> Row:
    return np.asarray(torch.from_numpy(logits).double().log_softmax(-1).numpy())
