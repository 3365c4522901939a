"""What a checkpoint is: identities that hold for every family, whatever its weights."""

from __future__ import annotations

import pickle
from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoConfig

import models
from models import probing, tracing
from models.errors import CannotTrace
from models.measures.heads import head_statistics
from models.probing.needs import counted, quadratic
from models.probing.parts import place
from models.probing.records import Probe
from models.probing.tensors import singular_values
from models.probing.twin import eager_twin
from models.traces import ATTENTION, QUANTITIES
from models.tracing import trace
from tests.unit.kinds import build_kind
from tests.unit.probing_models import EVERY, MORE, model_of
from tests.unit.tracing_models import CONFIGS, OUTSIDE, TARGET, TEXT, build

INTERVENTIONS = 9
MORE_OUTSIDE = ("gemma2", "bloom")
"""Gemma 2 bends its scores, Bloom computes attention by code of its own."""


@pytest.fixture(scope="module")
def probes() -> dict[str, Probe]:
    return {}


def probed(family: str, kept: dict[str, Probe]) -> Probe:
    if family not in kept:
        kept[family] = probing.probe(model_of(family), TEXT)
    return kept[family]


@pytest.mark.parametrize("family", EVERY)
def test_tracing_computes_what_plain_eager_does(family: str, probes: dict[str, Probe]) -> None:
    found = probed(family, probes)
    assert found.parity <= 1e-5
    assert found.largest > 1e-3, "something was compared"
    assert found.broken == 0
    for kind in found.attention:
        assert kind.rows > 0
        assert kind.row_error <= 1e-5
        assert kind.broken == 0


@pytest.mark.parametrize("family", EVERY)
def test_causal_is_what_leaks_nothing(family: str, probes: dict[str, Probe]) -> None:
    found = probed(family, probes)
    of = {reach.watched: reach for reach in found.reaches}
    if found.objective == "denoising":
        assert of["decoder"].ahead == 0
        assert of["decoder"].back > 0
        assert of["cross"].ahead > 0, "the decoder notices the source"
        assert not of["encoder"].one_way
    elif found.objective == "causal" and family != "xlnet":
        assert of["whole"].ahead == 0
        assert of["whole"].one_way
        assert of["whole"].pairs > 10
    else:  # XLNet reads both ways where nobody gives it an order, whatever it was trained to do
        assert of["whole"].ahead > 0
        assert not of["whole"].one_way
    for kind in found.attention:
        if kind.kind == "decoder":
            assert not kind.looks_ahead
            assert kind.farthest


@pytest.mark.parametrize("family", EVERY)
def test_what_can_be_done_was_done(family: str, probes: dict[str, Probe]) -> None:
    found = probed(family, probes)
    assert [each.name for each in found.recorded] == list(QUANTITIES)
    assert len(found.changed) == INTERVENTIONS
    for each in found.recorded:
        assert bool(each.size) != bool(each.reason), each
    reasons = {each.name: each.reason for each in (*found.recorded, *found.changed)}
    if family in (*OUTSIDE, *MORE_OUTSIDE):
        assert reasons["SilenceHeads"] == "own attention"
        assert [n for n in ATTENTION if not reasons[n]] == ["weights"]
    else:
        assert not any(reasons[name] for name in ATTENTION)
        moved = {each.name: each.size for each in found.changed}
        assert moved["SilenceHeads"] > 0
    if family in (*OUTSIDE, *MORE):
        assert not found.known
        assert reasons["residual"] == reasons["NoSkip"] == "family"


@pytest.mark.parametrize("family", EVERY)
def test_parts_sum_up_to_the_whole(family: str) -> None:
    model = model_of(family)
    found = probing.part_sizes(model)
    assert sum(part.parameters for part in found.parts) == found.total
    assert found.total == sum(each.numel() for each in model.network.parameters())
    names = [name for part in found.parts for name in part.tensors]
    assert Counter(names) == Counter(name for name, _ in model.network.named_parameters())
    counted_layers = {(p.stack, p.layer) for p in found.parts if p.kind == "attention"}
    depth = probing.probe(model, TEXT).depth
    shared_layers = 1 if family == "albert" else None
    for stack, layers in depth.items():
        assert sum(at == stack for at, _ in counted_layers) == (shared_layers or layers)
    other = sum(part.parameters for part in found.parts if part.kind == "other")
    assert other <= 0.06 * found.total, "nearly everything has a name"


