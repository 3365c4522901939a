"""What decides a training run, and nothing hidden in code."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

Objective = Literal[
    "masked", "causal", "two-way", "denoising", "translation", "pairs", "next-sentence"
]


BLOCKS = (128, 512)
"""Tokens of the passages that steps of the kinds ``block`` and ``long`` read."""

Stage = tuple[int, tuple[tuple[str, Any], ...]]
"""From so many tokens seen on, these fields have other values."""


@dataclass(frozen=True)
class Recipe:
    """Everything that decides a model, besides the corpus itself.

    Batches are counted in tokens, not rows, so that steps cost the same whatever their shape.
    ``short``, ``block`` and ``long`` are the shares of steps on single sentences (what visitors
    type), on 128-token blocks and on 512-token blocks (so that long inputs mean something).
    """

    name: str
    text: str = "english"  # what it reads: a name of models.training.texts
    start: str = "minilm-bert"  # its architecture and first weights: models.training.starts
    vectors: bool = True  # whether word vectors start from MiniLM's, on their first axes
    objective: Objective = "masked"
    seed: int = 0
    vocabulary_size: int = 20_480
    tokens_per_step: int = 2_560
    short: float = 0.55
    block: float = 0.39
    long: float = 0.06
    longest: int = 48  # tokens of a single sentence with its [CLS] and [SEP]
    mask_rate: float = 0.15
    avoid_echoes: float = 0.0  # weight of pushing down the content words beside a single blank
    peak_rate: float = 5e-4
    warmup_steps: int = 100
    full_rate_tokens: int = 1_000_000  # after these, the rate falls with 1 / sqrt(tokens seen)
    weight_decay: float = 0.01
    average_steps: int = 1_000  # horizon of the running average of the weights
    target_tokens: int = 40_000_000
    # Word embeddings stay as MiniLM has them. They are also the output layer: trained on a small
    # corpus, Adam would push down every word that is rare in it, however common in English.
    frozen: tuple[str, ...] = ("bert.embeddings.word_embeddings.weight",)
    changes: tuple[tuple[str, Any], ...] = ()  # of the configuration that its start makes
    positions: Literal["learned", "sinusoids", "none"] = "learned"
    only_tokens: int = 0  # read no more of the text than this; 0: all of it
    keep_at: tuple[int, ...] = ()  # tokens seen after which the weights of that moment are kept
    look_every: int = 0  # tokens between two points of its curve; 0: by the clock
    later: tuple[Stage, ...] = ()  # what changes on the way
    differs: str = ""  # a variant: in what, from the model it is a variant of

    def at(self, tokens: int) -> Recipe:
        """The recipe as it stands after so many tokens: with the changes of every stage begun."""
        changes = [pair for begin, fields in self.later if tokens >= begin for pair in fields]
        return replace(self, **dict(changes)) if changes else self


def learning_rate(recipe: Recipe, step: int, tokens: int) -> float:
    """Linear warm-up, a plateau, then 1/sqrt decay: a schedule that needs no planned end.

    A run is stopped and resumed many times, so a schedule with a fixed horizon (cosine) would
    have to be re-planned at each stop; the inverse square root (Vaswani et al. 2017) never does.
    """
    warm = min(1.0, (step + 1) / recipe.warmup_steps)
    decay = min(1.0, (recipe.full_rate_tokens / max(tokens, 1)) ** 0.5)
    return recipe.peak_rate * warm * decay
