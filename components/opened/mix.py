"""The mix of ELMo's layers that a visitor sets: scores before the softmax, gamma, equal lengths."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
from jaxtyping import Float

from models.trace import Opened

FARTHEST = 6.0
"""Of a weight before the softmax, to both sides."""
GAMMAS = (0.1, 3.0)

_MEMORY = "opened/mix"


@dataclass(frozen=True)
class Mix:
    """γ Σ softmax(s)_j h_j (Peters et al. 2018, equation 1)."""

    scores: tuple[float, ...]
    """s, from the static layer up."""
    gamma: float = 1.0
    level: bool = False
    """Each layer's states are brought to length 1 first."""

    @property
    def weights(self) -> Float[np.ndarray, " layer"]:
        """The softmax of the scores."""
        powers = np.exp(np.array(self.scores) - max(self.scores))
        return np.asarray(powers / powers.sum())


def mix_of(key: str, layers: int, link: str = "") -> Mix:
    """The visitor's mix, also before the picture was last put away; else what a link asks for.

    Args:
        key: Of the component; a browser may report anything under it.
        layers: How many there are.
        link: As `as_link` writes it.
    """
    memory: dict[str, object] = st.session_state.setdefault(_MEMORY, {})
    state = st.session_state.get(key)
    if isinstance(state, Mapping) and state.get("mix") is not None:
        memory[key] = state["mix"]
    found = _read(memory.get(key), layers)
    return found or _read(link.split(","), layers) or Mix((0.0,) * layers)


def as_link(mix: Mix) -> str:
    """The mix in an address: scores, gamma, 1 for equal lengths."""
    return ",".join(f"{value:g}" for value in (*mix.scores, mix.gamma, int(mix.level)))


def similarity(found: Opened, mix: Mix) -> Float[np.ndarray, "word word"]:
    """The cosine of every two words under a mix; gamma drops out of it."""
    products = mixed(found, mix)
    lengths = np.sqrt(np.diagonal(products))
    return np.asarray(products / (lengths[:, None] * lengths[None, :]))


def mixed(found: Opened, mix: Mix) -> Float[np.ndarray, "word word"]:
    """Dot products of the mixed states, without gamma."""
    products = found.products
    if mix.level:
        own = np.sqrt(np.einsum("aaii->ai", products))
        products = products / (own[:, None, :, None] * own[None, :, None, :])
    return np.einsum("a,b,abij->ij", mix.weights, mix.weights, products)


def _read(value: object, layers: int) -> Mix | None:
    """A report of the browser, or the parts of a link; None if it is malformed."""
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != layers + 2:
        return None
    try:
        *scores, gamma, level = map(float, value)
    except (TypeError, ValueError):
        return None
    if not all(map(math.isfinite, (*scores, gamma))):
        return None
    held = tuple(min(FARTHEST, max(-FARTHEST, score)) for score in scores)
    return Mix(held, min(GAMMAS[1], max(GAMMAS[0], gamma)), level == 1)
