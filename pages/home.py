"""One sentence, four ways: what each architecture looks at, answers, and rests its answer on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import models
from components.lanes import Lane, arcs, focused, lanes
from components.lanes.drawing import picture
from components.lanes.exports import numbers
from components.offers import offers
from components.present import station
from components.takeaway import panel_bar
from components.tokens import sentence_strip
from components.tokens.marks import to_marks
from components.words import msg, t
from models.company import Company
from models.settings import settings
from models.trace import Sentence
from pages.choosing.examples import VERSE, examples_of
from pages.comparing.choice import chosen_company
from pages.comparing.lanes import Answered, answered, with_arcs
from pages.comparing.parity import footing

LANES = "home_lanes"
OFFERED = 4
SIDES = {
    "left": msg("The left decides"),
    "right": msg("The right decides"),
    "both": msg("Both sides decide"),
    "wrong": msg("BERT misses it"),
}
Measured = Callable[[Lane], tuple[Lane, str]]


def examples(company: Company) -> tuple[tuple[Sentence, str], ...]:
    """Sentences to try, each with a label: those about which these models differ, if measured."""
    if measured := models.contrasts(company):
        return tuple((each.sentence, t(SIDES[each.side])) for each in measured)
    offered = VERSE if company == "verse" else examples_of(settings().default_model)
    return tuple((sentence, "") for sentence in offered)


def about() -> str:
    """The page in one sentence."""
    return t(
        "Hide a word: each model answers from what it may look at, and each arc shows how much one "
        "word matters to its answer."
    )


def say(line: DeltaGenerator) -> Callable[[str], object]:
    """What the line tells: the place in the queue, or else what the page is about."""
    return lambda told: line.markdown(told or about())


def take_away(
    found: Answered, company: Company, sentence: Sentence, focus: int, measured: Measured
) -> None:
    """The bar under the lanes; what it offers is made once somebody asks for it."""

    def all_measured() -> Sequence[Lane]:
        return [measured(lane)[0] for lane in found.lanes]

    def code() -> str:
        programs = ((lane, measured(lane)[1]) for lane in found.lanes)
        return "\n\n".join(
            f"# {lane.name}: {lane.model}\n\n{each}" for lane, each in programs if each
        )

    panel_bar(
        key="influence",
        title=t("One sentence, four ways"),
        numbers=lambda: numbers(all_measured(), focus),
        code=None if all(lane.unmeasured for lane in found.lanes) else code,
        picture=lambda: picture(all_measured(), focus),
        link={"models": company, "blank": str(focus + 1), "text": to_marks(sentence)},
        about=[lane.answer.provenance for lane in found.lanes if lane.answer],
        how=t(
            "GPT is asked for the next word after the left text; ELMo’s two models each from their "
            "side, and their answers are multiplied and divided by how common each word is; the "
            "Transformer reads the sentence with masks, then writes it anew, and is asked when it "
            "comes to the blank. What cannot read a blank reads its own guess there. Each visible "
            "word is replaced by 8 other words, and a punctuation mark by other marks, one at a "
            "time, and the model answers again. The arc is the mean difference between its answers "
            "(Jensen-Shannon divergence over the full vocabulary): 0 bits if nothing changes, 1 "
            "bit if everything does. An answer can rest on words together, which no single arc "
            "shows."
        ),
    )


station("sentence", t("The sentence"))
st.title(t("One sentence, four ways"))
line = st.markdown(about())
sentence = sentence_strip(
    examples("best")[0][0],
    key="home",
    limit=settings().max_characters,
    link=st.query_params.get("text", ""),
)
companies = models.companies()
with st.container(gap="xsmall"):
    tried = st.container()  # what can be tried depends on the models, but stands before the choice
    company = chosen_company(sentence.text, tuple(companies))
with tried:
    some = examples(company)[:OFFERED]
    offers([each for each, _ in some], [label for _, label in some], key="home_tried", strip="home")
# No fragment holds this: a keystroke could not interrupt one, and would wait for outdated arcs. A
# run of the page is stopped by the next one, whose claim of a slot ends the computation as well.
try:
    found = answered(company, sentence, say(line))
    focus = focused(LANES, found.blanks, st.query_params.get("blank", ""))
    station("lanes", t("The answers, and what they rest on"))
    lanes(
        sentence,
        found.lanes,
        found.notices,
        key=LANES,
        strip="home",
        focus=focus,
        prompt=found.prompt,
        foot=footing(company, companies[company]),
    )
    measured = cache(lambda lane: with_arcs(lane, sentence, focus, say(line)))
    if found.blanks:
        take_away(found, company, sentence, focus, measured)
    for lane in found.lanes:
        arcs(sentence, measured(lane)[0], key=LANES, focus=focus)
except models.Cancelled:
    st.stop()  # a newer run of this page asks something newer
