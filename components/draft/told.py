"""What the numbers of a written text mean in words."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from components.shares import rare, share
from components.words import fixed, number, percent, sentences, t, tn
from models.trace import WrittenToken

MUCH = 0.3
"""Share of repeated tokens from which on a text is said to go in circles."""


def told(token: WrittenToken, again: bool, hand: bool) -> str:
    """All numbers of a token."""
    name = token.shown or token.piece
    if token.bits is None or token.entropy_bits is None or token.rank is None:
        return t("“{token}”: nothing stands before it, so it has no number.", token=name)
    found = t(
        "“{token}”: probability {probability}, rank {rank}; surprisal {bits} bits, where {entropy} "
        "bits were to be expected (entropy).",
        token=name,
        probability=rare(2.0**-token.bits),
        rank=number(token.rank),
        bits=fixed(token.bits, 1),
        entropy=fixed(token.entropy_bits, 1),
    )
    return sentences(
        found,
        ""
        if token.share is None
        else t("After the cut it was drawn with {share}.", share=share(token.share)),
        t("Chosen by you.") if hand else "",
        t("It belongs to a run of three tokens that stood before.") if again else "",
    )


def summary(tokens: Sequence[WrittenToken], again: Sequence[bool]) -> str:
    """How surprising the text is as a whole, and how much of it repeats itself."""
    bits = [token.bits for token in tokens if token.bits is not None]
    if not bits:
        return ""
    mean = fmean(bits)
    expected = fmean(token.entropy_bits or 0.0 for token in tokens)
    repeated = sum(again) / len(again)
    return sentences(
        tn(
            "{count} token: {bits} bits of surprisal on average, {entropy} were to be expected; "
            "perplexity {perplexity}.",
            "{count} tokens: {bits} bits of surprisal on average, {entropy} were to be expected; "
            "perplexity {perplexity}.",
            len(bits),
            bits=fixed(mean, 1),
            entropy=fixed(expected, 1),
            perplexity=fixed(2.0**mean, 1),
        ),
        t("{share} of them repeat what stood before.", share=percent(repeated)) if repeated else "",
        t("The text goes in circles.") if repeated >= MUCH else "",
    )
