"""ELMo: the one architecture that transformers lacks, as a `PreTrainedModel` like any other.

A static layer (word-piece vectors) below two LSTM layers that read from the left, and two that
read from the right (Peters et al. 2018). Nothing passes between the two directions: they are two
language models with one softmax, whose states are laid side by side. With `bidirectional=False`
it is a plain LSTM language model.

Peters' static layer is a character CNN, ours a table of word pieces. Instead of `proj_size`, a
linear layer follows each LSTM: on a CPU, an LSTM with a projection inside is five times slower.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForPreTraining,
    PreTrainedConfig,
    PreTrainedModel,
)
from transformers.utils.generic import ModelOutput


class ElmoConfig(PreTrainedConfig):
    """Sizes of an ELMo.

    Args:
        vocab_size: word pieces.
        hidden_size: width of the word vectors and of each direction's states.
        cell_size: width of the LSTM cells, between the two.
        num_hidden_layers: LSTM layers in each direction.
        bidirectional: False for a language model that reads from the left only.
        initializer_range: standard deviation of the random word vectors at the start.
    """

    model_type = "unmask-elmo"

    def __init__(
        self,
        vocab_size: int = 8192,
        hidden_size: int = 256,
        cell_size: int = 320,
        num_hidden_layers: int = 2,
        bidirectional: bool = True,
        initializer_range: float = 0.02,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.vocab_size, self.hidden_size, self.cell_size = vocab_size, hidden_size, cell_size
        self.num_hidden_layers, self.bidirectional = num_hidden_layers, bidirectional
        self.initializer_range = initializer_range


@dataclass
class ElmoOutput(ModelOutput):
    """What an ELMo gives.

    loss: nats per target, the mean over the directions; only where labels were given.
    forward_logits: at position i the answer for token i + 1, from tokens 0..i.
    backward_logits: at position i the answer for token i - 1, from tokens i..end.
    hidden_states: the static layer and each LSTM layer, both directions side by side:
        (batch, position, directions * hidden_size); the static layer stands twice.
    """

    loss: Float[Tensor, ""] | None = None
    forward_logits: Float[Tensor, "batch position piece"] | None = None
    backward_logits: Float[Tensor, "batch position piece"] | None = None
    hidden_states: tuple[Float[Tensor, "batch position state"], ...] | None = None


class ElmoLayer(nn.Module):
    """One LSTM layer of one direction, reading from the left; a linear layer narrows its cells."""

    def __init__(self, config: ElmoConfig) -> None:
        super().__init__()
        self.lstm = nn.LSTM(config.hidden_size, config.cell_size, batch_first=True)
        self.dense = nn.Linear(config.cell_size, config.hidden_size)

    def forward(self, states: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        """Each position's state sees the positions before it and itself."""
        return states + self.dense(self.lstm(states)[0])


class ElmoStack(nn.Module):
    """All layers of one direction."""

    def __init__(self, config: ElmoConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(ElmoLayer(config) for _ in range(config.num_hidden_layers))
        self.norm = nn.LayerNorm(config.hidden_size)

    def forward(self, states: Float[Tensor, "b n d"]) -> list[Float[Tensor, "b n d"]]:
        """States after each layer, the last one normalised for the softmax."""
        found = []
        for layer in self.layers:
            states = layer(states)
            found.append(states)
        return [*found[:-1], self.norm(found[-1])]


class ElmoPreTrainedModel(PreTrainedModel):
    """How transformers initialises, saves and loads both ELMo classes."""

    config_class = ElmoConfig
    base_model_prefix = "elmo"

    @torch.no_grad()
    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=self.config.initializer_range)
        elif isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            nn.init.zeros_(module.bias)
        elif isinstance(module, nn.LayerNorm):
            nn.init.ones_(module.weight)
            nn.init.zeros_(module.bias)
        elif isinstance(module, nn.LSTM):
            module.reset_parameters()


