"""Programs that write the same text again with public packages only; see `models.snippets`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from models.elmo import ElmoForPreTraining
from models.generated import Cut, Drawing
from models.generating import snippet_bodies as bodies
from models.generating.decoder import ends
from models.inputs import Inputs
from models.snippets import Source, auto_class, literal, location

if TYPE_CHECKING:
    from models.loading import Model

Part = tuple[Drawing | None, Sequence[int]]
"""How some tokens in a row were chosen (None: by hand), and which they are."""


def text(model: Model, prompt: Sequence[int], parts: Sequence[Part]) -> str:
    """Prints the ids that were written, their surprisal and the entropy, both in bits."""
    source, told = _source(model, prompt), [_part(*part) for part in parts]
    if isinstance(model.network, ElmoForPreTraining):
        header = source.header(parts=told, ends=sorted(ends(model)))
        return header + bodies.GENERATE_LSTM + bodies.TEXT
    return source.header(parts=told) + bodies.GENERATE + bodies.TEXT


def _part(drawing: Drawing | None, ids: Sequence[int]) -> dict[str, Any]:
    if drawing is None:
        return {"tokens": list(ids)}
    if drawing.cut is None:
        return {"greedy": {"max_new_tokens": len(ids)}}
    cut = {**vars(drawing.cut), "max_new_tokens": len(ids)}
    return {"seed": drawing.seed, "skip": drawing.skip, "draw": cut}


def next_tokens(model: Model, ids: Sequence[int], cut: Cut) -> str:
    """Prints the twenty most probable ids, their probabilities, and those after the cut."""
    lstm = isinstance(model.network, ElmoForPreTraining)
    body = bodies.NEXT.format(logits="forward_logits" if lstm else "logits")
    return _source(model, ids).header(**vars(cut)) + body


def beams(model: Model, ids: Sequence[int], width: int, most: int, penalty: float) -> str:
    """Prints the ids of every beam, and their scores."""
    if isinstance(model.network, ElmoForPreTraining):
        return bodies.BEAMS_HERE.format(
            name=ascii(model.name), ids=literal(list(ids)), width=width, most=most
        )
    header = _source(model, ids).header(width=width, most=most)
    return header + bodies.BEAMS.format(penalty=penalty)


def written(model: Model, inputs: Inputs, ids: Sequence[int]) -> str:
    """Prints the ids that were written, and the cross-attention of every step."""
    config = model.network.config
    even = getattr(config, "num_layers", 0) == getattr(config, "num_decoder_layers", 0)
    source = Source.of(model, inputs.text, inputs.tensors)
    return source.header(most=len(ids)) + bodies.WRITTEN.format(cache=even)


def every_position(model: Model, inputs: Inputs) -> str:
    """Prints the most probable id at each position."""
    return Source.of(model, inputs.text, inputs.tensors).header() + bodies.EVERY_POSITION


def lengths(model: Model, sources: Sequence[Inputs], most: int) -> str:
    """Prints how many tokens were read of each text, and how many were written."""
    texts = [inputs.tensors["input_ids"][0].tolist() for inputs in sources]
    source = Source(location(model.name), auto_class(model.network), "", {})
    return source.header(texts=texts, most=most) + bodies.LENGTHS


def forced(model: Model, inputs: Inputs, given: Sequence[int], target: Sequence[int]) -> str:
    """Prints the surprisal of every token of the target, and the ids that were most probable."""
    base = Source.of(model, inputs.text, inputs.tensors)
    both = {**base.inputs, "decoder_input_ids": [list(given)]}
    source = Source(base.folder, base.auto, base.text, both)
    return source.header(target=list(target)) + bodies.FORCED


def _source(model: Model, ids: Sequence[int]) -> Source:
    said = str(model.tokenizer.decode(list(ids)))
    return Source(location(model.name), auto_class(model.network), said, {"input_ids": [list(ids)]})
