"""Later ways to tell positions, by formula, over the same offsets."""

from __future__ import annotations

import numpy as np
import streamlit as st

from components.plots import NEUTRAL, Line, Lines, Plot, plot
from components.plots.exports import numbers, picture
from components.takeaway import panel_bar
from components.theme import BERT, ELMO, ENCODER_DECODER, GPT
from components.verdicts import verdicts
from components.words import fixed, msg, t
from models.measures import positions as of
from models.placed import exact, over
from models.positioning.snippet_bodies import RELATIVE
from models.trace import Verdict
from pages.positioning.asking import judged

TITLE = msg("Relative positions")
REACH, WIDTH, HEADS, DRAWS = 32, 64, 8, 48
CLAIMS = {
    "rotary": (
        msg("With equal query and key, a rotary score is even: distance without direction, as with "
            "sinusoids."),
        msg("Su et al. 2021"),
    ),
    "turned": (
        msg("With a query and a key of their own, it tells direction."),
        msg("Su et al. 2021; 48 pairs drawn from seed 0"),
    ),
    "alibi": (
        msg("ALiBi’s penalty is even, too: a causal mask must tell the direction."),
        msg("Press et al. 2022"),
    ),
}  # fmt: skip


def plots() -> list[Plot]:
    """One plot for each way; all over the same k."""
    k = np.arange(-REACH, REACH + 1)
    table = of.sinusoids(4 * REACH, WIDTH)
    query, key = np.random.default_rng(0).normal(size=(2, WIDTH))
    score = t("Score")
    ways = [
        (t("Sinusoids, absolute: p(t) · p(t+k)"), score,
         [Line("", k, of.offset_curve(table @ table.T, REACH), ENCODER_DECODER.mark)]),
        (t("Rotary: query and key turned by their positions"), score,
         [Line(t("equal vectors"), k, of.rotary(query, query, REACH), NEUTRAL, "dash"),
          Line(t("two others"), k, of.rotary(query, key, REACH), GPT.mark)]),
        (t("ALiBi: a penalty that grows with the distance"), t("Added to the score"),
         [Line(t("head {n}", n=str(head)), k, of.alibi(head, HEADS, REACH), ELMO.mark, dash)
          for head, dash in zip((1, 2, 4, 8), ("solid", "dash", "dot", "dashdot"), strict=True)]),
        (t("T5: which learned number is added"), t("Number of the bias"),
         [Line("", k, of.t5_bucket(k), BERT.mark, steps=True)]),
    ]  # fmt: skip
    return [Lines(title, "k", y_title, lines) for title, y_title, lines in ways]


def show() -> None:
    """The four plots, the verdicts and the bar."""
    st.markdown(
        t(
            "BERT and the Transformer add absolute positions to the words. Later models tell the "
            "scores of attention how far apart two tokens are. The same k as under “Distance "
            "without direction”, by formula."
        )
    )
    drawn = plots()
    for row in range(0, len(drawn), 2):
        for i, column in enumerate(st.columns(2, gap="medium"), start=row):
            with column:
                plot(drawn[i], key=f"positions_relative_{i}", alt=_alt(drawn[i]), height=280)
    verdicts(judged(_verdicts(), CLAIMS, "", t("48 pairs")), key="positions_relative_verdicts")
    panel_bar(
        key="positions_relative",
        title=t(TITLE),
        numbers=lambda: numbers(drawn),
        code=RELATIVE,
        picture=lambda: picture(t(TITLE), drawn),
        link={"section": "relative"},
    )
    with st.expander(t("What each of them changes")):
        st.markdown(
            t(
                "Rotary positions (Su et al. 2021) turn query and key, pair by pair of dimensions, "
                "by angles that grow with the position: the score then depends on the offset "
                "alone, and vectors of their own give it a direction. ALiBi (Press et al. 2022) "
                "adds no vectors: it takes from each score the distance times a slope, which "
                "differs from head to head. T5 (Raffel et al. 2020) adds a number to each score "
                "that is learned for each bucket of offsets and each head; here stands which "
                "bucket, since the numbers are each model’s own. T5’s buckets keep left and right "
                "apart."
            )
        )


def _verdicts() -> list[Verdict]:
    rng = np.random.default_rng(0)
    pairs = rng.normal(size=(DRAWS, 2, WIDTH))
    same = max(of.asymmetry(of.rotary(query, query, REACH)) for query, _ in pairs)
    turned = np.array([of.asymmetry(of.rotary(query, key, REACH)) for query, key in pairs])
    slopes = max(of.asymmetry(of.alibi(head, HEADS, REACH)) for head in range(1, HEADS + 1))
    return [exact("rotary", same, 1e-9), over("turned", turned), exact("alibi", slopes, 1e-9)]


def _alt(drawn: Plot) -> str:
    if not isinstance(drawn, Lines):
        return drawn.title
    middle = REACH
    parts = [
        t("{name}: {left} at k = −{reach}, {at} at 0, {right} at {reach}",
          name=line.name or drawn.title, left=fixed(float(line.y[0]), 1),
          at=fixed(float(line.y[middle]), 1), right=fixed(float(line.y[-1]), 1), reach=str(REACH))
        for line in drawn.lines
    ]  # fmt: skip
    return t("{name}: {text}", name=drawn.title, text=t("; ").join(parts))
