"""The loss made visible: one draw of masked language modelling on a visitor's sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from models.answers import Corruption, Fate, Selected
from models.inputs import read
from models.masked import snippets
from models.masked.asking import Check, Query, answer, log_probabilities
from models.measures.corruption import MASKED, RATE, Corrupted
from models.measures.corruption import corrupt as draw

if TYPE_CHECKING:
    from models.loading import Model


def corrupt(
    model: Model,
    text: str,
    seed: int = 0,
    rate: float = RATE,
    top_k: int = 5,
    check: Check = None,
) -> Corruption:
    """A corrupted sentence and its loss; see `models.corrupt`."""
    mask = model.mask_id
    inputs = read(model, text)
    ids = np.array([token.id for token in inputs.tokens])
    ordinary = np.array(
        [token.kind not in ("special", "space") and not token.unknown for token in inputs.tokens],
        dtype=bool,
    )
    words = np.flatnonzero(model.vocabulary.is_word)
    drawn = draw(ids, ordinary, words, mask, seed, rate)
    query = Query(tuple(drawn.ids.tolist()), tuple(drawn.selected.tolist()))
    log_p = (
        log_probabilities(model, [query], check)[0] if query.places else np.zeros((0, len(words)))
    )
    selected = tuple(
        Selected(
            token=int(at),
            fate=cast(Fate, fate),
            shown=_shown(model, drawn, int(at), fate),
            nats=abs(float(row[ids[at]])),
            answer=answer(model, row, int(ids[at]), top_k),
        )
        for at, fate, row in zip(drawn.selected, drawn.fates, log_p, strict=True)
    )
    total = sum(one.nats for one in selected)
    return Corruption(
        tokens=inputs.tokens,
        selected=selected,
        loss=total / len(selected) if selected else None,
        total=total,
        rate=rate,
        seed=seed,
        cut=inputs.cut[0],
        provenance=model.provenance,
        snippet=snippets.corruption(model, text, ids, ordinary, seed, rate),
    )


def _shown(model: Model, drawn: Corrupted, at: int, fate: str) -> str:
    token_id = int(drawn.ids[at])
    if fate == MASKED:
        return model.reader.spell((token_id,))[0]
    return model.vocabulary.candidate(token_id, 0.0).text
