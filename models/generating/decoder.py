"""Reading on, token by token: what was read before is remembered, not computed again.

A Transformer remembers the keys and values of every position (its cache), an LSTM its state. So the
next token costs one position, however long the text already is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import torch
from jaxtyping import Float, Int
from torch import Tensor
from transformers import DynamicCache, EncoderDecoderCache, PreTrainedModel
from transformers.modeling_outputs import BaseModelOutput

from models.elmo import ElmoForPreTraining

if TYPE_CHECKING:
    from models.loading import Model

Ids = Int[Tensor, "row new"]
Logits = Float[Tensor, "row new vocabulary"]


class Decoder(Protocol):
    """Some texts of one length, each in a row of its own, and what the model makes of them."""

    def read(self, ids: Ids) -> Logits:
        """Read on; at each new position the logits of the token after it, float32."""

    def keep(self, rows: Sequence[int]) -> None:
        """Go on with these rows alone; one that is named twice goes on twice."""


def decoder_of(model: Model, source: Mapping[str, Tensor] | None = None) -> Decoder:
    """A decoder that has read nothing yet.

    Args:
        model: One that reads from the left, or an encoder-decoder.
        source: What the encoder of the latter reads: arguments of its forward, one row.
    """
    if isinstance(model.network, ElmoForPreTraining):
        return LstmDecoder(model.network)
    return TransformerDecoder(model.network, source)


def ends(model: Model) -> frozenset[int]:
    """The ids that end a text, as `generate` takes them from the model's configuration."""
    configuration = getattr(model.network, "generation_config", None) or model.network.config
    found = getattr(configuration, "eos_token_id", None)
    if found is None:
        found = model.tokenizer.eos_token_id or model.tokenizer.sep_token_id
    if found is None:
        return frozenset()
    return frozenset(found) if isinstance(found, list | tuple) else frozenset([int(found)])


class TransformerDecoder:
    """A GPT, or the decoder of a Transformer behind its encoder."""

    def __init__(self, network: PreTrainedModel, source: Mapping[str, Tensor] | None) -> None:
        self._network = network
        self._cache: Any = None  # the model makes one that fits it when it first reads
        self._encoded: Tensor | None = None
        self._read: Tensor | None = None
        if source is not None:
            with torch.inference_mode():
                self._encoded = network.get_encoder()(**source).last_hidden_state
            # T5's own has room for as many layers as its encoder has; this one grows.
            self._cache = EncoderDecoderCache(DynamicCache(), DynamicCache())

    @torch.inference_mode()
    def read(self, ids: Ids) -> Logits:
        """See `Decoder`; a model that keeps no cache reads everything again."""
        everything = ids if self._read is None else torch.cat([self._read, ids], dim=1)
        forgetful = self._read is not None and self._cache is None
        self._read = everything
        output = self._network(
            **self._arguments(everything if forgetful else ids),
            cache=self._cache, use_cache=True,
        )  # fmt: skip
        self._cache = getattr(output, "cache", None)
        logits: Tensor = output.logits[:, -ids.shape[1] :].float()
        return logits

    def _arguments(self, ids: Ids) -> dict[str, Any]:
        if self._encoded is None:
            return {"input_ids": ids}
        return {
            "decoder_input_ids": ids,
            "encoder_outputs": BaseModelOutput(last_hidden_state=self._encoded),
        }

    def keep(self, rows: Sequence[int]) -> None:
        """See `Decoder`."""
        index = torch.tensor(list(rows))
        if self._cache is not None:
            self._cache.reorder_cache(index)
        if self._encoded is not None:
            self._encoded = self._encoded[index]
        if self._read is not None:
            self._read = self._read[index]


class LstmDecoder:
    """An LSTM language model that reads from the left: all it remembers is its state."""

    def __init__(self, network: ElmoForPreTraining) -> None:
        self._network = network
        self._stack = network.elmo.left_to_right
        self._states: list[tuple[Tensor, Tensor] | None] = [None] * len(self._stack.layers)

    @torch.inference_mode()
    def read(self, ids: Ids) -> Logits:
        """See `Decoder`. As `ElmoStack` computes it, each LSTM going on from its own state."""
        states = self._network.elmo.embeddings(ids)
        for i, layer in enumerate(self._stack.layers):
            cells, self._states[i] = layer.lstm(states, self._states[i])  # type: ignore[operator]
            states = states + layer.dense(cells)  # type: ignore[operator]
        return self._network.softmax_logits(self._stack.norm(states))

    def keep(self, rows: Sequence[int]) -> None:
        """See `Decoder`."""
        index = torch.tensor(list(rows))
        kept = [state and (state[0][:, index], state[1][:, index]) for state in self._states]
        self._states = list(kept)
