"""What the scores of a sentence, or of two, mean in words."""

from __future__ import annotations

from math import exp, log

from components.answers.notices import shorten
from components.facts import Fact
from components.surprisals.columns import Column, of_pair
from components.words import fixed, number, sentences, t
from models.trace import ScoredSentence, SentencePair

CLEAR = 0.1
"""Nats from which on one sentence is preferred: it then fits 1.1 times as well."""
CLEAR_MEAN = 0.02
"""The same for means per piece, of sentences of different lengths: 2 % of the perplexity."""
NAMED = 120
"""Characters named of what was not read."""


def in_nats(value: float, digits: int = 2) -> str:
    """A number with its unit."""
    return t("{nats} nats", nats=fixed(value, digits))


def scores(scored: ScoredSentence) -> list[Fact]:
    """The pseudo-perplexity and the sum that it comes from; nothing without a scored word."""
    perplexity = scored.pseudo_perplexity
    if perplexity is None:
        return []
    return [
        Fact(t("Pseudo-perplexity"), fixed(perplexity, 1), _choices(perplexity)),
        Fact(
            t("Pseudo-log-likelihood"),
            in_nats(scored.total, 1),
            t(
                "The sum over {count} pieces, {mean} on average; e to that is the "
                "pseudo-perplexity. 1 nat is 1.44 bits.",
                count=number(scored.pieces),
                mean=in_nats(scored.total / scored.pieces),
            ),
        ),
    ]


def pair_scores(pair: SentencePair) -> list[Fact]:
    """Both pseudo-perplexities and the difference of the sums."""
    named = ((t("First sentence"), pair.first), (t("Second sentence"), pair.second))
    found = [
        Fact(
            t("{name}: pseudo-perplexity", name=name),
            fixed(scored.pseudo_perplexity, 1),
            t(
                "{count} pieces, {total} together.",
                count=number(scored.pieces),
                total=in_nats(scored.total, 1),
            ),
        )
        for name, scored in named
        if scored.pseudo_perplexity is not None
    ]
    sign = "+" if pair.difference > 0 else ""
    difference = Fact(
        t("Difference of the sums"),
        sign + in_nats(pair.difference),
        t("First less second: above 0, the first sentence fits better."),
    )
    return [*found, difference] if len(found) > 1 else found


def _choices(perplexity: float) -> str:
    return t(
        "At each piece as unsure, on average, as in a draw among {count} equally likely ones. "
        "1 would be certain.",
        count=fixed(perplexity, 1),
    )


def verdict(pair: SentencePair) -> str:
    """Which sentence the model prefers, by how much, and where that comes from."""
    if pair.first.text == pair.second.text:
        return t("Both sentences are the same. Change a word in one of them.")
    if pair.first.pseudo_perplexity is None or pair.second.pseudo_perplexity is None:
        return t("One of the sentences has no word that the model can rate.")
    if not pair.same_length:
        return _by_mean(log(pair.second.pseudo_perplexity / pair.first.pseudo_perplexity))
    nats = in_nats(abs(pair.difference))
    if abs(pair.difference) < CLEAR:
        return t("No clear preference: the sentences differ by {nats}.", nats=nats)
    first = pair.difference > 0
    factor = number(float(f"{exp(min(abs(pair.difference), 700)):.2g}"), 1)
    told = (
        t("The model prefers the first sentence, by {nats}: it fits {times} times as well.")
        if first
        else t("The model prefers the second sentence, by {nats}: it fits {times} times as well.")
    ).format(nats=nats, times=factor)
    return sentences(told, _where(pair, first))


def _by_mean(difference: float) -> str:
    """Of different lengths: the longer sum has more terms, so only means compare."""
    why = t(
        "The sentences differ in how many pieces they have, so compare the pseudo-perplexities."
    )
    if abs(difference) < CLEAR_MEAN:
        return sentences(why, t("They show no clear preference."))
    if difference > 0:
        return sentences(why, t("The first is lower: the model prefers the first sentence."))
    return sentences(why, t("The second is lower: the model prefers the second sentence."))


def _where(pair: SentencePair, first: bool) -> str:
    """The column with the largest part of the difference."""
    gains = {column: gain(column) * (1 if first else -1) for column in of_pair(pair)}
    most = max(gains, key=lambda column: gains[column])
    words = dict.fromkeys(word.text for word in most.words if word is not None)
    return t(
        "The largest part, {nats}, is at {words}.",
        nats=in_nats(gains[most]),
        words=" / ".join(t("“{word}”", word=word) for word in words),
    )


def gain(column: Column) -> float:
    """How much better the first sentence's word fits than the second's, in nats."""
    nats = [0.0 if word is None or word.nats is None else word.nats for word in column.words]
    return nats[1] - nats[0]


def notes(*scored: ScoredSentence) -> list[str]:
    """What a reader should know: what these numbers are not, and what they leave out."""
    cut = " … ".join(shorten(each.cut.strip(), NAMED) for each in scored if each.cut.strip())
    return [
        t(
            "Each word is hidden once, with all others visible; hidden words of yours count as "
            "typed. These judgements need not agree with each other, so a pseudo-perplexity is no "
            "probability of a sentence (Salazar et al. 2020). It compares sentences, best those of "
            "the same length."
        ),
        *([t("Too long to rate as a whole. Left out: “{words}”", words=cut)] if cut else []),
    ]
