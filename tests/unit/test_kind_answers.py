"""Every kind of model answers at a blank: equal to plain transformers, blind where it must be."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from transformers import (
    AutoModel,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForPreTraining,
    AutoModelForSeq2SeqLM,
    PreTrainedModel,
)

import models
from models.answering.two_way import unigram_log_p
from models.elmo import ElmoForPreTraining, ElmoModel
from models.errors import FilesMissing, Unusable
from models.gaps import Gapped
from models.loading import Model
from models.one_blank import one_blank, ranks
from models.prediction import predict
from models.results import Blank, Sentence, View
from models.tracing import trace
from models.training.characters import FORM_TOKENS, tokenizer_of
from models.training.characters import SPECIAL as VERSE_SPECIAL
from tests.unit.kinds import KINDS, OBJECTIVES, build_kind
from tests.unit.weird import WEIRD

TEXT = "the cat was walking on the mat in paris"
ONE = Sentence(TEXT, ((27, 30),))  # mat
SEVERAL = Sentence(TEXT, ((4, 7), (12, 19), (27, 30)))  # cat, walk ##ing, mat
AUTO = {
    "bert": AutoModelForMaskedLM,
    "gpt": AutoModelForCausalLM,
    "elmo": AutoModelForPreTraining,
    "lstm": AutoModelForPreTraining,
    "seq": AutoModelForSeq2SeqLM,
}


def plain(kind: str, model: Model) -> PreTrainedModel:
    """The folder as anyone would load it."""
    return AUTO[kind].from_pretrained(model.folder, dtype=torch.float32).eval()


def ids_of(model: Model, text: str) -> list[int]:
    return list(model.tokenizer.convert_tokens_to_ids(text.split()))


@torch.inference_mode()
def log_p(kind: str, network: PreTrainedModel, model: Model, left: str, right: str) -> torch.Tensor:
    """The answer between two texts of whole word pieces, by plain calls; ELMo's are two."""
    before = [model.tokenizer.cls_token_id, *ids_of(model, left)]
    after = [*ids_of(model, right), model.tokenizer.sep_token_id]
    mask = [model.tokenizer.mask_token_id]
    if kind == "bert":
        logits = network(torch.tensor([before + mask + after])).logits[0, len(before)]
    elif kind == "gpt":
        logits = network(torch.tensor([before])).logits[0, -1]
    elif kind == "seq":
        source = torch.tensor([before + mask + after])
        decoder = torch.tensor([before])
        logits = network(input_ids=source, decoder_input_ids=decoder).logits[0, -1]
    else:
        seen = network(torch.tensor([before + mask + after]))  # neither model reads this mask
        ways = [seen.forward_logits[0, len(before) - 1]]
        if kind == "elmo":
            ways.append(seen.backward_logits[0, len(before) + 1])
        logits = torch.stack(ways)
    return logits.double().log_softmax(-1)


def distribution(model: Model, blank: Blank | View) -> np.ndarray:
    """What was answered, by id; words only."""
    found = np.zeros(len(model.vocabulary.is_word))
    for candidate in blank.candidates:
        found[candidate.token_id] = candidate.probability
    return found


def everything(model: Model, sentence: Sentence) -> tuple[Blank, ...]:
    return predict(model, sentence, top_k=model.vocabulary.words).blanks


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_known_by_its_folder(kinds, kind):
    assert kinds[kind].objective == OBJECTIVES[kind]
    assert {p.dtype for p in kinds[kind].network.parameters()} == {torch.float32}


@pytest.mark.parametrize("kind", ["bert", "gpt", "lstm", "seq"])
def test_an_answer_is_that_of_plain_transformers(kinds, kind):
    model = kinds[kind]
    expected = log_p(kind, plain(kind, model), model, "the cat was walk ##ing on the", "in paris")
    (blank,) = everything(model, ONE)
    words = model.vocabulary.is_word
    np.testing.assert_allclose(
        np.log(distribution(model, blank)[words]), expected.flatten().numpy()[words], atol=1e-5
    )
    assert blank.candidates[blank.original_rank - 1].text == "mat"
    entropy = -(expected.exp() * expected).sum() / math.log(2)
    assert blank.entropy_bits == pytest.approx(float(entropy), abs=1e-5)


