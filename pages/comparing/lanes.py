"""The lanes of the first page: every model's answers at once, and its arcs after that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import models
from components.answers.notices import not_ready, notices, shorten, too_busy
from components.lanes import Lane, arcs_of, words_of
from components.lanes.notices import no_arcs
from components.present import carried
from components.theme import BERT, ELMO, ENCODER_DECODER, GPT, Colour
from components.tokens.marks import to_marks
from components.words import language, msg, t
from models.company import Member
from models.settings import settings
from models.trace import Sentence
from pages.comparing.parity import size_of
from pages.filling.asking import Check, ask

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


def answered(members: Sequence[Member], sentence: Sentence, say: Say) -> Answered:
    """The lanes of some models, answered in one turn.

    Raises:
        Cancelled: The visitor asked something newer.
    """
    try:
        lanes = ask(lambda check: [_lane(each, sentence, check) for each in members], say)
    except models.TooBusy:
        return Answered([_empty(each, sentence) for each in members], too_busy())
    found = Answered(lanes)
    told = _told(lanes, sentence)
    return replace(found, notices=told) if found.blanks else replace(found, prompt="\n".join(told))


def _empty(member: Member, sentence: Sentence) -> Lane:
    """A lane without an answer yet."""
    way, link = WAYS[member.family], ""
    if member.model == settings().default_model:  # the page of the others does not exist yet
        link = "fill?" + urlencode({"text": to_marks(sentence), "lang": language(), **carried()})
    return Lane(way.name, t(way.sees), member.model, way.colour, link, size_of(member))


def _lane(member: Member, sentence: Sentence, check: Check) -> Lane:
    """A lane with its answers, before its arcs are measured."""
    lane = _empty(member, sentence)
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


def _told(lanes: Sequence[Lane], sentence: Sentence) -> list[str]:
    """What visitors should know about the answers, said once; with names if not true of all."""
    found: dict[str, list[str]] = {}
    answers = {lane: lane.answer for lane in lanes if lane.answer}
    for lane, answer in answers.items():
        rewritten = [_rewritten(lane, sentence)] if answer.rewritten else []
        for text in (*notices(sentence, answer), *rewritten):
            found.setdefault(text, []).append(lane.name)
    return [
        text
        if len(names) == len(answers)
        else t("{name}: {text}", name=t(", ").join(names), text=text)
        for text, names in found.items()
    ]


def _rewritten(lane: Lane, sentence: Sentence) -> str:
    """Simplified characters and variants were read as those that the model knows."""
    read = models.as_read(lane.model, sentence.text)
    return t("Read in the characters that Taiwan uses: “{text}”", text=shorten(read, 60))


def with_arcs(lane: Lane, sentence: Sentence, focus: int, say: Say) -> tuple[Lane, str]:
    """The lane with its words' measured influence, or why there is none; and a program for it.

    Raises:
        Cancelled: The visitor asked something newer.
    """
    if lane.unmeasured or lane.blank(focus) is None:
        return lane, ""
    try:
        found = ask(lambda check: models.influence(lane.model, sentence, focus, check), say)
    except models.TooBusy:
        return replace(lane, unmeasured=too_busy()), ""
    except models.Refusal:
        told = t("This model brings no word counts to measure arcs with.")
        return replace(lane, unmeasured=told), ""
    return replace(lane, arcs=arcs_of(lane, found, focus)), found.snippet
