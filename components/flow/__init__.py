"""Flow: the same attention as weights, weighed by what it carries, and through all layers."""

from __future__ import annotations

from collections.abc import Mapping

from components.chosen import place
from components.maps import Board, Map, labels, maps
from components.theme import Colour
from components.words import fixed, percent, sentences, t
from models.trace import Flow

__all__ = ["board", "caution", "flow"]

LINK = {"layer": "flow", "row": "from"}
"""What a link calls the layer and the token."""


def flow(found: Flow, *, key: str, colour: Colour, link: Mapping[str, str]) -> None:
    """Draw the maps of a flow.

    Args:
        found: From `models.flow`.
        key: Of the component.
        colour: The architecture's own.
        link: Query parameters of the page.
    """
    drawn = board(found)
    maps(
        drawn,
        key=key,
        colour=colour,
        layer=place(link.get(LINK["layer"], ""), found.depth, found.depth - 1),
        row=place(link.get(LINK["row"], ""), len(drawn.rows), first(found)),
    )


def board(found: Flow) -> Board:
    """The maps that there are, weights first."""
    cross = found.kind == "cross"
    return Board(
        title=t("From the source to the target, layer by layer")
        if cross
        else t("From token to token, layer by layer"),
        maps=_panels(found),
        rows=labels(found.queries, found.block),
        columns=labels(found.keys, found.block),
        words={
            "asks": t("Token"),
            "row": t("Layer {layer}, “{word}”: {text}."),
            "caption": t("Layer {layer}: what “{word}” gets from each token"),
        },
        link=LINK,
    )


def first(found: Flow) -> int:
    """The row to begin with: the first blank, else the first word."""
    texts = [unit.text for unit in found.queries]
    if "[MASK]" in texts:
        return texts.index("[MASK]") // found.block
    words = [i for i, unit in enumerate(found.queries) if not unit.special]
    return words[0] // found.block if words else 0


def _panels(found: Flow) -> list[Map]:
    drawn = [
        Map(
            t("Attention"),
            found.mean,
            t("looks most at “{key}” ({value})"),
            t("The weights of the layer, mean of its heads."),
        )
    ]
    if found.carried is not None:
        drawn.append(
            Map(
                t("What is carried"),
                found.carried,
                t("most arrives from “{key}” ({value})"),
                t("Each weight times the vector behind it, all heads summed: shares of lengths."),
            )
        )
    if found.reached is not None:
        drawn.append(
            Map(
                t("Rollout"),
                found.reached,
                t("through all layers so far, most comes from “{key}” ({value})"),
                t("The layers up to here multiplied, each half attention, half what was there."),
            )
        )
    return drawn


def caution(found: Flow) -> str:
    """What these maps do not say."""
    return sentences(
        t(
            "None of the three is the cause of an answer: rollout takes weights at their word, and "
            "no feed-forward network is in it. What changes the answer, “Effect” measures."
        ),
        _even(found),
        t("This family lets no values out: so what is carried is missing.")
        if found.carried is None
        else t(
            "In the last layer, weights and what is carried rank the tokens alike to ρ = {rho} "
            "(Spearman).",
            rho=fixed(float(found.agreement[-1]), 2),
        ),
    )


def _even(found: Flow) -> str:
    """Where nobody looks ahead, the first token gathers most by rollout, whatever is looked at."""
    if found.even is None or found.reached is None or found.block > 1:
        return ""
    return t(
        "A model that looks back only favours the first token: evenly shared attention would give "
        "it {even} of the last token’s rollout; here it has {share}.",
        even=percent(float(found.even[-1])),
        share=percent(float(found.reached[-1, -1, 0])),
    )
