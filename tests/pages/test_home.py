"""One sentence, four ways, through the router: tiny models of all architectures, none trained.

What the page draws is read from the data that its components get: the lanes with their answers,
and the arcs that follow.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

import models
from components.lanes import in_bits
from models.settings import settings
from models.slots import slots
from models.trace import Sentence
from pages.choosing.reading import is_chinese
from pages.comparing import parity
from tests.pages.tiny_zoo import LINE, built_zoo, describe, keep, zoo

__all__ = ["built_zoo", "zoo"]  # fixtures

pytestmark = pytest.mark.usefixtures("zoo")

SHELL = Path(__file__).parents[2] / "components" / "shell.py"
CAT = "the cat was walking on the mat in paris"
FOUR = ["BERT", "GPT", "ELMo", "Transformer"]
BEST = ["bert-en", "gpt-s-en", "elmo-s-en", "seq-s-en"]
MATCHED = ["bert-s-en", *BEST[1:]]
VERSE = ["bert-zh", "gpt-zh", "elmo-zh", "seq-zh"]


def home(locale: str = "en-US", **query: str) -> AppTest:
    """The page as a new visitor finds it: it is the first one."""
    app = AppTest.from_file(SHELL, default_timeout=120)
    app.context = {"locale": locale}
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def sentence(text: str, *hidden: str) -> Sentence:
    return Sentence(text, tuple((text.index(w), text.index(w) + len(w)) for w in hidden))


def report(app: AppTest, asked: Sentence, focus: object = None) -> AppTest:
    """What the browser sends when a sentence is typed, words are clicked, a blank is chosen."""
    spans = [list(span) for span in asked.hidden]
    app.session_state["home"] = {"sentence": {"text": asked.text, "hidden": spans}}
    if focus is not None:
        app.session_state["home_lanes"] = {"focus": focus}
    app.run()
    assert not app.exception
    return app


def mounted(app: AppTest, component: str) -> list[dict[str, Any]]:
    return [
        json.loads(each.proto.json)
        for each in app.get("bidi_component")
        if each.proto.component_name == f"unmask.{component}"
    ]


def drawn(app: AppTest) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """The data of the lanes, and by the lane's name that of the arcs that follow."""
    lanes, *arcs = mounted(app, "lanes")
    return lanes, {each["name"]: each for each in arcs}


def near(values: list[float]) -> Any:
    """Numbers that another thread computed."""
    return pytest.approx(values, rel=1e-4, abs=1e-6)


