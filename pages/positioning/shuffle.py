"""Shuffle the words: answers with learned positions, with sinusoids, with none."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

import models
from components.answers.notices import not_ready
from components.shuffled import Lane, shuffled
from components.shuffled.exports import numbers, picture
from components.takeaway import panel_bar
from components.theme import BERT, GPT, Colour
from components.tokens.marks import to_marks
from components.verdicts import Judged, verdicts
from components.words import msg, number, t
from models.placed import order_verdicts
from models.trace import Order, Sentence
from pages.choosing.reading import foreign
from pages.filling.asking import Check
from pages.filling.linked import follow
from pages.positioning.asking import judged, once
from pages.positioning.trained import trained_without

TITLE = msg("Shuffle the words")
KEY, SEED = "positions_shuffled", "positions_seed"
MOST_SEED = 9_999


@dataclass(frozen=True)
class Way:
    """One kind of positions, and the models that have it: the first that is there is asked."""

    name: str
    models: tuple[str, ...]
    colour: Colour = BERT
    taken_away: bool = False


WAYS = {
    "learned": Way(msg("Learned positions"), ("bert-v", "bert-s-en", "bert-en")),
    "sinusoids": Way(msg("Sinusoids"), ("bert-v-sinusoids",)),
    "none": Way(msg("Trained without positions"), ("bert-v-no-positions",)),
    "taken": Way(msg("Positions taken away"), ("bert-v", "bert-s-en", "bert-en"), taken_away=True),
    "causal": Way(
        msg("Causal, positions taken away"), ("gpt-v", "gpt-s-en", "gpt-en"), GPT, taken_away=True
    ),
}
CLAIMS = {
    "equivariant": (
        msg("To an encoder without positions a sentence is a bag of words: shuffled, each word has "
            "the very state it had before (up to 1 in 100,000 of the largest number)."),
        msg("attention, LayerNorm and FFN treat all positions alike"),
    ),
    "order": (
        msg("With learned positions, shuffling moves the answer more than without."),
        msg("control: the same model, its positions taken away"),
    ),
    "mask": (
        msg("A causal model notices the order even without positions."),
        msg("Haviv et al. 2022; control: the encoder without positions"),
    ),
}  # fmt: skip


def show(sentence: Sentence) -> None:
    """The button, the lanes, the verdicts and the bar."""
    seed = _seed()
    if len(sentence.text.split()) < 3:
        st.info(t("Type a sentence of three words or more: there must be something to shuffle."))
        return
    first = next((f for f in models.bundled() if f.name in WAYS["learned"].models), None)
    if told := foreign(first, sentence.text):
        st.info(told)
        return
    if not sentence.hidden and "[MASK]" not in sentence.text:
        st.caption(t("Click a word to hide it, and the encoders answer it before and after."))
    lanes = {name: _lane(name, way, sentence, seed) for name, way in WAYS.items()}
    shown = list(lanes.values())
    shuffled(shown, key=KEY)
    found = [lane for lane in shown if lane.found]
    if not found:
        return
    verdicts(_judged(lanes), key="positions_shuffle_verdicts")
    panel_bar(
        key="positions_shuffle",
        title=t(TITLE),
        numbers=lambda: numbers(shown),
        code=lambda: "\n\n".join(
            f"# {lane.name}: {lane.model}\n\n{lane.found.snippet}" for lane in found if lane.found
        ),
        picture=lambda: picture(shown),
        link={"section": "shuffle", "seed": str(seed), "text": to_marks(sentence)},
        about=list(dict.fromkeys(lane.found.provenance for lane in found if lane.found)),
        how=t(
            "Whole words change places, the frame stays. The sentence and eight shuffles of it go "
            "through the model in one batch, and each word’s top state is compared wherever it "
            "stands now. The answers are compared by their Jensen-Shannon divergence; ± is the "
            "error over the shuffles. One sentence is an anecdote: try others."
        ),
    )
    _haviv()


def _seed() -> int:
    """Which shuffle; a button draws the next."""
    linked = follow("seed", KEY)
    if linked and linked.isascii() and linked.isdecimal():
        st.session_state[SEED] = min(MOST_SEED, int(linked))
    st.session_state.setdefault(SEED, 0)

    def again() -> None:
        st.session_state[SEED] = (int(st.session_state[SEED]) + 1) % (MOST_SEED + 1)

    st.button(t("Shuffle again"), key="positions_again", on_click=again)
    return int(st.session_state[SEED])


def _lane(name: str, way: Way, sentence: Sentence, seed: int) -> Lane:
    """One kind of positions, or why there is nothing."""
    there = {facts.name for facts in models.bundled()}
    model = next((each for each in way.models if each in there), way.models[0])
    lane = Lane(t(way.name), model, way.colour, causal=model.startswith("gpt"))
    if model not in there:
        return replace(lane, note=t("This model is not here yet. The others do not need it."))

    def question(check: Check) -> Order | None:
        try:
            return models.shuffled(model, sentence, seed, way.taken_away, check)
        except ValueError:  # fewer than two words of this model
            return None

    found = once(f"shuffle/{name}", (model, sentence, seed), question)
    if found is None:
        return replace(lane, note=not_ready(model))
    return replace(lane, found=found)


def _judged(lanes: dict[str, Lane]) -> list[Judged]:
    """What the shuffles of this sentence say; then what was measured on held-out text."""
    without = lanes["none"].found or lanes["taken"].found
    found = order_verdicts(lanes["learned"].found, without, lanes["causal"].found)
    count = t("{count} shuffles of one sentence", count=number(8))
    return [*judged(found, CLAIMS, t(" bits"), count), *trained_without(models.reports())]


def _haviv() -> None:
    """What causal models make of missing positions; folded away."""
    with st.expander(t("How can a model without positions know the order?")):
        st.markdown(
            t(
                "An encoder’s attention treats all positions alike: without position vectors it "
                "cannot tell one order from another, however long it is trained. A causal mask "
                "breaks that: the first word sees one word, the tenth sees ten, so that how much a "
                "word’s attention is spread out already tells how many stand before it. Haviv et "
                "al. (2022) trained causal models without any positions: they come close to those "
                "with positions, and a probe reads the position from their middle layers. The "
                "tab “Read back from each layer” does that with a model of ours whose positions "
                "are taken away."
            )
        )
