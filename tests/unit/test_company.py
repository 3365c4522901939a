"""Who stands side by side, what their cards say, what they cannot see, and what is shown first."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import models
from models import catalog
from models.catalog import BUNDLED
from models.loading import Model
from models.results import Blank, Candidate, Sentence, View
from models.training.contrasts import Item, Outcome, choose, rows
from models.training.texts import sources_read
from tests.unit.test_kind_measures import SEVERAL

NAMES = ("bert-en", "gpt-s-en", "elmo-s-en", "seq-s-en", "bert-s-en", "bert-zh", "gpt-zh")


@pytest.fixture
def zoo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A zoo whose folders are complete as soon as they are there."""
    bundled = tuple(replace(facts, folder=tmp_path / facts.name) for facts in BUNDLED)
    monkeypatch.setattr(catalog, "BUNDLED", bundled)
    monkeypatch.setattr(catalog, "ZOO", tmp_path)
    return tmp_path


def add(zoo: Path, *names: str) -> None:
    for name in names:
        (zoo / name).mkdir()
        for file in catalog.REQUIRED:
            (zoo / name / file).touch()


def names() -> dict[str, list[str]]:
    return {name: [each.model for each in there] for name, there in models.companies().items()}


def test_the_default_model_stands_alone_until_others_come(zoo: Path) -> None:
    assert names() == {"best": ["bert-en"]}
    add(zoo, "gpt-s-en")
    assert names() == {"best": ["bert-en", "gpt-s-en"]}, "one model is no family"
    add(zoo, "bert-s-en", "elmo-s-en")
    matched = ["bert-s-en", "gpt-s-en", "elmo-s-en"]
    assert names() == {"best": ["bert-en", *matched[1:]], "matched": matched}
    add(zoo, "gpt-en", "bert-zh", "gpt-zh")
    assert names()["best"][1] == "gpt-en" and names()["verse"] == ["bert-zh", "gpt-zh"]
    assert [each.objective for each in models.companies()["verse"]] == ["masked", "causal"]


def test_the_operators_model_has_the_first_place(zoo: Path, configure) -> None:
    configure(default_model="hub:google-bert/bert-base-uncased")
    assert names() == {"best": ["hub:google-bert/bert-base-uncased"]}


def test_a_card_without_a_word_on_training_is_none(zoo: Path, kinds: dict[str, Model]) -> None:
    add(zoo, "gpt-s-en")
    assert models.card("gpt-s-en") is None
    with pytest.raises(models.Refusal):
        models.card("elmo-s-en")


def test_a_card_counts_what_the_files_hold(zoo: Path, kinds: dict[str, Model]) -> None:
    model = kinds["elmo"]
    assert model.folder is not None
    (zoo / "elmo-s-en").symlink_to(model.folder)
    source = {"sha256": "ab", "train": {"documents": 2, "words": 70}}
    facts = {"recipe": {"start": "elmo"}, "tokens": 9, "corpus": {"a": source, "b": source}}
    path = model.folder / "training.json"
    path.write_text(json.dumps(facts))
    found = models.card("elmo-s-en")
    assert found is not None
    assert found.parameters == sum(p.numel() for p in model.network.parameters())
    assert (found.pieces, found.length, found.tokens) == (len(model.tokenizer), 140, 9)
    path.write_text(json.dumps({**facts, "corpus": {"a": source}}))
    other = models.card("elmo-s-en")
    assert other is not None
    assert other.text != found.text and other.vocabulary == found.vocabulary
    path.unlink()


@pytest.mark.parametrize("kind", ["bert", "gpt", "elmo", "seq"])
@pytest.mark.parametrize("blank", [0, 1, 2])
def test_what_is_out_of_reach_is_what_never_has_influence(
    kinds: dict[str, Model], kind: str, blank: int
) -> None:
    model = kinds[kind]
    found = models.influence(model, SEVERAL, blank)
    spans = models.visible_words(model, SEVERAL)
    unseen = models.out_of_reach(model.objective, spans, SEVERAL.hidden[blank])
    silent = {span for span, bits in zip(found.words, found.values, strict=True) if bits == 0}
    assert silent == unseen


