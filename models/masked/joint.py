"""Several blanks filled together, beside each filled by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from models.fills import Difference, Fill, JointFill
from models.masked import snippets
from models.masked.asking import Check, LogP, Masked, Query, answered, log_probabilities
from models.measures.joint import BEAM, Order, Path, best_orders, follow
from models.measures.joint import fill_jointly as search
from models.results import Sentence

if TYPE_CHECKING:
    from models.loading import Model

MOST_BLANKS = 12
"""Blanks that are filled together; later ones stay hidden."""
ORDER_TOKENS = 8_192
"""Tokens spent on looking for a better order of filling: there are 2^blanks - 1 partial fills."""


def fill_jointly(
    model: Model, sentence: Sentence, beam: int = BEAM, check: Check = None
) -> JointFill:
    """All blanks of a sentence filled together; see `models.fill_jointly`."""
    masked = Masked.of(model, sentence)
    places = masked.places[:MOST_BLANKS]
    is_word = model.vocabulary.is_word

    def ask(paths: Sequence[Path]) -> list[LogP]:
        queries = [_query(masked.ids, places, dict(path.steps)) for path in paths]
        return log_probabilities(model, queries, check)

    found = search(len(places), ask, is_word, beam)
    (alone,) = ask([Path()]) if places else (np.zeros((0, len(is_word))),)
    words = [int(word) for word in np.where(is_word, alone, -np.inf).argmax(axis=1)]
    joint, *others = (
        _fill(model, masked.ids, places, path, check, orders=path is found[0]) for path in found
    )
    independent = joint
    if [word.token_id for word in joint.words] != words:
        independent = _fill(model, masked.ids, places, follow(words, ask, is_word), check)
    return JointFill(
        spans=tuple(word.span for word in masked.hidden[: len(places)]),
        joint=joint,
        independent=independent,
        alternatives=tuple(others),
        left_out=len(masked.places) - len(places),
        difference=difference(joint, independent),
        provenance=model.provenance,
        snippet=snippets.joint(
            model, masked, places, beam, orders=_can_try_orders(masked.ids, places)
        ),
    )


def difference(joint: Fill, independent: Fill) -> Difference:
    """What changed between two fills of the same blanks."""
    pairs = enumerate(zip(joint.words, independent.words, strict=True))
    changed = tuple(blank for blank, (a, b) in pairs if a.token_id != b.token_id)
    return Difference(changed, joint.score, independent.score)


def _can_try_orders(ids: tuple[int, ...], places: Sequence[int]) -> bool:
    return 2 ** len(places) * len(ids) <= ORDER_TOKENS


def _query(ids: tuple[int, ...], places: Sequence[int], words: dict[int, int]) -> Query:
    """The text with some blanks filled; asked for at the others."""
    filled = list(ids)
    for blank, word in words.items():
        filled[places[blank]] = word
    return Query(tuple(filled), tuple(p for blank, p in enumerate(places) if blank not in words))


def _fill(
    model: Model,
    ids: tuple[int, ...],
    places: Sequence[int],
    path: Path,
    check: Check,
    orders: bool = True,
) -> Fill:
    """A path as a reader wants it, with the best other order of the same words."""
    steps = zip(path.steps, path.log_probabilities, strict=True)
    words = {
        blank: model.vocabulary.candidate(word, float(np.exp(log_p)))
        for (blank, word), log_p in steps
    }
    order, score = None, None
    if orders and len(places) > 1 and _can_try_orders(ids, places):
        order, score = _other_order(model, ids, places, path, check)
    in_reading_order = tuple(words[blank] for blank in range(len(places)))
    return Fill(in_reading_order, path.order, path.score, order, score)


def _other_order(
    model: Model, ids: tuple[int, ...], places: Sequence[int], path: Path, check: Check
) -> tuple[Order, float]:
    """The best order that is not the path's own, from every partial fill of the same words."""
    words, blanks = dict(path.steps), len(places)
    partial = [
        {blank: words[blank] for blank in range(blanks) if filled >> blank & 1}
        for filled in range(2**blanks - 1)
    ]
    table = np.full((len(partial), blanks), np.nan)
    queries = [_query(ids, places, some) for some in partial]
    for filled, log_p in answered(model, queries, check):
        still_open = [blank for blank in range(blanks) if blank not in partial[filled]]
        targets = [words[blank] for blank in still_open]
        table[filled, still_open] = log_p[np.arange(len(targets)), targets]
    best, second = best_orders(table)
    return second if best[0] == path.order else best
