"""What each objective trains, ELMo opened, one word in two contexts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import models
from models.errors import Unusable
from models.inputs import read
from models.loading import Model
from models.prediction import predict
from models.results import Sentence
from models.seeing.states import layer_states
from models.sights import Targets
from models.training.objectives import causal_lm, two_way_lm
from models.training.readouts import mean_loss
from models.training.texts import special_ids
from tests.unit.kinds import KINDS

ROOT = Path(__file__).parents[2]
TEXT = "the cat was walking on the mat in paris"
OTHER = "a mat is in the red garden"


# --- what each objective trains ------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["gpt", "elmo"])
def test_the_loss_is_that_of_training(kinds, kind):
    """Every position, exactly as the training objective reads and counts it."""
    model = kinds[kind]
    found = models.targets(model, TEXT)
    ids = torch.tensor([[token.id for token in found.tokens]])
    special, generator = special_ids(model.tokenizer), torch.Generator()
    with torch.no_grad():
        asked = two_way_lm if kind == "elmo" else causal_lm
        readouts = asked(model.network, ids, special, 0.15, generator)
        assert found.loss == pytest.approx(float(mean_loss(readouts)), abs=1e-4)
    answers = [token for readout in readouts for token in readout.targets.tolist()]
    assert [found.tokens[one.token].id for one in found.targets] == answers
    assert len(found.targets) == (len(found.tokens) - 1) * len(readouts)


def test_a_masked_model_is_told_its_loss_where_the_draw_fell(kinds):
    drawn = models.corrupt(kinds["bert"], TEXT, seed=4)
    found = models.targets(kinds["bert"], TEXT, seed=4)
    assert [one.token for one in found.targets] == [one.token for one in drawn.selected]
    assert [one.nats for one in found.targets] == [one.nats for one in drawn.selected]
    assert found.loss == drawn.loss
    assert [found.read[one.token] for one in drawn.selected] == [o.shown for o in drawn.selected]


def test_the_same_draw_hides_whole_words_from_the_encoder(kinds):
    for seed in range(6):
        drawn = models.targets(kinds["bert"], TEXT, seed)
        found = models.targets(kinds["seq"], TEXT, seed)
        assert len(found.targets) == len(found.tokens) - 1, "the decoder writes all"
        hidden = [i for i, text in enumerate(found.read) if text != found.tokens[i].text]
        assert {one.token for one in drawn.targets} <= set(hidden)
        walking = {i for i, token in enumerate(found.tokens) if token.text in ("walk", "ing")}
        assert walking <= set(hidden) or walking.isdisjoint(hidden), "all of a word, or none"
        masks = sum(text == "[MASK]" for text in found.read)
        assert masks == len(hidden) - (1 if walking <= set(hidden) else 0), "one mask per word"


def test_what_the_decoder_is_asked_is_what_the_model_answers(kinds):
    """A hidden word costs what it costs as a blank: the encoder reads the same mask."""
    model = kinds["seq"]
    found = models.targets(model, TEXT, seed=2)
    hidden = [i for i, text in enumerate(found.read) if text == "[MASK]"]
    at = found.tokens[hidden[0]]
    spans = tuple((found.tokens[i].start, _end(found, i)) for i in hidden)
    (blank, *_) = predict(model, Sentence(TEXT, spans), 1).blanks
    if blank.span == (at.start, at.end):  # of one piece
        cost = next(one.nats for one in found.targets if one.token == hidden[0])
        assert -np.log(blank.original_probability) == pytest.approx(cost, abs=1e-4)


def _end(found: Targets, index: int) -> int:
    end = found.tokens[index].end
    for i in range(index + 1, len(found.read)):
        if found.read[i] != "":
            break
        end = found.tokens[i].end
    return end


@pytest.mark.parametrize("kind", KINDS)
def test_no_word_no_target_or_only_the_frame(kinds, kind):
    found = models.targets(kinds[kind], "")
    if kind == "bert":
        assert found.targets == () and found.loss is None
    else:
        assert {found.tokens[one.token].kind for one in found.targets} == {"special"}


# --- ELMo opened ---------------------------------------------------------------------------------


def test_elmos_answers_at_each_word_are_those_to_a_blank(kinds):
    model = kinds["elmo"]
    found = models.opened(model, TEXT, top_k=3)
    assert [word.text for word in found.words] == TEXT.split()
    for word in found.words:
        (blank,) = predict(model, Sentence(TEXT, (word.span,)), 3).blanks
        views = {view.way: view for view in blank.views}
        for mine, theirs in ((word.forward, views["forward"]), (word.backward, views["backward"]),
                             (word.combined, blank)):  # fmt: skip
            assert [c.text for c in mine.best] == [c.text for c in theirs.candidates]
            assert mine.original_rank == theirs.original_rank
            assert mine.best[0].probability == pytest.approx(theirs.candidates[0].probability)


def test_dot_products_are_those_of_the_states(kinds):
    model = kinds["elmo"]
    found = models.opened(model, TEXT)
    inputs = read(model, TEXT)
    with torch.inference_mode():
        states = model.network(inputs.tensors["input_ids"]).hidden_states
    assert found.layers == len(states) == 3
    cat, walking = 2, [4, 5]
    one = states[1][0, cat].double()
    other = states[2][0, walking].double().mean(0)
    assert found.products[1, 2, 1, 3] == pytest.approx(float(one @ other), rel=1e-6)
    np.testing.assert_allclose(found.products, found.products.transpose(1, 0, 3, 2), atol=1e-9)


@pytest.mark.parametrize("kind", ["bert", "lstm"])
def test_only_an_elmo_can_be_opened(kinds, kind):
    with pytest.raises(Unusable):
        models.opened(kinds[kind], TEXT)


def test_a_text_without_words_opens_to_nothing(kinds):
    assert models.opened(kinds["elmo"], " ").words == ()


# --- one word in two contexts --------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_word_vectors_do_not_know_the_context(kinds, kind):
    found = models.in_contexts(kinds[kind], TEXT, OTHER, "Mat")
    assert found.layers[0] == "static"
    assert found.similarity[0] == 1.0, "exactly"
    assert len(found.similarity) == len(found.layers) == len(found.others)
    assert ("input" in found.layers) == (kind not in ("elmo", "lstm"))
    assert (found.similarity[2:] < 0.9999).all(), "states do"
    assert (TEXT[slice(*found.spans[0])], OTHER[slice(*found.spans[1])]) == ("mat", "mat")


def test_similarity_by_hand(kinds):
    model = kinds["bert"]
    found = models.in_contexts(model, TEXT, OTHER, "mat")
    ids = [read(model, text).tensors["input_ids"] for text in (TEXT, OTHER)]
    with torch.inference_mode():
        states = [model.network.bert(i, output_hidden_states=True).hidden_states[-1] for i in ids]
    one, other = states[0][0, 8], states[1][0, 2]
    assert found.similarity[-1] == pytest.approx(
        float(torch.cosine_similarity(one, other, 0)), abs=1e-5
    )


def test_the_same_text_before_a_word_is_the_same_to_one_who_looks_back(kinds):
    texts = "the cat sat on the mat", "the cat was happy"
    for kind in ("gpt", "bert"):
        found = models.in_contexts(kinds[kind], *texts, "cat")
        assert found.same_before
        assert (found.similarity > 1 - 1e-6).all() == (kind == "gpt")


def test_common_words_come_rarest_first_and_without_marks(kinds):
    found = models.common_words(kinds["bert"], "The cat, the mat!", "the mat, a cat!")
    assert set(found) == {"the", "cat", "mat"}
    counts = json.loads((kinds["bert"].folder / "unigram.json").read_text())
    ids = [kinds["bert"].tokenizer.convert_tokens_to_ids(word) for word in found]
    assert [counts[i] for i in ids] == sorted(counts[i] for i in ids)
    assert models.common_words(kinds["bert"], "cat", "dog") == ()


def test_a_word_that_is_not_there_is_an_error(kinds):
    with pytest.raises(ValueError, match="both"):
        models.in_contexts(kinds["bert"], TEXT, OTHER, "paris")


def test_without_different_words_there_is_nothing_to_compare_with(kinds):
    found = models.in_contexts(kinds["bert"], "cat", "cat", "cat")
    assert np.isnan(found.others).all()


# --- programs ------------------------------------------------------------------------------------

RUNNER = """
import contextlib, io, json, sys
sys.path.insert(0, sys.argv[1])
printed = {}
for name, program in json.load(sys.stdin).items():
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, name, "exec"), {"__name__": "__main__"})
    printed[name] = [json.loads(line) for line in out.getvalue().splitlines()]
