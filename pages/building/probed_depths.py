"""LSTM against Transformer by what a probe reads from their best layers."""

from __future__ import annotations

import numpy as np
import streamlit as st

import models
from components.feature_claims import judged, points
from components.feature_tables import table
from components.plots import NEUTRAL, Line, Lines, plot
from components.plots.exports import picture
from components.takeaway import panel_bar
from components.theme import ELMO, GPT
from components.verdicts import verdicts
from components.words import msg, number, percent, t
from models.features import depth_verdicts, difference, scored
from models.recurrence import KINDS, VARIANTS, Rival
from models.trace import Featured, Features, Score
from pages.building.features import COMMAND

TITLE = msg("What a probe reads from their best layers")
NAMES = {"gpt": "Transformer", "lstm": "LSTM"}
COLOURS = {"gpt": GPT, "lstm": ELMO}


def show() -> None:
    """The chart beside its claims; nothing where no variant was probed."""
    found = models.frozen_features()
    if found is None or not (said := depth_verdicts(found)):
        return
    st.markdown(f"**{t(TITLE)}**")
    one, other = st.columns(2, gap="large")
    drawn = chart(found)
    with one:
        plot(drawn, key="architecture_probed_depths", alt=told(found), height=320)
        st.caption(
            t(
                "Whether a word is a noun, a verb, an adjective or an adverb: {count} words that "
                "the probe has not learned from. The commonest answer alone: {often}.",
                count=number(len(found.words["new"])),
                often=percent(found.often),
            )
        )
    with other:
        verdicts(judged(said), key="architecture_probed_claims")
        panel_bar(
            key="probed_depths",
            title=t(TITLE),
            numbers=lambda: table(found, probed(found), told(found)),
            code=COMMAND,
            picture=lambda: picture(t(TITLE), [drawn], told(found)),
            link={},
            about=found.provenance(tuple(n for kind in KINDS for n in VARIANTS[kind].values())),
            how=t(
                "The probe of “Frozen features”, on the variants whose losses are shown above. Of "
                "each the layer counts that tells known words best. Differences are paired: the "
                "same words are asked of both. A claim is supported if its effect exceeds twice "
                "the larger of its standard error and the spread between seeds."
            ),
        )


def probed(found: Features) -> list[Featured]:
    """The variants that were probed."""
    names = (name for kind in KINDS for name in VARIANTS[kind].values())
    return [found.views[name] for name in names if name in found.views]


def best(found: Features, kind: Rival) -> dict[int, Score]:
    """By layers, the share at the best of them."""
    count = len(found.words["new"])
    return {
        layers: scored(found.at_best(name), count)
        for layers, name in VARIANTS[kind].items()
        if name in found.views
    }


def chart(found: Features) -> Lines:
    """Both kinds by layers, with their intervals."""
    depths = sorted(VARIANTS["gpt"])
    lines = []
    for kind in KINDS:
        scores = best(found, kind)
        at = [depths.index(layers) for layers in scores]
        low, high = (
            np.array([getattr(s, end) for s in scores.values()]) for end in ("low", "high")
        )
        share = [s.mean for s in scores.values()]
        lines.append(Line(NAMES[kind], at, share, COLOURS[kind].mark, "solid", low, high))
    often = np.full(len(depths), found.often)
    lines.append(Line(t("commonest answer"), np.arange(len(depths)), often, NEUTRAL, "dot"))
    return Lines("", t("Layers"), t("Right answers"), lines, list(map(str, depths)), shares=True)


def told(found: Features) -> str:
    """The chart in words: both shares, and their difference with its interval."""
    parts = []
    for layers in sorted(VARIANTS["gpt"]):
        pair = [VARIANTS[kind][layers] for kind in KINDS]
        if all(name in found.views for name in pair):
            apart = scored(difference(found, layers), len(found.words["new"]))
            one, other = (percent(float(found.at_best(name)[0]), 1) for name in pair)
            parts.append(
                t("layers: {layers}; Transformer {one}, LSTM {other}, difference {apart} points "
                  "({low} to {high})", layers=number(layers), one=one, other=other,
                  apart=points(apart.mean), low=points(apart.low), high=points(apart.high))
            )  # fmt: skip
    return t("; ").join(parts)
