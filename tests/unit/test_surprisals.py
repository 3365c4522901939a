"""Whole sentences: the verdict follows the numbers, and every word has its bar."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from components.surprisals.columns import Column, of_pair, of_sentence, told
from components.surprisals.exports import HEIGHT, numbers, picture
from components.surprisals.said import notes, pair_scores, scores, verdict
from models.measures import pseudo_perplexity
from models.trace import PairRow, Provenance, ScoredSentence, ScoredWord, SentencePair

ABOUT = Provenance("bert-en", "0123456789ab", "float32", (("torch", "2.13.0"),))


def sentence(**nats: float | None) -> ScoredSentence:
    """Words, each of one piece, with their surprisal."""
    text = " ".join(nats)
    words = tuple(
        ScoredWord((text.index(word), text.index(word) + len(word)), word, (word,), log_p)
        for word, log_p in ((w, None if n is None else (-n,)) for w, n in nats.items())
    )
    known = [-n for n in nats.values() if n is not None]
    perplexity = pseudo_perplexity(np.array(known)) if known else None
    total, read = sum(known), len(text)
    return ScoredSentence(text, words, len(known), total, perplexity, read, "", (), ABOUT, "")


def pair(first: ScoredSentence, second: ScoredSentence) -> SentencePair:
    """Sentences of as many words, side by side."""
    rows = tuple(
        PairRow(i, i, a.text == b.text)
        for i, (a, b) in enumerate(zip(first.words, second.words, strict=False))
    )
    difference = first.total - second.total
    return SentencePair(first, second, rows, difference, first.pieces == second.pieces, "")


KEYS = sentence(keys=2.0, are=1.0, here=0.5)
KEYS_IS = sentence(keys=2.5, **{"is": 3.0}, here=0.5)


def test_the_sentence_that_fits_better_is_preferred_either_way_round() -> None:
    said = verdict(pair(KEYS, KEYS_IS))
    assert "prefers the first sentence, by 2.50 nats: it fits 12 times as well" in said
    assert "The largest part, 2.00 nats, is at “are” / “is”." in said
    other = verdict(pair(KEYS_IS, KEYS))
    assert "prefers the second sentence, by 2.50 nats: it fits 12 times as well" in other
    assert "The largest part, 2.00 nats, is at “is” / “are”." in other


def test_a_tiny_difference_is_no_preference() -> None:
    close = sentence(keys=2.05, are=1.0, here=0.5)
    assert "No clear preference" in verdict(pair(KEYS, replace(close, text="other")))


def test_sentences_of_different_lengths_are_compared_by_their_mean() -> None:
    short = sentence(keys=1.5)
    both = pair(KEYS, short)
    assert both.difference < 0, "the longer one has more terms"
    assert "The first is lower: the model prefers the first sentence." in verdict(both)
    assert "prefers the second sentence" in verdict(pair(short, KEYS))
    even = replace(short, text="even", pseudo_perplexity=KEYS.pseudo_perplexity)
    assert "no clear preference" in verdict(pair(KEYS, even))


@pytest.mark.parametrize(
    ("second", "said"),
    [(KEYS, "Both sentences are the same"), (sentence(x=None), "no word that the model can rate")],
)
def test_what_cannot_be_compared_is_said(second: ScoredSentence, said: str) -> None:
    assert said in verdict(pair(KEYS, second))


def test_scores_have_units_and_agree() -> None:
    perplexity, total = scores(KEYS)
    assert (perplexity.value, total.value) == ("3.2", "−3.5 nats")
    assert "−1.17 nats on average" in total.told
    assert [fact.value for fact in pair_scores(pair(KEYS, KEYS_IS))] == ["3.2", "7.4", "+2.50 nats"]
    assert scores(sentence(x=None)) == []


def test_a_word_is_told_in_both_units() -> None:
    assert told(KEYS.words[1]) == "“are”: 1.00 nats = 1.44 bits, probability 36.8%"
    long = ScoredWord((0, 7), "walking", ("walk", "##ing"), (-0.25, -0.75))
    assert told(long).startswith("“walking” (walk + …ing): 1.00 nats")
    assert "no number" in told(sentence(x=None).words[0])


def test_columns_put_counterparts_together() -> None:
    rows = (PairRow(0, 0, True), PairRow(1, 1, False), PairRow(None, 2, False))
    columns = of_pair(replace(pair(KEYS, KEYS_IS), rows=rows))
    names = [tuple(word and word.text for word in column.words) for column in columns]
    assert names == [("keys", "keys"), ("are", "is"), (None, "here")]
    assert [column.same for column in columns] == [True, False, False]


def test_what_was_left_out_is_named() -> None:
    (_, left_out) = notes(replace(KEYS, cut=" and so on"))
    assert "“and so on”" in left_out
    assert len(notes(KEYS)) == 1


def test_numbers_hold_every_word_of_both() -> None:
    table = numbers(KEYS, KEYS_IS)
    assert table.rows[1][:5] == (1, 2, "are", "are", 1.0)
    assert table.rows[4][:5] == (2, 2, "is", "is", 3.0)
    assert table.rows[1][5] == pytest.approx(1.4427, abs=1e-4)
    assert "Sentence 2: pseudo-perplexity 7.389" in table.note


def bars(columns: list[Column]) -> list[float]:
    markup = picture("Surprisal", columns, "#0072B2", ABOUT).markup
    found = re.findall(r'<rect[^>]*height="([\d.]+)"[^>]*stroke=', markup)
    return [float(height) for height in found]


def test_bars_of_the_picture_are_as_tall_as_their_numbers() -> None:
    assert bars(of_sentence(KEYS)) == pytest.approx([HEIGHT, HEIGHT / 2, HEIGHT / 4])
    both = bars(of_pair(pair(KEYS, KEYS_IS)))
    assert both == pytest.approx([HEIGHT * nats / 3 for nats in (2, 2.5, 1, 3, 0.5, 0.5)], rel=1e-5)


def test_a_long_sentence_takes_several_lines_of_the_picture() -> None:
    many = [Column((word,)) for word in sentence(word=1.0).words * 60]
    one = picture("", of_sentence(KEYS), "#0072B2", ABOUT)
    drawn = picture("", many, "#0072B2", ABOUT)
    assert drawn.width == one.width and drawn.height > 2 * one.height