def test_elmo_answers_from_the_left_from_the_right_and_from_both(kinds):
    model, words = kinds["elmo"], kinds["elmo"].vocabulary.is_word
    network = plain("elmo", model)
    ways = log_p("elmo", network, model, "the cat was walk ##ing on the", "in paris").numpy()
    (blank,) = everything(model, ONE)
    assert [view.way for view in blank.views] == ["forward", "backward"]
    for view, expected in zip(blank.views, ways, strict=True):
        np.testing.assert_allclose(
            np.log(distribution(model, view)[words]), expected[words], atol=1e-5
        )
    counts = torch.arange(len(words)).numpy() * 7 % 31 + 1
    both = (ways.sum(0) - np.log(counts / counts.sum()))[words]
    both -= np.log(np.exp(both).sum())
    found = distribution(model, blank)
    np.testing.assert_allclose(np.log(found[words]), both, atol=1e-5)
    assert found.sum() == pytest.approx(1, abs=1e-9)
    assert blank.original_probability == found[ids_of(model, "mat")[0]]


def test_add_one_counts_are_a_distribution(kinds):
    assert np.exp(unigram_log_p(kinds["elmo"])).sum() == pytest.approx(1)


# --- guesses


@pytest.mark.parametrize("kind", ["gpt", "lstm", "seq"])
def test_earlier_blanks_hold_the_models_own_best_words(kinds, kind):
    model = kinds[kind]
    one, two, three = predict(model, SEVERAL).blanks
    assert one.guesses == ()
    assert [(g.blank, g.word) for g in two.guesses] == [(0, one.best)]
    assert [(g.blank, g.word) for g in three.guesses] == [(0, one.best), (1, two.best)]
    pieces = model.reader.spell((one.best.token_id, two.best.token_id))
    left = f"the {pieces[0]} was {pieces[1]} on the"
    if kind != "seq":  # there, the encoder reads all three masks
        expected = log_p(kind, plain(kind, model), model, left, "").flatten().exp()
        found = float(expected[three.best.token_id])
        assert three.best.probability == pytest.approx(found, abs=1e-6)


def test_elmos_models_guess_on_their_own_side(kinds):
    one, two, three = predict(kinds["elmo"], SEVERAL).blanks
    forward, backward = two.views
    assert [(g.blank, g.word) for g in forward.guesses] == [(0, one.views[0].best)]
    assert [(g.blank, g.word) for g in backward.guesses] == [(2, three.views[1].best)]
    assert two.guesses == forward.guesses + backward.guesses
    assert one.views[0].guesses == three.views[1].guesses == ()


def test_bert_needs_no_guesses(kinds):
    assert not any(blank.guesses or blank.views for blank in predict(kinds["bert"], SEVERAL).blanks)


@pytest.mark.parametrize("kind", ["gpt", "lstm", "elmo", "seq"])
def test_models_that_read_one_way_never_read_a_mask(kinds, kind):
    model = kinds[kind]
    read: list[int] = []
    embeddings = {
        "gpt": lambda n: n.bert.embeddings.word_embeddings,
        "seq": lambda n: n.model.decoder.embed_tokens,
    }.get(kind, lambda n: n.elmo.embeddings)(model.network)
    seen = embeddings.register_forward_pre_hook(lambda _, args: read.extend(args[0].flatten()))
    try:
        text = "[MASK] cat sat on [MASK] mat [MASK]"
        source = {"seq": ["the [MASK]"]}.get(kind, [text])
        predict(model, Sentence(text, ((7, 10),)))
        assert read
        if kind != "seq":  # the encoder shares this table, and it reads masks
            assert model.tokenizer.mask_token_id not in read
        for one in source:
            stack = trace(model, one, "hidden_states", target="a [MASK] sat").stack
            assert model.tokenizer.mask_token_id not in [token.id for token in stack.tokens]
            assert "[MASK]" not in [token.text for token in stack.tokens]
    finally:
        seen.remove()


