"""What the maps of attention have in common: their rows and columns, and the text behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Bool, Float

from models.elmo import ElmoForPreTraining
from models.errors import CannotTrace
from models.heads import Reads, Unit
from models.interventions import AttentionKind
from models.results import BLANK, Sentence
from models.tokens import words_of
from models.traces import Record, Token, Trace
from models.tracing import NAME, trace
from models.wiring import prepare

if TYPE_CHECKING:
    from models.loading import Model

MOST_CELLS, MOST_BLOCKS = 128, 64
"""Tokens on a side of a map drawn small; of longer texts a cell stands for a block of weights, and
there are fewer: such a map is drawn as small, and its message must not outweigh the open head."""

Tokens = tuple[Token, ...]


def kinds(model: Model) -> tuple[AttentionKind, ...]:
    """The kinds of attention that a model has; () if it has none."""
    wiring = prepare(model.network, NAME)
    if isinstance(model.network, ElmoForPreTraining) or not any(wiring.heads.values()):
        return ()
    if len(wiring.stacks) > 1:
        return ("encoder", "decoder", "cross")
    return (wiring.stacks[0],)


def checked(model: Model, kind: AttentionKind | None) -> AttentionKind:
    """A kind of attention that the model has; None asks for its first.

    Raises:
        CannotTrace: It has no attention at all.
        ValueError: It has none of this kind.
    """
    possible = kinds(model)
    if not possible:
        raise CannotTrace(model.name, "weights", "no attention")
    kind = kind or possible[0]
    if kind not in possible:
        raise ValueError(f"{model.name} has {', '.join(possible)}, not {kind}")
    return kind


def reads(model: Model, sentence: Sentence, pair: str | None, target: str | None) -> Reads:
    """What is read: of a pair, hidden words as typed masks, since it is written as one text.

    A decoder that writes its source again reads that source, each hidden word as its own guess: so
    it stands where the answers at the blanks are given. Any other writes by itself, if not told.
    """
    if target is None and model.objective == "denoising":
        target = with_masks(sentence).text
    return Reads(sentence if pair is None else with_masks(sentence), pair, target)


def with_masks(sentence: Sentence) -> Sentence:
    """Hidden words as typed masks."""
    text = sentence.text
    for start, end in sorted(sentence.hidden, reverse=True):
        text = f"{text[:start]}{BLANK}{text[end:]}"
    return Sentence(text)


def traced(
    model: Model,
    asked: Reads,
    records: Sequence[Record],
    check: Callable[[], None] | None,
    each: Callable[[AttentionKind, int, np.ndarray], None] | None = None,
) -> Trace:
    """One look inside the model while it reads this; `each` as for `tracing.trace`."""
    return trace(
        model, asked.sentence, records,
        pair=asked.pair, target=asked.target, check=check, each=each,
    )  # fmt: skip


def block_of(queries: Tokens, keys: Tokens) -> int:
    """The side of the square of weights that a cell stands for; 1 = each has one."""
    return block_for(len(queries), len(keys))


def block_for(queries: int, keys: int) -> int:
    """The same, of so many tokens."""
    longer = max(queries, keys)
    return 1 if longer <= MOST_CELLS else -(-longer // MOST_BLOCKS)


def recorded(seen: Trace, kind: AttentionKind) -> Float[np.ndarray, "layer head query key"]:
    """The weights of all heads of a kind.

    Raises:
        KeyError: They were not recorded.
    """
    stack = seen.encoder if kind == "encoder" else seen.decoder
    if stack is None:
        raise KeyError(kind)
    return stack.weights(cross=kind == "cross")


def axes(seen: Trace, kind: AttentionKind) -> tuple[Tokens, Tokens]:
    """The tokens that ask, and those that are looked at."""
    encoder = seen.encoder.tokens if seen.encoder else ()
    decoder = seen.decoder.tokens if seen.decoder else ()
    sides = {"encoder": (encoder, encoder), "decoder": (decoder, decoder)}
    return sides.get(kind, (decoder, encoder))


def both_units(
    model: Model, seen: Trace, kind: AttentionKind, merge: bool
) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
    """The rows and the columns of a map."""
    queries, keys = axes(seen, kind)
    return (
        units(model, queries, texts(seen, queries), merge),
        units(model, keys, texts(seen, keys), merge),
    )


def texts(seen: Trace, side: Tokens) -> tuple[str, ...]:
    """The texts that a side's tokens are slices of."""
    if seen.encoder is not None and seen.decoder is not None and side is seen.decoder.tokens:
        return (seen.target or "",)
    return (seen.text, seen.pair or "")


def units(
    model: Model, tokens: Sequence[Token], texts: Sequence[str], merge: bool
) -> tuple[Unit, ...]:
    """Rows or columns of a map: each token, or each word with all of its pieces."""
    words = {word[0]: word for word in words_of(tokens)} if merge else {}
    inner = {i for word in words.values() for i in word[1:]}
    special = set(model.tokenizer.all_special_ids) - {model.reader.blank_id}
    return tuple(
        _unit(tokens, words.get(i, (i,)), texts, special)
        for i in range(len(tokens))
        if i not in inner
    )


def _unit(
    tokens: Sequence[Token], members: tuple[int, ...], texts: Sequence[str], special: set[int]
) -> Unit:
    first, last = tokens[members[0]], tokens[members[-1]]
    text = first.text
    if len(members) > 1 and first.sequence is not None:
        text = texts[first.sequence][first.start : last.end]
    added = first.kind == "special" and first.id in special
    return Unit(text, members, added, first.sequence, first.kind == "continuation")


def mask_of(seen: Trace, kind: AttentionKind, layer: int) -> Bool[np.ndarray, "query key"]:
    """True where the query may look; by the rule where the family does not let its mask out."""
    found = seen.attention(kind, layer).mask
    if found is not None:
        return found
    queries, keys = axes(seen, kind)
    every = np.ones((len(queries), len(keys)), dtype=bool)
    return np.tril(every) if kind == "decoder" else every


def every_layer(heads: tuple[int, ...]) -> Record:
    """Weights of every layer and kind, so that each computes as when all heads are recorded.

    A layer of which nothing is asked runs torch's fused kernel, whose last digit can differ.
    """
    return Record("weights", heads=heads)
