"""The loss made visible: a sentence as a masked model meets it while it learns.

Every token in its place, those that were selected with what became of them and what they cost;
below, the same as a table with the model's answers.
"""

from __future__ import annotations

from itertools import count
from math import ceil, log
from pathlib import Path

from components.register import register
from components.shares import joined, share
from components.words import number, sentences, t, tn
from models.trace import Corruption, Selected, Token

__all__ = ["FATES", "blind", "fate_name", "full_bar", "headline", "loss"]

_loss = register("loss", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()

FATES = ("masked", "random", "kept")
ANSWERS = 3
"""Answers named in a row."""
LONG = 60
"""Tokens beyond which they carry no bars: the table has them."""


def loss(corruption: Corruption, *, key: str, colour: str, words: int) -> None:
    """Draw one corrupted sentence, its loss position by position, their mean and their sum.

    Args:
        corruption: One draw.
        key: A name of its own in the session.
        colour: CSS colour of the marks, the architecture's own.
        words: How many entries of the vocabulary can be an answer.
    """
    full = full_bar(corruption, words)
    _loss(
        key=key,
        data={
            "serial": next(_serial),
            "colour": colour,
            "headline": headline(corruption),
            "sum": total(corruption),
            "tokens": _tokens(corruption),
            "long": len(corruption.tokens) > LONG,
            "rows": [_row(one, corruption.tokens[one.token]) for one in corruption.selected],
            "full": full,
            "blind": blind(words),
            "words": _words(full, words),
        },
    )


def blind(words: int) -> float:
    """What an even guess among all words costs, in nats."""
    return log(max(words, 1))


def full_bar(corruption: Corruption, words: int) -> float:
    """The loss of a full bar, in whole nats: it holds every bar, and a blind guess."""
    return ceil(max([1, blind(words), *(one.nats for one in corruption.selected)]))


def fate_name(fate: str) -> str:
    """What became of a position, in the visitor's language."""
    return {"masked": t("masked"), "random": t("replaced"), "kept": t("kept")}[fate]


def headline(corruption: Corruption) -> str:
    """How many positions were selected, and what became of them."""
    ordinary = sum(_ordinary(token) for token in corruption.tokens)
    if not corruption.selected:
        return t("There is no word here to select. Type one above.")
    fates: list[str] = [one.fate for one in corruption.selected]
    named = (
        t("{name}: {text}", name=fate_name(fate), text=number(fates.count(fate))) for fate in FATES
    )
    selected = tn(
        "{count} of {all} tokens is selected ({fates}).",
        "{count} of {all} tokens are selected ({fates}).",
        len(fates),
        all=number(ordinary),
        fates=t(", ").join(named),
    )
    return sentences(selected, t("Only they count."))


def total(corruption: Corruption) -> str:
    """The loss as training sees it, and before it is divided."""
    if corruption.loss is None:
        return ""
    return t(
        "Loss: {mean} nats, the mean of {count} ({total} nats in total).",
        mean=number(corruption.loss, 2, exactly=True),
        count=number(len(corruption.selected)),
        total=number(corruption.total, 2, exactly=True),
    )


def _ordinary(token: Token) -> bool:
    return token.kind not in ("special", "space") and not token.unknown


def _tokens(corruption: Corruption) -> list[dict[str, object]]:
    """Every token, with the number of its row if it was selected."""
    rows = {one.token: i for i, one in enumerate(corruption.selected)}
    return [
        {
            "text": token.text,
            "special": token.kind == "special",
            "joins": token.kind == "continuation",
            "row": rows.get(i),
        }
        for i, token in enumerate(corruption.tokens)
        if token.kind != "space"
    ]


def _row(one: Selected, token: Token) -> dict[str, object]:
    best = (f"{joined(each)} {share(each.probability)}" for each in one.answer.best[:ANSWERS])
    rank = one.answer.original_rank
    return {
        "text": token.text,
        "read": one.shown,
        "fate": one.fate,
        "told": t("{fate}, read as “{word}”", fate=fate_name(one.fate), word=one.shown)
        if one.fate == "random"
        else fate_name(one.fate),
        "name": fate_name(one.fate),
        "nats": one.nats,
        "shown": number(one.nats, 2, exactly=True),
        "rank": "" if rank is None else t("rank {rank}", rank=number(rank)),
        "answers": t(", ").join(best),
    }


def _words(full: float, words: int) -> dict[str, str]:
    """The words in view.js, in the visitor's language."""
    return {
        "caption": t("The selected positions and their loss"),
        "word": t("Word"),
        "answers": t("Negative log-likelihood, and the model’s best answers"),
        "nats": t("Nats"),
        "full": number(full),
        "flow": t("What the model reads: {text}"),
        "note": t(
            "Pale words are read, but cost nothing. The bar is −ln p of the word that was there: 0 "
            "if the model is certain of it. The dotted line is a blind guess among all {words} "
            "words and word pieces, {nats} nats.",
            words=number(words),
            nats=number(blind(words), 1),
        ),
    }
