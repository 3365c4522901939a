"""What a model writes: as transformers' `generate` writes it, number by number."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from math import log
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import models
from models.generated import Cut, Drawing, NextTokens, Prompt, WrittenToken, joined
from models.generating.continuing import opening, prompt
from models.generating.decoder import decoder_of, ends
from models.generating.sampling import cut_logits
from models.loading import Model
from models.measures.repetition import repeated, share
from models.results import Sentence
from models.settings import settings
from tests.unit.test_kinds_from_outside import gpt2  # noqa: F401 (a fixture)

ROOT = Path(__file__).parents[2]
TEXT = Sentence("the cat sat on the")
CUTS = (Cut(), Cut(0.7, 5), Cut(1.3, 0, 0.8), Cut(0.9, 12, 0.9))
SAMPLES = """
import json, sys, torch
from transformers import AutoModelForCausalLM
folder, ids, seeds, cuts = json.loads(sys.argv[1])
model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
for cut in cuts:
    for seed in seeds:
        torch.manual_seed(seed)
        found = model.generate(torch.tensor([ids]), do_sample=True, max_new_tokens=12, **cut)
        print(json.dumps(found[0, len(ids):].tolist()))
"""


@pytest.fixture(params=["gpt", "lstm", "gpt2"])
def causal(request: pytest.FixtureRequest, kinds: dict[str, Model]) -> Model:
    """A GPT like ours, an LSTM, and a GPT-2 with a tokenizer of bytes."""
    if request.param in kinds:
        return kinds[request.param]
    model: Model = request.getfixturevalue("gpt2")
    return model


def written(model: Model, drawing: Drawing, most: int = 12) -> list[WrittenToken]:
    return list(models.continuation(model, prompt(model, TEXT).ids, drawing, most))


def ids(tokens: list[WrittenToken]) -> list[int]:
    return [token.id for token in tokens]


def run(program: str, *arguments: str) -> list[str]:
    """The lines that a program prints in a fresh process."""
    ran = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program, *arguments],
        capture_output=True, text=True, cwd=ROOT, encoding="utf-8", check=False,
        env={"PATH": "/usr/bin:/bin", "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout.splitlines()


def test_greedy_is_that_of_transformers(kinds: dict[str, Model]) -> None:
    model = kinds["gpt"]
    read = torch.tensor([prompt(model, TEXT).ids])
    theirs = model.network.generate(read, do_sample=False, max_new_tokens=30)
    assert ids(written(model, Drawing(), 30)) == theirs[0, read.shape[1] :].tolist()


def test_samples_are_those_of_transformers(kinds: dict[str, Model]) -> None:
    model, seeds = kinds["gpt"], list(range(5))
    asked = json.dumps([str(model.folder), prompt(model, TEXT).ids, seeds, [*map(vars, CUTS)]])
    theirs = [json.loads(line) for line in run(SAMPLES, asked)]
    ours = [ids(written(model, Drawing(cut, seed))) for cut in CUTS for seed in seeds]
    assert ours == theirs
    assert len({tuple(each) for each in theirs}) > len(CUTS), "another seed, another text"


def test_a_draw_goes_on_where_it_stopped(causal: Model) -> None:
    read, drawing = prompt(causal, TEXT).ids, Drawing(Cut(1.2, 20), seed=7)
    whole = ids(list(models.continuation(causal, read, drawing, 9)))
    first, rest = whole[:4], len(whole) - 4
    later = replace(drawing, skip=len(first))
    again = models.continuation(causal, (*read, *first), later, rest)
    assert ids(list(again)) == whole[4:]


def test_nobody_else_s_chance_is_touched(kinds: dict[str, Model]) -> None:
    before = torch.get_rng_state()
    one, other = (written(kinds["gpt"], Drawing(Cut(), 3)) for _ in range(2))
    assert one == other
    assert torch.equal(before, torch.get_rng_state())


def test_what_is_remembered_is_what_would_be_read_again(causal: Model) -> None:
    read = torch.tensor([prompt(causal, TEXT).ids])
    network = causal.network
    whole = network(read)
    expected = whole.forward_logits if hasattr(whole, "forward_logits") else whole.logits
    decoder = decoder_of(causal)
    parts = [decoder.read(some) for some in (read[:, :2], *read[:, 2:].split(1, dim=1))]
    assert torch.cat(parts, 1)[0] == pytest.approx(expected[0], abs=1e-4)


def test_a_model_that_was_traced_writes_the_same(kinds: dict[str, Model]) -> None:
    before = ids(written(kinds["gpt"], Drawing()))
    models.trace(kinds["gpt"], TEXT.text)
    assert ids(written(kinds["gpt"], Drawing())) == before


def test_without_a_cache_everything_is_read_again(kinds: dict[str, Model]) -> None:
    read = torch.tensor([prompt(kinds["gpt"], TEXT).ids])
    decoder = decoder_of(kinds["gpt"])
    decoder.read(read[:, :3])
    decoder._cache = None
    expected = kinds["gpt"].network(read).logits[0, 3:]
    assert decoder.read(read[:, 3:])[0] == pytest.approx(expected, abs=1e-4)


def test_rows_go_their_own_ways(causal: Model) -> None:
    read = torch.tensor([prompt(causal, TEXT).ids])
    decoder, words = decoder_of(causal), torch.tensor([[7], [9]])
    decoder.read(read)
    decoder.keep([0, 0])
    decoder.read(words)
    decoder.keep([1, 0])
    both = decoder.read(torch.tensor([[8], [8]]))[:, 0]
    for row, word in ((0, 9), (1, 7)):
        alone = decoder_of(causal)
        alone.read(torch.cat([read, torch.tensor([[word]])], 1))
        assert both[row] == pytest.approx(alone.read(torch.tensor([[8]]))[0, 0], abs=1e-4)


def test_beams_are_those_of_transformers(kinds: dict[str, Model]) -> None:
    model = kinds["gpt"]
    read = torch.tensor([prompt(model, TEXT).ids])
    for width, most in ((1, 6), (2, 8), (4, 12), (6, 5)):
        ours = models.beam_search(model, read[0].tolist(), width, most)
        theirs = model.network.generate(
            read, do_sample=False, num_beams=width, num_return_sequences=width,
            max_new_tokens=most, return_dict_in_generate=True, output_scores=True,
            length_penalty=1.0, early_stopping=False,
        )  # fmt: skip
        for beam, row in zip(ours.beams, theirs.sequences[:, read.shape[1] :], strict=True):
            assert ids(list(beam.tokens)) == row[: len(beam.tokens)].tolist()
        if width > 1:
            scores = [beam.score for beam in ours.beams]
            assert scores == pytest.approx(theirs.sequences_scores.tolist(), abs=1e-4)


def test_beams_of_any_model_add_up(causal: Model) -> None:
    read = prompt(causal, TEXT).ids
    found = models.beam_search(causal, read, 3, 6)
    assert len(found.beams) == 3
    assert found.beams[0].score >= found.greedy.score - 1e-6 or found.steps
    for beam in found.beams:
        sum_of_tokens = -log(2) * sum(token.bits or 0 for token in beam.tokens)
        assert beam.log_p == pytest.approx(sum_of_tokens, abs=1e-3)
        assert beam.score == pytest.approx(beam.log_p / len(beam.tokens))
    for before, step in zip(found.steps, found.steps[1:], strict=False):
        kept = [each for each in before if each.fate == "kept"]
        assert all(each.log_p <= kept[each.parent].log_p + 1e-6 for each in step)
        assert all(each.text.startswith(kept[each.parent].text[:1]) for each in step)


def test_a_text_ends_with_its_end(kinds: dict[str, Model], monkeypatch: pytest.MonkeyPatch) -> None:
    model = kinds["gpt"]
    third = ids(written(model, Drawing(), 3))[2]
    monkeypatch.setattr(model.network.generation_config, "eos_token_id", [third])
    stopped = written(model, Drawing(), 30)
    assert stopped[-1].id == third
    assert third not in ids(stopped[:-1])
    assert models.next_tokens(model, prompt(model, TEXT).ids).ends == {third}


def test_it_stops_where_the_model_can_read_no_more(causal: Model) -> None:
    small = replace(causal, max_tokens=10)
    asked = prompt(small, TEXT)
    assert len(asked.ids) + asked.room == 10
    assert len(list(models.continuation(small, asked.ids, Drawing(Cut(), 1), 99))) <= asked.room
    full = replace(causal, max_tokens=len(asked.ids))
    assert list(models.continuation(full, asked.ids, Drawing(), 5)) == []


def test_the_distribution_is_the_whole_vocabulary(causal: Model) -> None:
    read = prompt(causal, TEXT).ids
    found = models.next_tokens(causal, read)
    size = causal.network.config.vocab_size
    assert isinstance(found, NextTokens)
    assert sorted(found.ids.tolist()) == list(range(size))
    assert float(torch.tensor(found.log_p).exp().sum()) == pytest.approx(1, abs=1e-5)
    assert all(found.log_p[:-1] >= found.log_p[1:])
    best = written(causal, Drawing(), 1)[0]
    assert (best.id, best.rank) == (found.candidates[0].token_id, 1)
    assert 2 ** -(best.bits or 0) == pytest.approx(found.candidates[0].probability)


def test_every_token_has_its_surprisal(causal: Model) -> None:
    tokens = written(causal, Drawing(Cut(1.5), 2), 5)
    read = prompt(causal, TEXT).ids
    again = opening(causal, (*read, *ids(tokens)))
    assert again[0].bits is None
    for one, other in zip(tokens, again[len(read) :], strict=True):
        assert one.bits == pytest.approx(other.bits, abs=1e-3)
        assert (one.id, one.text, one.rank) == (other.id, other.text, other.rank)
        assert one.share is not None
    named = models.with_token(causal, read, tokens[0].id)
    assert named.bits == pytest.approx(tokens[0].bits, abs=1e-3)


@given(
    st.lists(st.floats(-9, 9), min_size=2, max_size=40),
    st.floats(0.2, 3), st.integers(0, 50), st.floats(0.05, 1),
)  # fmt: skip
def test_a_cut_keeps_the_best_and_never_nothing(
    logits: list[float], temperature: float, top_k: int, top_p: float
) -> None:
    scores = torch.tensor(logits)
    kept = cut_logits(scores, Cut(temperature, top_k, top_p)).isfinite()
    assert scores[kept].max() == scores.max()
    assert scores[kept].min() >= scores[~kept].max() if (~kept).any() else True
    if top_k and top_p == 1:
        assert kept.sum() >= min(top_k, len(logits))
    if not top_k:
        shares = (scores / temperature).softmax(-1)
        assert shares[kept].sum() >= top_p - 1e-4, "the nucleus holds top_p of the probability"


@pytest.mark.parametrize("wrong", [{"temperature": 0}, {"top_k": -1}, {"top_p": 0}, {"top_p": 2}])
def test_no_such_cut(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="no such cut"):
        Cut(**wrong)  # type: ignore[arg-type]


def test_a_hidden_word_is_where_writing_begins(causal: Model) -> None:
    text = "the cat sat on the mat in paris"
    whole = prompt(causal, Sentence(text))
    before = prompt(causal, Sentence(text, ((19, 22), (23, 25))))
    assert (before.text, whole.text) == ("the cat sat on the", text)
    assert whole.ids[: len(before.ids)] == before.ids
    assert prompt(causal, Sentence("the cat [MASK] on")).text == "the cat"
    assert prompt(causal, Sentence("")).ids, "something to begin with"
    assert isinstance(before, Prompt)


def test_only_what_reads_from_the_left_goes_on(kinds: dict[str, Model]) -> None:
    for kind in ("bert", "elmo", "seq"):
        with pytest.raises(models.Refusal):
            models.prompt(kinds[kind], TEXT)


def test_bytes_make_characters(gpt2: Model) -> None:  # noqa: F811
    tokens = opening(gpt2, gpt2.tokenizer("a 你好 é")["input_ids"])
    assert joined(tokens).strip() == "a 你好 é"
    assert "\ufffd" not in "".join(token.text for token in tokens)


def test_repetition_is_found() -> None:
    text = "so it is so it is so it is not".split()
    assert [word for word, again in zip(text, repeated(text), strict=True) if again] == text[3:9]
    assert share(text) == pytest.approx(4 / 8)
    assert share("all of these are different".split()) == 0
    assert repeated([]) == ()


def test_programs_print_the_same_numbers(kinds: dict[str, Model]) -> None:
    """All of them in one fresh process: what costs time is to start one."""
    cut, programs, texts = Cut(1.2, 10, 0.9), [], []
    for kind in ("gpt", "lstm"):
        model = replace(kinds[kind], name=f"dir:{kinds[kind].folder}")
        read = prompt(model, TEXT).ids
        drawn = written(model, Drawing(cut, 5, skip=2), 4)
        hand = models.with_token(model, (*read, *ids(drawn)), 9)
        rest = list(models.continuation(model, (*read, *ids(drawn), 9), Drawing(), 3))
        parts = [(Drawing(cut, 5, 2), ids(drawn)), (None, [9]), (Drawing(), ids(rest))]
        programs.append(models.text_snippet(model, read, parts))
        texts.append([*drawn, hand, *rest])
    gpt = replace(kinds["gpt"], name=f"dir:{kinds['gpt'].folder}")
    read = prompt(gpt, TEXT).ids
    found, beams = models.next_tokens(gpt, read), models.beam_search(gpt, read, 3, 5)
    programs += [models.next_snippet(gpt, read, cut), beams.snippet]
    lines = [json.loads(line) for line in run("\n\n".join(programs))]

    for tokens, (numbers, bits, entropy) in zip(texts, (lines[:3], lines[3:6]), strict=True):
        assert numbers == ids(tokens)
        assert bits == pytest.approx([token.bits for token in tokens], abs=1e-3)
        assert entropy == pytest.approx([token.entropy_bits for token in tokens], abs=1e-3)
    best, full, kept, sequences, scores = lines[6:]
    assert best == found.ids[:20].tolist()
    assert full == pytest.approx([each.probability for each in found.candidates[:20]], abs=1e-5)
    assert kept == pytest.approx(models.after_cut(found, cut)[:20], abs=1e-5)
    for beam, row in zip(beams.beams, sequences, strict=True):
        assert row[: len(beam.tokens)] == ids(list(beam.tokens))
    assert scores == pytest.approx([beam.score for beam in beams.beams], abs=1e-4)


def test_the_ends_of_a_model(causal: Model) -> None:
    assert ends(causal), "every model here knows how a text ends"
    assert settings().max_tokens >= causal.max_tokens
