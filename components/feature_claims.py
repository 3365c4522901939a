"""Claims about frozen features and next-sentence prediction in words; and what became of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from components.verdicts import Judged
from components.words import fixed, msg, number, t
from models.trace import Verdict

CLAIMS: Mapping[str, tuple[str, str]] = {
    "layers bert": (
        msg("BERT’s layers tell more of a word than its word vector alone."),
        msg("Tenney et al. 2019 ask the layers of such encoders."),
    ),
    "layers gpt": (
        msg("So do GPT’s."),
        msg(
            "Radford et al. 2018: GPT’s features are those of the decoder’s side, so “the encoder "
            "is the feature extractor” does not fit it."
        ),
    ),
    "layers seq": (
        msg("So do the layers of the Transformer’s encoder."),
        msg("Vaswani et al. 2017 use them for one task only: translation."),
    ),
    "layers elmo": (
        msg("So do ELMo’s LSTMs: without any attention."),
        msg("Peters et al. 2018."),
    ),
    "heart": (
        msg("At BERT’s best layer the probe reads more than it learns by heart."),
        msg("Hewitt & Liang 2019: labels drawn for each word can only be learned by heart."),
    ),
    "top": (
        msg("BERT’s best layer tells more than its last."),
        msg("Tenney et al. 2019 found parts of speech in lower layers."),
    ),
    "sides": (
        msg("BERT’s features tell more than those of a GPT of equal size."),
        msg("BERT’s have seen both sides of the word, GPT’s the left and the word itself."),
    ),
    "features": (
        msg("At a depth of {layers}, the Transformer’s features tell more than the LSTM’s."),
        msg("Peters et al. 2018 (Dissecting) found those of the biLSTM as good or better."),
    ),
    "little words": (
        msg("Next-sentence prediction adds less than a point to the hidden words that are found."),
        msg("Liu et al. 2019 and Lan et al. 2020 found so; Devlin et al. 2018, §5.1, did not."),
    ),
    "little features": (
        msg("It adds less than a point to what a probe reads from the best layer."),
        msg("Devlin et al. 2018 judged by tasks on pairs, which are not asked here."),
    ),
}


def judged(found: Sequence[Verdict], little: float = 0.0) -> list[Judged]:
    """Verdicts of `models.features` and `models.pair_tests` as a page shows them.

    Args:
        found: Their effects are shares.
        little: Of claims that something adds little: how much that is at most.
    """
    return [_one(each, little) for each in found]


def _one(found: Verdict, little: float) -> Judged:
    name, _, layers = found.claim.partition(" ")
    claim, source = CLAIMS["features"] if name == "features" else CLAIMS[found.claim]
    adds = little - found.effect if name == "little" else found.effect
    return Judged(found.outcome, t(claim, layers=layers), effect(found, adds), t(source))


def effect(found: Verdict, adds: float) -> str:
    """A difference of shares with its spreads."""
    shown = {
        "effect": points(adds),
        "error": fixed(100 * found.error, 1),
        "count": number(found.items),
    }
    told = t("{effect} ± {error} points (n = {count})", **shown)
    if not found.spread:
        return told
    spread = fixed(100 * found.spread, 1)
    return t("{told}; between seeds ± {spread}", told=told, spread=spread)


def points(share: float) -> str:
    """A difference of shares, in points of a hundred, with its sign."""
    return f"+{fixed(100 * share, 1)}" if share > 0 else fixed(100 * share, 1)
