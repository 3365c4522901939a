"""Before it is loaded: how large it is, and how it should run."""

from __future__ import annotations

import streamlit as st

import models
from components.facts import Fact, facts
from components.takeaway import Column, Table, panel_bar
from components.theme import BERT
from components.words import msg, number, t
from models.checkpoints.sized import Sized
from models.checkpoints.snippet import counting
from models.names import parse
from pages.choosing.refused import megabytes

DTYPE, DEVICE = "checkpoint_dtype", "checkpoint_device"
FORMATS = {
    "float32": msg("float32: as all models here, exact to seven digits"),
    "bfloat16": msg("bfloat16: half the memory, exact to two or three digits"),
    "float16": msg("float16: half the memory, exact to three digits, small range"),
}
DEVICES = {"cpu": msg("Processor"), "cuda": msg("Graphics card (CUDA)")}


def show(found: Sized) -> None:
    """The figures, and the bar below them."""
    facts(_figures(found), label=t("Before it is loaded"), key="checkpoint_facts", colour=BERT.mark)
    panel_bar(
        key="checkpoint_before",
        title=t("Before it is loaded"),
        numbers=lambda: _table(found),
        code=None if found.name.endswith(".gguf") else counting(found.name),
        link={"model": found.name},
        how=t(
            "From config.json and the headers of the weights alone: nothing is loaded for it. "
            "Memory is that of the weights; computing needs some more, which grows with the text."
        ),
    )


def run_as(found: Sized) -> str:
    """The name of the model in the number format, and on the device, that the visitor chooses."""
    st.session_state.setdefault(DTYPE, parse(found.name).dtype)
    dtype = st.selectbox(
        t("Number format"),
        list(FORMATS),
        key=DTYPE,
        format_func=lambda name: t(FORMATS[name]),
        width=420,
        persist_state="session",
    )
    device = "cpu"
    if len(models.devices()) > 1:
        device = st.selectbox(
            t("Runs on"),
            models.devices(),
            key=DEVICE,
            format_func=lambda name: t(DEVICES[name]),
            width=220,
            persist_state="session",
        )
    return models.running_as(found.name, dtype, device)


def _figures(found: Sized) -> list[Fact]:
    memory = found.memory
    told = [
        Fact(
            t("Parameters"),
            number(found.parameters),
            t("Stored as {formats}.", formats=", ".join(found.stored)),
        ),
        Fact(
            t("Memory"),
            megabytes(memory["float32"]),
            t("In float32; {half} in half precision.", half=megabytes(memory["bfloat16"])),
        ),
    ]
    if found.layers is not None and found.heads is not None:
        heads = t("{heads} heads in each.", heads=number(found.heads))
        told.append(Fact(t("Layers"), number(found.layers), heads))
    longest = t("The longest text that its positions reach, in tokens.")
    free = t("Its positions have no table that would end.")
    shown = t("no limit") if found.context is None else number(found.context)
    told.append(Fact(t("Context"), shown, free if found.context is None else longest))
    if found.vocabulary is not None:
        each = t("Tokens that it knows.")
        told.append(Fact(t("Vocabulary"), number(found.vocabulary), each))
    return told


def _table(found: Sized) -> Table:
    columns = (Column("figure", t("Figure")), Column("value", t("Value")))
    rows: list[tuple[object, ...]] = [
        ("model_type", found.kind),
        ("parameters", found.parameters),
        *((f"parameters stored as {name}", count) for name, count in found.stored.items()),
        *((f"bytes in {dtype}", size) for dtype, size in found.memory.items()),
        ("layers", found.layers),
        ("heads", found.heads),
        ("width", found.width),
        ("context", found.context),
        ("vocabulary", found.vocabulary),
    ]
    return Table(columns, [row for row in rows if row[1] is not None])
