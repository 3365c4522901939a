"""How fair a comparison is: computed from the models' cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import models
from components.words import number, sentences, t
from models.cards import Card
from models.company import Company, Member

PARAMETERS, TOKENS = 0.05, 0.02
"""By what share the largest may exceed the smallest for them to count as equal."""


def card_of(member: Member) -> Card | None:
    """The model's card; None if it has none, or is not there."""
    try:
        return models.card(member.model)
    except models.Refusal:
        return None


def size_of(member: Member) -> str:
    """How large the model is, as its lane says it; "" if nobody knows."""
    known = card_of(member)
    return t("{count} parameters", count=_millions(known.parameters)) if known else ""


def footing(company: Company, members: Sequence[Member]) -> list[str]:
    """What they have read, and whether they differ in more than their architecture."""
    cards = [known for member in members if (known := card_of(member))]
    told = []
    if company == "verse" and cards:
        characters = number(max(known.length for known in cards))
        told.append(
            t(
                "They have read {count} characters of Tang and Song regulated verse, and nothing "
                "else.",
                count=characters,
            )
        )
    if len(cards) == len(members) > 1:
        told.append(_matched(cards) or _not_matched(cards))
    return told


def _matched(cards: Sequence[Card]) -> str:
    """What they have in common; "" if that is not all that it should be."""
    if list(differences(cards)):
        return ""
    return t(
        "Matched: the same text, the same vocabulary of {pieces} entries, {tokens} tokens seen and "
        "{parameters} parameters each. They differ in what they may look at.",
        pieces=number(cards[0].pieces),
        tokens=_range([known.tokens for known in cards]),
        parameters=_range([known.parameters for known in cards]),
    )


def _not_matched(cards: Sequence[Card]) -> str:
    """In what they differ, beside their architecture."""
    told = t(
        "Not matched. They also differ in {differences}.",
        differences=t(", ").join(differences(cards)),
    )
    pretrained = [known.model for known in cards if known.start == "minilm-bert"]
    if not 0 < len(pretrained) < len(cards):
        return told
    began = t(
        "{model} began as MiniLM, a model that had read far more text.",
        model=t(", ").join(pretrained),
    )
    return sentences(told, began)


def differences(cards: Sequence[Card]) -> Iterator[str]:
    """What is not the same for all, each with its range."""
    if len({known.text for known in cards}) > 1:
        yield t("text read ({range} words)", range=_range([known.length for known in cards]))
    if len({known.vocabulary for known in cards}) > 1:
        yield t("vocabulary ({range} entries)", range=_exact([known.pieces for known in cards]))
    if _apart(tokens := [known.tokens for known in cards]) > TOKENS:
        yield t("tokens seen in training ({range})", range=_range(tokens))
    if _apart(parameters := [known.parameters for known in cards]) > PARAMETERS:
        yield t("size ({range} parameters)", range=_range(parameters))


def _apart(values: Sequence[int]) -> float:
    """By what share of the largest the smallest is smaller."""
    return (max(values) - min(values)) / max(1, *values)


def _range(values: Sequence[int]) -> str:
    """From the smallest to the largest, in millions."""
    ends = [_millions(value) for value in (min(values), max(values))]
    return ends[0] if ends[0] == ends[1] else t("{least} to {most}", least=ends[0], most=ends[1])


def _exact(values: Sequence[int]) -> str:
    return t("{least} to {most}", least=number(min(values)), most=number(max(values)))


def _millions(count: int) -> str:
    return t("{count} M", count=number(count / 1e6, 1))