@pytest.mark.parametrize("kind", ["bert", "gpt", "seq", "elmo"])
def test_parts_are_those_of_the_blueprint(kind: str, tmp_path: Any) -> None:
    named = {
        "attention norm": "norm", "cross norm": "norm", "ffn norm": "norm", "first norm": "norm",
        "last norm": "norm", "lstm": "recurrent", "dense of lstm": "recurrent", "dense": "head",
        "head norm": "head", "vocabulary": "head", "activation": "head", "softmax": "head",
    }  # fmt: skip
    model = opened(kind, tmp_path)
    wanted: dict[str, int] = defaultdict(int)
    for part in models.blueprint(model, models.Sentence(TEXT)).parts:
        wanted[named.get(part.kind, part.kind)] += part.parameters
    found: dict[str, int] = defaultdict(int)
    for size in probing.part_sizes(model).parts:
        found[size.kind] += size.parameters
    assert {k: v for k, v in found.items() if v} == {k: v for k, v in wanted.items() if v}


def opened(kind: str, folder: Any) -> Any:
    from models.loading import open_model

    build_kind(kind, folder / kind)
    return open_model(f"{kind}-x", folder / kind)


@pytest.mark.parametrize("kind", ["bert", "gpt", "elmo"])
def test_products_are_those_of_the_blueprint(kind: str, tmp_path: Any) -> None:
    model = opened(kind, tmp_path)
    drawn = models.blueprint(model, models.Sentence(TEXT))
    found = probing.demands(model)
    assert found.at(len(drawn.source)) == drawn.flops
    assert found.disk == (tmp_path / kind / "model.safetensors").stat().st_size
    assert found.memory == 4 * drawn.parameters


@pytest.mark.parametrize("family", [each for each in EVERY if each != "xlnet"])
def test_products_grow_with_the_square(family: str) -> None:
    model = model_of(family)
    found = probing.demands(model)
    assert found.formula is not None
    _, linear, square = found.formula
    assert linear > 0
    assert square > 0
    assert found.at(24) == counted(eager_twin(model.network), 24), "a length nobody counted"


@pytest.mark.parametrize("family", ["bert", "llama", "t5", "gpt2", "modernbert"])
def test_an_empty_copy_counts_the_same(family: str) -> None:
    network = model_of(family).network
    assert counted(eager_twin(network, empty=True), 8) == counted(eager_twin(network), 8) > 0


def test_no_formula_where_there_is_none() -> None:
    assert quadratic([1, 2, 4, 8], [n**3 for n in (1, 2, 4, 8)]) is None
    assert quadratic([1, 2, 4, 8], [5 + 3 * n + 2 * n * n for n in (1, 2, 4, 8)]) == (5, 3, 2)
    assert quadratic([1, 2, 4], [1, 2, 3]) is None, "three points always lie on one"
    assert probing.demands(model_of("xlnet")).at(100) is None


def test_a_twin_is_eager_shares_its_numbers_and_leaves_the_model_alone() -> None:
    network = model_of("llama").network
    before = network.config._attn_implementation
    twin = eager_twin(network)
    assert twin.config._attn_implementation == "eager"
    assert network.config._attn_implementation == before
    pairs = zip(network.parameters(), twin.parameters(), strict=True)
    assert all(one.data_ptr() == two.data_ptr() for one, two in pairs)
    assert {p.device.type for p in eager_twin(network, empty=True).parameters()} == {"meta"}


def test_parity_would_show_a_wrong_attention(monkeypatch: pytest.MonkeyPatch) -> None:
    model = build("bert")
    right = probing.probe(model, TEXT)
    softmax = torch.softmax

    def wrong(*args: Any, **kwargs: Any) -> Any:
        return softmax(*args, **kwargs).mul_(0.9)

    monkeypatch.setattr(tracing.torch, "softmax", wrong)
    found = probing.probe(model, TEXT)
    assert right.parity < 1e-5
    assert found.parity > 1e-3
    assert found.attention[0].row_error == pytest.approx(0.1, abs=1e-6)


def test_a_decoder_without_its_mask_is_seen_to_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers.masking_utils import AttentionMaskInterface

    model = build("gpt2")

    def open_mask(*_: Any, **__: Any) -> None:
        return None

    monkeypatch.setitem(AttentionMaskInterface._global_mapping, tracing.NAME, open_mask)
    for module in model.network.modules():
        if hasattr(module, "is_causal"):
            module.is_causal = False
    found = probing.probe(model, TEXT)
    assert found.objective == "causal"
    assert found.reaches[0].ahead > 0
    assert not found.reaches[0].one_way
    assert found.parity > 1e-3, "and the plain pass, which has its mask, says something else"


@pytest.mark.parametrize(
    ("family", "schemes"),
    [
        ("bert", {"learned"}), ("roberta", {"learned"}), ("marian", {"sinusoids"}),
        ("t5", {"bias"}), ("llama", {"rotary"}), ("modernbert", {"rotary"}), ("phi", {"rotary"}),
        ("deberta-v2", {"learned", "relative"}), ("xlnet", {"relative"}), ("bloom", {"alibi"}),
        ("gpt_neo", {"learned"}), ("mbart", {"learned"}), ("opt", {"learned"}),
    ],
)  # fmt: skip
def test_position_schemes(family: str, schemes: set[str], probes: dict[str, Probe]) -> None:
    assert set(probed(family, probes).positions) == schemes
    for found in probing.places(model_of(family)):
        assert found.scheme in schemes
        assert found.values.size > 0


