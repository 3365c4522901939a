"""States of words: of each layer, one vector for each word of a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from torch import Tensor

from models.elmo import ElmoForPreTraining
from models.inputs import Inputs
from models.interventions import Intervention
from models.recording import EVERY_ROW, Request, serving
from models.tracing import NAME
from models.wiring import prepare

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None
States = dict[str, Float[Tensor, "position dim"]]
"""By the name of a layer, from the static one to the top."""

STATIC, INPUT = "static", "input"


def layer_states(
    model: Model, inputs: Inputs, check: Check = None, changes: Sequence[Intervention] = ()
) -> States:
    """The states of what a model reads; of an encoder-decoder those of its encoder.

    The static layer is the table of word vectors. What a Transformer's first layer reads is another
    state: there the position has been added, and often a norm has followed.
    """
    ids, network = inputs.tensors["input_ids"], model.network
    wiring = prepare(network, NAME)
    request = Request(wiring.kinds, (), tuple((EVERY_ROW, c) for c in changes), check)
    with torch.inference_mode(), serving(request):
        static: Tensor = network.get_input_embeddings()(ids)[0]
        if network.config.is_encoder_decoder:
            output = network.get_encoder()(input_ids=ids, output_hidden_states=True)
        else:
            output = network.base_model(**inputs.tensors, output_hidden_states=True)
    first, *layers = (state[0] for state in output["hidden_states"])
    found = {STATIC: first if isinstance(network, ElmoForPreTraining) else static}
    if not isinstance(network, ElmoForPreTraining):
        found[INPUT] = first
    return found | {str(number): state for number, state in enumerate(layers, start=1)}


def of_words(
    states: Float[Tensor, "position dim"], words: Sequence[Sequence[int]]
) -> Float[Tensor, "word dim"]:
    """One vector for each word, in float64: the mean of its pieces."""
    return torch.stack([states[list(word)].double().mean(dim=0) for word in words])
