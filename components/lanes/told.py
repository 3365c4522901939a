"""How a lane puts its numbers into words, in the visitor's language."""

from __future__ import annotations

import math
from collections.abc import Sequence

from components import shares
from components.lanes.lane import Lane
from components.shares import joined, share
from components.words import msg, number, t
from models.trace import Blank

WAYS = {
    "forward": msg("Left only: {answer}"),
    "backward": msg("Right only: {answer}"),
}


def in_bits(bits: float) -> str:
    """An influence for a reader; never "0", which it hardly ever is."""
    shown = f"< {number(0.01, 2)}" if 0 < bits < 0.01 else number(bits, 2)
    return t("{bits} bits", bits=shown)


def truth(blank: Blank, words: int) -> list[str]:
    """How the model rates the word that really stood there, line by line."""
    if blank.original is None:
        return [t("You typed [MASK], so there is no word of yours to compare.")]
    name = t("Hidden word: {word}", word=blank.original)
    probability = blank.original_probability
    if probability is None:
        several = t("It has {count} pieces: no rating.", count=number(len(blank.pieces)))
        return [name, several if len(blank.pieces) > 1 else t("The model cannot rate it.")]
    name = t("Hidden word: {word} · {share}", word=blank.original, share=share(probability))
    if blank.original_rank is None:
        rank = t("no rank: it has {count} pieces", count=number(len(blank.pieces)))
    else:
        place = {"rank": number(blank.original_rank), "words": number(words)}
        rank = t("rank {rank} of {words}", **place)
    if probability == 0:  # too small for a number: so is its surprisal too large
        return [name, rank]
    bits = number(-math.log2(probability), 1)
    return [name, t("{rank} · surprisal {bits} bits", rank=rank, bits=bits)]


def sides(blank: Blank) -> list[str]:
    """What each of ELMo's two models says alone: its best word, and the rank of the hidden one."""
    told = []
    for view in blank.views:
        for best in view.candidates[:1]:
            answer = f"{joined(best)} {share(best.probability)}"
            if view.original_rank is not None:
                rank = number(view.original_rank)
                answer = t("{best} (your word: rank {rank})", best=answer, rank=rank)
            told.append(t(WAYS[view.way], answer=answer))
    return told


def full_bar(shown: Sequence[Lane]) -> float:
    """What a full bar stands for, the same in all lanes: the least that holds every bar."""
    blanks = [blank for lane in shown if lane.answer for blank in lane.answer.blanks]
    return shares.full_bar(blank.best.probability for blank in blanks if blank.best)
