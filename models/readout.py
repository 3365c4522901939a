"""The last steps of a model, taken out of it: from the states of any layer to logits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn
from transformers import PreTrainedModel

from models.families import Anatomy, anatomy
from models.placing import alone, as_usual
from models.wiring import find


@dataclass(frozen=True)
class Readout:
    """A model's final norm and head, for the lens."""

    closing: tuple[nn.Module, ...]
    modules: tuple[nn.Module, ...]
    scale: float
    """T5 scales the states where input and output share their vectors."""
    bias: Tensor | None
    """BART and Marian add a number to each word's logit."""

    @classmethod
    def of(cls, network: PreTrainedModel) -> Readout | None:
        """The readout of a network of a known family, else None: no norm is ever guessed."""
        found = anatomy(network.config)
        if found is None or find(network, found.head[0]) is None:
            return None
        bias: Tensor | None = getattr(network, "final_logits_bias", None)
        closing = (find(network, path) for path in found.closing)
        return cls(
            tuple(module for module in closing if module is not None),
            tuple(network.get_submodule(path) for path in found.head),
            scale_of(network, found),
            None if bias is None else as_usual(bias),
        )

    def norm(self, states: Float[np.ndarray, "position dim"]) -> Float[np.ndarray, "position dim"]:
        """What follows the last block; its statistics are those of the states given."""
        return self._run(self.closing, torch.from_numpy(states.copy())).numpy()

    def head(self, states: Float[np.ndarray, "position dim"]) -> Float[np.ndarray, "position word"]:
        """Normed states to logits."""
        logits = self._run(self.modules, torch.from_numpy(states.copy()) * self.scale)
        return (logits if self.bias is None else logits + self.bias).numpy()

    @staticmethod
    @torch.inference_mode()
    def _run(modules: tuple[nn.Module, ...], states: Tensor) -> Tensor:
        return alone(modules, states)


def scale_of(network: PreTrainedModel, found: Anatomy) -> float:
    """What T5 multiplies the decoder's states by before the vocabulary matrix; 1 elsewhere."""
    if getattr(network.config, "scale_decoder_outputs", False) and "decoder" in found.towers:
        return float(network.config.d_model**-0.5)
    return 1.0
