"""A program that prints the answers in the blanks again, with public packages only.

ELMo is the exception: its class is this project's own, and the program says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from models import snippet_fill_bodies as bodies
from models.answering import denoising, kind_of
from models.answering.left_to_right import first_token
from models.catalog import Objective
from models.elmo import ElmoForPreTraining
from models.gaps import Gapped
from models.results import Sentence
from models.snippets import auto_class, literal, location

if TYPE_CHECKING:
    from models.loading import Model


def prediction_snippet(model: Model, sentence: Sentence, top_k: int = 10) -> str:
    """A program for a fresh process that prints what `models.predict` answers.

    Token ids are written out instead of the text: the app reads special tokens that a visitor
    typed as ordinary text, which a plain call of the tokenizer does not.

    Args:
        model: Any model that fills blanks.
        sentence: What was asked; its text stands in the program as a comment.
        top_k: How many answers to print for each blank.

    Raises:
        Unusable: The model cannot fill blanks.
    """
    text, folder, auto = Gapped.of(model, sentence), location(model.name), auto_class(model.network)
    head = bodies.HEAD.format(
        auto=auto,
        imports=bodies.ELMO_IMPORTS if isinstance(model.network, ElmoForPreTraining)
        else bodies.IMPORTS.format(auto=auto),
        # repr escapes line breaks of every kind: text cannot leave its comment.
        text=repr(text.reading.text[: text.reading.read]),
        folder=folder,
        dtype=model.provenance.dtype,
        where="  # run it in the project's folder" if folder.startswith("models/") else "",
        top_k=top_k,
    )  # fmt: skip
    kind_of(model)  # refuses what fills no blanks
    return head + BODIES[model.objective](model, text)


def _masked(model: Model, text: Gapped) -> str:
    layout = text.whole(dict.fromkeys(range(len(text.hidden)), (model.mask_id,)))
    return bodies.MASKED.format(
        pieces=_spelled(model, layout.ids),
        ids=literal(list(layout.ids)),
        blanks=list(layout.blanks.values()),
    )


def _causal(model: Model, text: Gapped) -> str:
    first, *others = text.parts()
    parts = [first or (first_token(model),), *others]
    logits = "forward_logits" if isinstance(model.network, ElmoForPreTraining) else "logits"
    return bodies.CAUSAL.format(**_parts(model, parts[:-1]), logits=logits)


def _two_way(model: Model, text: Gapped) -> str:
    return bodies.TWO_WAY.format(**_parts(model, list(text.parts())))


def _denoising(model: Model, text: Gapped) -> str:
    source = denoising.source(model, text).ids
    first, *others = text.parts()
    parts = [denoising.start(model, first) + first, *others]
    return bodies.DENOISING.format(
        **_parts(model, parts[:-1]),
        source=literal(list(source)),
        source_pieces=_spelled(model, source),
    )


BODIES: dict[Objective, Callable[[Model, Gapped], str]] = {
    "masked": _masked,
    "causal": _causal,
    "two-way": _two_way,
    "denoising": _denoising,
}


def _parts(model: Model, parts: list[tuple[int, ...]]) -> dict[str, str]:
    """The visible tokens between blanks, and how they are spelled."""
    return {
        "parts": literal([list(part) for part in parts]),
        "pieces": " ... ".join(_spelled(model, part) for part in parts),
    }


def _spelled(model: Model, ids: tuple[int, ...]) -> str:
    return repr(" ".join(model.reader.spell(ids)))
