"""The diagram to take away: every block as a row, and the picture for paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from components.blocks.layout import FRAME, ROW, ROWS, TOWERS, Drawn, once, size
from components.blocks.told import SIDES, formula, name_of
from components.pictures import SOFT, Picture, Svg
from components.takeaway import Column, Table, origin
from components.words import number, sentences, t
from models.trace import ModelPart

WIDE, TALL, GAP, MARGIN = 168, 44, 14, 32


def numbers(shown: Sequence[Drawn]) -> Table:
    """Every block of every layer."""
    return Table(
        columns=[
            Column("model", t("Model")),
            Column("tower", t("Tower")),
            Column("layer", t("Layer"), number),
            Column("block", t("Block")),
            Column("formula", t("Formula")),
            Column("shapes", t("Shapes")),
            Column("parameters", t("Parameters"), number),
            Column("flops", t("FLOPs"), number),
        ],
        rows=[row for drawn in shown for row in _rows(drawn)],
        note=t(
            "Tied weights count where they stand first. FLOPs are those of matrix products for "
            "this sentence."
        ),
    )


def _rows(drawn: Drawn) -> Iterator[tuple[object, ...]]:
    for part in drawn.blueprint.parts if drawn.blueprint else ():
        shapes = " ".join("x".join(map(str, each.shape)) for each in part.weights)
        yield (
            drawn.model, part.side or "all", part.layer, part.kind, formula(part), shapes,
            part.parameters, part.flops,
        )  # fmt: skip


def picture(shown: Sequence[Drawn], title: str) -> Svg:
    """All models side by side, blocks of a kind at one height."""
    there = [drawn for drawn in shown if drawn.blueprint]
    widths = [_width(drawn) for drawn in there]
    made = Picture(2 * MARGIN + sum(widths) + 2 * GAP * (len(there) - 1))
    top = made.lines(title, MARGIN, MARGIN + 16, size=20, room=800, most=2, font_weight="600")
    x = MARGIN
    for drawn, width in zip(there, widths, strict=True):
        _model(made, drawn, x, top + 24, width)
        x += width + 2 * GAP
    foot = top + 24 + 52 + TALL * len(ROWS) + 28
    about = sentences(*(origin(d.blueprint.provenance) for d in there if d.blueprint))
    room = made.width - 2 * MARGIN
    end = made.lines(about, MARGIN, foot, size=12, room=room, most=4, fill=SOFT)
    return made.finish(end + MARGIN - 16, _alt(title, there))


def _alt(title: str, there: Sequence[Drawn]) -> str:
    parts = (
        t(
            "{name}: {count} blocks, {parameters} parameters",
            name=drawn.name,
            count=number(len(drawn.blueprint.parts)),
            parameters=number(drawn.blueprint.parameters),
        )
        for drawn in there
        if drawn.blueprint
    )
    return " · ".join([title, *parts])


def _towers(drawn: Drawn) -> list[str]:
    found = drawn.blueprint
    return [side for side in TOWERS[drawn.family] if found and found.layers(side)]


def _width(drawn: Drawn) -> int:
    count = len(_towers(drawn))
    return count * WIDE + (count - 1) * GAP


def _model(made: Picture, drawn: Drawn, x: int, y: int, width: int) -> None:
    found, towers = drawn.blueprint, _towers(drawn)
    if found is None:
        return
    made.text(f"{drawn.name} · {drawn.model}", x, y, room=width, font_weight="600")
    first, last = FRAME
    top = y + 40
    for i, side in enumerate(towers):
        left = x + i * (WIDE + GAP)
        if len(towers) > 1:
            made.text(t(SIDES[side]), left + WIDE / 2, y + 24, size=12, text_anchor="middle")
        made.shape(
            "rect", x=left - 5, y=top + TALL * (first - 1) - 1, width=WIDE + 10,
            height=TALL * (last - first + 1), rx=8, fill="none", stroke=drawn.colour.mark,
        )  # fmt: skip
        times = f"× {number(found.layers(side))}"
        made.text(times, left + WIDE + 3, top + TALL * last + 11, size=11, text_anchor="end")
    for part in once(found):
        lane = towers.index(part.side) if part.side else 0 if drawn.family == "elmo" else -1
        left = x + (lane % len(towers)) * (WIDE + GAP)
        whole = not part.side and drawn.family == "elmo"
        _block(made, part, left, top + TALL * (ROW[part.kind] - 1), width if whole else WIDE)


def _block(made: Picture, part: ModelPart, x: float, y: float, width: int) -> None:
    made.shape(
        "rect", x=x, y=y + 3, width=width, height=TALL - 8, rx=6, fill="#FFFFFF", stroke=SOFT
    )
    middle = x + width / 2
    made.text(name_of(part), middle, y + 18, size=12, room=width - 8, text_anchor="middle",
              font_weight="600")  # fmt: skip
    made.text(size(part), middle, y + 32, size=11, fill=SOFT, text_anchor="middle")
