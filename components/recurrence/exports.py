"""Times and losses to take away, and in words."""

from __future__ import annotations

from collections.abc import Mapping

from components.pictures import Bar, Group, Svg, bar_chart
from components.takeaway import Column, Table, precise
from components.words import fixed, number, t, tn
from models.trace import Depths, Estimate, Rival, Speeds, Work

NAMES: Mapping[Rival, str] = {"gpt": "Transformer", "lstm": "LSTM"}
KINDS: tuple[Rival, ...] = ("gpt", "lstm")
"""In the order of all lists here."""


def name_of(kind: Rival, threads: int) -> str:
    """An architecture with so many threads."""
    return tn("{name}, {count} thread", "{name}, {count} threads", threads, name=NAMES[kind])


def times(speeds: Speeds) -> Table:
    """Every round of every cell."""
    rows = [
        (each.kind, each.work, each.threads, each.tokens, i, value)
        for each in speeds.timed
        for i, value in enumerate(each.milliseconds.tolist())
    ]
    return Table(
        columns=[
            Column("model", t("Model")),
            Column("work", t("Work")),
            Column("threads", t("Threads"), number),
            Column("tokens", t("Tokens"), number),
            Column("round", t("Round"), number),
            Column("milliseconds", t("Milliseconds"), precise),
        ],
        rows=rows,
        note=t(
            "Parameters: Transformer {gpt}, LSTM {lstm}. Seed {seed}.",
            gpt=number(speeds.parameters["gpt"]),
            lstm=number(speeds.parameters["lstm"]),
            seed=number(speeds.seed),
        ),
    )


def told_times(speeds: Speeds, work: Work) -> str:
    """The chart in words: both ends of each line."""
    ends = speeds.lengths[0], speeds.lengths[-1]
    parts = []
    for kind in KINDS:
        for threads in (1, 2):
            first, last = (speeds.at(kind, work, threads, n).median for n in ends)
            parts.append(
                t(
                    "{name}: {first} ms for {few} tokens, {last} ms for {many}",
                    name=name_of(kind, threads),
                    first=fixed(first, 1),
                    few=number(ends[0]),
                    last=fixed(last, 1),
                    many=number(ends[1]),
                )
            )
    return t("; ").join(parts)


def picture_of_times(speeds: Speeds, work: Work, colour: str) -> Svg:
    """Bars by length, one group for each line of the chart."""
    groups = []
    for kind in KINDS:
        for threads in (1, 2):
            found = [speeds.at(kind, work, threads, n) for n in speeds.lengths]
            bars = [
                Bar(t("{count} tokens", count=number(each.tokens)), each.median,
                    t("{ms} ms", ms=fixed(each.median, 1)))
                for each in found
            ]  # fmt: skip
            groups.append(Group(name_of(kind, threads), bars))
    full = max(bar.value for group in groups for bar in group.bars)
    title = t("Milliseconds by length")
    axis = t("{ms} ms", ms=fixed(full, 1))
    return bar_chart(title, groups, full=full, axis=axis, colour=colour,
                     footnote=told_times(speeds, work))  # fmt: skip


def told_loss(name: str, layers: int, loss: Estimate) -> str:
    """One point in words."""
    return tn(
        "{name}, {count} layer: {loss} ± {error} nats",
        "{name}, {count} layers: {loss} ± {error} nats",
        layers,
        name=name,
        loss=fixed(loss.mean, 3),
        error=fixed(loss.error, 3),
    )


def told_losses(depths: Depths) -> str:
    """The chart in words."""
    return t("; ").join(
        told_loss(NAMES[kind], layers, loss) for (kind, layers), loss in depths.losses.items()
    )


def losses(depths: Depths) -> Table:
    """Every variant's loss, and the seeds'."""
    rows: list[tuple[object, ...]] = [
        (NAMES[kind], layers, loss.mean, loss.error)
        for (kind, layers), loss in depths.losses.items()
    ]
    rows += [(f"bert-v, seed {i}", 4, value, None) for i, value in enumerate(depths.seeds)]
    return Table(
        columns=[
            Column("model", t("Model")),
            Column("layers", t("Layers"), number),
            Column("loss", t("Loss on held-out text (nats)"), precise),
            Column("error", t("Standard error"), precise),
        ],
        rows=rows,
        note=t("{targets} words each.", targets=number(depths.targets)),
    )


def picture_of_losses(depths: Depths, colour: str) -> Svg:
    """Bars by layers."""
    groups = [
        Group(
            NAMES[kind],
            [
                Bar(tn("{count} layer", "{count} layers", n), loss.mean, fixed(loss.mean, 3))
                for (k, n), loss in depths.losses.items()
                if k == kind
            ],
        )
        for kind in KINDS
    ]
    groups = [group for group in groups if group.bars]
    full = max(bar.value for group in groups for bar in group.bars)
    title = t("Held-out loss by layers")
    return bar_chart(title, groups, full=full, axis=fixed(full, 2), colour=colour,
                     footnote=told_losses(depths))  # fmt: skip
