"""Word vectors put in place of those a network looks up, for this thread alone.

What a network reads are numbers of words; gradients need something that can change a little. Models
disagree about who scales and shifts the vectors they look up, and a shared model must not be
changed: so the look-up itself is answered with other vectors, once for each side that reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from transformers import PreTrainedModel

from models.placing import as_usual


class Embedded(TorchFunctionMode):
    """The vectors given here instead of the next ones looked up, in the order of look-ups.

    Args:
        network: Whose words they are.
        vectors: (row, position, dim) for each side: of an encoder-decoder, source and target.
    """

    def __init__(self, network: PreTrainedModel, vectors: Sequence[Tensor]) -> None:
        super().__init__()
        self._tables = word_tables(network)
        self._left = list(vectors)

    def __torch_function__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
        """Replace look-ups in a table of words; pass on all other calls."""
        kwargs = kwargs or {}
        if func is nn.functional.embedding and self._left:
            table = kwargs["weight"] if "weight" in kwargs else args[1]
            if any(table is known for known in self._tables):
                return self._left.pop(0).to(table.device, table.dtype)
        return func(*args, **kwargs)

    @property
    def done(self) -> bool:
        """All of the vectors were read."""
        return not self._left


def word_tables(network: PreTrainedModel) -> tuple[Tensor, ...]:
    """The word vectors of a network, (word, dim), of the side that reads first in front."""
    sides = [network]
    if network.config.is_encoder_decoder:
        sides += [network.get_encoder(), network.get_decoder()]
    return tuple(cast(Tensor, side.get_input_embeddings().weight) for side in sides)


def looked_up(network: PreTrainedModel, ids: Tensor, side: int) -> Tensor:
    """The vectors of some words, as they stand in the table of the first or the second side."""
    tables = word_tables(network)
    table = tables[min(side + 1, len(tables) - 1)].detach()
    return as_usual(torch.nn.functional.embedding(ids.to(table.device), table))
