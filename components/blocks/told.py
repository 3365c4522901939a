"""Blocks in words: what each is called, its formula, and what it does."""

from __future__ import annotations

from collections.abc import Mapping

from components.words import msg, number, t
from models.trace import Blueprint, ModelPart

NAMES: Mapping[str, str] = {
    "words": msg("Word vectors"),
    "positions": msg("Positions"),
    "segments": msg("Segments"),
    "first norm": "LayerNorm",
    "attention": msg("Self-attention"),
    "attention norm": msg("Add & norm"),
    "cross": msg("Cross-attention"),
    "cross norm": msg("Add & norm"),
    "ffn": msg("Feed-forward"),
    "ffn norm": msg("Add & norm"),
    "lstm": "LSTM",
    "dense of lstm": msg("Linear & add"),
    "last norm": "LayerNorm",
    "dense": msg("Dense"),
    "activation": msg("Activation"),
    "head norm": "LayerNorm",
    "vocabulary": msg("Vocabulary"),
    "softmax": "Softmax",
}
FORMULAS: Mapping[str, str] = {
    "positions": "p = P[i]",
    "segments": "s = S[0]",
    "first norm": "γ (x − μ) / σ + β",
    "attention": "softmax(q kᵀ / √d) v",
    "attention norm": "LayerNorm(x + attention(x))",
    "cross": "softmax(q kᵀ / √d) v",
    "cross norm": "LayerNorm(x + cross(x))",
    "ffn": "W₂ φ(W₁ x + b₁) + b₂",
    "ffn norm": "LayerNorm(x + ffn(x))",
    "lstm": "c = f c + i g,  h = o tanh(c)",
    "dense of lstm": "x + W h + b",
    "last norm": "γ (x − μ) / σ + β",
    "dense": "a = W h + b",
    "activation": "φ(a)",
    "head norm": "γ (x − μ) / σ + β",
    "vocabulary": "z = E h + c",
    "softmax": "p = exp(z) / Σ exp(z)",
}
DOES: Mapping[str, str] = {
    "words": msg("Each token’s row of a table: a vector that is learned, the same in every text."),
    "segments": msg(
        "Which of two texts a token belongs to: here all to one, so every token gets the same "
        "vector."
    ),
    "first norm": msg("The sum of the vectors, centred and brought to one spread."),
    "attention norm": msg(
        "What attention gives is added to what it read, and the sum is normed (the residual, or "
        "skip connection)."
    ),
    "cross": msg(
        "The decoder’s queries look at keys and values of the encoder’s last states. Here alone "
        "the text that is read enters the text that is written."
    ),
    "cross norm": msg("What cross-attention gives is added to what it read, and normed."),
    "ffn": msg("Each position by itself: made wider, bent by the activation, made narrow again."),
    "ffn norm": msg("What the feed-forward network gives is added to what it read, and normed."),
    "lstm": msg(
        "One position after the other: gates decide what of the cell is kept, what is new and "
        "what is shown. Nothing of it can be computed before the position before it."
    ),
    "dense of lstm": msg(
        "The cells’ output is made as narrow as the word vectors; that is added to what came in."
    ),
    "last norm": msg("The last states, normed for the vocabulary."),
    "dense": msg("The first step of the masked-language-model head: no part of a layer."),
    "activation": msg("The head’s activation: every number by itself."),
    "head norm": msg("The head’s LayerNorm: then the state meets the vocabulary."),
    "vocabulary": msg(
        "Each state meets the vector of every entry of the vocabulary: the matrix is the one that "
        "makes the word vectors (tied weights), so it is counted there."
    ),
    "softmax": msg("Scores become shares that add up to 1. It has nothing to learn."),
}
SIDES: Mapping[str, str] = {
    "encoder": msg("Encoder"),
    "decoder": msg("Decoder"),
    "forward": msg("From the left"),
    "backward": msg("From the right"),
}


def name_of(part: ModelPart) -> str:
    """What a block is called."""
    if part.kind == "attention" and part.causal:
        return t("Masked self-attention")
    if part.kind == "positions":
        return t("Positions: sinusoids") if is_sinusoidal(part) else t("Positions: learned")
    if part.kind == "activation":
        return part.activation
    return t(NAMES[part.kind])


def is_sinusoidal(part: ModelPart) -> bool:
    """Whether positions are computed, not learned: the class that holds them says so."""
    return part.module.endswith("embed_positions")


def does(part: ModelPart) -> str:
    """What a block does, in a sentence or two."""
    if part.kind == "positions":
        return _positions(part)
    if part.kind == "attention":
        return _attention(part)
    return t(DOES[part.kind])


def _positions(part: ModelPart) -> str:
    if is_sinusoidal(part):
        return t("Sines and cosines of the place, added to the word vector; nothing is learned.")
    return t("A learned vector for each place, added to the word vector.")


def _attention(part: ModelPart) -> str:
    if part.causal:
        return t(
            "Every position looks at itself and at those before it, in {heads} heads; what comes "
            "after it is masked.",
            heads=number(part.heads),
        )
    return t("Every position looks at all others, in {heads} heads.", heads=number(part.heads))


def formula(part: ModelPart) -> str:
    """Its formula."""
    if part.kind == "words":
        return "e = E[token]"
    if part.kind == "attention" and part.causal:
        return "softmax(q kᵀ / √d + mask) v"
    if part.kind == "positions" and is_sinusoidal(part):
        return "p = sin, cos(i / 10000^(2k/d))"
    return FORMULAS[part.kind]


def products(part: ModelPart, blueprint: Blueprint) -> str:
    """How its FLOPs come about, with the numbers in it; "" where nothing is multiplied.

    n tokens, of width d; m that cross-attention looks at. Every product is a multiplication and an
    addition: two.
    """
    d, n = blueprint.width, len(blueprint.target or blueprint.source)
    m = len(blueprint.source)
    if part.side == "encoder":
        n = m
    every = {
        "attention": f"8·{n}·{d}² + 4·{n}²·{d}",
        "cross": f"4·{n}·{d}² + 4·{m}·{d}² + 4·{n}·{m}·{d}",
        "ffn": f"4·{n}·{d}·{part.inner}",
        "lstm": f"8·{n}·{part.inner}·({d} + {part.inner})",
        "dense of lstm": f"2·{n}·{d}·{_cells(part)}",
        "dense": f"2·{n}·{d}²",
        "vocabulary": _vocabulary(part, blueprint, n),
    }
    return every.get(part.kind, "")


def _cells(part: ModelPart) -> int:
    return next((each.shape[1] for each in part.weights if len(each.shape) > 1), 0)


def _vocabulary(part: ModelPart, blueprint: Blueprint, n: int) -> str:
    entries = next((w.shape[0] for w in part.weights if len(w.shape) > 1), 0)
    ways = sum(blueprint.layers(side) > 0 for side in ("forward", "backward"))
    return f"2·{n}·{blueprint.width}·{entries}" + (f"·{ways}" if ways > 1 else "")
