"""English dates: the two ways to read figures, the generator of training text, the phrasings."""

from __future__ import annotations

import datetime
import doctest
import re
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import dates
from models.dates import readings
from models.training.pair_tokenizers import letters
from models.training.sources import date_forms, numerals
from models.training.sources import dates as source
from models.training.split import is_held_out
from models.training.translation import read_phrasings

ENGLISH = ("She put the red book on the table", "Nobody knew where he may have gone")
DAYS = st.dates(datetime.date(1000, 1, 1), datetime.date(2999, 12, 31))
MONTH = {name[:3].lower(): number for number, name in enumerate(date_forms.MONTHS, start=1)}


def chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311 (no secret)


@pytest.mark.parametrize("module", [dates, numerals], ids=["dates", "numerals"])
def test_examples_in_the_documentation_hold(module: object) -> None:
    found = doctest.testmod(module)  # type: ignore[arg-type]
    assert found.attempted and not found.failed


@given(DAYS, st.sampled_from(["/", "-", ".", " ", ". "]))
def test_figures_are_read_both_ways_where_both_are_days(day: datetime.date, mark: str) -> None:
    text = f"on {day.day}{mark}{day.month}{mark}{day.year}, at noon"
    found = readings(text)
    assert found[0].iso == day.isoformat() and found[0].order == "day first"
    assert len(found) == (2 if day.day <= 12 and day.day != day.month else 1)
    if len(found) == 2:
        assert found[1].iso == day.replace(month=day.day, day=day.month).isoformat()
        assert found[1].order == "month first"
    start, end = found[0].span
    assert text[start:end] == text.removeprefix("on ").removesuffix(", at noon")


@pytest.mark.parametrize(
    "text", ["", "03/04/12", "31/02/2012", "1.2.3.2012", "12-34-5678", "5 May 2012", "3/4-2012"]
)
def test_what_is_no_whole_date_in_figures_has_no_reading(text: str) -> None:
    assert readings(text) == ()


@given(DAYS, st.integers(0, 10_000))
def test_every_form_of_a_day_in_figures_means_that_day(day: datetime.date, seed: int) -> None:
    for form in (date_forms.numeric, date_forms.year_first):
        text = form(day, chance(seed))
        if re.fullmatch(r"\d{8}", text):
            assert text == f"{day:%Y%m%d}"
            continue
        assert (
            readings(re.split("[T ]\\d\\d:", text)[0].replace(" / ", "/"))[0].iso == day.isoformat()
        )


@given(DAYS, st.integers(0, 10_000))
def test_a_day_in_letters_names_its_month_and_the_weekday_it_was(
    day: datetime.date, seed: int
) -> None:
    rng = chance(seed)
    for form in (date_forms.day_month_year, date_forms.month_day_year, date_forms.joined):
        named = re.findall("|".join(MONTH), form(day, rng).lower())
        assert [MONTH[name] for name in named] == [day.month]
    weekday = date_forms.weekday_of(day, rng)
    assert date_forms.WEEKDAYS[day.weekday()].startswith(weekday.rstrip("."))


def test_a_named_day_is_written_by_its_name() -> None:
    texts = {date_forms.named(datetime.date(2020, 12, 25), chance(seed)) for seed in range(40)}
    assert all(re.search("christmas|xmas", text.lower()) for text in texts) and len(texts) > 5


def test_held_out_days_never_occur_in_training_text() -> None:
    train = list(source.pairs(400, False, ENGLISH))
    held_out = list(source.pairs(100, True, ENGLISH))
    assert not any(is_held_out(p.unit, source.HELD_OUT_SHARE) for p in train)
    assert all(is_held_out(p.unit, source.HELD_OUT_SHARE) for p in held_out)
    assert {p.target for p in train}.isdisjoint(p.target for p in held_out)
    assert train == list(source.pairs(400, False, ENGLISH))
    assert all(datetime.date.fromisoformat(p.target) for p in train)


def test_the_year_stands_in_every_phrase_with_all_its_figures_or_in_words() -> None:
    in_words = 0
    for pair in source.pairs(500, False, ENGLISH):
        if pair.target[:4] not in pair.source:
            tens = numerals.year_words(int(pair.target[:4]), " ")
            assert any(words in pair.source.lower().replace("-", " ") for words in tens), pair
            in_words += 1
    assert 20 < in_words < 200


def test_words_around_a_date_hold_no_date() -> None:
    kept = source.fragments([*ENGLISH, "Come in March", "He won 3 times", "the second door"])
    assert kept == list(ENGLISH)


def test_a_slip_changes_a_month_by_one_letter_or_two() -> None:
    slips = {source.misspelled("5 February 2012", chance(seed)) for seed in range(60)}
    assert "5 Febuary 2012" in slips and "5 February 2012" not in slips
    assert source.misspelled("5 May 2012", chance(0)) == "5 May 2012"


def test_the_sixty_phrasings_are_dates_that_can_be_read_in_one_way() -> None:
    phrasings = read_phrasings()
    assert len(phrasings) == 60 == len({p.source for p in phrasings})
    for pair in phrasings:
        day = datetime.date.fromisoformat(pair.target)
        assert len(readings(pair.source)) < 2
        for weekday in re.findall(r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)", pair.source):
            assert date_forms.WEEKDAYS[day.weekday()].startswith(weekday)


def test_dates_are_spelled_letter_by_letter_and_come_back() -> None:
    tokenizer = letters()
    read = tokenizer("The 3rd  of\tMay’s ☃", return_offsets_mapping=True)
    pieces = tokenizer.convert_ids_to_tokens(read["input_ids"])
    assert pieces == ["[CLS]", *"the 3rd of may's ", "[UNK]", "[SEP]"]
    assert read["offset_mapping"][8] == (8, 9), "two spaces are read as one"
    ids = tokenizer("2012-12-21")["input_ids"]
    assert tokenizer.decode(ids, skip_special_tokens=True) == "2012-12-21"


def test_training_phrases_can_be_spelled() -> None:
    tokenizer = letters()
    unknown = Counter(
        tokenizer.unk_token_id in tokenizer(pair.source)["input_ids"]
        for pair in source.pairs(300, False, ENGLISH)
    )
    assert unknown == {False: 300}
