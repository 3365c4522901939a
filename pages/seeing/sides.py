"""The both-sides test: a stored, seeded run on the matched family, and what it says."""

from __future__ import annotations

import streamlit as st

import models
from components.both_sides import Group, Measured, both_sides, metric_at
from components.both_sides.exports import numbers, picture
from components.both_sides.told import SIDES, THIRDS
from components.takeaway import panel_bar
from components.theme import BERT
from components.words import msg, number, t
from models.trace import BothSides, Metric
from pages.seeing.asking import Seeing

TITLE = msg("Which side decides?")
KEY = "sees_sides"
COMMAND = """\
# Run in the project's folder; a few minutes on one core. It prints what it did and writes
# models/zoo/both_sides.json, from which all means, intervals and verdicts here are computed.
python -m models.training.both_sides
"""


def show(seeing: Seeing) -> None:
    """The charts, the verdicts and their bar; nothing where no run is kept."""
    found = models.both_sides()
    if found is None:
        return
    st.subheader(t(TITLE), anchor=False)
    st.markdown(
        t(
            "A stored test of the matched English family: {items} short sentences, written by "
            "hand, in which the left, the right or both sides decide; and every word of {texts} "
            "sentences, hidden one at a time.",
            items=number(len(found.items)),
            texts=number(len(found.words)),
        )
    )
    measured = [_measured(found, metric) for metric in models.METRICS]
    at = metric_at(KEY, measured, st.query_params.get("measure", ""))
    both_sides(measured, found.views, key=KEY, metric=at, notice=_notice(found))
    panel_bar(
        key="both_sides",
        title=t(TITLE),
        numbers=lambda: numbers(measured[at]),
        code=COMMAND,
        picture=lambda: picture(measured[at], BERT.mark),
        link=seeing.link(measure=str(at + 1)),
        about=found.provenance,
        how=t(
            "Everyone gets the same sentences with the same word hidden. BERT reads both sides, "
            "GPT the left, ELMo’s models one side each and combined, the Transformer both by its "
            "encoder and the left again by its decoder. A claim is supported if its effect is "
            "positive and larger than two standard errors (bootstrap over sentences), opposite if "
            "it is as far below 0. Each model was trained once, so the spread between trainings "
            "is not known."
        ),
    )


def literature() -> None:
    """What papers add to the claims of this page; folded away."""
    with st.expander(t("What the literature adds")):
        st.markdown(
            "\n".join(
                f"- {line}"
                for line in (
                    t(
                        "GPT’s block is the Transformer’s *encoder* block with a causal mask: it "
                        "has no cross-attention (Radford et al. 2018)."
                    ),
                    t(
                        "BERT fuses both sides in every layer, and pays with targets: 15% of the "
                        "positions instead of all (Devlin et al. 2018)."
                    ),
                    t(
                        "ELMo’s two models are joined only in what a task reads of them; its "
                        "static layer was a character CNN, ours is a table of word pieces (Peters "
                        "et al. 2018)."
                    ),
                    t(
                        "The Transformer’s decoder sees the whole source, but of its own text "
                        "only what it has written (Vaswani et al. 2017)."
                    ),
                )
            )
        )


def _notice(found: BothSides) -> str:
    """Whether the numbers are of the weights that are here now."""
    if not found.changed:
        return ""
    return t(
        "Tested with earlier weights of {models}: with those that answer above, the numbers may "
        "differ.",
        models=t(", ").join(found.changed),
    )


def _measured(found: BothSides, metric: Metric) -> Measured:
    """All scores and verdicts by one metric."""
    sides = [
        Group(
            t(title),
            len(found.values(found.views[0], metric, side)),
            tuple((view, found.by_side(view, metric, side)) for view in found.views),
        )
        for side, title in SIDES.items()
    ]
    thirds = [
        Group(
            t(title),
            int(found.words[:, i].sum()),
            tuple((view, found.by_third(view, metric, i)) for view in found.views),
        )
        for i, title in enumerate(THIRDS)
    ]
    return Measured(metric, tuple(sides), tuple(thirds), models.verdicts(found, metric))
