"""Answers at blanks: equal to transformers' own, and sound for any text."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from transformers import pipeline

import models
from models.answering import masked
from models.answering.masked import logits_at, score_pieces
from models.loading import Model
from models.prediction import predict
from models.ranking import best_words, entropy_bits, rank_of
from models.results import Prediction, Sentence
from tests.unit.weird import WEIRD

TEXTS = [
    "The [MASK] sat on the mat.",
    "[MASK]",
    "She is happy, and the [MASK] [MASK] was in [MASK]!",
    "He didn't walk (in the [MASK]) - we've a good dog.",
]


def hide(text: str, *words: str) -> Sentence:
    """The text with the first occurrence of each word hidden."""
    spans = tuple((text.index(word), text.index(word) + len(word)) for word in words)
    return Sentence(text, spans)


def token_id(model: Model, piece: str) -> int:
    return model.tokenizer.get_vocab()[piece]


def everything(model: Model, sentence: Sentence) -> Prediction:
    return predict(model, sentence, top_k=model.vocabulary.words)


@pytest.mark.parametrize("text", TEXTS)
def test_equals_the_fill_mask_pipeline(any_model: Model, text: str) -> None:
    fill: Any = pipeline("fill-mask", model=any_model.network, tokenizer=any_model.tokenizer)
    theirs = fill(
        text.replace("[MASK]", any_model.tokenizer.mask_token), top_k=len(any_model.tokenizer)
    )
    lists: list[Any] = theirs if text.count("[MASK]") > 1 else [theirs]
    ours = everything(any_model, Sentence(text))
    assert len(ours.blanks) == len(lists) == text.count("[MASK]")
    for blank, answers in zip(ours.blanks, lists, strict=True):
        scores = {answer["token"]: answer["score"] for answer in answers}
        assert {c.token_id for c in blank.candidates} <= set(scores)
        for candidate in blank.candidates:
            assert candidate.probability == pytest.approx(scores[candidate.token_id], abs=1e-5)


def test_hiding_a_word_equals_typing_a_mask(any_model: Model) -> None:
    hidden = predict(any_model, hide("The cat sat on the mat.", "cat", "mat"))
    typed = predict(any_model, Sentence("The [MASK] sat on the [MASK]."))
    assert [b.candidates for b in hidden.blanks] == [b.candidates for b in typed.blanks]
    assert [b.original for b in hidden.blanks] == ["cat", "mat"]
    assert [b.original for b in typed.blanks] == [None, None]


def test_probabilities_cover_the_full_vocabulary(any_model: Model) -> None:
    (blank,) = everything(any_model, Sentence("the [MASK] sat")).blanks
    ids = any_model.reader.read("the [MASK] sat", 100, 20).ids
    logits = any_model.network(torch.tensor([ids])).logits[0, ids.index(any_model.mask_id)]
    whole = torch.softmax(logits.double(), -1).detach().numpy()
    shown = {c.token_id: c.probability for c in blank.candidates}
    others = [i for i in range(len(whole)) if i not in shown]
    assert sum(shown.values()) + whole[others].sum() == pytest.approx(1, abs=1e-6)
    assert set(any_model.tokenizer.all_special_ids) <= set(others)


def test_candidates_are_sorted_and_cut_afterwards(any_model: Model) -> None:
    (few,) = predict(any_model, Sentence("the [MASK] sat"), top_k=3).blanks
    (many,) = everything(any_model, Sentence("the [MASK] sat")).blanks
    assert few.candidates == many.candidates[:3]
    assert few.best == many.candidates[0]
    probabilities = [c.probability for c in many.candidates]
    assert probabilities == sorted(probabilities, reverse=True)


@pytest.mark.parametrize("word", ["cat", "garden", "the"])
def test_rank_is_the_place_in_the_list(tiny_bert: Model, word: str) -> None:
    (blank,) = everything(tiny_bert, hide("the cat sat in my garden", word)).blanks
    assert blank.original_rank is not None
    there = blank.candidates[blank.original_rank - 1]
    assert (there.text, there.probability) == (word, blank.original_probability)


def test_equal_words_share_a_rank_and_specials_take_none() -> None:
    probabilities = np.array([0.4, 0.2, 0.2, 0.15, 0.05])
    is_word = np.array([False, True, True, True, True])
    assert [rank_of(i, probabilities, is_word) for i in (1, 2, 3, 4)] == [1, 1, 3, 4]


@given(st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.3]), min_size=1, max_size=30), st.data())
def test_best_words_are_those_of_a_full_sort(values: list[float], data: st.DataObject) -> None:
    is_word = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values)))
    )
    top_k = data.draw(st.integers(0, 40))
    slow = sorted(np.flatnonzero(is_word), key=lambda i: (-values[i], i))[:top_k]
    assert list(best_words(np.array(values), is_word, top_k)) == slow


def test_entropy() -> None:
    assert entropy_bits(np.full(8, 1 / 8)) == pytest.approx(3)
    assert entropy_bits(np.array([1.0, 0.0])) == 0


def test_logits_at_the_blank_equal_a_full_forward(any_model: Model) -> None:
    ids = torch.randint(5, len(any_model.tokenizer), (2, 9), generator=torch.manual_seed(1))
    rows, columns = torch.tensor([0, 1, 1]), torch.tensor([3, 0, 8])
    with torch.inference_mode():
        full = any_model.network(ids).logits[rows, columns]
    torch.testing.assert_close(logits_at(any_model.network, ids, rows, columns), full)


def test_a_word_of_several_pieces_is_scored_piece_by_piece(
    tiny_bert: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    (blank,) = predict(tiny_bert, hide("the cat was walking on", "walking")).blanks
    assert (blank.pieces, blank.original_rank) == (("walk", "##ing"), None)
    walk, ing = (token_id(tiny_bert, piece) for piece in ("walk", "##ing"))
    product = 1.0
    for typed, token in [("[MASK][MASK]", walk), ("walk[MASK]", ing)]:
        ids = tiny_bert.reader.read(f"the cat was {typed} on", 100, 20).ids
        logits = tiny_bert.network(torch.tensor([ids])).logits[0].double()
        place = ids.index(tiny_bert.mask_id)
        product *= float(logits[place].softmax(-1)[token])
    assert blank.original_probability == pytest.approx(product, rel=1e-4)
    monkeypatch.setattr(masked, "BATCH_TOKENS", 1)  # one text per forward pass
    (again,) = predict(tiny_bert, hide("the cat was walking on", "walking")).blanks
    assert again.original_probability == pytest.approx(product, rel=1e-4)


def test_probabilities_of_all_two_piece_words_sum_to_one(tiny_bert: Model) -> None:
    """The chain rule makes a distribution: over all (first, second) pairs with one first piece."""
    ids = list(tiny_bert.reader.read("the [MASK] sat", 100, 20).ids)
    place = ids.index(tiny_bert.mask_id)
    walk = token_id(tiny_bert, "walk")
    size = len(tiny_bert.vocabulary.is_word)
    total = sum(math.exp(score_pieces(tiny_bert, ids, place, (walk, i))) for i in range(size))
    wide = [*ids[:place], tiny_bert.mask_id, *ids[place:]]
    logits = logits_at(
        tiny_bert.network, torch.tensor([wide]), torch.tensor([0]), torch.tensor([place])
    )
    assert total == pytest.approx(float(logits[0].double().softmax(-1)[walk]), rel=1e-5)


def test_long_words_stay_unscored_beyond_the_limit(
    tiny_bert: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(masked, "SCORING_TOKENS", 20)
    first, second = predict(tiny_bert, hide("walking unhappy", "walking", "unhappy")).blanks
    assert first.original_probability is not None
    assert second.original_probability is None
    assert second.pieces == ("un", "##happy")


def test_a_word_without_spelling_has_neither_rank_nor_probability(tiny_bert: Model) -> None:
    answer = predict(tiny_bert, hide("the 😀 sat", "😀"))
    (blank,) = answer.blanks
    assert (blank.original, blank.pieces) == ("😀", ("[UNK]",))
    assert (blank.original_rank, blank.original_probability) == (None, None)
    assert answer.unknown == ("😀",)


def test_continuations_are_marked(tiny_bert: Model) -> None:
    (blank,) = everything(tiny_bert, Sentence("walk [MASK]")).blanks
    marked = {c.text for c in blank.candidates if c.continuation}
    assert "ing" in marked
    assert "walk" not in marked
    assert not any(c.text.startswith(("##", "[unused")) for c in blank.candidates)


def test_words_of_a_byte_level_vocabulary_lose_their_space_mark(tiny_roberta: Model) -> None:
    (blank,) = everything(tiny_roberta, Sentence("the [MASK] sat")).blanks
    words = {(c.text, c.continuation) for c in blank.candidates}
    assert ("the", False) in words
    assert not any("Ġ" in text for text, _ in words)


@pytest.mark.parametrize("text", ["", "   ", "?!...", "the cat sat"])
def test_nothing_hidden_is_an_answer_without_blanks(tiny_bert: Model, text: str) -> None:
    answer = predict(tiny_bert, Sentence(text))
    assert (answer.blanks, answer.cut, answer.read) == ((), "", len(text))


def test_a_span_through_a_token_hides_all_of_it(tiny_bert: Model) -> None:
    text = "the garden"
    (blank,) = predict(tiny_bert, Sentence(text, ((5, 7),))).blanks
    assert (blank.original, blank.span) == ("garden", (4, 10))


def test_spans_over_spaces_hide_nothing_and_overlaps_are_one(tiny_bert: Model) -> None:
    text = "the red cat sat"
    answer = predict(tiny_bert, Sentence(text, ((3, 4), (4, 11), (8, 11))))
    assert [b.original for b in answer.blanks] == ["red cat"]


def test_a_typed_mask_inside_a_hidden_span_has_no_original(tiny_bert: Model) -> None:
    answer = predict(tiny_bert, Sentence("the [MASK] cat", ((4, 14),)))
    assert [(b.original, b.span) for b in answer.blanks] == [(None, (4, 14))]


@pytest.mark.parametrize("span", [(0, 0), (3, 2), (-1, 2), (2, 99)])
def test_a_span_outside_the_text_is_an_error(span: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        Sentence("the cat", (span,))


def test_hidden_words_beyond_the_limit_are_reported(
    tiny_bert: Model, configure: Callable[..., None]
) -> None:
    configure(max_characters=11)
    text = "the cat sat on the mat"
    answer = predict(tiny_bert, hide(text, "cat", "mat"))
    assert [b.original for b in answer.blanks] == ["cat"]
    assert (answer.cut, answer.unread) == (" on the mat", ((19, 22),))


def test_twenty_thousand_characters(tiny_bert: Model) -> None:
    text = "the cat sat " * 1_700
    answer = predict(tiny_bert, hide(text, "cat"))
    assert answer.read < 2_000
    assert text[: answer.read] + answer.cut == text
    assert len(answer.blanks) == 1


def test_markup_is_text(tiny_bert: Model) -> None:
    text = "</script><img src=x onerror=alert(1)> the cat"
    (blank,) = predict(tiny_bert, hide(text, "cat")).blanks
    assert text[slice(*blank.span)] == "cat"


def test_visitors_on_eight_threads_get_their_own_answers(any_model: Model) -> None:
    sentences = [
        Sentence(f"{'a ' * (i % 7)}the [MASK] {'sat ' * (i % 5)}[MASK]") for i in range(40)
    ]
    alone = [predict(any_model, sentence) for sentence in sentences]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda sentence: predict(any_model, sentence), sentences))
    assert together == alone


def test_giving_up_between_steps(tiny_bert: Model) -> None:
    calls = 0

    def stop_at_third() -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise models.Cancelled

    with pytest.raises(models.Cancelled):
        predict(tiny_bert, Sentence("[MASK] " * 10), check=stop_at_third)


def test_an_answer_can_be_sent_to_another_process(tiny_bert: Model) -> None:
    answer = predict(tiny_bert, hide("the cat sat", "cat"))
    assert pickle.loads(pickle.dumps(answer)) == answer


def test_provenance_names_the_very_weights(tiny_bert: Model) -> None:
    origin = predict(tiny_bert, Sentence("")).provenance
    assert (origin.model, origin.dtype) == ("tiny-bert", "float32")
    assert len(origin.revision) == 12
    assert dict(origin.versions)["torch"] == str(torch.__version__)


@given(text=WEIRD, cuts=st.lists(st.tuples(st.integers(0, 119), st.integers(1, 30)), max_size=5))
@hypothesis_settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_with_any_spans_is_answered(
    tiny_bert: Model, text: str, cuts: list[tuple[int, int]]
) -> None:
    spans = tuple((a, min(a + n, len(text))) for a, n in cuts if a < len(text))
    answer = predict(tiny_bert, Sentence(text, spans), top_k=2)
    end = 0
    for blank in answer.blanks:
        assert end <= blank.span[0] < blank.span[1] <= answer.read
        end = blank.span[1]
        assert blank.original in (None, text[slice(*blank.span)])
        assert len(blank.candidates) == 2
        assert 0 <= blank.entropy_bits <= math.log2(len(tiny_bert.vocabulary.is_word))
        if blank.original_probability is not None:
            assert 0 <= blank.original_probability <= 1
