"""The claims about LSTM and Transformer in words, with their effects."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp

from components.words import fixed, msg, number, t
from models.trace import Verdict

CLAIMS: Mapping[str, str] = {
    "faster": msg("With one thread and the longest text, the Transformer takes less time."),
    "parallel": msg("A second thread helps the Transformer more than the LSTM."),
    "better": msg("At a depth of {layers}, the Transformer predicts the next word better."),
    "stops": msg("From two to four layers the Transformer gains more than the LSTM."),
}
SOURCES: Mapping[str, str] = {
    "faster": msg("Peters et al. 2018 (Dissecting) found their biLSTM slightly slower."),
    "parallel": msg("Vaswani et al. 2017, table 1: sequential operations."),
    "better": msg(
        "Radford et al. 2018 say so; Peters et al. 2018 (Dissecting) found the biLSTM slightly "
        "better."
    ),
    "stops": msg("ELMo stops at two layers (Peters et al. 2018)."),
}


def effect_of_speed(one: Verdict) -> str:
    """A factor with two standard errors to both sides."""
    low, high = (exp(one.effect + way * 2 * one.error) for way in (-1, 1))
    values = {
        "factor": number(exp(one.effect), 2, exactly=True),
        "low": number(low, 2, exactly=True),
        "high": number(high, 2, exactly=True),
    }
    if one.claim == "faster":
        return t("The LSTM takes {factor} times as long ({low} to {high}).", **values)
    return t("It gains {factor} times as much ({low} to {high}).", **values)


def effect_of_depth(one: Verdict) -> str:
    """Nats with their standard error and the spread between seeds."""
    sign = "+" if one.effect >= 0 else ""
    return t(
        "{effect} ± {error} nats; between seeds {spread}",
        effect=sign + fixed(one.effect, 3),
        error=fixed(one.error, 3),
        spread=fixed(one.spread, 3),
    )
