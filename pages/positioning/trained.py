"""What positions are worth on held-out text: models that were trained with and without."""

from __future__ import annotations

from collections.abc import Sequence

from components.verdicts import Judged
from components.words import fixed, msg, number, t
from models.report import Estimate, Report
from models.verdict import judge, spread_between

CLAIMS = (
    ("bert-v-no-positions", "bert-v",
     msg("Trained without positions, a BERT is worse on held-out text than with learned ones.")),
    ("bert-v-no-positions", "bert-v-sinusoids",
     msg("Trained without positions, it is worse than with sinusoids.")),
    ("bert-v-sinusoids", "bert-v",
     msg("With sinusoids it is worse than with learned positions.")),
)  # fmt: skip
SEEDS = ("bert-v", "bert-v-seed1", "bert-v-seed2")


def trained_without(reports: Sequence[Report]) -> list[Judged]:
    """A verdict for each pair of variants that are here, by their loss on held-out text."""
    losses = {name: loss for report in reports
              if (loss := _loss(report)) and (name := report.facts.name)}  # fmt: skip
    spread = spread_between([losses[name].mean for name in SEEDS if name in losses])
    found = []
    for worse, better, claim in CLAIMS:
        if worse not in losses or better not in losses:
            continue
        one, other = losses[worse], losses[better]
        error = (one.error**2 + other.error**2) ** 0.5
        verdict = judge(claim, one.mean - other.mean, error, spread)
        sign = "+" if verdict.effect >= 0 else ""
        effect = t(
            "{effect} ± {error} nats; {seeds} seeds of the base",
            effect=sign + fixed(verdict.effect, 3),
            error=fixed(max(error, spread), 3),
            seeds=number(sum(name in losses for name in SEEDS)),
        )
        found.append(Judged(verdict.outcome, t(claim), effect, f"{worse} · {better}"))
    return found


def _loss(report: Report) -> Estimate | None:
    test = report.test("masked")
    return test.figures.get("loss") if test else None
