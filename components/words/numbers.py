"""Numbers as the visitor's language writes them."""

from __future__ import annotations

from babel.numbers import format_decimal, format_percent

from components.words.current import language


def number(value: float, digits: int = 0, *, exactly: bool = False) -> str:
    """`value` with grouped thousands and at most (or exactly) `digits` decimals: `1,234`."""
    pattern = _pattern(digits, "0" if exactly else "#")
    return format_decimal(value, format=pattern, locale=language())


def percent(share: float, digits: int = 0) -> str:
    """A share of one with exactly `digits` decimals: `percent(0.463)` is `46%`."""
    return format_percent(share, format=f"{_pattern(digits, '0')}%", locale=language())


def _pattern(digits: int, digit: str) -> str:
    return "#,##0" + ("." + digit * digits if digits else "")
