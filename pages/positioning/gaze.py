"""A matrix made by hand that looks k positions away from wherever it stands."""

from __future__ import annotations

import numpy as np
import streamlit as st

from components.plots import Grid, plot
from components.plots.exports import numbers, picture
from components.takeaway import panel_bar
from components.verdicts import verdicts
from components.words import fixed, msg, percent, t
from models.measures import positions as of
from models.placed import exact
from pages.filling.linked import follow
from pages.positioning.asking import judged

TITLE = msg("A matrix made by hand looks at the previous token")
KEY = "positions_gaze"
COUNT, WIDTH, SHARP = 24, 64, 4.0
"""Positions, dimensions, and the factor of the scores before the softmax."""
CLAIMS = {
    "moved": (
        msg("One matrix moves every position by k: p(t+k) = M p(t), whatever t is."),
        msg("Vaswani et al. 2017, §3.5"),
    ),
}
PROGRAM = """\
import numpy as np

k, count, width, sharp = {k}, {count}, {width}, {sharp}
rates = 10_000.0 ** (-np.arange(0, width, 2) / width)
angles = np.arange(count)[:, None] * rates
table = np.stack([np.sin(angles), np.cos(angles)], -1).reshape(count, width)
M = np.zeros((width, width))
for i, a in enumerate(k * rates):
    M[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]
scores = sharp * table @ M.T @ table.T
weights = np.exp(scores - scores.max(1, keepdims=True))
weights /= weights.sum(1, keepdims=True)
print(np.round(weights, 6).tolist())
there = [t for t in range(count) if 0 <= t + k < count]
print(np.abs(table[there] @ M.T - table[[t + k for t in there]]).max())
"""


def weights(offset: int) -> np.ndarray:
    """Attention of each position: softmax of (M p_t) · p_s."""
    table = of.sinusoids(COUNT, WIDTH)
    scores = SHARP * table @ of.shift(offset, WIDTH).T @ table.T
    raised = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True))


def difference(offset: int) -> float:
    """The largest |M p_t - p_(t+k)|."""
    table = of.sinusoids(COUNT, WIDTH)
    at = np.arange(max(0, -offset), min(COUNT, COUNT - offset))
    moved = table[at] @ of.shift(offset, WIDTH).T
    return float(np.abs(moved - table[at + offset]).max())


def show() -> None:
    """The slider, the map, the verdict and the bar."""
    st.subheader(t(TITLE), anchor=False)
    linked = follow("offset", KEY)
    if linked in {str(k) for k in range(-8, 9)}:
        st.session_state[KEY] = int(str(linked))
    st.session_state.setdefault(KEY, -1)
    sides = st.columns([2, 3], gap="medium")
    with sides[0]:
        k = int(st.slider(t("Look k positions away"), -8, 8, key=KEY, persist_state="session"))
        found, apart = weights(k), difference(k)
        at = np.arange(max(0, -k), min(COUNT, COUNT - k))
        share = float(found[at, at + k].mean())
        told = t(
            "W_q = M, W_k = I: no training. {share} of each position’s weight lies k = {k} away; "
            "even weights would give {chance}.",
            share=percent(share), k=fixed(k, 0), chance=percent(1 / COUNT),
        )  # fmt: skip
        st.markdown(told)
        claims = judged([exact("moved", apart, 1e-9)], CLAIMS, "", "")
        verdicts(claims, key="positions_gaze_verdict")
    drawn = Grid(t("Attention of each position"), t("Key at"), t("Query at"), found,
                 np.arange(COUNT), np.arange(COUNT), signed=False)  # fmt: skip
    with sides[1]:
        plot(drawn, key="positions_gaze_map", alt=told, height=320)
    panel_bar(
        key="positions_gaze_bar",
        title=t(TITLE),
        numbers=lambda: numbers([drawn]),
        code=PROGRAM.format(k=k, count=COUNT, width=WIDTH, sharp=SHARP),
        picture=lambda: picture(t(TITLE), [drawn], told),
        link={"section": "distance", "offset": str(k)},
    )
