"""The recipe of every model, by its name."""

from __future__ import annotations

from dataclasses import replace

from models.training.recipe import Recipe
from models.training.variants import VARIANTS

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

# of the tokens that bert-en sees: from where on it unlearns to echo, and from where on it reads
# mostly what visitors type
UNLEARN, LAST = 15_540_000, 30_795_000

_RECIPES = [
    # Made from a sentence encoder, it answers with words of the sentence unless it unlearns that.
    Recipe(
        "bert-en",
        later=(
            (UNLEARN, (("avoid_echoes", 0.5),)),
            (LAST, (("avoid_echoes", 1.5), ("short", 0.85), ("block", 0.12), ("long", 0.03))),
        ),
    ),
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
    *VARIANTS,
]
RECIPES = {recipe.name: recipe for recipe in _RECIPES}
