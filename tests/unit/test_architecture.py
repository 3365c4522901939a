"""Architectures as blocks: nothing is left over, and every step is the model's own."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from models import architecture
from models.blueprints import Blueprint, first_layer, rebuilt
from models.building.parts import inputs_of
from models.building.steps import lstm, normed, split, walk
from models.building.towers import anatomy
from models.errors import Unusable
from models.results import Sentence
from models.snippets import auto_class
from tests.unit.kinds import KINDS
from tests.unit.test_snippets import ROOT, RUNNER

TEXT = "the cat was walking on the mat in paris"
SENTENCE = Sentence(TEXT, ((4, 7),))
CLOSE = {"rtol": 1e-4, "atol": 1e-4}


@pytest.fixture(scope="module")
def eager(kinds):
    """A network of its own for each kind, which nothing has been hooked on."""
    import transformers

    from models.elmo import ElmoForPreTraining

    found = {}
    for kind, model in kinds.items():
        name = auto_class(model.network)
        auto = getattr(transformers, name, ElmoForPreTraining)
        network = auto.from_pretrained(
            model.folder, dtype=torch.float32, attn_implementation="eager"
        )
        found[kind] = network.eval()
    return found


def seen_by(kinds, kind: str):
    model = kinds[kind]
    inputs = inputs_of(model, SENTENCE)
    found = anatomy(model.name, model.network)
    return found, inputs, walk(found, inputs)


@pytest.mark.parametrize("kind", KINDS)
def test_no_parameter_is_left_over_or_counted_twice(kinds, kind: str) -> None:
    found = architecture.blueprint(kinds[kind], SENTENCE)
    assert found.family == kind
    assert sum(part.parameters for part in found.parts) == found.parameters
    own = [each.name for part in found.parts for each in part.weights if not each.shared]
    assert len(own) == len(set(own))
    assert found.parameters == sum(p.numel() for p in kinds[kind].network.parameters())


@pytest.mark.parametrize("kind", KINDS)
def test_flops_are_those_that_torch_counts(kinds, eager, kind: str) -> None:
    found = architecture.blueprint(kinds[kind], SENTENCE)
    inputs = inputs_of(kinds[kind], SENTENCE).tensors
    # A fused LSTM is one call, of which the counter knows nothing.
    plain = torch.backends.mkldnn.flags(enabled=False)
    with torch.no_grad(), plain, FlopCounterMode(display=False) as counter:
        eager[kind](**inputs)
    assert found.flops == counter.get_total_flops()


@pytest.mark.parametrize("kind", KINDS)
def test_every_block_gives_what_its_module_gives(kinds, eager, kind: str) -> None:
    found = architecture.blueprint(kinds[kind], SENTENCE)
    inputs = inputs_of(kinds[kind], SENTENCE).tensors
    given: dict[str, torch.Tensor] = {}
    for name, module in eager[kind].named_modules():

        def note(_, __, output, name=name) -> None:
            given.setdefault(name, output[0] if isinstance(output, tuple) else output)

        module.register_forward_hook(note)
    with torch.no_grad():
        eager[kind](**inputs)
    compared = 0
    for part in found.parts:
        if not part.module or part.kind == "vocabulary":
            continue
        opened = architecture.open_part(kinds[kind], SENTENCE, part.kind, part.side, part.layer)
        output = given[part.module]
        expected = (output if output.dim() == 2 else output[0]).numpy()
        if part.side == "backward":  # it reads from the right
            expected = expected[::-1]
        np.testing.assert_allclose(opened.tensors[0].values, expected, **CLOSE)
        assert opened.tensors[0].spread.shape == expected.shape
        compared += 1
    assert compared >= len(found.parts) - 2


@pytest.mark.parametrize("kind", KINDS)
def test_the_end_of_the_way_is_the_models_own_answer(kinds, eager, kind: str) -> None:
    model = kinds[kind]
    inputs = inputs_of(model, SENTENCE).tensors
    with torch.no_grad():
        output = eager[kind](**inputs)
    logits = output["forward_logits" if kind in ("elmo", "lstm") else "logits"][0]
    for position in (0, 2, len(logits) - 1):
        path = architecture.token_path(model, SENTENCE, position)
        own = path.step("probabilities").rows[0].values
        np.testing.assert_allclose(own, logits[position].softmax(-1).numpy(), **CLOSE)
        assert own.sum() == pytest.approx(1, abs=1e-5)
        best = [candidate.token_id for candidate in path.best]
        assert own[best[0]] == pytest.approx(path.best[0].probability, rel=1e-4)


@pytest.mark.parametrize("kind", ["bert", "gpt", "seq"])
def test_scores_mask_and_weights_are_those_of_transformers(kinds, eager, kind: str) -> None:
    model = kinds[kind]
    inputs = inputs_of(model, SENTENCE).tensors
    with torch.no_grad():
        output = eager[kind](**inputs, output_attentions=True, output_hidden_states=True)
    attentions = output.get("decoder_attentions") or output["attentions"]
    states = output.get("decoder_hidden_states") or output["hidden_states"]
    layers = architecture.token_path(model, SENTENCE).layers
    for layer in range(layers):
        path = architecture.token_path(model, SENTENCE, 3, layer)
        weights = path.step("softmax").grid
        np.testing.assert_allclose(weights, attentions[layer][0][:, 3].numpy(), **CLOSE)
        np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-5)
        masked = path.step("mask").grid
        assert np.isneginf(masked).any() == (kind != "bert")
        assert (np.isneginf(masked) == (weights == 0)).all()
        assert path.visible == int(np.isfinite(masked[0]).sum())
        after = path.step("ffn norm").rows[-1].values
        np.testing.assert_allclose(after, states[layer + 1][0, 3].numpy(), **CLOSE)
        if kind == "seq":
            cross = path.step("cross").grid
            expected = output["cross_attentions"][layer][0][:, 3].numpy()
            np.testing.assert_allclose(cross, expected, **CLOSE)


@pytest.mark.parametrize("kind", ["bert", "gpt", "seq"])
def test_parts_sum_to_what_they_make(kinds, kind: str) -> None:
    found, _, seen = seen_by(kinds, kind)
    tower = found.towers[-1]
    layer, side = tower.layers[0], tower.side

    def of(name: str, layer: int | None = 0) -> torch.Tensor:
        return seen[side, layer, name]

    embedded = tower.scale * of("words", None) + of("positions", None)
    if tower.segments is not None:
        embedded = embedded + of("segments", None)
    torch.testing.assert_close(embedded, of("sum", None))
    # What the heads say, each through its own rows of the output matrix, and the bias.
    out = layer.attention.out
    columns = split(out.weight, layer.attention.heads)  # (head, out, d_head)
    apart = split(of("joined"), layer.attention.heads)
    parts = torch.einsum("hnd,hod->hno", apart, columns)
    torch.testing.assert_close(parts.sum(0) + out.bias, of("attention"), **CLOSE)
    torch.testing.assert_close(of("input") + of("attention"), of("attention sum"))
    torch.testing.assert_close(of("ffn norm"), normed(layer.ffn_norm, of("ffn sum")))
    # The logits: every number of the last state times its column of the vocabulary matrix.
    last = seen.get(("", None, "head norm"), seen[side, len(tower.layers) - 1, "ffn norm"])
    logits = (last[:, None] * found.head.weight[None]).sum(-1) + found.head.bias
    torch.testing.assert_close(logits, seen["", None, "logits"], **CLOSE)


def test_the_lstm_by_hand_is_torchs(kinds) -> None:
    network = kinds["elmo"].network
    layer, x = network.elmo.left_to_right.layers[0], torch.randn(5, network.config.hidden_size)
    with torch.inference_mode():
        expected = layer.lstm(x[None])[0][0]
        torch.testing.assert_close(lstm(layer, x)["lstm"], expected, **CLOSE)


def matched(kinds) -> tuple[Blueprint, Blueprint, Blueprint]:
    seq, bert, gpt = (architecture.blueprint(kinds[k], SENTENCE) for k in ("seq", "bert", "gpt"))
    return seq, bert, gpt


def test_without_its_decoder_the_transformer_is_bert(kinds) -> None:
    seq, bert, _ = matched(kinds)
    found = rebuilt(seq, bert)
    assert {part.side for part in found.kept} == {"encoder", ""}
    assert {part.side for part in found.removed} == {"decoder"}
    assert [part.kind for part in found.added] == [
        "segments", "first norm", "dense", "activation", "head norm",
    ]  # fmt: skip
    layer = {part.kind for part in bert.parts if part.layer == 0}
    assert layer <= {part.kind for part in found.kept}, "each block of BERT's layer was there"
    inside = [p for p in seq.parts if p.side == "decoder"]
    assert found.gone == sum(part.parameters for part in inside)
    assert len(found.removed) + len([p for p in seq.parts if p.side != "decoder"]) == len(seq.parts)


def test_without_its_encoder_and_cross_attention_it_is_gpt(kinds) -> None:
    seq, _, gpt = matched(kinds)
    found = rebuilt(seq, gpt)
    assert {part.side for part in found.kept} == {"decoder", ""}
    decoder = {part.kind for part in found.removed if part.side == "decoder"}
    assert decoder == {"cross", "cross norm"}
    words = seq.of("words", "encoder")
    own = [p.parameters for p in found.removed if p != words]
    assert words
    assert found.gone == sum(own), "the decoder goes on using the word vectors"
    mask = {part.kind: part.causal for part in found.kept}
    assert mask["attention"], "what is left looks to the left only"
    assert [one.kind for one, _ in found.unlike]


def test_what_is_alike_has_equal_shapes(kinds) -> None:
    _, bert, gpt = matched(kinds)
    found = rebuilt(bert, bert)  # BERT turned into itself
    assert not found.removed
    assert not found.added
    assert not found.unlike
    attention = bert.of("attention", "encoder"), gpt.of("attention", "decoder")
    assert [each.causal for each in attention if each] == [False, True]


def test_what_is_not_there_is_refused(kinds, tiny_roberta) -> None:
    with pytest.raises(Unusable):
        architecture.blueprint(tiny_roberta, SENTENCE)
    with pytest.raises(ValueError, match="cross"):
        architecture.open_part(kinds["bert"], SENTENCE, "cross", "encoder", 0)
    for position, layer in ((99, 0), (-1, 0), (0, 9)):
        with pytest.raises(ValueError, match="of"):
            architecture.token_path(kinds["bert"], SENTENCE, position, layer)


def test_it_can_be_given_up(kinds) -> None:
    def check() -> None:
        raise InterruptedError

    for kind in KINDS:
        with pytest.raises(InterruptedError):
            architecture.token_path(kinds[kind], SENTENCE, check=check)


@pytest.mark.parametrize("kind", KINDS)
def test_the_position_answers_for_the_hidden_word(kinds, kind: str) -> None:
    path = architecture.token_path(kinds[kind], SENTENCE)
    at = path.tokens.index("[MASK]") if kind == "bert" else path.tokens.index("cat") - 1
    assert path.position == at
    longest = architecture.token_path(kinds[kind], Sentence(TEXT))
    assert longest.tokens[longest.position + (kind != "bert")] == "paris"


@pytest.fixture(scope="module")
def programs(kinds) -> dict[str, str]:
    """Of each kind: all parameters, every block of the first layer, the way of one token."""
    found = {}
    for kind in KINDS:
        drawn = architecture.blueprint(kinds[kind], SENTENCE)
        found[f"{kind}/parameters"] = drawn.snippet
        for i, part in enumerate(first_layer(drawn.parts)):
            opened = architecture.open_part(kinds[kind], SENTENCE, part.kind, part.side, part.layer)
            found[f"{kind}/{i}"] = opened.snippet
        found[f"{kind}/path"] = architecture.token_path(kinds[kind], SENTENCE).snippet
    return found


@pytest.fixture(scope="module")
def printed(programs: dict[str, str]) -> dict[str, list[list[float]]]:
    """What they print, in one fresh process."""
    result = subprocess.run(
        [sys.executable, "-c", RUNNER, str(ROOT)],
        input=json.dumps(programs), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    found: dict[str, list[list[float]]] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_programs_print_what_is_shown(kinds, printed, kind: str) -> None:
    drawn = architecture.blueprint(kinds[kind], SENTENCE)
    counts, total = printed[f"{kind}/parameters"]
    assert counts == [part.parameters for part in drawn.parts]
    assert total == drawn.parameters
    for i, part in enumerate(first_layer(drawn.parts)):
        statistics, shape = printed[f"{kind}/{i}"]
        spread = (
            architecture.open_part(kinds[kind], SENTENCE, part.kind, part.side, part.layer)
            .tensors[0]
            .spread
        )
        expected = [spread.mean, spread.deviation, spread.high]
        np.testing.assert_allclose(statistics, expected, rtol=1e-3, atol=1e-4)
        assert tuple(shape) == spread.shape
    best = [word.probability for word in architecture.token_path(kinds[kind], SENTENCE).best]
    np.testing.assert_allclose(printed[f"{kind}/path"][0], best, atol=1e-4)