def test_examples_are_kept_by_company(zoo: Path) -> None:
    assert models.contrasts("best") == ()
    row = {"text": "A cat sat", "start": 2, "end": 5, "side": "both"}
    (zoo / "contrasts.json").write_text(json.dumps({"best": [row]}))
    assert models.contrasts("verse") == ()
    (only,) = models.contrasts("best")
    assert (only.sentence, only.side) == (Sentence("A cat sat", ((2, 5),)), "both")


def blank(probability: float, rank: int, best: str = "cat") -> Blank:
    return Blank((2, 5), "cat", ("cat",), (Candidate(best, 1, 0.5, False),), rank, probability, 1.0)


def outcome(item: Item, **ranks: int) -> Outcome:
    """Models that give the hidden word these ranks; the lower, the less probable."""
    parts: dict[str, Blank | View] = {
        name: blank(0.5**rank, rank, "cat" if rank == 1 else "dog") for name, rank in ranks.items()
    }
    return Outcome(item, parts)


RANKS = {"bert": 1, "gpt": 1, "elmo": 1, "seq": 1, "forward": 1, "backward": 1}
A_CAT = Sentence("A cat sat", ((2, 5),))


@pytest.mark.parametrize(
    ("side", "ranks"),
    [
        ("left", {"backward": 11}),
        ("right", {"gpt": 11, "elmo": 2}),
        ("both", {"gpt": 2, "backward": 3, "elmo": 2}),
        ("both", {"bert": 2, "gpt": 4, "elmo": 2, "backward": 5}),
        ("wrong", {"bert": 2, "elmo": 5, "backward": 5}),
    ],
)
def test_what_an_example_must_show(side: str, ranks: dict[str, int]) -> None:
    item = Item(A_CAT, "" if side == "wrong" else side)
    found = outcome(item, **RANKS | ranks)
    assert list(choose([found])) == [side]
    assert not choose([found], dull={"cat"})
    assert not choose([outcome(item, **RANKS)]), "where all are right, nothing shows"


def test_the_clearest_example_is_chosen_and_kept_as_it_was_measured() -> None:
    weak, clear = (outcome(Item(A_CAT, "right"), **RANKS | {"gpt": far}) for far in (11, 30))
    chosen = choose([weak, clear])
    assert chosen == {"right": clear}
    (row,) = rows(chosen)
    assert (row["text"], row["start"], row["end"], row["side"]) == ("A cat sat", 2, 5, "right")
    assert row["bits"] == {name: float(rank) for name, rank in (RANKS | {"gpt": 30}).items()}


def test_a_first_answer_that_is_right_comes_before_a_clearer_third_one() -> None:
    first = outcome(Item(A_CAT, "right"), **RANKS | {"gpt": 11})
    third = outcome(Item(A_CAT, "right"), **RANKS | {"bert": 3, "gpt": 30, "elmo": 2})
    assert choose([third, first]) == {"right": first}
    assert choose([third]) == {"right": third}


def test_another_right_answer_is_not_wrong() -> None:
    ranks = RANKS | {"bert": 2, "backward": 2}
    assert list(choose([outcome(Item(A_CAT), **ranks)])) == ["wrong"]
    assert not choose([outcome(Item(A_CAT, accepted=("dog",)), **ranks)])


def test_a_run_names_only_what_it_has_read(tmp_path: Path) -> None:
    manifest = {"austen": {}, "bible": {}, "jargon": {}}
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "manifest.json").write_text(json.dumps(manifest))
    assert list(sources_read("english", tmp_path)) == ["austen", "bible", "jargon"]
    assert list(sources_read("english-s", tmp_path)) == ["austen", "bible"]
