"""Where each block stands: one row for each kind, so that partners line up; what gestures do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from components.blocks.told import NAMES, SIDES, name_of
from components.theme import Colour
from components.words import msg, number, percent, sentences, t
from models.trace import Blueprint, ModelPart, Outcome, Rebuilt, rebuilt

ROWS: Sequence[tuple[str, ...]] = (
    ("words",), ("positions",), ("segments",), ("first norm",),
    ("attention", "lstm"), ("attention norm",), ("cross",), ("cross norm",),
    ("ffn", "dense of lstm"), ("ffn norm",),
    ("dense",), ("activation",), ("head norm", "last norm"), ("vocabulary",), ("softmax",),
)  # fmt: skip
ROW: Mapping[str, int] = {kind: i + 1 for i, kinds in enumerate(ROWS) for kind in kinds}
FRAME = (ROW["attention"], ROW["ffn norm"])
"""Rows of a layer."""
SORTS: Mapping[str, Sequence[str]] = {
    "embed": ("words", "positions", "segments"),
    "mix": ("attention", "cross", "lstm"),
    "each": ("ffn", "dense of lstm", "dense", "activation"),
    "norm": ("first norm", "attention norm", "cross norm", "ffn norm", "head norm", "last norm"),
    "out": ("vocabulary", "softmax"),
}
"""What blocks have in common: from position to position, each by itself …; drawn alike."""
TOWERS: Mapping[str, Sequence[str]] = {
    "seq": ("encoder", "decoder"),
    "bert": ("encoder",),
    "gpt": ("decoder",),
    "elmo": ("forward", "backward"),
}
TURNS: Mapping[str, tuple[str, str]] = {
    "bert": (msg("Take the decoder away"), "BERT"),
    "gpt": (msg("Take the encoder away"), "GPT"),
}
"""What a gesture is called, and what it makes."""


@dataclass(frozen=True)
class Drawn:
    """One model in the diagram."""

    name: str
    model: str
    colour: Colour
    blueprint: Blueprint | None = None
    note: str = ""
    """Why there are no blocks."""

    @property
    def family(self) -> str:
        """Its architecture; "" without blocks."""
        return self.blueprint.family if self.blueprint else ""


def key_of(drawn: Drawn, part: ModelPart) -> str:
    """A block's name in links and states: ``seq/decoder/cross``."""
    return f"{drawn.family}/{part.side or 'all'}/{part.kind.replace(' ', '-')}"


def once(blueprint: Blueprint) -> list[ModelPart]:
    """Every block once: of the layers, those of the first."""
    return [part for part in blueprint.parts if part.layer in (None, 0)]


def lanes(drawn: Drawn) -> list[dict[str, object]]:
    """The towers of a model, side by side."""
    found = drawn.blueprint
    if found is None:
        return []
    return [
        {
            "name": t(SIDES[side]),
            "times": f"× {number(found.layers(side))}",
            "last": ROW["ffn norm"] if side == "encoder" and drawn.family == "seq" else len(ROWS),
        }
        for side in TOWERS[found.family]
        if found.layers(side)
    ]


def cells(drawn: Drawn, turned: Mapping[str, Rebuilt]) -> list[dict[str, object]]:
    """The blocks of a model, each in its row and lane."""
    found = drawn.blueprint
    if found is None:
        return []
    towers = [side for side in TOWERS[found.family] if found.layers(side)]
    return [
        {
            **cell(drawn, part),
            "lane": _lane(part, found.family, towers),
            "wide": not part.side and found.family == "elmo",
            "fates": {name: _fate(part, drawn, name, one) for name, one in turned.items()},
        }
        for part in once(found)
    ]


def cell(drawn: Drawn, part: ModelPart) -> dict[str, object]:
    """What stands in a block."""
    return {
        "id": key_of(drawn, part),
        "row": ROW[part.kind],
        "sort": next(sort for sort, kinds in SORTS.items() if part.kind in kinds),
        "name": name_of(part),
        "size": size(part),
    }


def size(part: ModelPart) -> str:
    """How many numbers it has learned."""
    if part.parameters:
        return number(part.parameters)
    return t("shared") if any(each.shared for each in part.weights) else "–"


def _lane(part: ModelPart, family: str, towers: Sequence[str]) -> int:
    """Of a block that all towers share: the last one; ELMo's spans both."""
    if not part.side:
        return 0 if family == "elmo" else len(towers) - 1
    return towers.index(part.side)


