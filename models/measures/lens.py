"""What a model would answer if it stopped after each layer (logit lens: nostalgebraist 2020)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from jaxtyping import Float

States = Float[np.ndarray, "position _"]
Logits = Float[np.ndarray, "position vocabulary"]


def lens(
    states: Sequence[States],
    norm: Callable[[States], States],
    head: Callable[[States], Logits],
) -> Float[np.ndarray, "state position vocabulary"]:
    """Logits read off every layer's states with the model's own last steps.

    Early layers speak the output's language badly, and the lens is biased there (Belrose et al.
    2023). The norm is computed anew for each layer: with the last layer's scale, early layers would
    look uniform. Equal to the model's output at the last state.

    Args:
        states: Hidden states of each layer, the embeddings first; the last already normed, as
            transformers gives them (and narrowed, where the final norm comes with a projection).
        norm: The model's final norm; the identity where it has none (BERT).
        head: From normed states to logits: the masked-LM transform, if any, and the decoder.
    """
    *inner, last = states
    return np.stack([head(norm(state)) for state in inner] + [head(last)])
