"""What frozen features tell of a word, by layer and model: a stored, seeded probe."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

import models
from components.feature_claims import judged
from components.feature_tables import table
from components.plots import NEUTRAL, Line, Lines, plot
from components.plots.exports import picture
from components.takeaway import panel_bar
from components.theme import BERT, ELMO, ENCODER_DECODER, GPT, Colour
from components.verdicts import verdicts
from components.words import msg, number, percent, t
from models.features import feature_verdicts
from models.trace import Asked, Featured, Features
from pages.filling.linked import follow

TITLE = msg("Frozen features, layer by layer")
KEY = "architecture_features"
COMMAND = """\
# Run in the project's folder, with the corpora built (python -m models.training corpora); some
# minutes on one core. It writes models/zoo/features.json, from which all shares, intervals and
# verdicts here are computed.
python -m models.training.features
"""
COLOURS: Mapping[str, Colour] = {
    "bert": BERT, "gpt": GPT, "seq": ENCODER_DECODER, "elmo": ELMO, "lstm": ELMO,
}  # fmt: skip
LARGER, OTHER = "dash", "dot"
"""Lines of one colour are told apart by it: models larger than the matched ones, and LSTMs."""


def show() -> None:
    """Both charts, what they say about the claims, and the bar; they need no sentence."""
    st.subheader(t(TITLE), anchor=False)
    found = models.frozen_features()
    if found is None or not (shown := compared(found)):
        st.info(t("No run of this probe is kept here: python -m models.training.features"))
        return
    st.markdown(
        t(
            "“It uses the Transformer as its feature extractor” means: the states of a trained "
            "model are frozen, and something small reads them. Here a linear probe reads whether a "
            "word is a noun, a verb, an adjective or an adverb. GPT’s states are those of the "
            "decoder’s side, with its causal mask: to call all of them “the encoder” is not quite "
            "right."
        )
    )
    one, other = st.columns(2, gap="large")
    everyone = of_all(found, shown)
    with one:
        plot(everyone, key="architecture_features_all", alt=told(found, shown), height=420)
    with other:
        view = _chosen(shown)
        closer = of_one(found, view)
        plot(closer, key="architecture_features_one", alt=told_closer(found, view), height=350)
    _notes(found)
    verdicts(judged(feature_verdicts(found)), key="architecture_feature_claims")
    _bar(found, [everyone, closer], view)


def compared(found: Features) -> list[Featured]:
    """The models that stand for themselves; variants have places of their own."""
    return [view for view in found.views.values() if "-v" not in view.model]


def places(view: Featured, names: list[str]) -> list[int]:
    """Where a model's layers stand on the axis that all share."""
    return [names.index(layer) for layer in view.layers]


def of_all(found: Features, shown: list[Featured]) -> Lines:
    """One line for each model, about words that the probe has not learned from."""
    depth = max(len([each for each in view.layers if each.isdigit()]) for view in shown)
    names = ["static", "input", *map(str, range(1, depth + 1))]
    lines = [
        Line(
            view.model,
            places(view, names),
            [found.score(view, layer).mean for layer in view.layers],
            COLOURS[view.family].mark,
            dash(view),
        )
        for view in shown
    ]
    often = np.full(len(names), found.often)
    lines.append(Line(t("commonest answer"), np.arange(len(names)), often, NEUTRAL, "dot"))
    return Lines(t("All models: words the probe has not seen"), t("Layer"), t("Right answers"),
                 lines, [layer_name(name) for name in names], shares=True)  # fmt: skip


def dash(view: Featured) -> str:
    """How a model's line is drawn."""
    if view.family == "lstm":
        return OTHER
    return "solid" if "-s-" in view.model else LARGER


def layer_name(layer: str) -> str:
    """A layer at its place below the chart."""
    return {"static": t("words"), "input": t("+ positions")}.get(layer, layer)


def of_one(found: Features, view: Featured) -> Lines:
    """One model: new words, known words, and the control task."""
    at, colour = np.arange(len(view.layers)), COLOURS[view.family].mark
    kinds: list[tuple[Asked, str, str, str]] = [
        ("new", t("words it has not seen"), colour, "solid"),
        ("known", t("words it has seen, elsewhere"), colour, "dash"),
        ("control", t("control task"), NEUTRAL, "dash"),
    ]
    lines = []
    for asked, name, ink, drawn in kinds:
        scores = [found.score(view, layer, asked) for layer in view.layers]
        low, high = (np.array([getattr(s, end) for s in scores]) for end in ("low", "high"))
        lines.append(Line(name, at, [s.mean for s in scores], ink, drawn, low, high))
    names = [layer_name(layer) for layer in view.layers]
    return Lines("", t("Layer"), t("Right answers"), lines, names, shares=True)


def told(found: Features, shown: list[Featured]) -> str:
    """The chart in words: each model's word vectors and its best layer."""
    parts = [
        t("{model}: word vectors {below}, layer {layer} {share}", model=view.model,
          below=percent(found.score(view, "static").mean), layer=view.best,
          share=percent(found.score(view, view.best).mean))
        for view in shown
    ]  # fmt: skip
    return t("; ").join(parts)


def told_closer(found: Features, view: Featured) -> str:
    """One model in words."""
    parts = [
        t("{layer}: new words {new}, known words {known}, control task {control}",
          layer=layer_name(layer), new=percent(found.score(view, layer).mean),
          known=percent(found.score(view, layer, "known").mean),
          control=percent(found.score(view, layer, "control").mean))
        for layer in view.layers
    ]  # fmt: skip
    return t("{name}: {text}", name=view.model, text=t("; ").join(parts))


def _chosen(shown: list[Featured]) -> Featured:
    names = {view.model: view for view in shown}
    if (linked := follow("features", KEY)) in names:
        st.session_state[KEY] = linked
    if st.session_state.get(KEY) not in names:
        st.session_state[KEY] = next(iter(names))
    chosen = st.selectbox(
        t("One model, with its control"), list(names), key=KEY, persist_state="session"
    )
    return names[str(chosen)]


def _notes(found: Features) -> None:
    st.caption(
        t(
            "The probe learns from {learned} example sentences of WordNet’s and is asked about "
            "{new} others, of other words, which no model has read. Seed {seed}; bands: 95% of "
            "bootstrap resamples of the words.",
            learned=number(found.learned),
            new=number(len(found.words["new"])),
            seed=number(found.seed),
        )
    )
    if found.changed:
        names = t(", ").join(found.changed)
        st.caption(t("Tested with earlier weights of {models}.", models=names))


def _bar(found: Features, plots: list[Lines], view: Featured) -> None:
    title = t(TITLE)
    panel_bar(
        key="features",
        title=title,
        numbers=lambda: table(found, compared(found)),
        code=COMMAND,
        picture=lambda: picture(f"{title}: {view.model}", plots),
        link={"features": view.model},
        about=found.provenance(tuple(each.model for each in compared(found))),
        how=t(
            "Ridge regression on one label for each part of speech, its penalty fixed beforehand, "
            "from the mean of a word’s pieces. The label is the part of speech under which WordNet "
            "gives the sentence; only words in the form of the dictionary are asked about. No word "
            "is both learned from and asked about, but for “words it has seen”. The control task "
            "has a label drawn for each word (Hewitt & Liang 2019). Best is the layer that tells "
            "known words best. Each model was trained once; the spread between seeds is that of "
            "three small BERTs. What a probe can read a model need not use."
        ),
    )
