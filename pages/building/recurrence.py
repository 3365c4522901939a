"""LSTM against Transformer: how long each takes by length, and what more layers are worth."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

import models
from components.charts import Line as Curve
from components.charts import line_chart
from components.recurrence import exports
from components.recurrence.told import CLAIMS, SOURCES, effect_of_depth, effect_of_speed
from components.takeaway import panel_bar
from components.theme import ELMO, GPT, Colour
from components.verdicts import Judged, verdicts
from components.words import fixed, msg, number, t
from models.recurrence import KINDS, Depths, Rival, Speeds, Work
from models.trace import Provenance, Verdict
from pages.building import probed_depths
from pages.filling.linked import follow

TITLE = msg("LSTM against Transformer")
KEY = "architecture_work"
CONFIG = {"displaylogo": False, "displayModeBar": False}
COMMAND = """\
# Run in the project's folder; some minutes. It times both networks by turns and writes
# models/zoo/speed.json, from which all medians, intervals and verdicts here are computed.
python -m models.training.speeds
"""
TRAIN = """\
# Run in the project's folder: each model is trained and published with its held-out loss.
python -m models.training gpt-v-2-layers
python -m models.training publish gpt-v-2-layers
"""
COLOURS: Mapping[Rival, Colour] = {"gpt": GPT, "lstm": ELMO}
NAMES: Mapping[Rival, str] = {"gpt": "Transformer", "lstm": "LSTM"}
WORKS: Mapping[Work, str] = {"read": msg("Reading a text"), "learn": msg("Learning from it")}


def show() -> None:
    """Both charts with their claims and bars; they need no sentence."""
    st.subheader(t(TITLE), anchor=False)
    st.markdown(
        t(
            "An LSTM reads one token after the other: no step can begin before the last has ended. "
            "A Transformer’s layer takes all tokens at once. Both here have as many parameters and "
            "say the next word."
        )
    )
    speeds, depths = models.speeds(), models.depths()
    one, other = st.columns(2, gap="large")
    with one:
        if speeds is None:
            st.info(t("No times have been measured on this server yet."))
        else:
            _times(speeds)
    with other:
        _layers(depths)
    probed_depths.show()


def literature() -> tuple[str, ...]:
    """What papers add to the claims of this page."""
    return (
        t(
            "GPT’s layer is the *encoder’s* layer with a causal mask: of the decoder it keeps the "
            "mask, not the cross-attention (Radford et al. 2018)."
        ),
        t(
            "The paper on BERT does not mention the dense layer before its vocabulary; the "
            "authors’ code has it (Devlin et al. 2018)."
        ),
        t(
            "ELMo’s layers have a residual connection and a projection, too; the paper’s are 4,096 "
            "cells wide (Peters et al. 2018)."
        ),
        t(
            "At equal size a biLSTM came out slightly better than a Transformer, and slower "
            "(Peters et al. 2018, Dissecting)."
        ),
    )


def _times(speeds: Speeds) -> None:
    """Milliseconds by length."""
    title = t("Milliseconds by length")
    st.markdown(f"**{title}**")
    if (linked := follow("work", KEY)) in WORKS:
        st.session_state[KEY] = linked
    if st.session_state.get(KEY) not in WORKS:
        st.session_state[KEY] = "read"
    work: Work = st.radio(
        t("What is timed"),
        list(WORKS),
        format_func=lambda each: t(WORKS[each]),
        key=KEY,
        horizontal=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    st.plotly_chart(
        line_chart(
            _lines(speeds, work),
            x_title=t("Tokens"),
            y_title=t("Milliseconds (median)"),
            logarithmic=True,
        ),
        key="architecture_times",
        config=CONFIG,
        alt=exports.told_times(speeds, work),
    )
    longest = speeds.lengths[-1]
    st.caption(
        t(
            "Steps that wait for each other, {tokens} tokens: LSTM {lstm}, Transformer {gpt}. "
            "{rounds} rounds on {cores} cores, wanted by {load} programs on average; stored.",
            tokens=number(longest),
            lstm=number(speeds.sequential("lstm", longest)),
            gpt=number(speeds.sequential("gpt", longest)),
            rounds=number(speeds.rounds),
            cores=number(speeds.cores),
            load=number(speeds.load, 1),
        )
    )
    judged = [_judged(each, effect_of_speed(each)) for each in speeds.verdicts(work)]
    verdicts(judged, key="architecture_speed_claims")
    panel_bar(
        key="speeds",
        title=title,
        numbers=lambda: exports.times(speeds),
        code=COMMAND,
        picture=lambda: exports.picture_of_times(speeds, work, GPT.mark),
        link={"work": work},
        about=_about(speeds),
        how=t(
            "Both networks have the sizes of the matched family and weights drawn by seed, for "
            "time does not depend on what was learned. In each round every cell is timed twice "
            "and the shorter time counts; shown is the median of the rounds. Effects are "
            "compared with the bootstrap over rounds. Learning is a forward and a backward pass."
        ),
    )


def _about(speeds: Speeds) -> list[Provenance]:
    return [
        Provenance(
            f"{NAMES[kind]}, {number(speeds.parameters[kind])}",
            t("drawn with seed {seed}", seed=number(speeds.seed)),
            "float32",
            speeds.versions,
        )
        for kind in KINDS
    ]


def _lines(speeds: Speeds, work: Work) -> list[Curve]:
    found = []
    for kind in KINDS:
        for threads, dash in ((1, "solid"), (2, "dash")):
            y = [speeds.at(kind, work, threads, n).median for n in speeds.lengths]
            name = exports.name_of(kind, threads)
            told = [
                t("{name}, {tokens} tokens: {ms} ms", name=name, tokens=number(n), ms=fixed(v, 1))
                for n, v in zip(speeds.lengths, y, strict=True)
            ]
            found.append(Curve(name, speeds.lengths, y, COLOURS[kind].mark, dash, told))
    return found


def _layers(depths: Depths) -> None:
    """Held-out loss by layers, as far as the variants are there."""
    title = t("Held-out loss by layers")
    st.markdown(f"**{title}**")
    if depths.missing:
        st.info(
            t(
                "Not trained on this server yet: {names}. What is there is shown.",
                names=t(", ").join(depths.missing),
            )
        )
    if not depths.losses:
        return
    st.plotly_chart(
        line_chart(
            [
                Curve(
                    NAMES[kind],
                    [n for k, n in depths.losses if k == kind],
                    [loss.mean for (k, _), loss in depths.losses.items() if k == kind],
                    COLOURS[kind].mark,
                    told=[
                        exports.told_loss(NAMES[k], n, loss)
                        for (k, n), loss in depths.losses.items()
                        if k == kind
                    ],
                )
                for kind in KINDS
            ],
            x_title=t("Layers"),
            y_title=t("Loss on held-out text (nats)"),
        ),
        key="architecture_layers",
        config=CONFIG,
        alt=exports.told_losses(depths),
    )
    st.caption(
        t(
            "{targets} words each. Between {count} trainings of {model} that differ in their seed "
            "alone the loss varies by {spread} nats (standard deviation).",
            targets=number(depths.targets),
            count=number(len(depths.seeds)),
            model="bert-v",
            spread=fixed(depths.spread, 3),
        )
    )
    judged = [_judged(each, effect_of_depth(each)) for each in depths.verdicts()]
    if judged:
        verdicts(judged, key="architecture_depth_claims")
    panel_bar(
        key="layers",
        title=title,
        numbers=lambda: exports.losses(depths),
        code=TRAIN,
        picture=lambda: exports.picture_of_losses(depths, GPT.mark),
        how=t(
            "Variants of a small GPT and an LSTM with as many parameters, trained on the same "
            "text for as many tokens. Each answers the same held-out passages; the standard "
            "errors (bootstrap over passages) are added as if they were independent, which is "
            "rather too careful. A claim is supported if its effect exceeds twice the larger of "
            "that error and the spread between seeds."
        ),
    )


def _judged(one: Verdict, effect: str) -> Judged:
    name = one.claim.partition(" ")[0]
    layers = one.claim.partition(" ")[2]
    return Judged(one.outcome, t(CLAIMS[name], layers=layers), effect, t(SOURCES[name]))
