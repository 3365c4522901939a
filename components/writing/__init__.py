"""A decoder that writes, step by step: where it looks in the source meanwhile, and what it weighs.

Beside it stands a model without a decoder: one answer for each token that it reads, all at once.
All steps are sent once; which one is shown, and whose attention, only the browser knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np
from jaxtyping import Float32

from components.chosen import place
from components.heads import shades
from components.next_tokens import spoken
from components.register import register
from components.shares import share
from components.theme import BERT, ENCODER_DECODER
from components.words import fixed, number, t, tn
from models.trace import Candidate, EveryPosition, Token, Writing

__all__ = ["Gaze", "gazes", "sharpest", "source_word", "writing"]

_writing = register("writing", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()

MOST_HEADS = 64
"""Heads that are sent one by one; of more, only the means of layers are."""


@dataclass(frozen=True)
class Gaze:
    """One way to look at the cross-attention: a head, or the mean of several."""

    title: str
    weights: Float32[np.ndarray, "step source"]


def writing(
    found: Writing, beside: EveryPosition | None, *, key: str, link: Mapping[str, str]
) -> None:
    """Draw the steps, and the other model below.

    Args:
        found: What was read and written.
        beside: What a model without a decoder makes of the same text; None if there is none.
        key: A name of its own in the session.
        link: Query parameters of the page: may name a ``step`` and a ``gaze``, counted from 1.
    """
    shown = gazes(found)
    steps = len(found.steps)
    _writing(
        key=key,
        data={
            "serial": next(_serial),
            "colour": shades(ENCODER_DECODER),
            "source": [_source(token) for token in found.source],
            "start": found.start,
            "steps": [_step(found, i) for i in range(steps)],
            "cross": np.stack([gaze.weights for gaze in shown]).ravel(),
            "gazes": [gaze.title for gaze in shown],
            "gaze": place(link.get("gaze", ""), len(shown), sharpest(found)),
            "step": place(link.get("step", ""), steps, -1),
            "beside": None if beside is None else _beside(beside),
            "words": _words(found),
        },
    )


def gazes(found: Writing) -> list[Gaze]:
    """The mean of all heads, that of each layer, and each head."""
    layers, heads = found.cross.shape[:2]
    every = [Gaze(t("All heads, mean"), found.cross.mean(axis=(0, 1)))]
    if layers > 1:
        every += [
            Gaze(t("Layer {layer}, mean", layer=number(i + 1)), found.cross[i].mean(axis=0))
            for i in range(layers)
        ]
    if layers * heads <= MOST_HEADS:
        every += [
            Gaze(
                t("Layer {layer} · head {head}", layer=number(i + 1), head=number(j + 1)),
                found.cross[i, j],
            )
            for i in range(layers)
            for j in range(heads)
        ]
    return every


def sharpest(found: Writing) -> int:
    """The gaze to begin with: the head that looks at one token at a time, and not always the same.

    The mean of all if no head does so.
    """
    layers, heads = found.cross.shape[:2]
    if layers * heads > MOST_HEADS or not found.steps:
        return 0
    weights = found.cross.reshape(layers * heads, *found.cross.shape[2:]).astype(float)
    entropy = -(weights * np.log(np.maximum(weights, 1e-12))).sum(-1).mean(-1)
    same = weights.mean(axis=1).max(axis=-1)
    moving = np.where(same < 0.5, entropy, np.inf)
    first = 1 + (layers if layers > 1 else 0)
    return first + int(moving.argmin()) if np.isfinite(moving).any() else 0


def source_word(token: Token) -> str:
    """A token of the source as it is read; a space has a sign of its own."""
    return token.text if token.text.strip() else "␣"


def said(each: Candidate) -> str:
    """A token that could come; a space has a sign of its own."""
    return spoken(each) if each.text.strip() else "␣"


def _source(token: Token) -> dict[str, object]:
    joins = token.kind == "continuation"
    return {"text": source_word(token), "special": token.kind == "special", "joins": joins}


def _step(found: Writing, at: int) -> dict[str, object]:
    step = found.steps[at]
    last = found.ended and at == len(found.steps) - 1
    name = t("end") if last else step.token.shown or (step.token.text and "␣") or step.token.piece
    end = found.steps[-1].token.id if found.ended else None
    best, bits = step.candidates[0], step.token.entropy_bits or 0.0
    return {
        "text": name,
        "special": step.token.special,
        "joins": not step.token.text[:1].isspace() and not step.token.special,
        "told": t(
            "Step {step}: it writes “{token}” ({share}); entropy {bits} bits.",
            step=number(at + 1),
            token=name,
            share=share(best.probability),
            bits=fixed(bits, 2),
        ),
        "rows": [
            {
                "word": t("end") if each.token_id == end else said(each),
                "value": each.probability,
                "shown": share(each.probability),
                "strong": each.token_id == step.token.id,
            }
            for each in step.candidates
        ],
    }


def _beside(found: EveryPosition) -> dict[str, object]:
    pairs = zip(found.tokens, found.answers, strict=True)
    return {
        "mark": BERT.mark,
        "title": t("BERT ({model}): an encoder alone", model=found.provenance.model),
        "pairs": [
            {
                "text": source_word(token),
                "answer": said(answer),
                "special": token.kind == "special",
                "masked": token.text == "[MASK]",
            }
            for token, answer in pairs
        ],
        "none": t("no decoder"),
        "told": t(
            "BERT has no decoder: it gives one answer at each of its {count} positions, all at "
            "once. It cannot write a text of another length; an output head took the decoder’s "
            "place.",
            count=number(len(found.tokens)),
        ),
    }


def _words(found: Writing) -> dict[str, str]:
    """The words in view.js, in the visitor's language."""
    written = len(found.steps)
    return {
        "title": t("The Transformer: encoder and decoder"),
        "reads": tn(
            "The encoder reads {count} token, all at once",
            "The encoder reads {count} tokens, all at once",
            len(found.source),
        ),
        "writes": tn(
            "The decoder writes {count} token, one after another",
            "The decoder writes {count} tokens, one after another",
            written,
        ),
        "looks": t("looks most at {tokens}"),
        "one": t("“{token}” ({share})"),
        "comma": t(", "),
        "step": t("Step {step} of {steps}"),
        "steps": t("Steps of the decoder"),
        "back": t("One step back"),
        "on": t("One step on"),
        "play": t("Play"),
        "pause": t("Pause"),
        "gaze": t("Cross-attention"),
        "weighs": t("It weighs"),
        "scale": t("The stronger the colour, the more the decoder looks at that token."),
        "position": t("position {position}"),
    }
