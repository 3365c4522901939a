"""The feed-forward network: expanded, activated, contracted; its neurons; and as a convolution."""

from __future__ import annotations

import streamlit as st

import models
from components.block_steps import STAGES, block_steps
from components.block_steps.exports import numbers, picture
from components.chosen import chosen
from components.neurons import exports as fired
from components.neurons import neurons
from components.rows import Row, Rows, rows
from components.rows import exports as tabled
from components.takeaway import panel_bar
from components.words import fixed, msg, number, percent, t
from models.trace import FeedForward
from pages.filling.asking import Check
from pages.filling.seed import set_by_link
from pages.opening import stored
from pages.opening.asking import Opening

TITLE = msg("Feed-forward network")
LAYER, STEPS = "block_layer", "block_steps"
COMPARED = (
    "bert-v", "bert-v-seed1", "bert-v-seed2", "bert-v-ffn-1x", "bert-v-identity", "bert-v-relu",
)  # fmt: skip
PARTS = {
    "embeddings": msg("Embeddings"),
    "attention": msg("Attention"),
    "ffn": msg("Feed-forward networks"),
    "norms": msg("Norms of the blocks"),
    "head": msg("Output head"),
}


def show(opening: Opening) -> None:
    """The steps, the neurons, what it weighs, and the trained variants."""
    layer = choose_layer(opening)

    def question(check: Check) -> FeedForward:
        return models.block_ffn(opening.model, opening.sentence, layer, opening.blank, check)

    found = opening.once("ffn", layer, question)
    step = chosen(STEPS, "step", STAGES, link=st.query_params.get("step", ""), otherwise=2)
    words = models.vocabulary_size(opening.model)
    block_steps(found, key=STEPS, colour=opening.colour, words=words, step=step)
    panel_bar(
        key="block_ffn",
        title=t("The feed-forward network of layer {layer}", layer=number(layer + 1)),
        numbers=lambda: numbers(found),
        code=found.snippet,
        picture=lambda: picture(found, opening.colour.mark),
        link=opening.link("ffn", layer=str(layer + 1), step=str(step + 1)),
        about=found.provenance,
        how=t(
            "One pass of the model; the block is then computed once more at the answering position "
            "by its own modules. The answers below are those of whole passes with the activation "
            "exchanged in every layer."
        ),
    )
    _neurons(opening, found)
    _weights(opening, found)
    stored.show("ffn", opening, COMPARED)


def choose_layer(opening: Opening) -> int:
    """Which layer, from 0; a link counts from 1."""
    depth = opening.once("depth", None, lambda check: models.block_depth(opening.model))
    set_by_link("layer", LAYER, range(1, depth + 1), min(2, depth))
    st.session_state[LAYER] = min(st.session_state[LAYER], depth)
    layer = st.slider(t("Layer"), 1, depth, key=LAYER, width=320, persist_state="session")
    return int(layer) - 1


def _neurons(opening: Opening, found: FeedForward) -> None:
    st.subheader(t("The strongest neurons"), anchor=False)
    neurons(found.neurons, found.followed, key="block_neurons", colour=opening.colour)
    panel_bar(
        key="block_neuron",
        title=t("The strongest neurons"),
        numbers=lambda: fired.numbers(found.neurons, found.followed),
        code=found.snippet,
        link=opening.link("ffn", layer=str(found.layer + 1)),
        about=found.provenance,
        how=t(
            "Strongest: activation times the length of what the neuron adds. Promoted words: what "
            "it adds to each logit on its direct way, past all later blocks, beyond the mean over "
            "the vocabulary (after Geva et al. 2022). Later blocks may read it and undo it."
        ),
    )


def _weights(opening: Opening, found: FeedForward) -> None:
    st.subheader(t("What it weighs, and how much of it is silent"), anchor=False)
    tables = [parameters(found), silence(found)]
    rows(tables, key="block_weights", colour=opening.colour, note=convolution(found))
    panel_bar(
        key="block_weight",
        title=t("Parameters and sparsity"),
        numbers=lambda: tabled.numbers(tables, convolution(found)),
        code=found.snippet,
        picture=lambda: tabled.picture(
            t("Parameters and sparsity"), tables, opening.colour.mark, convolution(found)
        ),
        link=opening.link("ffn", layer=str(found.layer + 1)),
        about=found.provenance,
        how=t(
            "Shared weights count once, with the embeddings. Silent: an activation whose size is "
            "below 1% of the layer’s largest on this sentence."
        ),
    )


def parameters(found: FeedForward) -> Rows:
    """By part of the model."""
    total = sum(count for _, count in found.parameters)
    listed = [
        Row(
            t(PARTS[part]),
            count / total,
            f"{percent(count / total, 1)} · {number(count)}",
            strong=part == "ffn",
        )
        for part, count in found.parameters
    ]
    return Rows(t("Share of the parameters"), listed, (t("Part"), t("Share · count"), ""))


def silence(found: FeedForward) -> Rows:
    """By layer."""
    listed = [
        Row(
            t("Layer {layer}", layer=number(layer + 1)),
            float(share),
            percent(float(share), 1),
            note=t("{share} at or below 0", share=percent(float(below), 1)),
            strong=layer == found.layer,
        )
        for layer, (share, below) in enumerate(zip(found.sparsity, found.silent, strict=True))
    ]
    return Rows(t("Share of silent neurons"), listed, (t("Layer"), t("Silent"), t("Of all")))


def convolution(found: FeedForward) -> str:
    """That both are one computation, in numbers."""
    both = found.convolved
    return t(
        "The same weights as two convolutions of width 1 along the sentence (Vaswani et al. 2017, "
        "§3.3): the largest difference is {difference}, of numbers up to {scale}. Linear layers "
        "took {linear} ms, convolutions {convolved} ms.",
        difference=f"{both.difference:.1e}",
        scale=fixed(both.scale, 1),
        linear=fixed(both.linear_ms, 2),
        convolved=fixed(both.convolution_ms, 2),
    )