def _fate(part: ModelPart, drawn: Drawn, name: str, one: Rebuilt) -> str:
    """What a gesture does to a block: ``kept``, ``moved``, ``gone``, ``added`` or nothing."""
    if drawn.family == "seq":
        if part in one.removed:
            return "gone"
        return "moved" if not part.side and name == "bert" else "kept"
    if drawn.family == name:
        return "added" if part in one.added else "kept"
    return ""


def turns(shown: Sequence[Drawn]) -> dict[str, Rebuilt]:
    """What the Transformer can be turned into here: where both models are there."""
    by_family = {drawn.family: drawn.blueprint for drawn in shown if drawn.blueprint}
    if (transformer := by_family.get("seq")) is None:
        return {}
    return {name: rebuilt(transformer, by_family[name]) for name in TURNS if name in by_family}


def gesture(name: str, one: Rebuilt, shown: Sequence[Drawn]) -> dict[str, object]:
    """A gesture's button, what it puts on, and what it says."""
    other = next(drawn for drawn in shown if drawn.family == name)
    transformer = next(drawn for drawn in shown if drawn.family == "seq")
    return {
        "name": name,
        "label": t(TURNS[name][0]),
        "title": t("The Transformer, turned into {name}", name=TURNS[name][1]),
        "lane": 0 if name == "bert" else 1,
        "ink": other.colour.text,
        "mark": other.colour.mark,
        "added": [cell(other, part) for part in one.added],
        "told": told(name, one, transformer, other),
    }


def told(name: str, one: Rebuilt, transformer: Drawn, other: Drawn) -> list[str]:
    """What was taken away, what is left, what is put on, and what differs; all counted."""
    if transformer.blueprint is None:
        return []
    added = sum(part.parameters for part in one.added)
    lines = [
        t(
            "Taken away: {count} blocks with {parameters} parameters, {share} of the "
            "Transformer’s.",
            count=number(len(one.removed)),
            parameters=number(one.gone),
            share=percent(one.gone / transformer.blueprint.parameters),
        ),
        t("Left, with a partner in {model}: {names}.", model=other.model, names=_list(one.kept)),
        t(
            "Put on: {names}; {parameters} parameters.",
            names=_list(one.added),
            parameters=number(added),
        ),
    ]
    if one.unlike:
        lines.append(_unlike(one, other))
    if name == "gpt":
        lines.append(
            t(
                "Our GPT keeps BERT’s head, so that the two differ in the mask alone; Radford et "
                "al. 2018 go from the last layer straight to the vocabulary."
            )
        )
    return lines


def _list(parts: Sequence[ModelPart]) -> str:
    return t(", ").join(dict.fromkeys(name_of(part) for part in parts))


def _unlike(one: Rebuilt, other: Drawn) -> str:
    """Partners that are trained apart, and not of one size."""
    pairs = (
        t("{name}: {mine} against {other}", name=name_of(a), mine=_facts(a), other=_facts(b))
        for a, b in one.unlike
    )
    return t(
        "Partners, not copies: {model} was trained by itself. They differ in {pairs}.",
        model=other.model,
        pairs=t("; ").join(pairs),
    )


def _facts(part: ModelPart) -> str:
    if part.kind == "ffn":
        return t(
            "{inner} numbers inside, {activation}",
            inner=number(part.inner),
            activation=part.activation,
        )
    if part.kind == "positions":
        return name_of(part)
    return t("{count} parameters", count=number(part.parameters))


def claim(name: str, one: Rebuilt, other: Drawn) -> tuple[Outcome, str, str]:
    """C1, judged: outcome, claim, and what was found. It can come out otherwise."""
    if other.blueprint is None:
        raise ValueError("no blocks")
    layer = {part.kind for part in other.blueprint.parts if part.layer == 0}
    kept = {part.kind for part in one.kept if part.layer == 0}
    left = {p.kind for p in one.kept if p.layer is not None}
    extra = sorted(layer - kept)
    outcome: Outcome = "opposite" if extra or not left else "supported"
    text = (
        t("A layer of BERT is a layer of the Transformer’s encoder; the decoder is gone.")
        if name == "bert"
        else t("A layer of GPT is a layer of the decoder without cross-attention.")
    )
    found = t(
        "{found} of {all} kinds of block in a layer of {model} have their partner.",
        found=number(len(layer & kept)),
        all=number(len(layer)),
        model=other.model,
    )
    missing = (
        t("Not in the Transformer: {names}.", names=t(", ").join(t(NAMES[k]) for k in extra))
        if extra
        else ""
    )
    return outcome, text, sentences(found, missing)
