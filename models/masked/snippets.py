"""Programs that print the same numbers with public packages only; see `models.snippets`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Bool, Int

from models.families import anatomy
from models.masked import snippet_bodies as bodies
from models.snippets import Source
from models.wiring import find

if TYPE_CHECKING:
    from models.loading import Model
    from models.masked.asking import Masked

Pieces = tuple[int, ...]
Runs = Sequence[tuple[int, ...]]
"""Positions of the pieces of each word."""


def named(model: Model, masked: Masked, place: int, words: Sequence[Pieces]) -> str:
    """Prints log p of each word's pieces; then, one per word, probability, rank and share."""
    header = _source(model, masked.reading.text).header(
        ids=list(masked.ids),
        place=place,
        words=[list(pieces) for pieces in words],
        mask=model.mask_id,
        no_words=_ranges(~model.vocabulary.is_word),
    )
    return header + bodies.CHAIN + bodies.NAMED


def joint(model: Model, masked: Masked, places: Sequence[int], beam: int, *, orders: bool) -> str:
    """Prints words, order, score and the best other order's score; joint, then independent."""
    header = _source(model, masked.reading.text).header(
        ids=list(masked.ids),
        places=list(places),
        beam=beam,
        every_order=orders,
        no_words=_ranges(~model.vocabulary.is_word),
    )
    return header + bodies.JOINT


def sentences(model: Model, texts: Sequence[str], read: Sequence[tuple[Pieces, Runs]]) -> str:
    """Prints log p of each word, the total and the pseudo-perplexity, for every sentence."""
    several = [(list(ids), [list(word) for word in words]) for ids, words in read]
    source = _source(model, " / ".join(texts))
    header = source.header(sentences=several, mask=model.mask_id)
    return header + bodies.CHAIN + bodies.SENTENCES


def head(model: Model, masked: Masked, position: int, layer: int, *, bypass: bool) -> str:
    """Prints each step's vector, then the five best probabilities with and without transform."""
    found = anatomy(model.network.config)
    if found is None or found.transform is None:
        raise LookupError(model.network.config.model_type)
    dense, layer_norm = found.transform
    header = _source(model, masked.reading.text).header(
        ids=list(masked.ids),
        position=position,
        layer=layer,
        norm=[path for path in found.closing if find(model.network, path) is not None],
        head=list(found.head),
        dense=dense,
        layer_norm=layer_norm,
    )
    return header + bodies.HEAD + (bodies.BYPASS if bypass else "")


def corruption(
    model: Model,
    text: str,
    ids: Int[np.ndarray, " position"],
    ordinary: Bool[np.ndarray, " position"],
    seed: int,
    rate: float,
) -> str:
    """Prints what the model reads, the selected positions, their losses, their sum and mean."""
    header = _source(model, text).header(
        ids=ids.tolist(),
        special=np.flatnonzero(~ordinary).tolist(),
        mask=model.mask_id,
        seed=seed,
        rate=rate,
        no_words=_ranges(~model.vocabulary.is_word),
    )
    return header + bodies.CORRUPTION


def _source(model: Model, text: str) -> Source:
    return Source.of(model, text, {})


def _ranges(entries: Bool[np.ndarray, " vocabulary"]) -> list[tuple[int, int]]:
    """The marked entries as ranges [first, end), so that a program stays short.

    >>> _ranges(np.array([True, True, False, True]))
    [(0, 2), (3, 4)]
    """
    edges = np.flatnonzero(np.diff(entries.astype(int), prepend=0, append=0)).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))
