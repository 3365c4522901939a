"""Claims about the parts of a block in words, with who makes them; and what became of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from components.verdicts import Judged
from components.words import fixed, msg, number, t
from models.trace import Verdict

CLAIMS: Mapping[str, tuple[str, str]] = {
    "wider": (
        msg("A feed-forward network 4x as wide as the state does better than one as wide."),
        msg("Vaswani et al. 2017, §3.3. It also has more parameters."),
    ),
    "bends": (
        msg("The feed-forward network needs its activation."),
        msg("Attention’s softmax and LayerNorm are not linear either: they may do part of it."),
    ),
    "gelu": (msg("GELU does better than ReLU."), msg("Hendrycks & Gimpel 2016.")),
    "needed": (
        msg("Without feed-forward networks the model is worse."),
        msg("It has fewer parameters, too: see the next line."),
    ),
    "not size": (
        msg("It is worse, too, where more attention layers make up for the parameters."),
        msg("The control: 12 layers of attention alone, as many parameters."),
    ),
    "without ffn": (
        msg("Trained without feed-forward networks, positions are more alike at the top."),
        msg("Dong et al. 2021."),
    ),
    "ffn off": (
        msg("Feed-forward networks switched off, positions are more alike at the top."),
        msg("Dong et al. 2021."),
    ),
    "skips off": (
        msg("Skip connections switched off, positions are more alike at the top."),
        msg("Dong et al. 2021."),
    ),
    "skips first": (
        msg("Skip connections keep positions apart more than feed-forward networks do."),
        msg("Dong et al. 2021: skips matter most."),
    ),
    "several": (
        msg("4 heads do better than 1 as wide as all of them."),
        msg("Vaswani et al. 2017, table 3 (A)."),
    ),
    "more": (msg("8 heads do better than 4."), msg("Vaswani et al. 2017: too many heads hurt.")),
    "unequal": (
        msg("The more useful half of the heads costs more than the other half."),
        msg("Voita et al. 2019. Useful on other passages than these."),
    ),
    "spare": (
        msg("The less useful half costs less than a tenth of what all heads cost."),
        msg("Michel et al. 2019: many heads can go."),
    ),
    "gap": (
        msg("Dropout 0.1 narrows the gap between text that was read and text that was not."),
        msg("Srivastava et al. 2014."),
    ),
    "gap, more": (
        msg("Dropout 0.3 narrows it."),
        msg("Srivastava et al. 2014."),
    ),
    "better": (
        msg("Dropout 0.1 does better on held-out text, after 20 times the same little text."),
        msg("Srivastava et al. 2014."),
    ),
    "better, more": (
        msg("Dropout 0.3 does better there."),
        msg("Srivastava et al. 2014."),
    ),
    "always": (
        msg("Dropout 0.1 does better after reading all of the text, each part a few times."),
        msg("ALBERT dropped it: it never over-fitted (Lan et al. 2020)."),
    ),
}


SHARES = frozenset({"without ffn", "ffn off", "skips off", "skips first"})
"""Claims about a share of a length; all others are about nats."""


def judged(found: Sequence[Verdict]) -> list[Judged]:
    """Verdicts of `models.block_verdicts` as the page shows them."""
    return [
        Judged(
            each.outcome,
            t(CLAIMS[each.claim][0]),
            effect(each),
            t(CLAIMS[each.claim][1]),
        )
        for each in found
    ]


def effect(found: Verdict) -> str:
    """The number with its spreads; above 0 if as claimed."""
    value = f"+{fixed(found.effect, 3)}" if found.effect > 0 else fixed(found.effect, 3)
    shown = {"effect": value, "error": fixed(found.error, 3), "count": number(found.items)}
    if found.claim in SHARES:
        told = t("{effect} ± {error} (share of the length; n = {count})", **shown)
    else:
        told = t("{effect} ± {error} nats (n = {count})", **shown)
    if not found.spread:
        return told
    return t("{told}; between seeds ± {spread}", told=told, spread=fixed(found.spread, 3))
