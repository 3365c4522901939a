"""ELMo opened: its two models' answers at a word, and the mix of its layers under the hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path

import numpy as np

from components.chosen import chosen
from components.heads import shades
from components.opened.mix import FARTHEST, GAMMAS, Mix
from components.register import register
from components.shares import full_bar, joined, share
from components.theme import ELMO
from components.words import number, percent, sentences, t
from models.trace import Answer, Opened, OpenedWord

__all__ = ["PARTS", "layer_name", "opened", "word_at"]

_opened = register("opened", Path(__file__).parent, shared=True, borrowed=["sights/choices"])

# No two messages are equal: see `components.answers`.
_serial = count()

PARTS = ("forward", "backward", "combined")
ANSWERS = 5


def word_at(key: str, found: Opened, link: str = "", otherwise: int = 0) -> int:
    """Which word is looked at, counted from 0: what the visitor chose, else a link (from 1)."""
    return chosen(key, "word", len(found.words), link=link, otherwise=otherwise)


def opened(found: Opened, *, key: str, word: int, mix: Mix) -> None:
    """Draw the answers at a word and the mix; other words and other mixes need no Python.

    Args:
        found: From `models.opened`.
        key: A name of its own in the session.
        word: Which word is looked at at first: `word_at`.
        mix: The layers' weights at first.
    """
    _opened(
        key=key,
        data={
            "serial": next(_serial),
            "colour": shades(ELMO),
            "words": [_word(each) for each in found.words],
            "parts": [part_name(part) for part in PARTS],
            "layers": [layer_name(layer) for layer in range(found.layers)],
            "products": found.products.astype(np.float32).ravel(),
            "word": word,
            "scores": list(mix.scores),
            "gamma": mix.gamma,
            "level": mix.level,
            "far": FARTHEST,
            "gammas": GAMMAS,
            "said": _words(),
        },
        on_word_change=lambda: None,
        on_mix_change=lambda: None,
    )


def part_name(part: str) -> str:
    """Whose answer it is."""
    return {
        "forward": t("Forward: from the left"),
        "backward": t("Backward: from the right"),
        "combined": t("Both, combined"),
    }[part]


def layer_name(layer: int) -> str:
    """The static layer below, LSTM layers above."""
    return t("Layer {layer}", layer=number(layer)) if layer else t("Static layer")


def _parts(word: OpenedWord) -> Sequence[Answer]:
    return word.forward, word.backward, word.combined


def _word(word: OpenedWord) -> dict[str, object]:
    full = full_bar(answer.best[0].probability for answer in _parts(word) if answer.best)
    return {
        "text": word.text,
        "answers": [_answer(word, answer) for answer in _parts(word)],
        "full": full,
        "scale": sentences(
            t("A full bar is {full}.", full=percent(full)),
            t("ELMo itself never combines the answers of its two models; here we do."),
        ),
    }


def _answer(word: OpenedWord, answer: Answer) -> dict[str, object]:
    rank = answer.original_rank
    return {
        "rows": [
            {
                "word": joined(each),
                "value": each.probability,
                "shown": share(each.probability),
                "strong": place == rank,
            }
            for place, each in enumerate(answer.best[:ANSWERS], start=1)
        ],
        "rank": t("“{word}”: rank {rank}", word=word.text, rank=number(rank))
        if rank is not None
        else t("“{word}” has several pieces: no rank", word=word.text),
    }


def _words() -> dict[str, object]:
    """The words in view.js, in the visitor's language; it fills in what stands in braces."""
    return {
        "choose": t("At which word?"),
        "answers": t("What ELMo would say in place of “{word}”"),
        "word": t("Word"),
        "share": t("Probability"),
        "mix": t("Mix the layers: how alike are words then?"),
        "weight": t("{layer}: {share}"),
        "gamma": t("γ (scale): {gamma}"),
        "level": t("Bring each layer to the same length first"),
        "even": t("Equal weights"),
        "like": t("Cosine with “{word}”; the mark shows equal weights."),
        "most": t("Most like “{word}”: “{other}” ({value}). With equal weights: “{even}” ({was})."),
        "length": t(
            "Length of the mixed state of “{word}”: {length}. γ changes this alone, no angle."
        ),
        "lengths": t("Mean length of a state: {lengths}."),
        "cosine": t("Cosine"),
        "comma": t(", "),
    }
