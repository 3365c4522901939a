"""Answers at one position: what runs there alone gives what a run at all positions gives."""

from __future__ import annotations

import pytest
import torch

from models.inputs import read
from models.interventions import NoFeedForward
from models.runs import BY_ROW, answers
from models.tracing import NAME
from models.wiring import blocks, prepare
from tests.unit.tracing_models import CONFIGS, FAMILIES, TARGET, TEXT, build, build_network, shared

FLAT = {"opt", "opt-postnorm"}  # their blocks run over (batch · position)


@pytest.mark.parametrize("family", CONFIGS)
@pytest.mark.parametrize("position", [0, 2])
def test_as_a_network_that_nobody_prepared(family: str, position: int) -> None:
    tensors = read(shared(family), TEXT, target=TARGET).tensors
    rows = {name: tensor.repeat(3, 1) for name, tensor in tensors.items()}
    rows["input_ids"][1, 1] = 7
    found = answers(shared(family).network, rows, [position])
    with torch.inference_mode():
        logits = build_network(family)(**rows).logits[:, [position]]
    torch.testing.assert_close(found, logits.double().log_softmax(-1), atol=1e-5, rtol=0)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("edit", [None, NoFeedForward((0,))])
def test_the_last_feed_forward_network_runs_at_that_position_alone(
    family: str, edit: BY_ROW | None
) -> None:
    model = build(family)
    tensors = read(model, TEXT, target=TARGET).tensors
    wiring = prepare(model.network, NAME)
    assert wiring.anatomy
    tower = wiring.anatomy.towers[wiring.stacks[-1]]
    down = blocks(model.network, tower)[-1].get_submodule(tower.block.down)
    widths: list[int] = []
    down.register_forward_pre_hook(lambda _, args: widths.append(args[0][..., 0].numel()))
    answers(model.network, tensors, [1], None if edit is None else [(edit,)])
    length = list(tensors.values())[-1].shape[1]
    assert widths[-1] == (length if edit or family in FLAT else 1)
