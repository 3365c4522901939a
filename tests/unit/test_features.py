"""Frozen features: labels from WordNet, a probe that is asked fairly, verdicts either way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from components.feature_claims import CLAIMS, judged
from models.features import (
    MATCHED,
    SEEDS,
    Features,
    depth_verdicts,
    feature_verdicts,
    from_facts,
    packed,
    unpacked,
)
from models.recurrence import VARIANTS
from models.training.features import (
    PARTS,
    Item,
    Sample,
    control,
    fitted,
    items,
    lemmas,
    numbered,
    probed,
    run,
    sample,
)
from models.training.sources.document import Document
from tests.unit.kinds import build_kind

NEW, KNOWN = 400, 300
LICENCE = "  1 This software and database is being provided to you\n"
CAT = '00000001 05 n 02 cat 0 true_cat 0 001 @ 00000002 n 0000 | a feline; "the cat sat"\n'
RUN = '00000003 38 v 01 run 0 000 | to go fast; "they run"\n'
LIVE = '00000004 00 a 01 live(a) 0 000 | living; "a live cat"\n'


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    folder = tmp_path / "usr/share/wordnet"
    folder.mkdir(parents=True)
    lines = {"n": CAT, "v": RUN, "a": LIVE, "r": ""}
    for part, name in PARTS.items():
        (folder / name).write_text(LICENCE + lines[part])
    return tmp_path


def test_labels_are_those_of_the_dictionary(wordnet: Path) -> None:
    words = lemmas(wordnet)
    assert words == {
        "wordnet:n:00000001": ("cat", "true_cat"),
        "wordnet:v:00000003": ("run",),
        "wordnet:a:00000004": ("live",),
    }

    def example(unit: str, *texts: str, source: str = "wordnet_examples") -> Document:
        return Document(source, unit, texts)

    found = items(
        [
            example(
                "wordnet:n:00000001", "Cats sat.", "A cat saw a cat.", "The Cat sat.", "A cat."
            ),
            example("wordnet:v:00000003", "They ran.", "He runs."),  # never in the listed form
            example("wordnet:a:00000004", "A live cat."),
            example("wordnet:n:00000001", "A cat: a feline.", source="wordnet_glosses"),
        ],
        words,
    )
    assert [(item.text, item.word, item.label) for item in found] == [
        ("The Cat sat.", "cat", 0),
        ("A live cat.", "live", 2),
    ]


def made(word: str, label: int, text: str = "{}") -> Item:
    start = text.index("{}")
    return Item(text.format(word), start, start + len(word), label)


def test_no_word_is_both_learned_from_and_asked_about() -> None:
    pool = [made(f"w{i % 900}", i % 4, f"{i} {{}}") for i in range(3_000)]
    held = [made(f"w{i}", 0, f"held {{}} {i}") for i in range(100)]
    drawn = sample(pool, held)
    learned, known, new = ({i.word for i in each} for each in (drawn.learned, drawn.known, held))
    assert not learned & new and known <= learned and len(drawn.known) == 500
    assert not {i.text for i in drawn.learned} & {i.text for i in drawn.known}
    assert sample(pool, held).digest == drawn.digest != sample(pool[500:], held).digest


def test_the_control_task_has_one_label_for_each_word() -> None:
    learned = [made(f"w{i % 50}", i % 4) for i in range(200)]
    known = [made(f"w{i % 50}", 0) for i in range(100)]
    one, other = control(Sample(learned, known, []))
    labels = dict(zip([i.word for i in learned], one.tolist(), strict=True))
    assert [labels[i.word] for i in learned] == one.tolist(), "the same label at every place"
    assert [labels[i.word] for i in known] == other.tolist()
    assert set(one.tolist()) == {0, 1, 2, 3} and one.tolist() != [i.label for i in learned]


def test_the_probe_reads_what_is_there_and_guesses_where_nothing_is() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 4, 300)
    told = np.eye(4)[labels] @ rng.normal(size=(4, 12)) + 0.01 * rng.normal(size=(300, 12))
    assert (fitted(told[:200], labels[:200], told[200:]) == labels[200:]).all()
    nothing = np.ones((300, 12))
    usual = np.bincount(labels[:200]).argmax()
    assert (fitted(nothing[:200], labels[:200], nothing[200:]) == usual).all()


def test_answers_are_kept_as_bits() -> None:
    for count in (1, 8, 13):
        right = np.random.default_rng(count).random(count) < 0.5
        assert (unpacked(packed(right), count) == right).all()


def test_every_layer_of_a_model_is_probed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = build_kind("bert", tmp_path)
    words = [w for w in ("cat", "mat", "paris", "king") if w in model.tokenizer.get_vocab()]
    learned = [made(word, i % 4, "the {} was") for i, word in enumerate(words * 3)]
    asked = Sample(learned, learned[:3], learned[:2])
    found = probed(model, asked)
    assert list(found) == ["static", "input", "1", "2"]
    monkeypatch.setattr("models.load", lambda _: model)
    facts = run(["bert-x"], asked)
    view = from_facts(facts).views["bert-x"]
    assert {len(view.right["1", a]) for a in ("known", "control")} == {3}
    assert len(view.right["1", "new"]) == 2 and view.best in ("1", "2")
    marked = facts | {"views": {"bert-x": "kept"}}
    assert run(["bert-x"], asked, marked)["views"] == {"bert-x": "kept"}, "the same weights"
    other = marked | {"sample": "another"}
    assert run(["bert-x"], asked, other)["views"] == facts["views"]


def test_words_are_numbered() -> None:
    assert numbered([made("b", 0), made("a", 0), made("b", 1)]).tolist() == [1, 0, 1]


def layers(rng: np.random.Generator, **shares: float) -> dict[str, dict[str, str]]:
    """Made-up answers: by layer, the share of right ones."""

    def right(count: int, share: float) -> str:
        return packed(rng.permutation(count) < round(share * count))

    names = {"static": "static", "first": "1", "last": "2"}
    return {
        names[name]: {
            "new": right(NEW, share),
            "known": right(KNOWN, share),
            "control": right(KNOWN, shares["control"]),
        }
        for name, share in shares.items()
        if name in names
    }


def made_up(better: float = 0.2) -> dict[str, Any]:
    """A probe that finds what textbooks say by `better`, or its opposite if that is below 0."""
    rng = np.random.default_rng(0)
    views = {}
    for name in MATCHED.values():
        top = 0.6 + (better / 2 if name == MATCHED["bert"] else 0)
        views[name] = layers(
            rng, static=top - better, first=top, last=top - better, control=top - better
        )
        if better < 0:  # else the layer above would be the best
            views[name]["2"] = views[name]["1"]
    for kind, by_depth in VARIANTS.items():
        share = 0.6 + (better if kind == "gpt" else 0)
        for name in by_depth.values():
            views[name] = layers(rng, static=0.5, first=share, last=0.4, control=0.5)
    for name in SEEDS:
        views[name] = layers(rng, static=0.5, first=0.7, last=0.4, control=0.5)
    return {
        "seed": 0,
        "learned": 100,
        "often": 0.4,
        "words": {"new": [i // 2 for i in range(NEW)], "known": list(range(KNOWN))},
        "weights": dict.fromkeys(views, "0" * 12),
        "versions": {"torch": "0"},
        "views": views,
    }


def outcomes(found: Features) -> dict[str, str]:
    return {v.claim: v.outcome for v in (*feature_verdicts(found), *depth_verdicts(found))}


def test_verdicts_come_out_either_way() -> None:
    said = outcomes(from_facts(made_up()))
    assert len(said) == 4 + 3 + 3 and set(said.values()) == {"supported"}
    contrary = outcomes(from_facts(made_up(-0.2)))
    assert contrary.pop("top") == "within noise", "the best layer is never worse for known words"
    assert set(contrary.values()) == {"opposite"}
    assert set(outcomes(from_facts(made_up(0.0))).values()) == {"within noise"}


def test_seeds_that_lie_far_apart_leave_no_verdict() -> None:
    facts = made_up()
    rng = np.random.default_rng(1)
    for name, share in zip(SEEDS[1:], (0.3, 0.95), strict=True):
        facts["views"][name] = layers(rng, static=0.1, first=share, last=0.1, control=0.5)
    said = outcomes(from_facts(facts))
    assert {said[f"features {n}"] for n in (1, 2, 4)} | {said["sides"]} == {"within noise"}
    assert said["heart"] == "supported", "one model alone"


def test_what_is_judged_does_not_choose_the_layer() -> None:
    facts = made_up()
    view = facts["views"]["bert-s-en"]
    view["2"]["new"] = packed(np.ones(NEW, dtype=bool))
    found = from_facts(facts)
    assert found.views["bert-s-en"].best == "1"
    assert found.at_best("bert-s-en")[0] == pytest.approx(0.7)
    assert outcomes(found)["top"] == "opposite"


def test_intervals_are_over_words_and_differences_are_paired() -> None:
    found = from_facts(made_up())
    view = found.views["bert-s-en"]
    one = found.score(view, "1")
    assert one.low < one.mean < one.high and one.mean == view.right["1", "new"].mean()
    again = found.draws(view, "1") - found.draws(found.views["bert-s-en"], "1")
    assert not again.any()
    right = view.right["1", "new"].reshape(-1, 2).mean(1)  # two items of each word
    error = right.std() / np.sqrt(len(right))
    assert found.draws(view, "1")[1:].std() == pytest.approx(error, rel=0.1)


def test_all_verdicts_have_words() -> None:
    found = from_facts(made_up())
    said = judged([*feature_verdicts(found), *depth_verdicts(found)])
    assert len({each.claim for each in said}) == len(said) == len(CLAIMS) - 3 + 3
    assert "At a depth of 4" in said[-1].claim and "points (n = 400)" in said[-1].effect


def test_what_was_not_probed_is_not_judged() -> None:
    facts = made_up()
    for name in ("gpt-s-en", "lstm-v-4-layers"):
        del facts["views"][name]
    said = outcomes(from_facts(facts))
    assert not {"layers gpt", "sides", "features 4"} & said.keys() and "features 2" in said
