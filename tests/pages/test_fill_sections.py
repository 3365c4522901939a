"""The sections below the answers: one is open, with the model's own numbers; a link restores it."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

import models
from models.settings import settings
from models.trace import NamedWords, Sentence
from tests.pages.fill_page import (
    PAGE,
    all_drawn,
    bar,
    drawn,
    fill,
    followed,
    report,
    taken,
)

MODEL = settings().default_model
CUP = "She would like a cup of tea with milk."
TEA = ((24, 27),)
HIDDEN = "She would like a cup of [[tea]] with milk."
BOTH = "She would like a [[cup]] of [[tea]] with milk."

QUESTIONS = {"score_words": "words", "fill_jointly": "together", "compare_sentences": "sentence"}


def opened(app: AppTest) -> str:
    """Which section the visitor sees: the only one that draws."""
    kinds = {"rated": "words", "fills": "together", "surprisals": "sentence"}
    (found,) = {name for kind, name in kinds.items() if all_drawn(app, kind)}
    return found


def rows(app: AppTest) -> dict[str, tuple[str, ...]]:
    """The list of rated words: each with its numbers."""
    (panel,) = all_drawn(app, "rated")[0]["panels"]
    return {row["word"]: tuple(row["cells"]) for row in panel["rows"]}


def test_a_new_visitor_finds_the_first_section_open() -> None:
    assert opened(fill(text=HIDDEN)) == "words"


@pytest.mark.parametrize("name", ["words", "together", "sentence"])
def test_a_link_opens_a_section_and_only_that_one_computes(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def watch(question: str) -> None:
        original = getattr(models, question)

        def ask(*args: Any, **more: Any) -> Any:
            asked.append(QUESTIONS[question])
            return original(*args, **more)

        monkeypatch.setattr(models, question, ask)

    for question in QUESTIONS:
        watch(question)
    app = fill(section=name, text=BOTH)
    assert opened(app) == name
    assert asked == [name]
    app.run()
    assert asked == [name], "the same question is not computed twice"


@pytest.mark.parametrize(
    "query",
    [
        {"section": "nothing"},
        {"section": "words", "blank": "99", "longer": "x", "words": "]]" * 500},
        {"section": "words", "blank": "٣"},
        {"section": "together", "blank": "-1"},
        {"section": "sentence", "second": "\x00 ![x](http://x/y.png)"},
    ],
)
def test_any_link_opens_the_page(query: dict[str, str]) -> None:
    opened(fill(text=BOTH, **query))


def test_the_open_section_survives_another_page_and_another_language() -> None:
    app = fill(section="together", text=BOTH)
    app.session_state["fill_sections_en"] = "Whole sentence"
    app.run()
    assert opened(app) == "sentence"
    app.switch_page("../pages/home.py").run().switch_page(PAGE).run()
    assert opened(app) == "sentence"
    app.session_state["language"] = "zh_TW"
    app.run()
    assert opened(app) == "sentence"
    assert "單字" in drawn(app, "surprisals")["words"]["bars"]


# --- this word


def named(sentence: Sentence, words: str, blank: int = 0) -> NamedWords:
    return models.score_words(MODEL, sentence, words, blank)


def test_words_that_are_named_are_rated_by_the_model() -> None:
    app = fill(text=HIDDEN)
    app.text_input(key="fill_words").set_value("coffee / water, 茶").run()
    assert not app.exception
    shown = rows(app)
    assert list(shown) == ["coffee", "water", "茶"]
    coffee, water, _ = named(Sentence(CUP, TEA), "coffee, water, 茶").words
    assert shown["coffee"][2] == f"{coffee.rank:,}" and shown["water"][2] == f"{water.rank:,}"
    table = taken(app, "named_words", "numbers")["rows"]
    assert table[0][3] == f"{coffee.probability:.4g}"


def test_before_any_word_is_named_the_hidden_one_stands_beside_the_first_answers() -> None:
    app = fill(text=HIDDEN)
    (blank,) = drawn(app, "answers")["blanks"]
    best = [row["word"] for row in blank["rows"][:3]]
    assert list(rows(app)) == list(dict.fromkeys(["tea", *best]))


def test_entropy_and_surprisal_are_told_in_bits() -> None:
    entropy, surprisal = drawn(fill(text=HIDDEN), "facts")["facts"]
    (blank,) = models.predict(MODEL, Sentence(CUP, TEA)).blanks
    assert entropy["value"] == f"{blank.entropy_bits:.1f} bits"
    assert "tea" in surprisal["name"] and surprisal["value"].endswith("bits")


def test_the_link_restores_blank_list_and_longer_words() -> None:
    query = {"section": "words", "blank": "2", "words": "tea, walkingly", "longer": "1"}
    app = fill(text=BOTH, **query)
    assert "Blank 2" in all_drawn(app, "rated")[0]["panels"][0]["title"]
    longer = all_drawn(app, "rated")[1]["panels"]
    found = models.longer_answers(MODEL, Sentence(CUP, ((17, 20), (24, 27))), 1)
    assert [[row["word"] for row in panel["rows"]] for panel in longer] == [
        [word.text for word in words] for words in (found.two, found.three)
    ]
    link = dict(parse_qsl(bar(app, "named_words")["link"]))
    assert {name: link[name] for name in query} == query


def test_without_a_hidden_word_the_section_says_what_to_do() -> None:
    app = report(fill(section="words"), CUP)
    assert any("Hide a word" in each.value for each in app.info)
    assert not all_drawn(app, "rated")


# --- together


def test_both_fills_are_the_models_own() -> None:
    app = fill(text=BOTH, section="together")
    found = models.fill_jointly(MODEL, Sentence(CUP, ((17, 20), (24, 27))))
    alone, joint = drawn(app, "fills")["panels"]
    for panel, fill_ in ((alone, found.independent), (joint, found.joint)):
        assert [step["blank"] for step in panel["steps"]] == [str(b + 1) for b in fill_.order]
        words = {int(step["blank"]) - 1: step["word"] for step in panel["steps"]}
        assert [words[i] for i in range(2)] == [word.text for word in fill_.words]
    assert opened(followed(app, "together")) == "together"
    compile(taken(app, "together", "code")["code"], "snippet", "exec")


@pytest.mark.parametrize("hidden", [(), ("tea",)])
def test_with_less_than_two_blanks_there_is_something_to_try(hidden: tuple[str, ...]) -> None:
    app = report(fill(section="together"), CUP, *hidden)
    assert any("Hide" in each.value for each in app.info)
    offers = drawn(app, "offers")["offers"]
    assert len(offers) == 3 and all(len(each["sentence"]["hidden"]) == 2 for each in offers)


def test_a_full_queue_is_said_where_it_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> object:
        raise models.TooBusy(200)

    monkeypatch.setattr(models, "fill_jointly", full)
    app = fill(text=BOTH, section="together")
    assert any("Many people" in each.value for each in app.info)
    assert len(drawn(app, "answers")["blanks"]) == 2, "the answers stay"


# --- whole sentence


def second(app: AppTest) -> str:
    return str(app.text_input(key="fill_second").value)


def test_the_second_sentence_begins_with_the_models_other_answer_and_keeps_up() -> None:
    app = fill(text=HIDDEN, section="sentence")
    (blank,) = drawn(app, "answers")["blanks"]
    other = next(row["word"] for row in blank["rows"] if row["word"] != "tea")
    assert second(app) == CUP.replace("tea", other)
    report(app, "Birds can fly.", "fly")
    assert second(app).startswith("Birds can ") and second(app) != "Birds can fly."


def test_what_a_visitor_types_against_it_stays() -> None:
    app = fill(text=HIDDEN, section="sentence")
    app.text_input(key="fill_second").set_value("Birds can swim.").run()
    report(app, "Birds can fly.", "fly")
    assert second(app) == "Birds can swim."
    pair = models.compare_sentences(MODEL, "Birds can fly.", "Birds can swim.")
    assert ("first" if pair.difference > 0 else "second") in drawn(app, "surprisals")["headline"]
    again = followed(app, "whole")
    assert second(again) == "Birds can swim."
    assert drawn(again, "surprisals")["columns"] == drawn(app, "surprisals")["columns"]


def test_an_empty_field_leaves_one_sentence_alone_and_so_does_its_link() -> None:
    app = fill(text=HIDDEN, section="sentence", second="")
    assert second(app) == ""
    columns = drawn(app, "surprisals")["columns"]
    scored = models.pseudo_perplexity(MODEL, CUP)
    assert [len(column["bars"]) for column in columns] == [1] * len(scored.words)
    assert f"{scored.pseudo_perplexity:,.1f}" == drawn(app, "facts")["facts"][0]["value"]
    assert second(followed(app, "whole")) == ""


def test_pairs_to_try_show_what_differs() -> None:
    app = fill(text=HIDDEN, section="sentence")
    offered = drawn(app, "offers")["offers"]
    assert all(" / " in each["label"] and not each["sentence"]["hidden"] for each in offered)


def test_an_empty_sentence_says_what_to_do() -> None:
    app = report(fill(section="sentence"), "  ")
    assert any("Type an English sentence" in each.value for each in app.info)


def test_chinese() -> None:
    app = fill("zh-TW", text=BOTH, section="together")
    assert drawn(app, "fills")["panels"][0]["title"] == "各自填"
    app.session_state["fill_sections_zh_TW"] = "整個句子"
    app.run()
    assert "偽困惑度" in drawn(app, "facts")["facts"][0]["name"]
    assert bar(app, "whole")["buttons"][0]["text"] == "數據"
