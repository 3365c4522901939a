"""What the diagram of the architectures says is counted, and can come out otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from components.blocks import Drawn
from components.blocks.detail import detail, short_names, statistics
from components.blocks.exports import numbers, picture
from components.blocks.layout import ROW, cells, claim, told, turns
from components.blocks.told import does, formula, name_of, products
from components.theme import BERT, ELMO, ENCODER_DECODER, GPT
from components.token_path import exports as path_exports
from components.token_path.names import formula as step_formula
from components.token_path.told import told as step_told
from models import architecture
from models.blueprints import rebuilt
from models.results import Sentence

SENTENCE = Sentence("the cat was walking on the mat in paris", ((4, 7),))
COLOURS = {"seq": ENCODER_DECODER, "bert": BERT, "gpt": GPT, "elmo": ELMO}


@pytest.fixture(scope="module")
def drawn(kinds) -> dict[str, Drawn]:
    return {
        kind: Drawn(kind.upper(), kind, colour, architecture.blueprint(kinds[kind], SENTENCE))
        for kind, colour in COLOURS.items()
    }


def test_the_products_shown_are_the_flops_counted(drawn) -> None:
    checked = set()
    for each in drawn.values():
        for part in each.blueprint.parts:
            shown = products(part, each.blueprint)
            if part.flops or shown:
                said = shown.replace("·", "*").replace("²", "**2")
                assert eval(said) == part.flops, part  # noqa: S307 - our own words
                checked.add(part.kind)
    assert checked == {
        "attention", "cross", "ffn", "lstm", "dense of lstm", "dense", "vocabulary",
    }  # fmt: skip


def test_every_block_has_words_and_a_row(drawn) -> None:
    for each in drawn.values():
        for part in each.blueprint.parts:
            assert name_of(part) and formula(part) and does(part)
            assert part.kind in ROW
    assert [cell["id"] for cell in cells(drawn["gpt"], {})][4] == "gpt/decoder/attention"


def test_claims_come_out_either_way(drawn) -> None:
    transformer, bert, elmo = drawn["seq"], drawn["bert"], drawn["elmo"]
    one = turns([transformer, bert])["bert"]
    outcome, _, found = claim("bert", one, bert)
    assert outcome == "supported"
    assert "4 of 4 kinds" in found
    # An LSTM is no encoder: nothing of its layer has a partner.
    other = rebuilt(transformer.blueprint, elmo.blueprint)
    outcome, _, found = claim("bert", other, elmo)
    assert outcome == "opposite"
    assert "0 of 2 kinds" in found
    assert "Not in the Transformer: Linear & add, LSTM." in found


def test_what_a_gesture_says_is_counted(drawn) -> None:
    shown = list(drawn.values())
    made = turns(shown)
    lines = told("bert", made["bert"], drawn["seq"], drawn["bert"])
    inside = [p for p in drawn["seq"].blueprint.parts if p.side == "decoder"]
    assert f"{len(inside)} blocks with {sum(p.parameters for p in inside):,}" in lines[0]
    assert any("Radford" in line for line in told("gpt", made["gpt"], drawn["seq"], drawn["gpt"]))
    assert turns([drawn["bert"], drawn["gpt"]]) == {}


def test_an_open_block(kinds, drawn) -> None:
    opened = architecture.open_part(kinds["seq"], SENTENCE, "cross", "decoder", 0)
    found = detail(opened, drawn["seq"].blueprint, "Transformer", 0)
    sizes = [tensor["size"] for tensor in found["tensors"]]
    assert len(found["values"]) == sum(heads * rows * n for heads, rows, n in sizes)
    assert abs(found["values"]).max() <= 1
    weights = next(t for t in found["tensors"] if t["name"] == "Weights")
    assert not weights["signed"]
    assert short_names(opened.part)[0] == "q_proj.weight"
    masked = architecture.open_part(kinds["gpt"], SENTENCE, "attention", "decoder", 0).tensors[4]
    assert all("inf" not in value for _, value in statistics(masked.spread))


def test_what_can_be_taken_away(kinds, drawn) -> None:
    table = numbers(list(drawn.values()))
    assert len(table.rows) == sum(len(each.blueprint.parts) for each in drawn.values())
    found = picture([*drawn.values(), Drawn("none", "none", BERT, note="not here")], "Blocks")
    assert found.markup.count("<rect") > 50
    assert f"BERT: {len(drawn['bert'].blueprint.parts)} blocks" in found.alt


@pytest.mark.parametrize("kind", list(COLOURS))
def test_every_step_is_told_with_its_numbers(kinds, kind: str) -> None:
    layers = architecture.token_path(kinds[kind], SENTENCE).layers
    for layer in range(layers):
        path = architecture.token_path(kinds[kind], SENTENCE, layer=layer)
        for step in path.steps:
            assert step_told(step, path)
            assert step_formula(step)
            assert "nan" not in step_told(step, path)
    table = path_exports.numbers(path)
    assert {row[0] for row in table.rows} == {step.name for step in path.steps}
    assert "<svg" in path_exports.picture(path, kind, COLOURS[kind]).markup


def test_a_mask_is_told_as_it_is(kinds) -> None:
    path = architecture.token_path(kinds["gpt"], SENTENCE, position=2)
    assert "it may look at 3 of" in step_told(path.step("mask"), path)
    path = architecture.token_path(kinds["bert"], SENTENCE, position=2)
    assert "Nothing is masked" in step_told(path.step("mask"), path)
    wide = replace(path, visible=1)
    assert "it may look at 1 of" in step_told(path.step("mask"), wide)
