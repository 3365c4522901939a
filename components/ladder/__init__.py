"""Layer by layer: what the model would answer if it stopped there, and how a word's rank changes.

One row for the embeddings and one for each layer, as `models.lens` reads them off.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

from components.answers import doubt
from components.ladder.followed import Followed, followed, headline, layer_name
from components.ladder.ranks import place, ticks
from components.register import register
from components.shares import full_bar, joined, rare, share
from components.words import number, percent, t
from models.trace import Answer, Lens

__all__ = ["ladder"]

_ladder = register("ladder", Path(__file__).parent, shared=True)

# No two messages are equal: see `components.answers`.
_serial = count()


def ladder(lens: Lens, *, key: str, colour: str, words: int, layer: int) -> None:
    """Draw the rows, and beside them the best answers of the layer that has the attention.

    Args:
        lens: The answers after each layer.
        key: A name of its own in the session; its state ``layer`` is the row that was pressed.
        colour: CSS colour of the marks, the architecture's own.
        words: How many entries of the vocabulary can be an answer: the last rank.
        layer: The pressed row at first, 0 = the embeddings; then the browser knows.
    """
    lines = followed(lens)
    full = full_bar(row.best[0].probability for row in lens.layers)
    _ladder(
        key=key,
        data={
            "serial": next(_serial),
            "colour": colour,
            "layer": layer,
            "headline": headline(lens),
            "lines": [_line(line, words) for line in lines],
            "layers": [_row(i, answer, lines, words) for i, answer in enumerate(lens.layers)],
            "full": full,
            "ticks": [{"at": place(rank, words), "text": number(rank)} for rank in ticks(words)],
            "words": _words(lines[0], full),
        },
        on_layer_change=lambda: None,
    )


def _line(line: Followed, words: int) -> dict[str, object]:
    return {
        "name": line.name,
        "final": line.final,
        "places": [place(standing.rank, words) for standing in line.standings],
    }


def _row(i: int, answer: Answer, lines: tuple[Followed, ...], words: int) -> dict[str, object]:
    """One layer: its best answer for the row, the others and what is followed for beside it."""
    standings = [(line, line.standings[i]) for line in lines]
    return {
        "name": layer_name(i),
        "title": t("If the model stopped after {layer}", layer=layer_name(i, inside=True)),
        "answers": [
            {
                "word": joined(each),
                "value": each.probability,
                "shown": share(each.probability),
                "strong": rank == answer.original_rank,
            }
            for rank, each in enumerate(answer.best, start=1)
        ],
        "entropy": number(answer.entropy_bits, 1, exactly=True),
        "doubt": doubt(answer.entropy_bits),
        "rank": number(standings[0][1].rank),
        "standings": [
            t(
                "{name}: {text}",
                name=line.name,
                text=t(
                    "{share} · rank {rank} of {words}",
                    share=rare(standing.probability),
                    rank=number(standing.rank),
                    words=number(words),
                ),
            )
            for line, standing in standings
        ],
    }


def _words(line: Followed, full: float) -> dict[str, str]:
    """The words in view.js, in the visitor's language; it fills in what stands in braces."""
    return {
        "caption": t("The answer after each layer"),
        "layer": t("Layer"),
        "best": t("Best answer"),
        "share": t("Probability"),
        "entropy": t("Entropy (bits)"),
        "rank": t("Rank of “{word}”", word=line.word),
        "path": t("Further right is better: rank 1 stands at the edge."),
        "scale": t("A full bar is {full}.", full=percent(full)),
        "said": t("{name}: {text}."),
        "comma": t(", "),
        "bias": t(
            "Read the first rows with care: the model’s head was trained on the last layer only. "
            "Early layers write in a language of their own, which it misreads (Belrose et al. "
            "2023)."
        ),
    }
