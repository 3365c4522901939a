"""The next token to take away: the whole distribution as a table, its best tokens as a picture."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from components.next_tokens import spoken
from components.pictures import Bar, Group, Svg, bar_chart
from components.shares import full_bar, share
from components.takeaway import Column, Table, origin, precise
from components.words import number, percent, t
from models.trace import Cut, NextTokens

BARS = 15

Kept = Float[np.ndarray, " rank"]
"""The probabilities after a cut; 0 for what is cut away."""


def numbers(found: NextTokens, kept: Kept, cut: Cut) -> Table:
    """One row per token of the vocabulary, the most probable first.

    Args:
        found: Before the cut.
        kept: After it.
        cut: What it was.
    """
    before = np.exp(found.log_p.astype(float))
    words = [spoken(each) for each in found.candidates]
    return Table(
        columns=[
            Column("rank", t("Rank"), number),
            Column("token", t("Token")),
            Column("token_id", t("Id")),
            Column("probability", t("Before the cut"), precise),
            Column("after_cut", t("After the cut"), precise),
        ],
        rows=[
            (i + 1, words[i] if i < len(words) else "", int(found.ids[i]), p, q)
            for i, (p, q) in enumerate(zip(before.tolist(), kept.tolist(), strict=True))
        ],
        note=t(
            "Temperature {temperature}, top-k {top_k}, top-p {top_p}.",
            temperature=number(cut.temperature, 2),
            top_k=number(cut.top_k) if cut.top_k else t("off"),
            top_p=number(cut.top_p, 2) if cut.top_p < 1 else t("off"),
        ),
    )


def picture(found: NextTokens, kept: Kept, title: str, colour: str) -> Svg:
    """The best tokens before the cut, and after it."""
    best = found.candidates[:BARS]
    before = [Bar(spoken(c), c.probability, share(c.probability)) for c in best]
    left = [
        Bar(spoken(c), float(q), share(float(q)) if q else t("cut away"))
        for c, q in zip(best, kept, strict=False)
    ]
    full = full_bar([best[0].probability, float(kept[0])])
    return bar_chart(
        title,
        [Group(t("Before the cut"), before), Group(t("After the cut"), left)],
        full=full,
        axis=percent(full),
        colour=colour,
        footnote=origin(found.provenance),
    )
