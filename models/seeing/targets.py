"""Which positions of a sentence each objective trains, and what each costs, computed.

Masked: 15 % of the tokens, drawn by seed. Causal: every token from those to its left. Two-way:
every token twice, from either side. Denoising: every token that the decoder writes; the same draw
hides whole words from the encoder. Sentences are framed as in training (`models.training.batches`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
import torch

from models.answering.left_to_right import first_token, next_words
from models.answering.one_way import one_way
from models.elmo import ElmoForPreTraining
from models.inputs import Inputs, read
from models.masked import corrupt
from models.measures.corruption import RATE
from models.measures.corruption import corrupt as draw
from models.results import Sentence, Span, Way
from models.runs import Tensors
from models.seeing import snippets
from models.sights import Target, Targets, TargetWay
from models.snippets import Source
from models.tokens import words_of
from models.traces import Token

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None


@dataclass(frozen=True)
class Asked:
    """Predictions of one run: where the answers stand, and which tokens they should be."""

    way: TargetWay
    positions: tuple[int, ...]
    tokens: tuple[int, ...]


def targets(
    model: Model, text: str, seed: int = 0, rate: float = RATE, check: Check = None
) -> Targets:
    """The predictions that a sentence trains; see `models.seen.targets`."""
    if model.objective == "masked":
        return _masked(model, text, seed, rate, check)
    if model.network.config.is_encoder_decoder:
        return _written(model, text, seed, rate, check)
    return _one_way(model, text, check)


def _masked(model: Model, text: str, seed: int, rate: float, check: Check) -> Targets:
    """Only the selected tokens are predicted, whatever became of them."""
    found = corrupt(model, text, seed, rate, top_k=1, check=check)
    shown = {one.token: one.shown for one in found.selected}
    return Targets(
        tokens=found.tokens,
        read=tuple(shown.get(i, token.text) for i, token in enumerate(found.tokens)),
        targets=tuple(Target(one.token, "masked", one.nats) for one in found.selected),
        loss=found.loss,
        cut=found.cut,
        provenance=found.provenance,
        snippet=found.snippet,
    )


def _one_way(model: Model, text: str, check: Check) -> Targets:
    """Every token but the one that a direction begins with: the first, or the last."""
    inputs = read(model, text)
    tokens = _framed(model, inputs.tokens)
    tensors = {"input_ids": torch.tensor([[token.id for token in tokens]])}
    last = len(tokens) - 1
    asked = [Asked("forward", tuple(range(last)), tuple(range(1, last + 1)))]
    if model.objective == "two-way":
        asked.append(Asked("backward", tuple(range(1, last + 1)), tuple(range(last))))
    return _told(model, inputs, tokens, tokens, tensors, asked, check)


def _written(model: Model, text: str, seed: int, rate: float, check: Check) -> Targets:
    """Every token, the true ones before it given; words are hidden from the encoder alone."""
    whole = read(model, text, target=text)
    hidden = _drawn(model, whole.target_tokens, seed, rate)
    inputs = read(model, Sentence(text, hidden), target=text)
    end = _token(model, int(model.network.config.eos_token_id))
    tokens = (*inputs.target_tokens, end)
    written = tuple(range(1, len(tokens)))
    asked = [Asked("written", tuple(range(len(tokens) - 1)), written)]
    masks = {token.start: token.text for token in inputs.tokens if token.id == model.reader.mask_id}
    return _told(model, inputs, tokens, _hide(tokens, hidden, masks), inputs.tensors, asked, check)


def _told(
    model: Model,
    inputs: Inputs,
    tokens: tuple[Token, ...],
    shown: Sequence[Token],
    tensors: Tensors,
    asked: Sequence[Asked],
    check: Check,
) -> Targets:
    """Run the model, and note what every prediction costs."""
    found = [
        Target(at, one.way, cost)
        for one in asked
        for at, cost in zip(one.tokens, _nats(model, tensors, tokens, one, check), strict=True)
    ]
    source = Source.of(model, inputs.text, tensors)
    runs = [(one.way, one.positions, [tokens[i].id for i in one.tokens]) for one in asked]
    return Targets(
        tokens=tokens,
        read=tuple(token.text for token in shown),
        targets=tuple(found),
        loss=float(np.mean([one.nats for one in found])) if found else None,
        cut=inputs.cut[0],
        provenance=model.provenance,
        snippet=snippets.targets(source, runs),
    )


def _nats(
    model: Model, tensors: Tensors, tokens: Sequence[Token], asked: Asked, check: Check
) -> list[float]:
    """What each prediction of a run costs."""
    if not asked.positions:
        return []
    if model.objective == "two-way":
        network = cast(ElmoForPreTraining, model.network)
        way = cast(Way, asked.way)
        log_p = one_way(network, tensors["input_ids"], way, asked.positions, check)[0]
    else:
        log_p = next_words(model, tensors, asked.positions, check)[0]
    ids = [tokens[i].id for i in asked.tokens]
    return [abs(value) for value in log_p[range(len(ids)), ids].tolist()]


def _framed(model: Model, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The sentence with start and end, where the tokenizer leaves either out.

    GPT's puts no end: what a visitor types may go on. What it was trained on did end.
    """
    start = tokens[:1] if tokens and tokens[0].kind == "special" else ()
    begun = start or (_token(model, first_token(model)),)
    body = tokens[len(start) :]
    tokenizer = model.tokenizer
    end = tokenizer.eos_token_id if tokenizer.sep_token_id is None else tokenizer.sep_token_id
    if end is None or (body and body[-1].id == end):
        return (*begun, *body)
    return (*begun, *body, _token(model, int(end)))


def _token(model: Model, token_id: int) -> Token:
    """A token that stands for nothing of the text."""
    name = model.reader.spell((token_id,))[0]
    return Token(name, 0, 0, token_id, name, "special", -1, sequence=None)


def _drawn(model: Model, tokens: Sequence[Token], seed: int, rate: float) -> tuple[Span, ...]:
    """The words that the draw of masked language modelling selects a token of."""
    words = words_of(tokens)
    inside = {i for word in words for i in word if not tokens[i].unknown}
    ordinary = np.array([i in inside for i in range(len(tokens))], dtype=bool)
    ids = np.array([token.id for token in tokens])
    selected = draw(ids, ordinary, np.array([0]), 0, seed, rate).selected
    chosen = set(selected.tolist())
    return tuple((tokens[w[0]].start, tokens[w[-1]].end) for w in words if chosen & set(w))


def _hide(
    tokens: Sequence[Token], hidden: Sequence[Span], masks: dict[int, str]
) -> tuple[Token, ...]:
    """What the encoder reads in place of each token: one mask for a word, nothing for the rest."""
    shown = []
    for token in tokens:
        span = next((s for s in hidden if s[0] <= token.start < token.end <= s[1]), None)
        if span is None or token.kind == "special":
            shown.append(token)
        else:
            text = masks.get(span[0], "") if token.start == span[0] else ""
            shown.append(Token(text, 0, 0, token.id, token.piece, "special", token.group))
    return tuple(shown)