def test_a_table_of_zeros_is_none_and_then_no_order_is_known() -> None:
    model = build("bert")
    model.network.bert.embeddings.position_embeddings.weight.zero_()
    found = probing.probe(model, TEXT)
    assert found.positions == ("zero",)
    assert found.order < 1e-5
    assert probing.probe(build("bert"), TEXT).order > 1e-2


@pytest.mark.parametrize(
    ("family", "heads", "keys"),
    [("llama", 4, 2), ("mistral", 4, 2), ("bert", 4, 4), ("gemma", 4, 2), ("gpt_neo", 4, None)],
)
def test_groups_of_queries_are_measured(
    family: str, heads: int, keys: int | None, probes: dict[str, Probe]
) -> None:
    found = probed(family, probes).attention[0]
    assert (found.heads, found.key_heads) == (heads, keys)


def test_windows_are_declared_and_measured(probes: dict[str, Probe]) -> None:
    mistral, modern = probed("mistral", probes), probed("modernbert", probes)
    assert mistral.window == 4
    assert mistral.attention[0].farthest == (3, 3, 3)
    assert modern.attention[0].farthest == (9, 2, 2, 9)
    neo = probed("gpt_neo", probes)
    assert (neo.window, neo.attention[0].farthest) == (4, (8, 3))
    assert probed("qwen3", probes).window is None
    assert probed("bert", probes).window is None


def test_tied_is_measured(probes: dict[str, Probe]) -> None:
    assert probed("bert", probes).tied == "tied"
    assert probed("llama", probes).tied == "apart"
    model = build("llama")
    model.network.lm_head.weight.copy_(model.network.model.embed_tokens.weight)
    assert probing.probe(model, TEXT).tied == "equal"


@pytest.mark.parametrize("family", ["bert", "gpt2", "t5", "llama", "albert"])
def test_a_weight_is_all_there(family: str) -> None:
    model = model_of(family)
    tensors = dict(model.network.named_parameters())
    assert [each.name for each in probing.weight_names(model)] == list(tensors)
    for name, tensor in tensors.items():
        found = probing.weight(model, name)
        assert found.counts.sum() == tensor.numel()
        assert found.norm == pytest.approx(float(tensor.double().norm()), rel=1e-6)
        assert found.mean == pytest.approx(float(tensor.double().mean()), abs=1e-6)
        if found.singular.size:
            assert np.square(found.singular).sum() == pytest.approx(found.norm**2, rel=1e-6)
            assert (np.diff(found.singular) <= 0).all()


def test_singular_values_are_those_of_the_textbook() -> None:
    torch.manual_seed(1)
    for shape in ((7, 30), (30, 7), (1, 5)):
        matrix = torch.randn(*shape, dtype=torch.float64)
        found = singular_values(matrix)
        wanted = torch.linalg.svdvals(matrix).numpy() if min(shape) > 1 else np.zeros(0)
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_outliers_and_broken_numbers_are_found() -> None:
    model = build("bert")
    name = "bert.encoder.layer.0.intermediate.dense.weight"
    tensor = dict(model.network.named_parameters())[name]
    assert probing.weight(model, name).found == 0
    tensor[3] *= 30
    found = probing.weight(model, name)
    assert [(each.axis, each.index) for each in found.outliers] == [("row", 3)]
    assert found.outliers[0].deviations > 3
    tensor[0, 0] = float("nan")
    tensor[0, 1] = float("inf")
    found = probing.weight(model, name)
    assert found.broken == 2
    assert found.counts.sum() == tensor.numel() - 2
    assert np.isfinite(found.norm)


def test_neighbours_are_the_best_cosines() -> None:
    model = model_of("bert")
    found = probing.neighbours(model, "cat", 5)
    assert found is not None
    vectors = model.network.get_input_embeddings().weight.double()
    (own,) = model.tokenizer.convert_tokens_to_ids(["cat"])
    all_of = torch.cosine_similarity(vectors, vectors[own : own + 1]).numpy()
    words = [i for i in np.argsort(-all_of) if i >= 5 and i != own]
    assert [each.id for each in found.nearest] == words[:5]
    for each in found.nearest:
        assert each.cosine == pytest.approx(float(all_of[each.id]), abs=1e-6)
    assert probing.neighbours(model, " ") is None
    both = probing.neighbours(model, "cat dog")
    assert both is not None
    assert both.pieces == ("cat", "dog")


