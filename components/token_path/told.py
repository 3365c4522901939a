"""The steps of a token's way in words, each with its own numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from components.blocks.detail import short
from components.token_path.names import ROWS
from components.words import number, percent, sentences, t
from models.trace import PathStep, TokenPath


def told(step: PathStep, path: TokenPath) -> str:
    """What happened there, with the numbers of this token."""
    return TOLD[step.name](step, path)


def token(path: TokenPath) -> str:
    """The token whose way is followed."""
    return path.tokens[path.position]


def _length(step: PathStep, name: str) -> str:
    row = next(row for row in step.rows if row.name == name)
    return short(float(np.linalg.norm(row.values)))


def _embedding(step: PathStep, path: TokenPath) -> str:
    parts = t(", ").join(
        t("{name} {length}", name=t(ROWS[row.name]), length=_length(step, row.name))
        for row in step.rows
    )
    return t(
        "“{token}” at place {place} begins as {count} numbers. Lengths: {parts}.",
        token=token(path),
        place=number(path.position + 1),
        count=number(len(step.rows[0].values)),
        parts=parts,
    )


def _before(step: PathStep, path: TokenPath) -> str:
    return t("{count} layers have done the same already.", count=number(path.layer))


def _query(step: PathStep, path: TokenPath) -> str:
    return t(
        "Three matrices make three vectors of the state. {heads} heads share them: each works with "
        "{wide} of the {count} numbers. Every other token has a key and a value, too.",
        heads=number(path.heads),
        wide=number(len(step.rows[0].values) // path.heads),
        count=number(len(step.rows[0].values)),
    )


def _scores(step: PathStep, path: TokenPath) -> str:
    grid = _grid(step)
    head, key = np.unravel_index(int(grid.argmax()), grid.shape)
    return t(
        "Query times key, divided by √{wide}: the largest is {score}, in head {head} for “{key}”.",
        wide=number(len(path.step("query key value").rows[0].values) // path.heads),
        score=short(float(grid[head, key])),
        head=number(int(head) + 1),
        key=path.tokens[int(key)],
    )


def _mask(step: PathStep, path: TokenPath) -> str:
    hidden = len(path.tokens) - path.visible
    if not hidden:
        return t("Nothing is masked: it may look at all {count} tokens, on both sides.",
                 count=number(len(path.tokens)))  # fmt: skip
    return t(
        "The {hidden} tokens after it become −∞: it may look at {visible} of {count}.",
        hidden=number(hidden),
        visible=number(path.visible),
        count=number(len(path.tokens)),
    )


def _softmax(step: PathStep, path: TokenPath) -> str:
    grid = _grid(step)
    best = grid.argmax(-1)
    heads = t("; ").join(
        t("head {head} “{key}” {share}", head=number(i + 1), key=path.tokens[int(k)],
          share=percent(float(grid[i, k])))
        for i, k in enumerate(best)
    )  # fmt: skip
    return t("Shares that sum to 1 in each head. Most gets: {heads}.", heads=heads)


def _joined(step: PathStep, path: TokenPath) -> str:
    return t(
        "Each head sums the values by its weights. Side by side they are {count} numbers again, "
        "and one more matrix mixes the heads: length {length}.",
        count=number(len(step.rows[0].values)),
        length=_length(step, "attention"),
    )


def _norm(step: PathStep, path: TokenPath) -> str:
    values = step.rows[0].values
    return t(
        "What came out is added to what came in, centred and brought to one spread: mean {mean} "
        "and standard deviation {deviation} before.",
        mean=short(float(values.mean())),
        deviation=short(float(values.std())),
    )


def _cross(step: PathStep, path: TokenPath) -> str:
    mean = _grid(step).mean(0)
    best = int(mean.argmax())
    return t(
        "The query looks at the encoder’s {count} states, none of them masked: on average over the "
        "heads most at “{key}”, {share}.",
        count=number(len(path.memory)),
        key=path.memory[best],
        share=percent(float(mean[best])),
    )


def _expand(step: PathStep, path: TokenPath) -> str:
    values = step.rows[0].values
    return t(
        "The feed-forward network makes {inner} numbers; {share} of them are below zero.",
        inner=number(len(values)),
        share=percent(float((values < 0).mean())),
    )


def _activation(step: PathStep, path: TokenPath) -> str:
    values = abs(step.rows[0].values)
    silent = float((values < 0.01 * values.max()).mean())
    return t(
        "{name} bends each number by itself: {share} are silent now (below 1% of the largest).",
        name=path.activation,
        share=percent(silent),
    )


def _contract(step: PathStep, path: TokenPath) -> str:
    return t(
        "Back to {count} numbers, of length {length}.",
        count=number(len(step.rows[0].values)),
        length=_length(step, "ffn"),
    )


def _gates(step: PathStep, path: TokenPath) -> str:
    means = {row.name: percent(float(row.values.mean())) for row in step.rows}
    return t(
        "From the word and from what was shown at the token before: on average {entry} of what is "
        "new comes in, {forget} of the old is kept, {out} is shown. {count} tokens had to be read "
        "one by one to get here.",
        entry=means["input gate"],
        forget=means["forget gate"],
        out=means["output gate"],
        count=number(path.position + 1),
    )


def _cell(step: PathStep, path: TokenPath) -> str:
    return t(
        "The cell has {count} numbers, and is all that goes on to the next token, with what is "
        "shown of it.",
        count=number(len(step.rows[0].values)),
    )


def _dense_of_lstm(step: PathStep, path: TokenPath) -> str:
    return t(
        "A matrix makes {count} numbers of it, which are added to what came in.",
        count=number(len(step.rows[0].values)),
    )


def _after(step: PathStep, path: TokenPath) -> str:
    return t("{count} more layers do the same.", count=number(path.layers - 1 - path.layer))


def _head(step: PathStep, path: TokenPath) -> str:
    if len(step.rows) == 1:
        return t("The last state is normed for the vocabulary.")
    return t(
        "Dense, activation and LayerNorm: the masked-language-model head. It belongs to no layer, "
        "and stands once, before the vocabulary."
    )


def _logits(step: PathStep, path: TokenPath) -> str:
    values = step.rows[0].values
    best = path.best[0]
    return t(
        "One score for each of {count} entries: “{word}” has {score}, the mean is {mean}.",
        count=number(len(values)),
        word=best.text,
        score=short(float(values[best.token_id])),
        mean=short(float(values.mean())),
    )


def _probabilities(step: PathStep, path: TokenPath) -> str:
    together = sum(each.probability for each in path.best)
    what = {
        "bert": t("These are the answers at this very token."),
        "elmo": t("These are the answers of the forward model for the token after it."),
    }.get(path.family, t("These are the answers for the token after it."))
    return sentences(
        what,
        t("The {count} best have {share} together.", count=number(len(path.best)),
          share=percent(together)),
    )  # fmt: skip


def _grid(step: PathStep) -> np.ndarray:
    if step.grid is None:
        raise ValueError(f"no grid in {step.name}")
    return step.grid


TOLD: Mapping[str, Callable[[PathStep, TokenPath], str]] = {
    "embedding": _embedding, "before": _before, "query key value": _query, "scores": _scores,
    "mask": _mask, "softmax": _softmax, "joined": _joined, "attention norm": _norm,
    "cross": _cross, "cross norm": _norm, "expand": _expand, "activation": _activation,
    "contract": _contract, "ffn norm": _norm, "gates": _gates, "cell": _cell,
    "dense of lstm": _dense_of_lstm, "after": _after, "head": _head, "logits": _logits,
    "probabilities": _probabilities,
}  # fmt: skip
