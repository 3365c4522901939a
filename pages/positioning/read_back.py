"""Can position and word be read back? A stored, seeded probe of every layer, with its control."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

import models
from components.plots import NEUTRAL, Line, Lines, Plot, plot
from components.plots.exports import numbers, picture
from components.takeaway import panel_bar
from components.verdicts import verdicts
from components.words import msg, number, percent, t
from models.read_back import verdicts as judge
from models.trace import Probed, ReadBack
from pages.filling.linked import follow
from pages.positioning.asking import COLOURS, judged

TITLE = msg("Read back from each layer")
KEY = "positions_probed"
COMMAND = """\
# Run in the project's folder; a minute or two on one core. It writes
# models/zoo/position_probe.json, from which all shares, intervals and verdicts here are computed.
python -m models.training.position_probe
"""
CLAIMS = {
    "added": (
        msg("The position can be read from what the first layer reads, beyond what a probe learns "
            "by heart (BERT)."),
        msg("control task: Hewitt & Liang 2019"),
    ),
    "mixed on": (
        msg("Later layers mix it on: at the top it is read less well than at the start (BERT)."),
        "",
    ),
    "word": (
        msg("The word itself can still be read at the top, beyond the commonest word (BERT)."),
        "",
    ),
    "encoder": (
        msg("An encoder whose positions are taken away finds them out: its top tells more of them "
            "than the words alone."),
        msg("control: its word vectors"),
    ),
    "causal": (
        msg("A causal model whose positions are taken away finds them out: its top tells more of "
            "them than the words alone."),
        msg("Haviv et al. 2022; control: its word vectors"),
    ),
}  # fmt: skip


def show() -> None:
    """The choice, both charts, the verdicts and the bar; a calm line where no run is kept."""
    found = models.position_probe()
    if found is None:
        st.info(t("No run of the probe is kept here. This command makes one:"))
        st.code("python -m models.training.position_probe", language="bash")
        return
    st.markdown(
        t(
            "A linear probe learns from some sentences what the states of a layer tell of a token, "
            "and is asked about others: {sentences} sentences, {positions} positions, {words} "
            "common words. Its control task has labels drawn by chance, the same for each word or "
            "each position.",
            sentences=number(found.sentences),
            positions=number(found.positions),
            words=number(found.words),
        )
    )
    view = _view(found)
    plots = _plots(found, view)
    for i, (drawn, column) in enumerate(zip(plots, st.columns(2, gap="medium"), strict=True)):
        with column:
            plot(drawn, key=f"positions_probe_{i}", alt=_alt(found, view), height=340)
    if found.changed:
        st.caption(
            t("Probed with earlier weights of {models}: those that are here now may differ.",
              models=t(", ").join(found.changed))
        )  # fmt: skip
    counted = t("bootstrap over {count} sentences", count=number(found.sentences))
    verdicts(judged(judge(found), CLAIMS, "%", counted), key="positions_probe_verdicts")
    _bar(found, view, plots)


def name_of(view: Probed) -> str:
    """A view in the menu."""
    if view.taken_away:
        return t("{model}, positions taken away", model=view.model)
    return view.model


def _view(found: ReadBack) -> Probed:
    names = {view.name: view for view in found.views}
    if (linked := follow("probed", KEY)) in names:
        st.session_state[KEY] = linked
    if st.session_state.get(KEY) not in names:
        st.session_state[KEY] = next(iter(names))
    chosen = st.selectbox(
        t("Model"), list(names), key=KEY, width=340, persist_state="session",
        format_func=lambda name: name_of(names[name]),
    )  # fmt: skip
    return names[str(chosen)]


def layer_name(layer: str) -> str:
    """A layer at its place below the chart."""
    return {"static": t("words"), "input": t("+ positions")}.get(layer, layer)


def _plots(found: ReadBack, view: Probed) -> list[Plot]:
    """Position and word: the task, its control, and the commonest answer."""
    colour = COLOURS[view.family].mark
    names, at = [layer_name(layer) for layer in view.layers], np.arange(len(view.layers))
    plots: list[Plot] = []
    for task, title in (("position", t("Its position")), ("word", t("Which word it is"))):
        lines = []
        for asked, said, ink, dash in (
            (task, t("probe"), colour, "solid"),
            (f"{task} control", t("control task"), NEUTRAL, "dash"),
        ):
            scores = [found.score(view, layer, asked) for layer in view.layers]  # type: ignore[arg-type]
            lines.append(
                Line(said, at, [s.mean for s in scores], ink, dash,
                     np.array([s.low for s in scores]), np.array([s.high for s in scores]))
            )  # fmt: skip
        often = np.full(len(at), found.often[task])
        lines.append(Line(t("commonest answer"), at, often, NEUTRAL, "dot"))
        plots.append(Lines(title, t("Layer"), t("Right answers"), lines, names, shares=True))
    return plots


def _alt(found: ReadBack, view: Probed) -> str:
    parts = [
        t("{layer}: position {position}, word {word}", layer=layer_name(layer),
          position=percent(found.score(view, layer, "position").mean),
          word=percent(found.score(view, layer, "word").mean))
        for layer in view.layers
    ]  # fmt: skip
    return t("{name}: {text}", name=name_of(view), text=t("; ").join(parts))


def _bar(found: ReadBack, view: Probed, plots: Sequence[Plot]) -> None:
    panel_bar(
        key="positions_probe",
        title=t(TITLE),
        numbers=lambda: numbers(plots),
        code=COMMAND,
        picture=lambda: picture(f"{t(TITLE)}: {name_of(view)}", plots),
        link={"section": "probe", "probed": view.name},
        about=found.provenance,
        how=t(
            "Ridge regression on one label for each class, its penalty fixed beforehand. Five "
            "splits by sentence, seed {seed}: every token is asked about once, by a probe that has "
            "not read its sentence. Bands: 95% of bootstrap resamples of the sentences. Each model "
            "was trained once, so the spread between trainings is not known. What a probe can read "
            "a model need not use.",
            seed=number(found.seed),
        ),
    )