print(json.dumps(printed))
"""


@pytest.fixture(scope="module")
def printed(kinds: dict[str, Model]) -> dict[str, list[list[float]]]:
    """What every program prints; one process runs them all, for starting torch takes seconds."""
    programs = {}
    for kind in KINDS:
        programs[f"{kind} contexts"] = models.in_contexts(kinds[kind], TEXT, OTHER, "mat").snippet
        programs[f"{kind} targets"] = models.targets(kinds[kind], TEXT, 3).snippet
        for pane in models.sight(kinds[kind], "the cat was walking", 1).panes:
            programs[f"{kind} {pane.name}"] = pane.snippet
    programs["opened"] = models.opened(kinds["elmo"], TEXT).snippet
    ran = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", RUNNER, str(ROOT)], input=json.dumps(programs),
        capture_output=True, text=True, encoding="utf-8", check=False,
        env={"PATH": "/usr/bin:/bin", "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    return json.loads(ran.stdout.splitlines()[-1])


@pytest.mark.parametrize("kind", KINDS)
def test_the_programs_print_the_same(kinds, printed, kind):
    found = models.in_contexts(kinds[kind], TEXT, OTHER, "mat")
    np.testing.assert_allclose(printed[f"{kind} contexts"][0], found.similarity, atol=2e-5)
    for pane in models.sight(kinds[kind], "the cat was walking", 1).panes:
        np.testing.assert_allclose(printed[f"{kind} {pane.name}"][0], pane.values, atol=2e-5)
    if kind != "bert":  # the program of masked language modelling has a test of its own
        nats = [one.nats for one in models.targets(kinds[kind], TEXT, 3).targets]
        np.testing.assert_allclose(np.concatenate(printed[f"{kind} targets"]), nats, atol=2e-5)


def test_the_program_that_opens_elmo_prints_the_same(kinds, printed):
    found, lines = models.opened(kinds["elmo"], TEXT), printed["opened"]
    for i, word in enumerate(found.words):
        for part, line in zip(
            (word.forward, word.backward, word.combined), lines[3 * i : 3 * i + 3], strict=True
        ):
            np.testing.assert_allclose(line, [c.probability for c in part.best], atol=1e-5)
    lengths = np.sqrt(np.einsum("aaii->ai", found.products))
    for layer in range(3):
        cosines = found.products[layer, layer] / np.outer(lengths[layer], lengths[layer])
        np.testing.assert_allclose(lines[3 * len(found.words) + layer], cosines, atol=1e-4)
    assert len(layer_states(kinds["elmo"], read(kinds["elmo"], TEXT))) == 3
