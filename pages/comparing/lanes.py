"""The lanes of the first page: every model's answers at once, and its arcs after that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat

import models
from components.answers.notices import not_ready, notices, too_busy
from components.lanes import Lane, arcs_of, words_of
from components.lanes.notices import no_arcs
from components.theme import BERT, ELMO, ENCODER_DECODER, GPT, Colour
from components.words import msg, t
from models.company import Company, Member
from models.trace import Sentence
from pages.choosing.reading import is_chinese, prompt, rewritten
from pages.comparing.links import link_to
from pages.comparing.parity import size_of
from pages.filling.asking import Check, ask, remembered

# The time that arcs take grows with the square of the length; a quatrain still gets them.
MOST_WORDS = 32
MOST_CHARACTERS = 240

Say = Callable[[str], object]


@dataclass(frozen=True)
class Way:
    """How a lane introduces an architecture."""

    name: str
    sees: str
    colour: Colour


WAYS: Mapping[str, Way] = {
    "bert": Way("BERT", msg("encoder · sees both sides"), BERT),
    "gpt": Way("GPT", msg("decoder · sees only the left"), GPT),
    "elmo": Way(
        "ELMo",
        msg("two LSTMs · one sees the left, one the right"),
        ELMO,
    ),
    "seq": Way(
        "Transformer", msg("encoder-decoder · reads both sides, then writes"), ENCODER_DECODER
    ),
}


@dataclass(frozen=True)
class Answered:
    """All lanes with their answers, and what helps where there are none."""

    lanes: Sequence[Lane]
    prompt: str = ""
    notices: Sequence[str] = ()

    @property
    def blanks(self) -> int:
        """How many there are; a model that reads less of the text has fewer."""
        return max((len(lane.answer.blanks) for lane in self.lanes if lane.answer), default=0)


def answered(company: Company, sentence: Sentence, say: Say) -> Answered:
    """The lanes of a company's models, answered in one turn.

    Raises:
        Cancelled: The visitor asked something newer.
    """
    members = models.companies()[company]
    empty = [_empty(each, company, sentence) for each in members]
    try:
        lanes = ask(
            lambda check: [*map(_lane, empty, members, repeat(sentence), repeat(check))], say
        )
    except models.TooBusy:
        return Answered(empty, too_busy())
    found, told = Answered(lanes), _told(lanes, sentence, company)
    return replace(found, notices=told) if found.blanks else replace(found, prompt="\n".join(told))


def _empty(member: Member, company: Company, sentence: Sentence) -> Lane:
    """A lane without an answer yet."""
    way, link = WAYS[member.family], link_to(member, company, sentence)
    return Lane(way.name, t(way.sees), member.model, way.colour, link, size_of(member))


def _lane(lane: Lane, member: Member, sentence: Sentence, check: Check) -> Lane:
    """A lane with its answers, before its arcs are measured."""
    try:
        answer = models.predict(member.model, sentence, 5, check)
        visible = models.visible_words(member.model, sentence)
    except models.Refusal as error:
        return replace(lane, note=not_ready(error.name))
    blanks = [blank.span for blank in answer.blanks]
    text = models.as_read(member.model, sentence.text) if answer.rewritten else sentence.text
    return replace(
        lane,
        words=words_of(text, visible, answer),
        answer=answer,
        unseen=tuple(
            models.out_of_reach(member.objective, (*visible, *blanks), blank) for blank in blanks
        ),
        unmeasured=no_arcs(len(visible), answer.read, MOST_WORDS, MOST_CHARACTERS),
    )


def _told(lanes: Sequence[Lane], sentence: Sentence, company: Company) -> list[str]:
    """What visitors should know about the answers, said once; with names if not true of all."""
    found: dict[str, list[str]] = {}
    answers = {lane: lane.answer for lane in lanes if lane.answer}
    known = {"prompt": prompt(company == "verse"), "foreign": _foreign(company, sentence.text)}
    for lane, answer in answers.items():
        told = [*notices(sentence, answer, **known), rewritten(lane.model, sentence, answer)]
        for text in filter(None, told):
            found.setdefault(text, []).append(lane.name)
    return [
        text
        if len(names) == len(answers)
        else t("{name}: {text}", name=t(", ").join(names), text=text)
        for text, names in found.items()
    ]


def _foreign(company: Company, text: str) -> str:
    """What to know before asking these models about a language that they have not read."""
    chinese = is_chinese(text)
    if chinese is False and company == "verse":
        return t("These models know Chinese verse alone: type a line of it, or try one.")
    if chinese is True and company != "verse":
        return t("These models have read English only: type an English sentence, or try one.")
    return ""


def with_arcs(lane: Lane, sentence: Sentence, focus: int, say: Say) -> tuple[Lane, str]:
    """The lane with its words' measured influence, or why there is none; and a program for it.

    Raises:
        Cancelled: The visitor asked something newer.
    """
    if lane.unmeasured or lane.blank(focus) is None:
        return lane, ""
    try:
        # A press on a button runs the page again: what is measured once need not be again.
        found = remembered(
            "home/arcs",
            lane.model,
            (sentence, focus),
            lambda check: models.influence(lane.model, sentence, focus, check),
            say,
        )
    except models.TooBusy:
        return replace(lane, unmeasured=too_busy()), ""
    except models.Refusal:
        told = t("This model brings no word counts to measure arcs with.")
        return replace(lane, unmeasured=told), ""
    return replace(lane, arcs=arcs_of(lane, found, focus)), found.snippet