def shown(app: AppTest) -> list[str]:
    """The models of the lanes."""
    return [lane["model"] for lane in drawn(app)[0]["lanes"]]


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server without the model it should have."""
    monkeypatch.setenv("UNMASK_DEFAULT_MODEL", "bert-missing")
    settings.cache_clear()
    yield
    monkeypatch.undo()
    settings.cache_clear()


def test_four_answers_and_their_arcs() -> None:
    asked = sentence(CAT, "walking", "mat")
    lanes, arcs = drawn(report(home(), asked))
    assert [lane["name"] for lane in lanes["lanes"]] == list(arcs) == FOUR
    for lane, model in zip(lanes["lanes"], BEST, strict=True):
        answer = models.predict(model, asked, 5)
        for blank, expected in zip(lane["blanks"], answer.blanks, strict=True):
            best = expected.candidates
            assert [row["word"] for row in blank["rows"]] == [each.text for each in best]
            assert [row["probability"] for row in blank["rows"]] == near(
                [each.probability for each in best]
            )
        followed = arcs[lane["name"]]
        assert followed["asked"] == lane["asked"]
        bits = [value["bits"] for value in followed["arcs"]["values"] if value]
        found = models.influence(model, asked)
        assert bits == near([each for each in found.values if each or lane["name"] != "GPT"])
        assert max(bits) > 0.01


def test_what_a_model_may_not_look_at_is_struck_out_and_has_no_arc() -> None:
    lanes, arcs = drawn(report(home(), sentence(CAT, "walking", "mat"), focus=1))
    words = CAT.split()
    for lane in lanes["lanes"]:
        seen = [blank["seen"] for blank in lane["blanks"]]
        left = [[i <= words.index(word) for i in range(len(words))] for word in ("walking", "mat")]
        assert seen == (left if lane["name"] == "GPT" else [[True] * len(words)] * 2)
        values = arcs[lane["name"]]["arcs"]["values"]
        without = [value is None for value in values]
        assert without == [
            word["blank"] is not None or not there
            for word, there in zip(lane["words"], seen[1], strict=True)
        ]


def test_what_one_way_models_put_into_other_blanks_is_shown_as_guesses() -> None:
    asked = sentence(CAT, "cat", "walking", "mat")
    lanes, _ = drawn(report(home(), asked))
    guessed = {
        lane["name"]: [list(blank["guesses"]) for blank in lane["blanks"]]
        for lane in lanes["lanes"]
    }
    earlier = [[], ["0"], ["0", "1"]]
    both = [["1", "2"], ["0", "2"], ["0", "1"]]
    assert guessed == {"BERT": [[], [], []], "GPT": earlier, "ELMo": both, "Transformer": earlier}
    word = models.predict("gpt-s-en", asked).blanks[1].guesses[0].word
    assert lanes["lanes"][1]["blanks"][1]["guesses"]["0"]["word"].lstrip("…") == word.text


def test_elmo_tells_both_directions() -> None:
    lanes, _ = drawn(report(home(), sentence(CAT, "walking")))
    sides = [lane["blanks"][0]["sides"] for lane in lanes["lanes"]]
    assert [len(each) for each in sides] == [0, 0, 2, 0]
    view = models.predict("elmo-s-en", sentence(CAT, "walking")).blanks[0].views[1]
    assert sides[2][1].startswith("Right only: ") and view.best
    assert view.best.text in sides[2][1]


def test_arcs_are_said_in_bits() -> None:
    asked = sentence(CAT, "mat")
    _, arcs = drawn(report(home(), asked))
    found = models.influence("bert-en", asked)
    values = [value for value in arcs["BERT"]["arcs"]["values"] if value]
    assert [value["shown"] for value in values] == [in_bits(bits) for bits in found.values]


def test_the_chosen_blank_has_the_arcs() -> None:
    asked = sentence(CAT, "cat", "mat")
    app = report(home(), asked)
    first, second = drawn(app), drawn(report(app, asked, focus=1))
    assert (first[0]["focus"], second[0]["focus"]) == (0, 1)
    for i, name in enumerate(FOUR):
        assert first[1][name]["asked"] != second[1][name]["asked"]
        assert second[1][name]["asked"] == second[0]["lanes"][i]["asked"]
    expected = models.influence("bert-en", asked, blank=1).values.tolist()
    values = second[1]["BERT"]["arcs"]["values"]
    assert [value["bits"] for value in values if value] == near(expected)


@pytest.mark.parametrize("focus", [7, -1, True, "1", None, [0]])
def test_a_blank_that_is_not_there_leaves_the_focus_on_the_first(focus: object) -> None:
    assert drawn(report(home(), sentence(CAT, "mat"), focus))[0]["focus"] == 0


@pytest.mark.parametrize(
    ("asked", "prompt", "unmeasured"),
    [
        (Sentence(""), "Type an English sentence", ""),
        (Sentence(CAT), "Click a word to hide it", ""),
        (Sentence("cat", ((0, 3),)), "", "Arcs need a visible word"),
        (Sentence("[MASK] " + "a " * 33), "", "up to 32 visible words and 240 characters"),
    ],
)
def test_why_there_is_no_answer_or_no_arc(asked: Sentence, prompt: str, unmeasured: str) -> None:
    lanes, arcs = drawn(report(home(), asked))
    assert prompt in lanes["prompt"] and bool(prompt) == bool(lanes["prompt"])
    for lane in lanes["lanes"]:
        assert bool(lane["blanks"]) != bool(prompt) and not lane["note"]
        assert arcs[lane["name"]]["arcs"]["values"] is None
        if unmeasured:
            told = arcs[lane["name"]]["arcs"]["unmeasured"]
            assert unmeasured in told == lane["unmeasured"]


def test_what_all_have_in_common_is_said_once_and_the_rest_with_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lanes, _ = drawn(report(home(), Sentence("the [MASK] 😀")))
    assert len(lanes["notices"]) == 1 and lanes["notices"][0].startswith("The vocabulary lacks")
    predict = models.predict

    def shorter(model: str, asked: Sentence, *more: Any) -> object:
        return predict(model, Sentence(asked.text[:10]) if model in BEST[1:3] else asked, *more)

    monkeypatch.setattr(models, "predict", shorter)
    lanes, _ = drawn(report(home(), Sentence("the [MASK] 😀")))
    assert lanes["notices"][0].startswith("BERT, Transformer: The vocabulary lacks")


def test_a_blank_that_only_some_models_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    far = Sentence("[MASK] sat " + "a " * 25 + "[MASK]")
    loaded = models.load("gpt-s-en")
    object.__setattr__(loaded, "max_tokens", 12)
    lanes, arcs = drawn(report(home(), far, focus=1))
    blanks = {lane["name"]: len(lane["blanks"]) for lane in lanes["lanes"]}
    assert blanks == {"BERT": 2, "GPT": 1, "ELMo": 2, "Transformer": 2}
    assert lanes["focus"] == 1
    assert arcs["GPT"]["arcs"]["values"] is None and arcs["BERT"]["arcs"]["values"]
    assert lanes["notices"][0].startswith("GPT: This is longer than the model reads at once.")


def test_without_a_model_its_lane_says_so_and_the_others_answer(no_model: None) -> None:
    app = report(home(), sentence(CAT, "mat"))
    lanes, arcs = drawn(app)
    first, *others = lanes["lanes"]
    assert "bert-missing" in first["note"] and "Your sentence is kept" in first["note"]
    assert first["words"] == first["blanks"] == []
    assert arcs["BERT"]["arcs"]["values"] is None
    assert all(lane["blanks"] and arcs[lane["name"]]["arcs"]["values"] for lane in others)


def test_only_models_that_are_there_have_lanes_and_switches(
    monkeypatch: pytest.MonkeyPatch, zoo: Path
) -> None:
    keep(monkeypatch, zoo, "bert-en")
    app = report(home(), sentence(CAT, "mat"))
    assert shown(app) == ["bert-en"] and not app.radio
    assert drawn(app)[0]["foot"] == []
    keep(monkeypatch, zoo, "bert-en", "gpt-s-en", "elmo-s-en")
    app = home()
    assert shown(app) == BEST[:3] and app.radio[0].options == [
        "The best of each",
        "A matched family",
    ]


def test_the_switch_leads_to_the_matched_family_and_to_verse() -> None:
    app = report(home(), sentence(CAT, "mat"))
    assert shown(app) == BEST
    for choice, there in (("matched", MATCHED), ("verse", VERSE), ("best", BEST)):
        app.radio[0].set_value(choice).run()
        assert not app.exception
        assert shown(app) == there
        told = drawn(app)[0]["notices"]
        assert bool(told and "Chinese verse alone" in told[0]) == (choice == "verse")


def test_chinese_goes_to_verse_and_english_comes_back() -> None:
    app = report(home(), sentence(CAT, "mat"))
    app.radio[0].set_value("matched").run()
    verse = report(app, sentence(LINE, "霜"))
    assert shown(verse) == VERSE and verse.radio[0].value == "verse"
    assert "Tang and Song regulated verse" in drawn(verse)[0]["foot"][0]
    tried = mounted(verse, "offers")[0]["offers"]
    assert all(is_chinese(each["sentence"]["text"]) for each in tried)
    app.radio[0].set_value("best").run()
    assert shown(app) == BEST, "the visitor's own choice counts"
    assert shown(report(app, sentence(LINE, "鄉"))) == BEST
    app.radio[0].set_value("verse").run()
    assert shown(report(app, Sentence(""))) == VERSE, "nothing typed yet is no English"
    assert shown(report(app, sentence(CAT, "mat"))) == MATCHED, "where the visitor came from"


def test_a_link_brings_a_sentence_or_its_models() -> None:
    lanes, _ = drawn(home(text="the cat can [[walk]]."))
    assert [word["blank"] for word in lanes["lanes"][0]["words"]] == [None, None, None, 0, None]
    assert shown(home(text=f"{LINE[:10]}[[霜]]。")) == VERSE
    assert shown(home(models="matched")) == MATCHED
    assert shown(home(models="nonsense")) == BEST


def test_simplified_characters_are_read_as_traditional_and_that_is_said() -> None:
    lanes, _ = drawn(report(home(), sentence("举头望明月，低头思故乡。", "故")))
    assert lanes["notices"] == [
        "Read in the characters that Taiwan uses: “舉頭望明月，低頭思故鄉。”"
    ]
    words = "".join(word["text"] for word in lanes["lanes"][0]["words"])
    assert words == "舉頭望明月，低頭思故鄉。"


def test_the_footer_is_computed_from_the_cards(zoo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (told,) = drawn(home(models="matched"))[0]["foot"]
    assert told.startswith("Not matched. They also differ in size"), "such small ones are not"
    monkeypatch.setattr(parity, "PARAMETERS", 1.0)
    (matched,) = drawn(home(models="matched"))[0]["foot"]
    assert matched.startswith("Matched: the same text") and "16 M tokens seen" in matched
    describe(zoo / "gpt-s-en", tokens=4_000_000, source="other")
    describe(zoo / "bert-en", start="minilm-bert")
    try:
        (told,) = drawn(home(models="matched"))[0]["foot"]
        assert "text read" in told and "tokens seen in training (4 M to 16 M)" in told
        assert told.startswith("Not matched.") and "vocabulary" not in told and "size" not in told
        (best,) = drawn(home())[0]["foot"]
        assert best.endswith("bert-en began as MiniLM, a model that had read far more text.")
    finally:
        describe(zoo / "gpt-s-en")
        describe(zoo / "bert-en")


def test_examples_that_were_measured_say_what_they_show(zoo: Path) -> None:
    row = {"text": "the cat sat", "start": 4, "end": 7, "side": "both"}
    file = zoo / "contrasts.json"
    file.write_text(json.dumps({"best": [row]}))
    try:
        app = home()
        (offered,) = mounted(app, "offers")[0]["offers"]
        assert offered["label"] == "Both sides decide"
        assert mounted(app, "tokens")[0]["sentence"] == offered["sentence"]
    finally:
        file.unlink()


def test_a_full_queue_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> object:
        raise models.TooBusy(200)

    app = home()
    monkeypatch.setattr(slots(), "claim", full)
    lanes, _ = drawn(report(app, sentence(CAT, "mat")))
    assert "Many people" in lanes["prompt"]
    assert [lane["name"] for lane in lanes["lanes"]] == FOUR


def test_a_model_without_word_counts_answers_without_arcs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "influence", refuse)
    lanes, arcs = drawn(report(home(), sentence(CAT, "mat")))
    assert lanes["lanes"][0]["blanks"]
    assert "no word counts" in arcs["BERT"]["arcs"]["unmeasured"]


def refuse(*_: object) -> object:
    raise models.Refusal("bert-en")


def test_every_lane_leads_to_a_page_about_its_model() -> None:
    lanes, _ = drawn(report(home("zh-TW"), sentence(CAT, "mat")))
    marked = CAT.replace("mat", "[[mat]]")
    for lane in lanes["lanes"]:
        assert parse_qs(urlsplit(lane["link"]).query) == {
            "model": [lane["model"]],
            "models": ["best"],
            "text": [marked],
            "lang": ["zh_TW"],
        }
    assert urlsplit(lanes["lanes"][0]["link"]).path == "fill"


@pytest.mark.parametrize("model", BEST)
def test_the_page_that_a_lane_leads_to_opens_with_its_model_and_sentence(model: str) -> None:
    lanes, _ = drawn(report(home(), sentence(CAT, "mat")))
    address = urlsplit(next(lane["link"] for lane in lanes["lanes"] if lane["model"] == model))
    app = AppTest.from_file(SHELL, default_timeout=120)
    app.switch_page(f"../pages/{address.path}.py")
    app.query_params.update({name: value for name, (value,) in parse_qs(address.query).items()})
    app.run()
    assert not app.exception
    (strip,) = mounted(app, "tokens")
    assert strip["sentence"]["text"] == CAT
    if address.path != "sees":
        assert app.selectbox[0].value == model


def test_arcs_are_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app = report(home(), sentence(CAT, "mat"))
    _, before = drawn(app)
    monkeypatch.delattr(models, "influence")
    app.run()
    _, again = drawn(app)
    assert not app.exception
    assert [each["arcs"] for each in again.values()] == [each["arcs"] for each in before.values()]


@pytest.mark.parametrize(
    ("company", "text", "told"),
    [
        ("best", LINE, "have read English only"),
        ("verse", CAT, "know Chinese verse alone"),
    ],
)
def test_another_language_than_the_models_have_read_is_said(
    company: str, text: str, told: str
) -> None:
    app = report(home(models=company), sentence(text, text[0]))
    app.radio[0].set_value(company).run()
    (notice,) = drawn(app)[0]["notices"]
    assert told in notice


def test_the_visitors_typing_stops_what_is_being_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    def cancelled(*_: object) -> object:
        raise models.Cancelled

    app = home()
    monkeypatch.setattr(models, "influence", cancelled)
    report(app, sentence(CAT, "mat"))
    assert not app.error


def test_four_answers_take_one_turn_of_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[str] = []
    claim, predict, influence = slots().claim, models.predict, models.influence

    def noted(name: str, function: Any) -> Any:
        return lambda *some, **more: (turns.append(name), function(*some, **more))[1]

    app = home()
    monkeypatch.setattr(slots(), "claim", noted("turn", claim))
    monkeypatch.setattr(models, "predict", noted("answer", predict))
    monkeypatch.setattr(models, "influence", noted("arcs", influence))
    report(app, sentence(CAT, "mat"))
    assert turns == ["turn", *["answer"] * 4, *["turn", "arcs"] * 4]


def bar(app: AppTest, kind: str) -> dict[str, Any]:
    """What the bar under the lanes holds when this drawer of it is open."""
    app.session_state["influence"] = {"open": kind}
    app.run()
    assert not app.exception
    (data,) = mounted(app, "takeaway")
    return data


def test_the_numbers_can_be_taken_away() -> None:
    asked = sentence(CAT, "mat")
    app = report(home(), asked)
    rows = list(
        csv.DictReader(
            line for line in bar(app, "numbers")["content"]["csv"].splitlines() if line[0] != "#"
        )
    )
    for model in BEST:
        found = models.influence(model, asked)
        own = [row for row in rows if row["model"] == model]
        arcs = [float(row["influence_bits"]) for row in own if row["influence_bits"]]
        seen = found.values if model != "gpt-s-en" else found.values[:6]
        assert arcs == near(seen.tolist())
        parts = {row["part"] for row in own}
        assert parts == ({"all", "forward", "backward"} if "elmo" in model else {"all"})
    assert bar(app, "numbers")["name"] == "unmask-influence"
    code = bar(app, "code")["content"]["code"]
    assert all(f"# {name}: {model}\n" in code for name, model in zip(FOUR, BEST, strict=True))
    assert all(models.influence(model, asked).snippet in code for model in BEST)
    picture = bar(app, "picture")["content"]
    assert picture["markup"].count("<path") == 3 * 8 + 6
    assert picture["alt"].count("Widest arc") == 4
    about = bar(app, "about")["content"]
    assert "Jensen-Shannon" in about["note"]
    assert all(model in json.dumps(about["facts"]) for model in BEST)


def test_a_link_restores_sentence_models_and_focus() -> None:
    app = report(home(models="matched"), sentence(CAT, "cat", "mat"), focus=1)
    query = parse_qs(bar(app, "")["link"])
    again = home(**{name: value for name, (value,) in query.items()})
    assert drawn(again)[0]["focus"] == 1 and shown(again) == MATCHED


def test_without_arcs_the_answers_can_still_be_taken() -> None:
    app = report(home(), Sentence("[MASK] " + "a " * 33))
    kinds = [button["kind"] for button in bar(app, "picture")["buttons"]]
    assert kinds == ["numbers", "picture", "link", "about"]
    assert "<path" not in bar(app, "picture")["content"]["markup"]


def test_chinese_words() -> None:
    app = report(home("zh-TW"), Sentence(CAT))
    assert app.title[0].value == "一句話，四種讀法"
    assert "編碼器" in drawn(app)[0]["lanes"][0]["sees"]
    lanes, arcs = drawn(report(app, sentence(CAT, "mat")))
    assert "被遮住的單字" in lanes["lanes"][0]["blanks"][0]["truth"][0]
    assert "位元" in arcs["BERT"]["arcs"]["values"][0]["shown"]
    assert lanes["lanes"][2]["blanks"][0]["sides"][0].startswith("只看左邊：")
