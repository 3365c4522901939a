"""A model as blocks: which there are, with what weights, and what each costs to compute."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from torch import nn

from models.blueprints import Blueprint, Kind, ModelPart, Side, Weights
from models.building import snippets
from models.building.towers import Anatomy, Layer, Recurrent, Tower, anatomy
from models.inputs import Inputs, read
from models.results import Sentence
from models.snippets import Source
from models.traces import Token

if TYPE_CHECKING:
    from models.loading import Model


def blueprint(model: Model, sentence: Sentence) -> Blueprint:
    """A model as blocks; see `models.architecture.blueprint`."""
    inputs = inputs_of(model, sentence)
    found = anatomy(model.name, model.network)
    parts = tuple(parts_of(model, found, inputs))
    return Blueprint(
        model=model.name,
        family=family_of(found),
        parts=parts,
        parameters=sum(weights.numel() for weights in model.network.parameters()),
        source=labels(inputs.tokens),
        target=labels(inputs.target_tokens),
        width=found.head.weight.shape[1],
        provenance=model.provenance,
        snippet=snippets.parameters(Source.of(model, sentence.text, inputs.tensors), parts),
    )


def inputs_of(model: Model, sentence: Sentence) -> Inputs:
    """What a model reads of a sentence; a decoder reads it with no word hidden."""
    if model.has_decoder:
        return read(model, sentence, target=sentence.text)
    return read(model, sentence)


def labels(tokens: tuple[Token, ...]) -> tuple[str, ...]:
    """Tokens as a reader writes them."""
    return tuple(token.text for token in tokens)


def family_of(found: Anatomy) -> str:
    """Which architecture it is."""
    if found.recurrent:
        return "elmo" if len(found.recurrent) > 1 else "lstm"
    if len(found.towers) > 1:
        return "seq"
    return "gpt" if found.towers[0].causal else "bert"


def parts_of(model: Model, found: Anatomy, inputs: Inputs) -> Iterator[ModelPart]:
    """All blocks in order, each parameter in the first that has it."""
    owners: dict[int, str] = {}
    for part in _all(model, found, inputs):
        weights = []
        for each in part.weights:
            tensor = id(model.network.get_parameter(each.name))
            weights.append(replace(each, owner=owners.get(tensor, "")))
            owners.setdefault(tensor, each.name)
        yield replace(part, weights=tuple(weights))


def _all(model: Model, found: Anatomy, inputs: Inputs) -> Iterator[ModelPart]:
    n = inputs.tensors["input_ids"].shape[1]
    memory = 0
    for tower in found.towers:
        decodes = tower.side == "decoder" and len(found.towers) > 1
        count = inputs.tensors["decoder_input_ids"].shape[1] if decodes else n
        yield from _tower(model.network, tower, count, memory)
        memory = count
    if found.recurrent:
        yield _part(model.network, "words", "", None, "elmo.embeddings", 0)
    for one in found.recurrent:
        yield from _recurrent(model.network, one, n)
    yield from _head(model, found, memory or n)


def _part(
    network: nn.Module,
    kind: Kind,
    side: Side,
    layer: int | None,
    module: str,
    count: int,
    **facts: Any,
) -> ModelPart:
    """A block that is one module; every matrix in it is multiplied with `count` vectors."""
    weights = _weights(network, module)
    flops = sum(2 * count * each.count for each in weights if len(each.shape) > 1)
    return ModelPart(kind, side, layer, module, weights, flops, **facts)


def _weights(network: nn.Module, *modules: str) -> tuple[Weights, ...]:
    """Shapes of all parameters in some modules."""
    return tuple(
        Weights(f"{module}.{name}", tuple(tensor.shape))
        for module in modules
        for name, tensor in network.get_submodule(module).named_parameters()
    )


def _tower(network: nn.Module, tower: Tower, n: int, memory: int) -> Iterator[ModelPart]:
    kinds: tuple[Kind, ...] = ("words", "positions", "segments", "first norm")
    for kind in kinds:
        if kind in tower.names:  # looking a vector up multiplies nothing
            yield _part(network, kind, tower.side, None, tower.names[kind], 0)
    for i, layer in enumerate(tower.layers):
        yield from _layer(network, tower, layer, i, n, memory)


def _layer(
    network: nn.Module, tower: Tower, layer: Layer, i: int, n: int, memory: int
) -> Iterator[ModelPart]:
    name_of: Callable[[nn.Module], str] = _names(network, layer.path)

    def norm(kind: Kind) -> ModelPart:
        return _part(network, kind, tower.side, i, f"{layer.path}.{layer.names[kind]}", 0)

    def attention(kind: Kind) -> ModelPart:
        own = layer.cross if kind == "cross" else layer.attention
        if own is None:
            raise KeyError(kind)
        keys = memory if kind == "cross" else n
        matrices = own.query, own.key, own.value, own.out
        weights = _weights(network, *(name_of(each) for each in matrices))
        wide = own.query.out_features
        counts = n, keys, keys, n
        products = sum(2 * c * m.weight.numel() for c, m in zip(counts, matrices, strict=True))
        return ModelPart(
            kind, tower.side, i, f"{layer.path}.{layer.names[kind]}", weights,
            products + 2 * 2 * n * keys * wide,  # queries · keys, weights · values
            heads=own.heads, causal=tower.causal and kind == "attention",
        )  # fmt: skip

    yield attention("attention")
    yield norm("attention norm")
    if layer.cross is not None:
        yield attention("cross")
        yield norm("cross norm")
    weights = _weights(network, name_of(layer.expand), name_of(layer.contract))
    flops = sum(2 * n * each.count for each in weights if len(each.shape) > 1)
    yield ModelPart(
        "ffn", tower.side, i, f"{layer.path}.{layer.names['ffn']}", weights, flops,
        inner=layer.expand.out_features, activation=activation_name(layer.activation),
    )  # fmt: skip
    yield norm("ffn norm")


def _names(network: nn.Module, path: str) -> Callable[[nn.Module], str]:
    """The full name of a module inside of another."""
    names = {id(m): f"{path}.{name}" for name, m in network.get_submodule(path).named_modules()}
    return lambda module: names[id(module)]


def activation_name(activation: object) -> str:
    """GELU, ReLU …: as torch and transformers call their classes."""
    return type(activation).__name__.removesuffix("Activation")


def _recurrent(network: nn.Module, one: Recurrent, n: int) -> Iterator[ModelPart]:
    for i, layer in enumerate(one.stack.layers):
        at = f"{one.path}.layers.{i}"
        inner = layer.lstm.hidden_size  # type: ignore[union-attr]
        yield _part(network, "lstm", one.side, i, f"{at}.lstm", n, inner=inner)
        yield _part(network, "dense of lstm", one.side, i, f"{at}.dense", n)
    yield _part(network, "last norm", one.side, None, f"{one.path}.norm", 0)


def _head(model: Model, found: Anatomy, n: int) -> Iterator[ModelPart]:
    network, head, names = model.network, found.head, found.head.names
    if head.dense is not None:
        yield _part(network, "dense", "", None, names["dense"], n)
        act = activation_name(head.activation)
        yield _part(network, "activation", "", None, names["activation"], 0, activation=act)
        yield _part(network, "head norm", "", None, names["head norm"], 0)
    ways = max(1, len(found.recurrent))
    if found.recurrent:
        weights = (
            Weights("elmo.embeddings.weight", tuple(head.weight.shape)),
            Weights("bias", tuple(head.bias.shape)),
        )
        flops = 2 * n * ways * head.weight.numel()
        yield ModelPart("vocabulary", "", None, "", weights, flops)
    else:
        yield _part(network, "vocabulary", "", None, names["vocabulary"], n)
    yield ModelPart("softmax", "", None, "", (), 0)