def test_a_hidden_word_is_hidden_from_the_decoder_too(kinds):
    first, second = "the cat was walking on the mat", "the dog was walking on the mat"
    spans = ((4, 7), (12, 19), (27, 30))
    a, b = (predict(kinds["seq"], Sentence(text, spans)) for text in (first, second))
    assert [blank.candidates for blank in a.blanks] == [blank.candidates for blank in b.blanks]


# --- words of several pieces


@pytest.mark.parametrize("kind", ["gpt", "lstm", "elmo", "seq"])
def test_several_pieces_by_the_chain_rule(kinds, kind):
    model, sentence = kinds[kind], Sentence(TEXT, ((12, 19),))
    (blank,) = predict(model, sentence).blanks
    assert (blank.pieces, blank.original_rank) == (("walk", "##ing"), None)
    network = plain(kind, model)
    walk, ing = ids_of(model, "walk ##ing")
    left, right = "the cat was", "on the mat in paris"
    if kind == "seq":
        source = torch.tensor([ids_of(model, f"[CLS] {left} [MASK] {right} [SEP]")])
        decoder = torch.tensor([[*ids_of(model, f"[CLS] {left}"), walk]])
        with torch.inference_mode():
            logits = network(input_ids=source, decoder_input_ids=decoder).logits[0, -2:]
        scores = logits.double().log_softmax(-1)
        total = scores[0, walk] + scores[1, ing]
    else:
        first = log_p(kind, network, model, left, right).reshape(-1, len(model.tokenizer))[0]
        then = log_p(kind, network, model, f"{left} walk", right)
        total = first[walk] + then.reshape(-1, len(model.tokenizer))[0, ing]
    if kind != "elmo":
        assert math.log(blank.original_probability) == pytest.approx(float(total), abs=1e-5)
        return
    assert blank.original_probability is None  # the two combined: no softmax over such words
    forward, backward = blank.views
    assert math.log(forward.original_probability) == pytest.approx(float(total), abs=1e-5)
    last = log_p(kind, network, model, left, right)[1, ing]  # the backward model spells backwards
    before = log_p(kind, network, model, left, f"##ing {right}")[1, walk]
    expected = float(last + before)
    assert math.log(backward.original_probability) == pytest.approx(expected, abs=1e-5)


# --- what must not matter


@pytest.mark.parametrize("kind", ["gpt", "lstm"])
def test_what_stands_to_the_right_does_not_matter(kinds, kind):
    sentences = [Sentence(f"the cat [MASK] {right}") for right in ("", "on mat", "!!! paris")]
    answers = {predict(kinds[kind], sentence).blanks[0].candidates for sentence in sentences}
    assert len(answers) == 1


def test_each_of_elmos_models_is_blind_on_one_side(kinds):
    texts = ("the cat [MASK] on mat", "the cat [MASK] in paris", "my dog [MASK] in paris")
    a, b, c = (predict(kinds["elmo"], Sentence(text)).blanks[0].views for text in texts)
    assert a[0] == b[0] != c[0]
    assert a[1] != b[1] == c[1]


@given(text=WEIRD, cuts=st.lists(st.tuples(st.integers(0, 119), st.integers(1, 30)), max_size=4))
@hypothesis_settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("kind", ["gpt", "elmo", "seq"])
def test_any_text_with_any_spans_is_answered(kinds, kind, text, cuts):
    spans = tuple((a, min(a + n, len(text))) for a, n in cuts if a < len(text))
    for blank in predict(kinds[kind], Sentence(text, spans), top_k=2).blanks:
        assert len(blank.candidates) == 2
        assert 0 <= blank.entropy_bits <= math.log2(len(kinds[kind].vocabulary.is_word))


# --- the one-blank test


