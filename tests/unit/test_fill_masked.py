"""Named words, longer answers, joint fill, sentences, lens, head and loss, on tiny real models."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from transformers import pipeline

import models
from models import fills, masked
from models.assembly import CannotTrace
from models.interventions import BypassHead
from models.loading import Model
from models.masked import asking, joint, longer
from models.masked.named import MOST_PIECES, MOST_WORDS, listed
from models.prediction import predict
from models.results import Candidate, Sentence
from models.tracing import trace
from tests.unit.tracing_models import CONFIGS, FAMILIES, OUTSIDE, TEXT, build_network, shared
from tests.unit.weird import WEIRD

MASKED = tuple(f for f in FAMILIES if CONFIGS[f][0] == "masked")
SHARED_FIXTURE = [HealthCheck.function_scoped_fixture]  # the model never changes
BLANKS = "the [MASK] sat on the [MASK] in [MASK] ."


@pytest.fixture(params=["tiny-bert", "tiny-roberta"])
def tiny(request: pytest.FixtureRequest) -> Model:
    """A word-piece and a byte-level tokenizer."""
    model: Model = request.getfixturevalue(request.param.replace("-", "_"))
    return model


def log_p(model: Model, ids: list[int], place: int) -> np.ndarray:
    with torch.inference_mode():
        logits = model.network(torch.tensor([ids])).logits[0, place]
    return logits.double().log_softmax(-1).numpy()


def blank_ids(model: Model, text: str) -> list[int]:
    return list(model.reader.read(text, 1000, 60).ids)


# --- words that a visitor names


@pytest.mark.parametrize("text", ["The [MASK] sat on the mat.", "[MASK] is good", "a big [MASK]"])
def test_named_words_equal_the_prediction(tiny: Model, text: str) -> None:
    (blank,) = predict(tiny, Sentence(text), top_k=tiny.vocabulary.words).blanks
    found = models.score_words(tiny, Sentence(text), "cat, dog / garden")
    by_id = {c.token_id: (i, c) for i, c in enumerate(blank.candidates)}
    assert [word.text for word in found.words] == ["cat", "dog", "garden"]
    for word in found.words:
        if len(word.pieces) > 1:
            continue
        place, candidate = by_id[word.token_id]
        assert word.probability == pytest.approx(candidate.probability, rel=1e-5)
        assert word.rank == place + 1
        assert word.surprisal_bits == pytest.approx(-np.log2(candidate.probability), rel=1e-4)
    assert any(len(word.pieces) == 1 for word in found.words)
    total = sum(word.probability for word in found.words)
    for word in found.words:
        assert word.share == pytest.approx(word.probability / total)


@pytest.mark.parametrize("word", ["cat", "walking", "unhappyable", "garden"])
def test_naming_the_original_gives_the_originals_numbers(tiny: Model, word: str) -> None:
    text = f"she was {word} in the garden"
    hidden = Sentence(text, ((8, 8 + len(word)),))
    (blank,) = predict(tiny, hidden).blanks
    (named,) = models.score_words(tiny, hidden, [word]).words
    assert named.pieces == blank.pieces
    assert named.rank == blank.original_rank
    assert named.probability == pytest.approx(blank.original_probability, rel=1e-5)


def test_a_word_of_several_pieces_has_no_rank_and_is_said_to_mix(tiny_bert: Model) -> None:
    found = models.score_words(tiny_bert, Sentence("the cat was [MASK]"), "walking, red")
    assert found.mixed_lengths
    several, single = found.words
    assert (several.pieces, several.rank, several.token_id) == (("walk", "##ing"), None, None)
    assert single.rank is not None
    assert several.share + single.share == pytest.approx(1)
    assert not models.score_words(tiny_bert, Sentence("a [MASK]"), "cat, dog").mixed_lengths


def test_every_kind_of_input_has_an_outcome(tiny_bert: Model) -> None:
    words = [
        "",
        "  ",
        "cat",
        "\u2603",
        "[MASK]",
        "a" * 101,
        "q" * (MOST_PIECES + 1),
        "[SEP]",
        "##ing",
    ]
    found = models.score_words(tiny_bert, Sentence("the [MASK] sat"), words).words
    assert [word.outcome for word in found] == [
        "empty", "empty", "scored", "unknown", "mask", "too_long", "too_long", "scored", "scored",
    ]  # fmt: skip
    assert [word.text for word in found] == [word.strip() for word in words]
    for word in found:
        numbers = (word.probability, word.surprisal_bits, word.share)
        assert (None in numbers) == (word.outcome != "scored")
    assert found[-1].pieces == ("##ing",)
    assert found[-2].token_id is None  # a typed "[SEP]" is text, never the special token


def test_a_long_list_is_cut_and_says_so(tiny_bert: Model) -> None:
    words = ["cat", "dog"] * MOST_WORDS
    found = models.score_words(tiny_bert, Sentence("the [MASK] sat"), words).words
    outcomes = [word.outcome for word in found]
    assert outcomes == ["scored"] * MOST_WORDS + ["left_out"] * MOST_WORDS
    assert found[0] == found[2]
    assert found[0].share + found[1].share == pytest.approx(1)  # named twice, counted once


def test_a_word_wider_than_the_model_is_too_long(tiny_bert: Model) -> None:
    full = "the " * 61 + "[MASK]"  # 64 positions with [CLS] and [SEP]
    first, second = models.score_words(tiny_bert, Sentence(full), "cat, walking").words
    assert (first.outcome, second.outcome) == ("scored", "too_long")


@given(word=WEIRD)
@hypothesis_settings(max_examples=40, deadline=None, suppress_health_check=SHARED_FIXTURE)
def test_any_word_may_be_named(tiny: Model, word: str) -> None:
    found = models.score_words(tiny, Sentence("un[MASK] [MASK]!"), word, blank=1)
    for one in found.words:
        assert one.outcome in fills.Outcome.__args__
    models.score_words(tiny, Sentence("un[MASK] [MASK]!"), [word], blank=0)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("he/she", ("he", "she")),
        ("is, are", ("is", "are")),
        ("貓、狗，鳥", ("貓", "狗", "鳥")),
        (" one ; two\nthree|one", ("one", "two", "three")),
        (",", (",",)),
        ("  ", ()),
        ("New York", ("New York",)),
    ],
)
def test_a_list_is_read_as_people_type_it(typed: str, words: tuple[str, ...]) -> None:
    assert listed(typed) == words


def test_there_must_be_such_a_blank(tiny_bert: Model) -> None:
    for ask in (
        lambda s: models.score_words(tiny_bert, s, "cat", blank=1),
        lambda s: models.longer_answers(tiny_bert, s, blank=1),
        lambda s: models.lens(tiny_bert, s, blank=1),
        lambda s: models.head_steps(tiny_bert, s, blank=-1),
    ):
        with pytest.raises(ValueError, match="blank"):
            ask(Sentence("the [MASK] sat"))


# --- answers longer than one piece

NEEDS = 0.1
"""Random models rarely expect a continuation."""


def brute_force(model: Model, text: str, pieces: int) -> dict[tuple[int, ...], float]:
    """log p of every word of so many pieces that may be answered, by trying all."""
    place = blank_ids(model, text).index(model.mask_id)
    ids = blank_ids(model, text)
    wide = ids[:place] + [model.mask_id] * pieces + ids[place + 1 :]
    begins, continues = longer._entries(model.vocabulary)
    found: dict[tuple[int, ...], float] = {(): 0.0}
    for i in range(pieces):
        grown = {}
        for before, score in found.items():
            row = log_p(model, wide[:place] + list(before) + wide[place + i :], place + i)
            if i and np.exp(row[continues]).sum() < longer.NEEDS:
                continue
            for word in np.flatnonzero(continues if i else begins):
                grown[(*before, int(word))] = score + row[word]
        found = grown
    return found


def test_longer_answers_are_the_best_of_all(tiny_bert: Model, monkeypatch: Any) -> None:
    monkeypatch.setattr(longer, "FIRST", 10_000)
    monkeypatch.setattr(longer, "WIDTH", 10_000)
    monkeypatch.setattr(longer, "NEEDS", NEEDS)
    text = "she was [MASK] in the garden"
    found = models.longer_answers(tiny_bert, Sentence(text), top_k=6).two
    scores = brute_force(tiny_bert, text, 2)
    fits = [
        ids
        for ids in sorted(scores, key=lambda ids: -scores[ids])
        if longer._is_spelling(tiny_bert, text, (8, 14), ids)
    ]
    assert len(found) == 6
    assert [one.ids for one in found] == fits[:6]
    for one in found:
        assert np.log(one.probability) == pytest.approx(scores[one.ids], abs=1e-4)


def test_longer_answers_are_marked_and_scored_by_the_chain_rule(
    tiny: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(longer, "NEEDS", NEEDS)
    sentence = Sentence("she was [MASK] in the garden")
    found = models.longer_answers(tiny, sentence, top_k=3)
    assert found.two and found.three
    for pieces, answers in ((2, found.two), (3, found.three)):
        assert [one.probability for one in answers] == sorted(
            (one.probability for one in answers), reverse=True
        )
        for one in answers:
            assert len(one.ids) == len(one.pieces) == len(one.piece_probabilities) == pieces
            assert len(one.goes_on) == pieces - 1 and min(one.goes_on) >= longer.NEEDS
            (named,) = models.score_words(tiny, sentence, [one.text]).words
            assert named.pieces == one.pieces  # the tokenizer itself would cut it like that
            assert named.probability == pytest.approx(one.probability, rel=1e-4)
            assert one.text.isalnum()
            assert 1 <= one.first_rank <= tiny.vocabulary.words


def test_a_model_that_is_full_has_no_room_for_longer_answers(tiny_bert: Model) -> None:
    found = models.longer_answers(tiny_bert, Sentence("the " * 61 + "[MASK]"))
    assert (found.two, found.three) == ((), ())


# --- several blanks


@pytest.mark.parametrize("family", MASKED)
def test_joint_fill_of_one_blank_is_the_independent_one(family: str) -> None:
    model, sentence = shared(family), Sentence("the cat [MASK] on the mat")
    found = models.fill_jointly(model, sentence)
    (blank,) = predict(model, sentence, top_k=5).blanks
    assert found.joint == found.independent
    assert found.joint.words[0].token_id == blank.best.token_id
    assert found.joint.score == pytest.approx(np.log(blank.best.probability), abs=1e-5)
    beam = [found.joint, *found.alternatives]
    assert [fill.words[0].token_id for fill in beam] == [c.token_id for c in blank.candidates]
    assert (found.joint.other_order, found.difference.changed, found.difference.gain) == (
        None,
        (),
        0,
    )


def scored_by_hand(model: Model, text: str, words: list[int], order: tuple[int, ...]) -> float:
    ids = blank_ids(model, text)
    places = [i for i, id_ in enumerate(ids) if id_ == model.mask_id]
    total = 0.0
    for blank in order:
        total += log_p(model, ids, places[blank])[words[blank]]
        ids[places[blank]] = words[blank]
    return total


@pytest.mark.parametrize("family", ["bert", "distilbert"])
def test_scores_are_sums_in_fill_order_and_the_other_order_is_the_best_other(family: str) -> None:
    model = shared(family)
    found = models.fill_jointly(model, Sentence(BLANKS))
    assert found.spans == tuple((i, i + 6) for i in range(len(BLANKS)) if BLANKS[i] == "[")
    for fill in (found.joint, found.independent):
        words = [word.token_id for word in fill.words]
        scores = {
            order: scored_by_hand(model, BLANKS, words, order)
            for order in itertools.permutations(range(3))
        }
        assert fill.score == pytest.approx(scores.pop(fill.order), abs=1e-4)
        assert fill.other_score == pytest.approx(max(scores.values()), abs=1e-4)
        assert fill.other_score == pytest.approx(scores[fill.other_order], abs=1e-4)
        chained = sum(np.log(word.probability) for word in fill.words)
        assert chained == pytest.approx(fill.score, abs=1e-6)


def test_a_wide_beam_finds_the_best_of_all_fills() -> None:
    model, text = shared("bert"), "the [MASK] sat [MASK]"
    ids = blank_ids(model, text)
    places = [i for i, id_ in enumerate(ids) if id_ == model.mask_id]
    is_word = model.vocabulary.is_word
    rows = [np.where(is_word, log_p(model, ids, place), -np.inf) for place in places]
    first = int(np.argmax([row.max() for row in rows]))
    best = -np.inf
    for word in np.flatnonzero(is_word):
        filled = list(ids)
        filled[places[first]] = int(word)
        then = log_p(model, filled, places[1 - first])[is_word].max()
        best = max(best, rows[first][word] + then)
    found = models.fill_jointly(model, Sentence(text), beam=model.vocabulary.words)
    assert found.joint.score == pytest.approx(best, abs=1e-5)
    assert found.joint.score >= found.independent.score - 1e-6
    assert found.difference.gain == pytest.approx(found.joint.score - found.independent.score)


def test_the_difference_names_the_blanks_that_changed() -> None:
    a, b, c = (Candidate(t, i, 0.5, False) for i, t in enumerate("abc"))
    together = fills.Fill((a, b), (0, 1), -1.0, None, None)
    alone = fills.Fill((a, c), (1, 0), -1.5, None, None)
    found = joint.difference(together, alone)
    assert found == fills.Difference((1,), -1.0, -1.5)
    assert (found.gain, found.times) == (0.5, pytest.approx(np.exp(0.5)))


def test_no_blank_and_too_many_blanks() -> None:
    model = shared("bert")
    none = models.fill_jointly(model, Sentence("the cat sat"))
    assert (none.spans, none.joint.words, none.joint.score, none.left_out) == ((), (), 0, 0)
    many = models.fill_jointly(model, Sentence("[MASK] " * 14), beam=2)
    assert len(many.joint.words) == joint.MOST_BLANKS and many.left_out == 2
    assert many.joint.other_order is None  # too many orders to look at


# --- whole sentences


@pytest.mark.parametrize("family", ["bert", "albert", "roberta"])
def test_pseudo_perplexity_equals_a_loop_over_fill_mask(family: str) -> None:
    model = shared(family)
    found = models.pseudo_perplexity(model, TEXT)
    fill: Any = pipeline("fill-mask", model=build_network(family), tokenizer=model.tokenizer)
    words = TEXT.split()
    logs = []
    for i, word in enumerate(words):
        hidden = " ".join([*words[:i], "[MASK]", *words[i + 1 :]])
        (answer,) = fill(hidden, targets=[word])
        logs.append(np.log(answer["score"]))
    assert [word.text for word in found.words] == words
    np.testing.assert_allclose([word.nats for word in found.words], -np.array(logs), atol=1e-4)
    assert found.total == pytest.approx(sum(logs), abs=1e-3)
    assert found.pseudo_perplexity == pytest.approx(np.exp(-np.mean(logs)), rel=1e-4)
    assert found.pieces == len(words)


def test_whole_words_are_hidden_at_once_and_their_pieces_chained(tiny_bert: Model) -> None:
    text = "she was walking"
    found = models.pseudo_perplexity(tiny_bert, text)
    word = found.words[2]
    assert (word.span, word.text, word.pieces) == ((8, 15), "walking", ("walk", "##ing"))
    (blank,) = predict(tiny_bert, Sentence(text, ((8, 15),))).blanks
    assert word.nats == pytest.approx(-np.log(blank.original_probability), abs=1e-5)
    assert found.pieces == 4
    assert found.total == pytest.approx(-sum(w.nats for w in found.words))
    assert found.pseudo_perplexity == pytest.approx(np.exp(-found.total / 4))


def test_what_cannot_be_spelled_or_is_hidden_is_not_counted(tiny_bert: Model) -> None:
    found = models.pseudo_perplexity(tiny_bert, "the \u2603 [MASK] sat")
    assert [word.nats is None for word in found.words] == [False, True, False]
    assert found.unknown == ("\u2603",)
    assert found.pieces == 2
    for empty in ("", "  ", "\u2603", "[MASK]"):
        nothing = models.pseudo_perplexity(tiny_bert, empty)
        assert (nothing.pieces, nothing.total, nothing.pseudo_perplexity) == (0, 0, None)


def test_a_long_text_is_cut_and_named(tiny_bert: Model) -> None:
    text = "the cat sat " * 40
    found = models.pseudo_perplexity(tiny_bert, text)
    assert len(found.words) == 62  # 64 positions less [CLS] and [SEP]
    assert text[found.read :] == found.cut != ""


def test_two_sentences_against_each_other(tiny_bert: Model) -> None:
    first, second = "The cat is happy.", "the dog is good, happy."
    found = models.compare_sentences(tiny_bert, first, second)
    assert found.difference == pytest.approx(found.first.total - found.second.total)
    shown = [
        (
            None if row.first is None else found.first.words[row.first].text,
            None if row.second is None else found.second.words[row.second].text,
            row.same,
        )
        for row in found.rows
    ]
    assert shown == [
        ("The", "the", True), ("cat", "dog", False), ("is", "is", True), (None, "good", False),
        (None, ",", False), ("happy", "happy", True), (".", ".", True),
    ]  # fmt: skip
    assert not found.same_length
    back = models.compare_sentences(tiny_bert, second, first)
    assert back.difference == pytest.approx(-found.difference)
    same = models.compare_sentences(tiny_bert, first, first)
    assert same.difference == 0 and all(row.same for row in same.rows) and same.same_length


# --- lens and head


@pytest.mark.parametrize("family", MASKED)
def test_the_lens_ends_in_the_prediction(family: str) -> None:
    model, sentence = shared(family), Sentence(TEXT, ((8, 11),))
    found = models.lens(model, sentence, top_k=5)
    (blank,) = predict(model, sentence, top_k=5).blanks
    last = found.layers[-1]
    assert [c.token_id for c in last.best] == [c.token_id for c in blank.candidates]
    assert last.original_rank == blank.original_rank
    assert last.original_probability == pytest.approx(blank.original_probability, abs=1e-5)
    assert last.entropy_bits == pytest.approx(blank.entropy_bits, abs=1e-4)
    assert found.original == "sat"
    assert len(found.layers) == model.network.config.num_hidden_layers + 1
    assert all(len(layer.best) == 5 and layer.original_rank for layer in found.layers)
    assert models.lens(model, Sentence("a [MASK]")).layers[0].original_rank is None


@pytest.mark.parametrize("family", MASKED)
def test_the_head_step_by_step_is_the_models_own(family: str) -> None:
    model, sentence = shared(family), Sentence(TEXT, ((8, 11),))
    found = models.head_steps(model, sentence, top_k=5)
    lens = models.lens(model, sentence, top_k=5)
    network = model.network
    last = len(lens.layers) - 1
    assert found.layer == last
    for layer in range(last + 1):
        steps = models.head_steps(model, sentence, layer=layer)
        assert [c.token_id for c in steps.answer.best] == [
            c.token_id for c in lens.layers[layer].best
        ]
        assert steps.answer.original_probability == pytest.approx(
            lens.layers[layer].original_probability, abs=1e-5
        )
    # Each step from the one before it, by formula.
    from models.families import anatomy

    dense, norm = (network.get_submodule(n) for n in anatomy(network.config).transform)
    with torch.inference_mode():
        by_hand = dense(torch.tensor(found.hidden))
        np.testing.assert_allclose(found.dense, by_hand, atol=1e-5)
        act = network.config.to_dict().get("hidden_act") or "gelu"
        if family == "modernbert":
            act = network.config.classifier_activation
        from transformers.activations import ACT2FN

        np.testing.assert_allclose(found.activation, ACT2FN[act](by_hand), atol=1e-5)
        normed = norm(torch.tensor(found.activation))
        np.testing.assert_allclose(found.layer_norm, normed, atol=1e-5)
        output = network.get_output_embeddings()
        logits = output.weight @ normed + output.bias
        np.testing.assert_allclose(found.logits, logits, atol=1e-4)


@pytest.mark.parametrize("family", MASKED)
def test_without_the_transform_equals_the_bypass_of_a_trace(family: str) -> None:
    model, sentence = shared(family), Sentence(TEXT, ((8, 11),))
    if family == "albert":  # its head changes the width
        found = models.head_steps(model, sentence)
        assert found.without is None and found.without_logits is None
        return
    seen = trace(model, sentence, "logits", interventions=[BypassHead()])
    found = models.head_steps(model, sentence)
    np.testing.assert_allclose(found.without_logits, seen.logits[3], atol=1e-4)
    assert found.without.original_rank is not None
    assert abs(found.without_logits - found.logits).max() > 1e-3
    after = models.head_steps(model, sentence)
    np.testing.assert_array_equal(after.logits, found.logits)  # nothing was left behind


@pytest.mark.parametrize("family", [f for f in OUTSIDE if CONFIGS[f][0] == "masked"])
def test_unknown_families_still_answer_what_needs_no_map(family: str) -> None:
    model = shared(family)
    assert models.fill_jointly(model, Sentence(BLANKS)).joint.words
    assert models.pseudo_perplexity(model, TEXT).pieces == 8
    assert models.corrupt(model, TEXT).loss > 0
    for ask in (models.lens, models.head_steps):
        with pytest.raises(CannotTrace):
            ask(model, Sentence(BLANKS))


def test_there_must_be_such_a_layer() -> None:
    with pytest.raises(ValueError, match="layer 4 of 3"):
        models.head_steps(shared("bert"), Sentence(BLANKS), layer=4)


# --- the loss


@pytest.mark.parametrize("family", MASKED)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_loss_is_that_of_the_models_own_code(family: str, seed: int) -> None:
    model = shared(family)
    found = models.corrupt(model, TEXT, seed=seed, rate=0.5)
    ids = [token.id for token in found.tokens]
    labels = [-100] * len(ids)
    for one in found.selected:
        labels[one.token] = ids[one.token]
        shown = model.tokenizer.convert_tokens_to_ids(one.shown)
        assert (one.fate == "masked") == (one.shown == "[MASK]")
        ids[one.token] = shown
    with torch.inference_mode():
        loss = model.network(torch.tensor([ids]), labels=torch.tensor([labels])).loss
    assert found.loss == pytest.approx(float(loss), abs=1e-5)
    assert found.loss == pytest.approx(np.mean([one.nats for one in found.selected]))
    assert found.total == pytest.approx(sum(one.nats for one in found.selected))
    for one in found.selected:
        assert one.answer.original_probability == pytest.approx(np.exp(-one.nats))
        assert one.answer.original_rank >= 1 and len(one.answer.best) == 5
    assert models.corrupt(model, TEXT, seed=seed, rate=0.5) == found


def test_only_words_are_selected(tiny_bert: Model) -> None:
    found = models.corrupt(tiny_bert, "the \u2603 [MASK] sat", rate=1.0)
    assert [found.tokens[one.token].text for one in found.selected] == ["the", "sat"]
    nothing = models.corrupt(tiny_bert, "\u2603 [MASK]")
    assert (nothing.selected, nothing.loss, nothing.total) == ((), None, 0)


# --- all of them


ASKED: dict[str, Callable[..., Any]] = {
    "named": lambda m, **k: models.score_words(m, Sentence(BLANKS), "cat, walking", **k),
    "longer": lambda m, **k: models.longer_answers(m, Sentence(BLANKS), **k),
    "joint": lambda m, **k: models.fill_jointly(m, Sentence(BLANKS), **k),
    "sentence": lambda m, **k: models.pseudo_perplexity(m, TEXT, **k),
    "pair": lambda m, **k: models.compare_sentences(m, TEXT, "a cat", **k),
    "lens": lambda m, **k: models.lens(m, Sentence(BLANKS), **k),
    "head": lambda m, **k: models.head_steps(m, Sentence(BLANKS), **k),
    "loss": lambda m, **k: models.corrupt(m, TEXT, **k),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_check_that_raises_ends_it(tiny_bert: Model, name: str) -> None:
    class Enough(Exception):
        pass

    def check() -> None:
        raise Enough

    with pytest.raises(Enough):
        ASKED[name](tiny_bert, check=check)


@pytest.mark.parametrize("name", ["joint", "longer", "sentence"])
def test_long_ones_are_checked_between_batches(
    tiny_bert: Model, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    widest: list[int] = []
    forward = asking._forward

    def watched(model: Model, queries: list[asking.Query]) -> list[np.ndarray]:
        widest.append(sum(len(query.ids) for query in queries))
        return forward(model, queries)

    whole = ASKED[name](tiny_bert)
    monkeypatch.setattr(asking, "BATCH_TOKENS", 30)
    monkeypatch.setattr(asking, "_forward", watched)
    pieces = ASKED[name](tiny_bert, check=lambda: calls.append(1))
    assert len(calls) == len(widest) > 3
    assert max(widest) <= 30
    if name == "sentence":
        assert pieces.total == pytest.approx(whole.total, abs=1e-4)
    elif name == "joint":
        assert pieces.joint.score == pytest.approx(whole.joint.score, abs=1e-4)
    else:
        assert [one.ids for one in pieces.two] == [one.ids for one in whole.two]


def test_results_are_plain_and_can_be_sent_elsewhere(tiny_bert: Model) -> None:
    for ask in ASKED.values():
        found = ask(tiny_bert)
        again = pickle.loads(pickle.dumps(found))
        assert type(again) is type(found)
        assert found.snippet and "from_pretrained" in found.snippet
    assert set(masked.__all__) <= set(models.__all__)


def test_threads_share_a_model(tiny_bert: Model) -> None:
    jobs = [ask for ask in ASKED.values() for _ in range(3)]
    alone = [repr(ask(tiny_bert)) for ask in jobs]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda ask: repr(ask(tiny_bert)), jobs))
    assert together == alone


def test_a_name_is_as_good_as_a_model(monkeypatch: pytest.MonkeyPatch, tiny_bert: Model) -> None:
    monkeypatch.setattr("models.loading.load", lambda name: {"tiny": tiny_bert}[name])
    assert models.pseudo_perplexity("tiny", TEXT) == models.pseudo_perplexity(tiny_bert, TEXT)
