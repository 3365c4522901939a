"""Programs that print the numbers again with public packages only; see `models.snippets`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from models.elmo import ElmoForPreTraining
from models.probing import snippet_bodies as bodies
from models.snippets import Source, auto_class, literal, location

if TYPE_CHECKING:
    from models.inputs import Inputs
    from models.loading import Model


def _loading(model: Model, **parameters: object) -> str:
    lines = "".join(f"{name} = {literal(value)}\n" for name, value in parameters.items())
    ours = isinstance(model.network, ElmoForPreTraining)
    imports = bodies.FROM_HERE if ours else bodies.FROM_PACKAGE
    auto = auto_class(model.network)
    return bodies.LOADING.format(
        imports=imports.format(auto=auto),
        auto=auto,
        folder=location(model.name),
        dtype=model.provenance.dtype,
        parameters=lines,
    )


def probe(model: Model, inputs: Inputs) -> str:
    """Prints sums of rows and the largest move of an earlier state."""
    return Source.of(model, inputs.text, inputs.tensors).header() + bodies.PROBE


def sizes(model: Model) -> str:
    """Prints name, shape and size of every tensor, and the sum."""
    return _loading(model) + bodies.SIZES


def demands(model: Model, lengths: Sequence[int]) -> str:
    """Prints length and FLOPs."""
    return _loading(model, lengths=list(lengths)) + bodies.DEMANDS


def weight(model: Model, name: str, bins: int) -> str:
    """Prints norm, counts and the first singular values."""
    return _loading(model, name=name, bins=bins) + bodies.WEIGHT


def neighbours(model: Model, table: str, ids: Sequence[int], count: int) -> str:
    """Prints ids and cosines; special tokens and unused entries may be among them."""
    return _loading(model, table=table, ids=list(ids), count=count) + bodies.NEIGHBOURS


def places(model: Model, module: str, *, rotary: bool, count: int) -> str:
    """Prints shape, smallest and largest number."""
    body = bodies.ROTARY if rotary else bodies.TABLE
    return _loading(model, module=module, count=count) + body


def cutting(model: Model, text: str) -> str:
    """Prints ids and pieces."""
    return bodies.CUTTING.format(folder=location(model.name), text=ascii(text))


def glance(model: Model, sentences: Sequence[str], kind: str, names: Sequence[str]) -> str:
    """Prints the mean entropy and the mean sink of each head."""
    del names
    return bodies.GLANCE.format(
        name=ascii(model.name), sentences=literal(list(sentences)), kind=ascii(kind)
    )
