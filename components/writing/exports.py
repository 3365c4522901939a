"""What was written to take away: steps and where they looked as a table, and as a map."""

from __future__ import annotations

from components.maps import Board, Label, Map
from components.maps.exports import picture_of
from components.pictures import Svg
from components.takeaway import Column, Table, precise
from components.theme import ENCODER_DECODER
from components.words import number, t
from components.writing import gazes, sharpest, source_word
from models.trace import Writing


def numbers(found: Writing) -> Table:
    """One row for each step and token of the source."""
    layers = range(found.cross.shape[0])
    means = found.cross.mean(axis=1)
    return Table(
        columns=[
            Column("step", t("Step"), number),
            Column("token", t("Token")),
            Column("probability", t("Probability"), precise),
            Column("entropy_bits", t("Entropy in bits"), precise),
            Column("source", t("Place in the source"), number),
            Column("source_token", t("Token of the source")),
            *(
                Column(
                    f"layer_{layer}", t("Layer {layer}, mean", layer=number(layer + 1)), precise
                )
                for layer in layers
            ),
        ],
        rows=[
            (i + 1, step.token.shown or step.token.piece, step.candidates[0].probability,
             step.token.entropy_bits, j + 1, source_word(token),
             *(float(means[layer, i, j]) for layer in layers))
            for i, step in enumerate(found.steps)
            for j, token in enumerate(found.source)
        ],
        note=t("Weights of cross-attention, mean of the heads of a layer; each row sums to 1."),
    )  # fmt: skip


def picture(found: Writing) -> Svg:
    """Rows are written tokens, columns those of the source: the mean, and the sharpest head."""
    shown = gazes(found)
    chosen = dict.fromkeys((0, sharpest(found)))
    board = Board(
        title=t("Cross-attention: what the decoder looks at while it writes"),
        maps=[Map(shown[i].title, shown[i].weights[None], "") for i in chosen],
        rows=[Label(step.token.shown or step.token.piece) for step in found.steps],
        columns=[Label(source_word(token), token.kind == "special") for token in found.source],
        words={},
        link={},
    )
    return picture_of(board, 0, found.text, ENCODER_DECODER, [found.provenance])
