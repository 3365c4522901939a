"""What steps and their vectors are called, and their formulas."""

from __future__ import annotations

from collections.abc import Mapping

from components.words import msg, t
from models.trace import PathStep, TokenPath

NAMES: Mapping[str, str] = {
    "embedding": msg("Embedding"),
    "before": msg("Layers before"),
    "query key value": msg("Query, key, value"),
    "scores": msg("Scores"),
    "mask": msg("Mask"),
    "softmax": "Softmax",
    "joined": msg("Heads joined"),
    "attention norm": msg("Add & norm"),
    "cross": msg("Cross-attention"),
    "cross norm": msg("Add & norm"),
    "expand": msg("Expand"),
    "activation": msg("Activation"),
    "contract": msg("Contract"),
    "ffn norm": msg("Add & norm"),
    "gates": msg("Gates"),
    "cell": msg("Cell"),
    "dense of lstm": msg("Linear & add"),
    "after": msg("Layers after"),
    "head": msg("Output head"),
    "logits": msg("Logits"),
    "probabilities": msg("Probabilities"),
}
FORMULAS: Mapping[str, str] = {
    "embedding": "x = e + p",
    "before": "x = layerₖ(… layer₁(x))",
    "query key value": "q = W x + b,  k = …,  v = …",
    "scores": "s = q · k / √d",
    "mask": "s + m,  m ∈ {0, −∞}",
    "softmax": "α = exp(s) / Σ exp(s)",
    "joined": "W [head₁ … headₕ] + b,  head = Σ α v",
    "attention norm": "LayerNorm(x + attention)",
    "cross": "softmax(q kᵀ / √d) v",
    "cross norm": "LayerNorm(x + cross)",
    "expand": "a = W₁ x + b₁",
    "activation": "g = φ(a)",
    "contract": "W₂ g + b₂",
    "ffn norm": "LayerNorm(x + ffn)",
    "gates": "i, f, o = σ(W x + U h + b),  g = tanh(…)",
    "cell": "c = f c + i g,  h = o tanh(c)",
    "dense of lstm": "x + W h + b",
    "after": "x = layerₙ(… x)",
    "head": "LayerNorm(φ(W h + b))",
    "logits": "z = E h + c",
    "probabilities": "p = exp(z) / Σ exp(z)",
}
ROWS: Mapping[str, str] = {
    "words": msg("word"),
    "positions": msg("position"),
    "segments": msg("segment"),
    "sum": msg("sum"),
    "first norm": "LayerNorm",
    "input": msg("state"),
    "query": msg("query"),
    "key": msg("key"),
    "value": msg("value"),
    "joined": msg("heads, side by side"),
    "attention": msg("through the output matrix"),
    "attention sum": msg("sum"),
    "attention norm": msg("normed"),
    "cross query": msg("query"),
    "cross": msg("what it brings"),
    "cross sum": msg("sum"),
    "cross norm": msg("normed"),
    "expand": msg("expanded"),
    "activation": msg("activated"),
    "ffn": msg("contracted"),
    "ffn sum": msg("sum"),
    "ffn norm": msg("normed"),
    "input gate": msg("input gate"),
    "forget gate": msg("forget gate"),
    "candidate": msg("candidate"),
    "output gate": msg("output gate"),
    "cell": msg("cell"),
    "lstm": msg("shown of the cell"),
    "dense of lstm": msg("through the matrix"),
    "output": msg("state"),
    "dense": msg("dense"),
    "head norm": "LayerNorm",
    "last norm": "LayerNorm",
}


def name_of(step: PathStep, path: TokenPath) -> str:
    """What a step is called."""
    if step.name == "activation":
        return path.activation
    return t(NAMES[step.name])


def formula(step: PathStep) -> str:
    """Its formula; of the embedding with all that is added."""
    if step.name == "embedding":
        names = {row.name for row in step.rows}
        signs = {"positions": "p", "segments": "s"}
        found = " + ".join(["e", *(sign for name, sign in signs.items() if name in names)])
        return f"LayerNorm({found})" if "first norm" in names else f"x = {found}"
    if step.name == "head" and len(step.rows) == 1:
        return "LayerNorm(h)"
    return FORMULAS[step.name]
