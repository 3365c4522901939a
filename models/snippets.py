"""Programs that print a measure's numbers again, with public packages only.

Each is a header with what is special to one measurement (the folder of the weights, token ids, the
position of the answer) and a body that is the same for all: the measure's definition, spelled out
once more. `tests/unit/test_snippets.py` runs them in a fresh process and compares.
"""

from __future__ import annotations

import pprint
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Int

from models import snippet_bodies as bodies
from models.catalog import BUNDLED
from models.elmo import ElmoForPreTraining
from models.families import anatomy
from models.names import parse
from models.readout import scale_of
from models.traces import Trace

if TYPE_CHECKING:
    from transformers import PreTrainedModel

    from models.loading import Model
    from models.measuring.words import LookedAt
    from models.questions import Asked, Question, Word
    from models.runs import Tensors

ELMO = ElmoForPreTraining.__name__
Drawn = Sequence[Int[np.ndarray, "substitute piece"]]


@dataclass(frozen=True)
class Source:
    """What every snippet begins with: a model and the token ids it reads."""

    folder: str
    auto: str
    """The transformers class that loads it."""
    text: str
    inputs: Mapping[str, Sequence[Sequence[int]]]
    dtype: str = "float32"
    """Of its weights, as torch calls it."""

    @classmethod
    def of(cls, model: Model, text: str, tensors: Tensors) -> Source:
        """The source of a measurement on a model."""
        inputs = {name: tensor.tolist() for name, tensor in tensors.items()}
        auto, dtype = auto_class(model.network), model.provenance.dtype
        return cls(location(model.name), auto, text, inputs, dtype)

    def header(self, imports: str = bodies.LOADING, **parameters: object) -> str:
        """Imports, model, inputs, and the parameters as assignments."""
        if self.auto == ELMO:
            imports = bodies.LOADING_ELMO
        lines = "".join(f"{name} = {literal(value)}\n" for name, value in parameters.items())
        return bodies.HEADER.format(
            auto=self.auto, text=ascii(self.text), folder=self.folder, inputs=literal(self.inputs),
            parameters=lines, transformers=imports.format(auto=self.auto), dtype=self.dtype,
        )  # fmt: skip


def location(name: str) -> str:
    """Where `from_pretrained` finds a model of this name, seen from the project's folder."""
    if any(facts.name == parse(name).place for facts in BUNDLED):
        return f"models/zoo/{parse(name).place}"
    return parse(name).place


def auto_class(network: PreTrainedModel) -> str:
    """The class that loads such a network with its head: one of transformers, or our own."""
    if isinstance(network, ElmoForPreTraining):
        return ELMO
    if network.config.is_encoder_decoder:
        return "AutoModelForSeq2SeqLM"
    return "AutoModelForMaskedLM" if "Masked" in type(network).__name__ else "AutoModelForCausalLM"


def literal(value: object) -> str:
    """A value as Python source; wrapped, so that long lists of ids stay readable."""
    return pprint.pformat(value, width=96, compact=True)


def of_trace(trace: Trace) -> str:
    """The attention weights of all layers, as (layer, head, query, key), per kind of attention.

    A trace with interventions needs this project's own code: public packages have no such switch.
    """
    if trace.interventions:
        record = {"interventions": list(trace.interventions), "target": trace.target}
        return bodies.WITH_INTERVENTIONS.format(
            name=ascii(trace.provenance.model), text=ascii(trace.text), **record
        )
    return source_of(trace).header() + bodies.WEIGHTS


def source_of(trace: Trace) -> Source:
    """What a trace was made of."""
    both = trace.encoder is not None and trace.decoder is not None
    single = "AutoModelForMaskedLM" if trace.encoder else "AutoModelForCausalLM"
    return Source(
        location(trace.provenance.model),
        "AutoModelForSeq2SeqLM" if both else single,
        trace.text,
        {name: [list(ids)] for name, ids in trace.arguments.items()},
        trace.provenance.dtype,
    )


def rollout(source: Source) -> str:
    """Prints (layer, position, position)."""
    return source.header() + bodies.ROLLOUT


def head_statistics(source: Source) -> str:
    """Prints each statistic as (layer, head)."""
    return source.header() + bodies.HEAD_STATISTICS


def surprisal(source: Source, asked: Sequence[Asked]) -> str:
    """Prints surprisal and entropy, in bits, for each asked token."""
    runs = [(one.arguments, list(one.positions), list(one.ids)) for one in asked]
    return source.header(asked=runs) + bodies.SURPRISAL


def lens(source: Source, network: PreTrainedModel, position: int) -> str:
    """Prints the five best answers' probabilities for each layer, the embeddings first."""
    found = anatomy(network.config)
    if found is None:
        raise LookupError(network.config.model_type)
    return (
        source.header(
            position=position,
            norm=[path for path in found.closing if _has(network, path)],
            head=list(found.head),
            scale=scale_of(network, found),
        )
        + bodies.LENS
    )


def _has(network: PreTrainedModel, path: str) -> bool:
    try:
        return network.get_submodule(path) is not None
    except AttributeError:
        return False


def influence(model: Model, source: Source, question: Question, drawn: Drawn) -> str:
    """Prints one number per visible word."""
    words = _places(question.words, drawn)
    if model.objective == "two-way":
        no_words = np.flatnonzero(~model.vocabulary.is_word).tolist()
        header = source.header(no_words=no_words, words=words)
        return header + bodies.ANSWER_OF_ELMO.format(folder=source.folder) + bodies.INFLUENCE
    answer = bodies.ANSWER_OF_LSTM if source.auto == ELMO else bodies.ANSWER
    return source.header(position=question.position, words=words) + answer + bodies.INFLUENCE


def visibility(source: Source, words: Sequence[Word], drawn: Drawn, seen: LookedAt) -> str:
    """Prints (position, word)."""
    stack = f"{seen.stack}_" if seen.stack else ""
    header = source.header(words=_places(words, drawn), stack=stack, part=seen.part)
    return header + bodies.VISIBILITY


def _places(words: Sequence[Word], drawn: Drawn) -> list[tuple[list[list[list[object]]], object]]:
    """For each word: where each of its pieces stands, and what is put there."""
    return [
        ([[[name, at] for name, at in places] for places in word.places], ids.tolist())
        for word, ids in zip(words, drawn, strict=True)
    ]


def head_effects(source: Source, position: int, word: int, calls: Sequence[int], heads: int) -> str:
    """Prints (layer, head)."""
    header = source.header(
        bodies.EDITING, position=position, word=word, calls=list(calls), heads=heads
    )
    return header + bodies.EDITED_ATTENTION + bodies.HEAD_EFFECTS


def edge_effects(source: Source, position: int, word: int, call: int, heads: int, keys: int) -> str:
    """Prints (head, key)."""
    header = source.header(
        bodies.EDITING, position=position, word=word, call=call, heads=heads, keys=keys
    )
    return header + bodies.EDITED_ATTENTION + bodies.EDGE_EFFECTS + bodies.PRINT_EFFECTS


def agreement(source: Source, position: int, word: int, call: int, heads: int, keys: int) -> str:
    """Prints one number."""
    header = source.header(
        bodies.EDITING, position=position, word=word, call=call, heads=heads, keys=keys
    )
    return header + bodies.EDITED_ATTENTION + bodies.EDGE_EFFECTS + bodies.AGREEMENT


def ffn_effects(
    source: Source, position: int, word: int, modules: Sequence[str], depth: int
) -> str:
    """Prints (layer,)."""
    header = source.header(position=position, word=word, modules=list(modules), depth=depth)
    return header + bodies.FFN_EFFECTS