class ElmoModel(ElmoPreTrainedModel):
    """The features: states of the static layer and of every LSTM layer."""

    def __init__(self, config: ElmoConfig) -> None:
        super().__init__(config)
        self.embeddings = nn.Embedding(config.vocab_size, config.hidden_size)
        self.left_to_right = ElmoStack(config)
        self.right_to_left = ElmoStack(config) if config.bidirectional else None
        self.post_init()

    def get_input_embeddings(self) -> nn.Embedding:
        """The static layer."""
        return self.embeddings

    def directions(
        self, input_ids: Int[Tensor, "b n"], attention_mask: Int[Tensor, "b n"] | None = None
    ) -> list[list[Float[Tensor, "b n d"]]]:
        """The layers' states per direction. Padding must stand on the right; it changes nothing."""
        static = self.embeddings(input_ids)
        found = [self.left_to_right(static)]
        if self.right_to_left is not None:
            turn = turned(input_ids, attention_mask)
            back = self.right_to_left(_rows(static, turn))
            found.append([_rows(states, turn) for states in back])
        return found

    def forward(
        self,
        input_ids: Int[Tensor, "b n"],
        attention_mask: Int[Tensor, "b n"] | None = None,
        **kwargs: Any,
    ) -> ElmoOutput:
        """Features of each token; see `ElmoOutput.hidden_states`."""
        found = self.directions(input_ids, attention_mask)
        static = self.embeddings(input_ids)
        layers = [torch.cat(each, dim=-1) for each in zip(*found, strict=True)]
        return ElmoOutput(hidden_states=(torch.cat([static] * len(found), dim=-1), *layers))


class ElmoForPreTraining(ElmoPreTrainedModel):
    """The one-way language models: both directions share word vectors and softmax."""

    def __init__(self, config: ElmoConfig) -> None:
        super().__init__(config)
        self.elmo = ElmoModel(config)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        self.post_init()

    def get_input_embeddings(self) -> nn.Embedding:
        """The static layer, whose rows are the softmax's weights too."""
        return self.elmo.embeddings

    def softmax_logits(self, states: Float[Tensor, "*b d"]) -> Float[Tensor, "*b piece"]:
        """Logits of the one softmax layer."""
        return F.linear(states, self.elmo.embeddings.weight, self.bias)

    def forward(
        self,
        input_ids: Int[Tensor, "b n"],
        attention_mask: Int[Tensor, "b n"] | None = None,
        labels: Int[Tensor, "b n"] | None = None,
        **kwargs: Any,
    ) -> ElmoOutput:
        """Answers of each direction at each position.

        Args:
            input_ids: framed by start and end token, padded on the right.
            attention_mask: 0 at padding.
            labels: the input ids, -100 where no loss is wanted.
            **kwargs: what transformers passes to every model; unused.
        """
        found = self.elmo.directions(input_ids, attention_mask)
        static = self.elmo.embeddings(input_ids)
        logits = [self.softmax_logits(layers[-1]) for layers in found]
        backward = logits[1] if len(logits) > 1 else None
        return ElmoOutput(
            loss=None if labels is None else two_way_loss(logits[0], backward, labels),
            forward_logits=logits[0],
            backward_logits=backward,
            hidden_states=(
                torch.cat([static] * len(found), dim=-1),
                *(torch.cat(each, dim=-1) for each in zip(*found, strict=True)),
            ),
        )


def two_way_loss(
    forward_logits: Float[Tensor, "b n piece"],
    backward_logits: Float[Tensor, "b n piece"] | None,
    labels: Int[Tensor, "b n"],
) -> Float[Tensor, ""]:
    """Mean nats per target of each direction, then over the directions."""
    losses = [F.cross_entropy(forward_logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())]
    if backward_logits is not None:
        back = F.cross_entropy(backward_logits[:, 1:].flatten(0, 1), labels[:, :-1].flatten())
        losses.append(back)
    return torch.stack(losses).mean()


def turned(
    input_ids: Int[Tensor, "b n"], attention_mask: Int[Tensor, "b n"] | None
) -> Int[Tensor, "b n"]:
    """Positions of each row from its last token to its first; padding keeps its place."""
    batch, length = input_ids.shape
    places = torch.arange(length, device=input_ids.device).expand(batch, length)
    if attention_mask is None:
        return length - 1 - places
    lengths = attention_mask.sum(dim=1, keepdim=True)
    inside: Bool[Tensor, "b n"] = places < lengths
    return torch.where(inside, lengths - 1 - places, places)


def _rows(states: Float[Tensor, "b n d"], order: Int[Tensor, "b n"]) -> Float[Tensor, "b n d"]:
    """Each row's positions in the given order."""
    return states.gather(1, order[..., None].expand_as(states))


AutoConfig.register(ElmoConfig.model_type, ElmoConfig, exist_ok=True)
AutoModel.register(ElmoConfig, ElmoModel, exist_ok=True)
AutoModelForPreTraining.register(ElmoConfig, ElmoForPreTraining, exist_ok=True)
