"""What a training run is made of: one typed recipe per model, nothing hidden in code."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal


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
    objective: Literal["masked", "causal", "two-way", "denoising", "translation"] = "masked"
    seed: int = 0
    vocabulary_size: int = 20_480
    tokens_per_step: int = 2_560
    short: float = 0.55
    block: float = 0.39
    long: float = 0.06
    longest: int = 48  # tokens of a single sentence with its [CLS] and [SEP]
    mask_rate: float = 0.15
    avoid_echoes: bool = False  # push down, in single sentences, the content words beside a blank
    peak_rate: float = 5e-4
    warmup_steps: int = 100
    full_rate_tokens: int = 1_000_000  # after these, the rate falls with 1 / sqrt(tokens seen)
    weight_decay: float = 0.01
    average_steps: int = 1_000  # horizon of the running average of the weights
    target_tokens: int = 40_000_000
    # Word embeddings stay as MiniLM has them. They are also the output layer: trained on a small
    # corpus, Adam would push down every word that is rare in it, however common in English.
    frozen: tuple[str, ...] = ("bert.embeddings.word_embeddings.weight",)


# The matched English family: the same text, pieces, word vectors, steps and tokens; what differs
# is what each may look at, and so what it is asked.
_ENGLISH = Recipe(
    "",
    text="english-s",
    vocabulary_size=8_192,
    short=0.5,
    block=0.5,
    long=0.0,
    tokens_per_step=1_280,  # many small steps: far better than half as many of twice the size
    peak_rate=1.5e-3,
    warmup_steps=300,
    full_rate_tokens=1_500_000,
    target_tokens=16_000_000,
    frozen=(),
)

# The matched Chinese family: regulated verse, a character a token, random first weights.
_VERSE = replace(_ENGLISH, text="verse", vocabulary_size=6_491, vectors=False,
                 short=1.0, block=0.0, longest=67)  # fmt: skip

# The translators: pairs of texts, random first weights.
_DATES = Recipe("seq-dates", text="dates", start="dates", vectors=False, objective="translation",
                vocabulary_size=59, mask_rate=0.0, peak_rate=2e-3, warmup_steps=300,
                full_rate_tokens=4_000_000, target_tokens=30_000_000, frozen=())  # fmt: skip
_HELP = replace(_DATES, name="seq-en-zhtw", text="help", start="help", vocabulary_size=5_255,
                mask_rate=0.05,  # a little text, read many times over: never quite the same
                tokens_per_step=1_280, peak_rate=1.5e-3, full_rate_tokens=3_000_000)  # fmt: skip

_RECIPES = [
    # Made from a sentence encoder, it answers with words of the sentence unless it unlearns that.
    Recipe("bert-en", avoid_echoes=True),
    # MiniLM never read one way only: its layers have more to learn anew than bert-en's.
    Recipe(
        "gpt-en",
        start="minilm-gpt",
        objective="causal",
        mask_rate=0.0,
        short=0.4,
        block=0.54,
        peak_rate=6e-4,
        full_rate_tokens=2_000_000,
    ),
    replace(_ENGLISH, name="bert-s-en", start="bert", objective="masked"),
    replace(_ENGLISH, name="gpt-s-en", start="gpt", objective="causal"),
    replace(_ENGLISH, name="elmo-s-en", start="elmo", objective="two-way"),
    replace(_ENGLISH, name="seq-s-en", start="seq", objective="denoising"),
    replace(_ENGLISH, name="lstm-s-en", start="lstm", objective="two-way"),
    replace(_VERSE, name="bert-zh", start="bert", objective="masked"),
    replace(_VERSE, name="gpt-zh", start="gpt", objective="causal"),
    replace(_VERSE, name="elmo-zh", start="elmo", objective="two-way"),
    replace(_VERSE, name="seq-zh", start="seq", objective="denoising"),
    _DATES,
    _HELP,
]
RECIPES = {recipe.name: recipe for recipe in _RECIPES}


def learning_rate(recipe: Recipe, step: int, tokens: int) -> float:
    """Linear warm-up, a plateau, then 1/sqrt decay: a schedule that needs no planned end.

    A run is stopped and resumed many times, so a schedule with a fixed horizon (cosine) would
    have to be re-planned at each stop; the inverse square root (Vaswani et al. 2017) never does.
    """
    warm = min(1.0, (step + 1) / recipe.warmup_steps)
    decay = min(1.0, (recipe.full_rate_tokens / max(tokens, 1)) ** 0.5)
    return recipe.peak_rate * warm * decay
