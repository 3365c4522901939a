"""A block opened, for the diagram: its words, numbers, tensors and code."""

from __future__ import annotations

import numpy as np

from components.blocks.told import DOES, NAMES, SIDES, does, formula, name_of, products
from components.words import fixed, msg, number, percent, sentences, t
from models.trace import BlockTensor, Blueprint, ModelPart, OpenPart, Spread

__all__ = ["DOES", "NAMES", "detail", "shape", "statistics", "tensor_name"]

TENSORS = {
    "output": msg("What it gives"),
    "sum": msg("Sum of the vectors"),
    "query": msg("Queries"),
    "key": msg("Keys"),
    "value": msg("Values"),
    "masked": msg("Scores, masked"),
    "weights": msg("Weights"),
    "joined": msg("Heads, joined"),
    "attention sum": msg("The sum before"),
    "cross sum": msg("The sum before"),
    "ffn sum": msg("The sum before"),
    "expand": msg("Expanded"),
    "activation": msg("Activated"),
    "cell": msg("Cells"),
    "gates": msg("Gates: input, forget, candidate, output"),
    "forward": msg("From the left"),
    "backward": msg("From the right"),
}


def tensor_name(tensor: BlockTensor) -> str:
    """What a tensor is called; of cross-attention as of attention."""
    name = tensor.name
    return t(TENSORS[name if name in TENSORS else name.removeprefix("cross ")])


def detail(opened: OpenPart, blueprint: Blueprint, model: str, layer: int) -> dict[str, object]:
    """All that is shown of an open block.

    Args:
        opened: From `models.open_part`.
        blueprint: Of its model.
        model: The model's name for a reader.
        layer: Which layer was asked for, from 0.
    """
    part = opened.part
    layers = blueprint.layers(part.side) if part.layer is not None else 0
    values, tensors = _tensors(opened)
    return {
        "title": title(part, model),
        "formula": formula(part),
        "told": does(part),
        "layers": [t("Layer {layer}", layer=number(i + 1)) for i in range(layers)],
        "layer": layer,
        "facts": facts(part, blueprint),
        "tensors": tensors,
        "values": values,
        "weights": [
            [name, " × ".join(map(str, each.shape)), _count(each.count, each.shared)]
            for name, each in zip(short_names(part), part.weights, strict=True)
        ],
        "code": opened.lines.rstrip(),
    }


def short_names(part: ModelPart) -> list[str]:
    """The weights' names without what all of them begin with; the whole of one is in the code."""
    names = [each.name.split(".") for each in part.weights]
    common = 0
    while names and all(
        len(name) > common + 2 and name[common] == names[0][common] for name in names
    ):
        common += 1
    return [".".join(name[common:]) for name in names]


def title(part: ModelPart, model: str) -> str:
    """Which block of which model."""
    where = [model]
    if part.side:
        where.append(t(SIDES[part.side]))
    if part.layer is not None:
        where.append(t("Layer {layer}", layer=number(part.layer + 1)))
    return " · ".join([*where, name_of(part)])


def facts(part: ModelPart, blueprint: Blueprint) -> list[list[str]]:
    """Parameters and FLOPs, with their shares of the model's."""
    share = part.parameters / blueprint.parameters
    cost = part.flops / (blueprint.flops or 1)
    found = [
        [
            t("Parameters"),
            t("{count} ({share} of the model)", count=number(part.parameters), share=_share(share)),
        ],
        [
            t("FLOPs for this sentence"),
            t("{count} ({share} of the model)", count=number(part.flops), share=_share(cost)),
        ],
    ]
    if counted := products(part, blueprint):
        found.append([t("Counted as"), counted])
    if part.heads:
        wide = blueprint.width // part.heads
        found.append(
            [t("Heads"), t("{count} of width {wide}", count=number(part.heads), wide=number(wide))]
        )
    return found


def _share(share: float) -> str:
    return percent(share, 1 if 0 < share < 0.1 else 0)


def _count(count: int, shared: bool) -> str:
    return t("{count}, shared", count=number(count)) if shared else number(count)


def _tensors(opened: OpenPart) -> tuple[np.ndarray, list[dict[str, object]]]:
    """All numbers in one row, from −1 to 1 (weights as they are), and how each is to be drawn."""
    values, found, start = [], [], 0
    for each in opened.tensors:
        array = each.values if each.values.ndim == 3 else each.values[None]
        finite = np.where(np.isfinite(array), array, np.nan)
        signed = bool((finite < 0).any())
        most = np.nanmax(abs(finite)) or 1.0
        values.append((finite / most).astype(np.float32).ravel())
        heads, rows, columns = array.shape
        found.append(
            {
                "name": tensor_name(each),
                "shape": shape(each),
                "size": [heads, rows, columns],
                "start": start,
                "signed": signed,
                "rows": list(each.rows),
                "columns": list(each.columns),
                "facts": statistics(each.spread),
                "scale": t("The strongest colour is {most}.", most=short(float(most))),
                "alt": alt(each),
            }
        )
        start += array.size
    return np.concatenate(values), found


def alt(tensor: BlockTensor) -> str:
    """A picture of a tensor in words."""
    return sentences(
        t("{name}: {shape}.", name=tensor_name(tensor), shape=shape(tensor)),
        t("{low} to {high}.", low=short(tensor.spread.low), high=short(tensor.spread.high)),
    )


def shape(tensor: BlockTensor) -> str:
    """12 tokens × 256; 4 heads × 12 × 12; with how much of it the picture shows."""
    whole = tensor.spread.shape
    if len(whole) == 3:
        heads, rows, columns = map(number, whole)
        return t("{heads} heads × {rows} tokens × {columns} tokens",
                 heads=heads, rows=rows, columns=columns)  # fmt: skip
    rows, columns = map(number, whole)
    if tensor.columns:
        return t(
            "{rows} tokens × {columns} entries, shown are {shown}",
            rows=rows, columns=columns, shown=number(len(tensor.columns)),
        )  # fmt: skip
    return t("{rows} tokens × {columns} numbers", rows=rows, columns=columns)


def statistics(spread: Spread) -> list[list[str]]:
    """How its numbers lie."""
    return [
        [t("Mean"), short(spread.mean)],
        [t("Standard deviation"), short(spread.deviation)],
        [t("Smallest"), short(spread.low)],
        [t("Largest"), short(spread.high)],
        [t("Below zero"), percent(spread.negative)],
    ]


def short(value: float) -> str:
    """Three decimals of small numbers, fewer of large ones, a power of ten of tiny ones."""
    if value and abs(value) < 0.0005:
        return f"{value:.1e}".replace("-", "−")
    return fixed(value, 3 if abs(value) < 1 else 2 if abs(value) < 100 else 0)