def test_rotations_begin_at_one_and_tables_are_the_weights() -> None:
    (rotary,) = probing.places(model_of("llama"))
    np.testing.assert_allclose(rotary.values[0], 1.0)
    np.testing.assert_allclose(rotary.values[1, 0], np.cos(1.0))
    (table,) = probing.places(model_of("bert"))
    weight = model_of("bert").network.bert.embeddings.position_embeddings.weight
    np.testing.assert_array_equal(table.values, weight.numpy())


def test_a_tokenizer_is_held_against_the_weights() -> None:
    model = build("bert")
    found = probing.cutting(model, "the cat xyz")
    assert found.unknown == 1
    assert (found.algorithm, found.entries, found.rows) == ("WordLevel", 25, 25)
    assert {each.role for each in found.specials} >= {"pad", "unk", "cls", "sep", "mask"}
    assert found.mismatches == ()
    config = AutoConfig.for_model("bert", **{**CONFIGS["bert"][1], "vocab_size": 40})
    config.pad_token_id = 3
    model.network.config = config
    wrong = {(each.what, each.role) for each in probing.cutting(model, TEXT).mismatches}
    assert wrong == {("rows beyond", ""), ("role", "pad")}


def test_every_head_over_several_sentences_is_the_mean_of_each() -> None:
    model = model_of("bert")
    found = probing.glance(model, [TEXT, "", TARGET])
    assert found.sentences == 2
    each = []
    for text in (TEXT, TARGET):
        seen = trace(model, text)
        ids = np.array([token.id for token in seen.stack.tokens])
        layers = [head_statistics(layer, ids) for layer in seen.stack.weights().astype(float)]
        each.append(np.stack([[of[name] for of in layers] for name in found.names]))
    at = found.names.index("previous")
    np.testing.assert_allclose(found.means[at], np.mean(each, axis=0)[at], atol=1e-9)
    spread = np.std(each, axis=0, ddof=1)[at] / np.sqrt(2)
    np.testing.assert_allclose(found.errors[at], spread, atol=1e-9)
    same = found.names.index("same_word")
    assert (found.counts[same] == 1).all(), "only the first sentence has a word twice"
    assert np.isnan(found.errors[same]).all()


def test_a_look_at_heads_can_be_watched_and_given_up() -> None:
    told: list[tuple[int, int]] = []
    probing.glance(model_of("bart"), [TEXT] * 3, "cross", lambda *at: told.append(at))
    assert told == [(0, 3), (1, 3), (2, 3)]
    calls = 0

    def check() -> None:
        nonlocal calls
        calls += 1
        if calls > 3:
            raise models.Cancelled

    with pytest.raises(models.Cancelled):
        probing.glance(model_of("bert"), [TEXT] * 9, check=check)
    with pytest.raises(ValueError, match="no sentence"):
        probing.glance(model_of("bert"), [" "])


def test_records_are_plain_and_sources_stay_whole() -> None:
    model = model_of("qwen2")
    before = {n: t.clone() for n, t in model.network.named_parameters()}
    found = [probing.probe(model, TEXT), probing.part_sizes(model), probing.demands(model),
             probing.cutting(model, TEXT), probing.glance(model, [TEXT])]  # fmt: skip
    assert pickle.loads(pickle.dumps(found))[0] == found[0]
    for name, tensor in model.network.named_parameters():
        assert torch.equal(tensor, before[name])


def test_elmo_has_no_heads_and_reads_each_way_with_one_half(tmp_path: Any) -> None:
    model = opened("elmo", tmp_path)
    found = probing.probe(model, TEXT)
    of = {reach.watched: reach for reach in found.reaches}
    assert of["forward"].ahead == 0 < of["forward"].back
    assert of["backward"].back == 0 < of["backward"].ahead
    assert found.attention == ()
    assert found.positions == ("recurrent",)
    assert {each.reason for each in found.recorded if each.name in ATTENTION} == {"no attention"}
    assert probing.attention_kinds(model) == ()
    with pytest.raises(CannotTrace):
        probing.glance(model, [TEXT])


def test_a_text_too_long_or_too_short() -> None:
    found = probing.probe(model_of("bert"), " ".join([TEXT] * 9))
    assert len(found.tokens) <= 24
    assert found.text and found.text in " ".join([TEXT] * 9)
    one = probing.probe(replace(model_of("gpt2"), max_tokens=8), "cat")
    assert one.reaches[0].pairs == 1


def test_where_a_parameter_belongs() -> None:
    network = model_of("t5").network
    assert place(network, "decoder.block.1.layer.1.EncDecAttention.q.weight") == (
        "cross", "decoder", 1)  # fmt: skip
    assert place(network, "encoder.final_layer_norm.weight") == ("norm", "encoder", None)
    assert place(network, "shared.weight")[0] == "words"