@pytest.mark.parametrize("kind", KINDS)
def test_one_blank_is_asked_of_every_kind_alike(kinds, kind):
    items = [Sentence(TEXT, (span,)) for span in ((4, 7), (27, 30), (12, 19))]
    answers = one_blank(kinds[kind], items)
    assert [len(answer.candidates) for answer in answers] == [5, 5, 5]
    assert [answer.original for answer in answers] == ["cat", "mat", "walking"]
    found = ranks(answers)
    assert found[:2].tolist() == [answer.original_rank for answer in answers[:2]]
    assert found[2] == np.inf  # several pieces
    for number, way in enumerate(("forward", "backward") if kind == "elmo" else ()):
        expected = [answer.views[number].original_rank for answer in answers[:2]]
        assert ranks(answers, way)[:2].tolist() == expected


def test_one_blank_takes_one_blank(kinds):
    for item in (SEVERAL, Sentence(TEXT)):
        with pytest.raises(ValueError, match="blanks in"):
            one_blank(kinds["gpt"], [item])


# --- refusals and forms


def test_elmo_loads_like_any_other_model(kinds):
    model = kinds["elmo"]
    whole = AutoModelForPreTraining.from_pretrained(model.folder, dtype=torch.float32)
    base = AutoModel.from_pretrained(model.folder, dtype=torch.float32)
    assert isinstance(whole, ElmoForPreTraining) and isinstance(base, ElmoModel)
    ids = torch.tensor([ids_of(model, "[CLS] the cat sat [SEP]")])
    for ours, theirs in zip(
        model.network(ids).hidden_states, base.eval()(ids).hidden_states, strict=True
    ):
        torch.testing.assert_close(ours, theirs)


def test_elmo_without_counts_cannot_combine(kinds, tmp_path):
    stranger = replace(kinds["elmo"], folder=tmp_path)
    with pytest.raises(FilesMissing) as refusal:
        predict(stranger, ONE)
    assert refusal.value.missing == ("unigram.json",)


@pytest.mark.parametrize("kind", ["gpt", "elmo", "lstm", "seq"])
def test_what_takes_a_masked_model_is_refused(kinds, kind):
    for ask in (models.fill_jointly, models.longer_answers, models.lens, models.head_steps):
        with pytest.raises(Unusable) as refusal:
            ask(kinds[kind], ONE)
        assert refusal.value.reason == "mask"
    for ask in (models.pseudo_perplexity, models.corrupt):
        with pytest.raises(Unusable):
            ask(kinds[kind], TEXT)


def test_parts_are_what_stands_between_blanks(kinds):
    model = kinds["elmo"]
    parts = [" ".join(model.reader.spell(part)) for part in Gapped.of(model, SEVERAL).parts()]
    assert parts == ["[CLS] the", "was", "on the", "in paris [SEP]"]


# --- verse


@pytest.fixture(scope="module")
def verse_model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    tokenizer = tokenizer_of([*VERSE_SPECIAL, *FORM_TOKENS, *"，。白日依山盡髮發來為海流入"])
    return build_kind("elmo", tmp_path_factory.mktemp("verse"), tokenizer)


def test_a_model_of_verse_reads_taiwans_characters_whatever_was_typed(verse_model):
    text = "白日依山尽，[MASK]海发来。"
    answer = predict(verse_model, Sentence(text, ((4, 5), (13, 14))))
    assert [blank.original for blank in answer.blanks] == ["尽", None, "发"]  # as it was typed
    assert answer.blanks[0].pieces == ("盡",)
    assert answer.blanks[2].pieces in (("發",), ("髮",))
    assert answer.rewritten and not answer.unknown
    assert not predict(verse_model, Sentence("白日依山盡")).rewritten


def test_the_token_of_a_form_keeps_its_meaning(verse_model):
    reading = verse_model.reader.read("[五绝]白日", 100, 64)
    assert verse_model.reader.spell(reading.ids) == ("[CLS]", "[五絕]", "白", "日", "[SEP]")
    assert reading.offsets[1] == (0, 4)
    assert verse_model.reader.spell(verse_model.reader.read("[SEP]", 9, 9).ids)[1] != "[SEP]"
    assert models.visible_words(verse_model, Sentence("[五絕]白日")) == ((4, 5), (5, 6))
