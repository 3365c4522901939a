"""Numbers as the visitor's language writes them."""

from __future__ import annotations

from babel.numbers import format_decimal, format_percent

from components.words.current import language


def number(value: float, digits: int = 0, *, exactly: bool = False) -> str:
    """`value` with grouped thousands and at most (or exactly) `digits` decimals: `1,234`."""
    pattern = _pattern(digits, "0" if exactly else "#")
    return format_decimal(value, format=pattern, locale=language())


def fixed(value: float, digits: int) -> str:
    """`value` with exactly `digits` decimals and a true minus sign: `−3.10`."""
    shown: str = format_decimal(value, format=_pattern(digits, "0"), locale=language())
    return shown.replace("-", "−")


def percent(share: float, digits: int = 0) -> str:
    """A share of one with exactly `digits` decimals: `percent(0.463)` is `46%`."""
    return format_percent(share, format=f"{_pattern(digits, '0')}%", locale=language())


def _pattern(digits: int, digit: str) -> str:
    return "#,##0" + ("." + digit * digits if digits else "")
