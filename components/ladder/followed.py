"""Which words are followed through the layers, and what became of them, in a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from components.shares import joined
from components.words import number, sentences, t
from models.trace import Lens, Standing


@dataclass(frozen=True)
class Followed:
    """A word and where each layer puts it."""

    word: str
    name: str
    """What it is, in the visitor's language."""
    final: bool
    """It is the model's answer, not the visitor's own word."""
    standings: tuple[Standing, ...]


def followed(lens: Lens) -> tuple[Followed, ...]:
    """The visitor's own word, if it can be followed, and the model's answer, if it is another."""
    best = joined(lens.layers[-1].best[0])
    answer = Followed(best, t("The model’s answer “{word}”", word=best), True, lens.final)
    own = [
        Standing(each.original_rank, each.original_probability)
        for each in lens.layers
        if each.original_rank is not None and each.original_probability is not None
    ]
    if lens.original is None or len(own) < len(lens.layers):
        return (answer,)
    word = Followed(lens.original, t("Your word “{word}”", word=lens.original), False, tuple(own))
    return (word,) if word.standings == answer.standings else (word, answer)


def layer_name(i: int, inside: bool = False) -> str:
    """Of a row, 0 = the embeddings, in a place of its own or inside a sentence."""
    if i == 0:
        return t("the embeddings") if inside else t("Embeddings")
    return t("layer {number}", number=i) if inside else t("Layer {number}", number=i)


def headline(lens: Lens) -> str:
    """What the rows show, in a sentence or two, computed from them."""
    found = {line.final: line for line in followed(lens)}
    answer, own = found.get(True), found.get(False)
    return sentences(
        _settled(answer or own, len(lens.layers) - 1),
        _moved(own) if own and answer else "",
    )


def _settled(line: Followed | None, last: int) -> str:
    """From where on the model's answer is the best one."""
    if line is None:
        return ""
    since = last
    while since > 0 and line.standings[since - 1].rank == 1:
        since -= 1
    if since == 0:
        return t("“{word}” is the best answer from the embeddings on.", word=line.word)
    if since == last:
        return t("Only the last layer makes “{word}” the best answer.", word=line.word)
    return t("“{word}” is the best answer from layer {number} on.", word=line.word, number=since)


def _moved(line: Followed) -> str:
    """From which rank to which the visitor's word went."""
    first, last = line.standings[0].rank, line.standings[-1].rank
    values = {"word": line.word, "first": number(first), "last": number(last)}
    if last < first:
        return t("Your word “{word}” climbs from rank {first} to rank {last}.", **values)
    if last > first:
        return t("Your word “{word}” falls from rank {first} to rank {last}.", **values)
    return t("Your word “{word}” ends at the rank where it began, {last}.", **values)
