"""A verdict can come out either way, and chance alone never makes one."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.verdict import judge, spread_between

NUMBERS = st.floats(0.001, 5)


@given(NUMBERS, NUMBERS, NUMBERS)
def test_the_opposite_effect_gets_the_opposite_verdict(
    effect: float, error: float, spread: float
) -> None:
    one, other = judge("c", effect, error, spread), judge("c", -effect, error, spread)
    large = effect > 2 * max(error, spread)
    assert one.outcome == ("supported" if large else "within noise")
    assert other.outcome == ("opposite" if large else "within noise")


def test_the_larger_of_both_errors_decides() -> None:
    assert judge("c", 1.0, 0.4, 0.1).outcome == "supported"
    assert judge("c", 1.0, 0.6, 0.1).outcome == "within noise"
    assert judge("c", 1.0, 0.1, 0.6).outcome == "within noise"
    assert judge("c", 1.0, 0.5).outcome == "within noise", "exactly twice is not more"


@pytest.mark.parametrize("numbers", [(math.nan, 1, 1), (1, math.inf, 1), (1, -1, 0)])
def test_nothing_is_judged_from_what_is_no_number(numbers: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="effect"):
        judge("c", *numbers)


def test_one_training_has_no_spread() -> None:
    assert spread_between([2.0]) == spread_between([]) == 0
    assert spread_between([1.0, 2.0, 3.0]) == pytest.approx(1.0)
