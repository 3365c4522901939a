"""What can be taken away from a panel, as plain data: a table, a picture, a link, an origin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Any, TypeAlias, TypeVar
from urllib.parse import quote, urlencode

from components.words import language, t
from models.trace import Provenance

T = TypeVar("T")
Lazy: TypeAlias = T | Callable[[], T]
"""A part, or a function that makes it once a visitor asks for it."""

COUNTED = frozenset({"layer", "head"})
"""Columns that count from 0 in code and in CSV, and from 1 on the screen."""

LONGEST_LINK = 8_000
"""Characters of a query that servers and proxies commonly accept."""

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet would run text that begins so."""


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    name: str
    """In the CSV, the same in every language: ``probability``."""
    title: str
    """On the screen, in the visitor's language."""
    show: Callable[[Any], str] = str
    """How a value is written on the screen."""


@dataclass(frozen=True)
class Table:
    """The numbers of a panel: one row per number, layers and heads counted from 0."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[object]]
    """Unrounded; None where there is no value."""
    note: str = ""
    """What a reader of the numbers should know."""


def shown(table: Table, most: int) -> list[list[str]]:
    """The first `most` rows as a reader sees them: rounded, layers and heads counted from 1."""
    return [
        [_shown(column, value) for column, value in zip(table.columns, row, strict=True)]
        for row in table.rows[:most]
    ]


def _shown(column: Column, value: Any) -> str:
    if value is None:
        return "–"
    return column.show(value + 1 if column.name in COUNTED else value)


def numeric(table: Table) -> list[bool]:
    """Which columns hold numbers."""
    return [
        all(isinstance(row[i], Number | None) for row in table.rows)
        for i in range(len(table.columns))
    ]


def precise(value: float) -> str:
    """Four significant digits: `0.1234`, `1.234e-06`."""
    return f"{value:.4g}"


def csv_text(table: Table, title: str, about: Sequence[Provenance] = ()) -> str:
    """The table as CSV (RFC 4180), with comments that say what it is.

    ``pandas.read_csv(file, comment="#")`` reads it. Text that a spreadsheet would run as a formula
    gets an apostrophe in front: what a stranger's link put into the sentence must not run.
    """
    comments = [title, table.note, counting(table)]
    comments += [origin(each) for each in about]
    comments += [versions(each) for each in about[:1]]
    lines = [f"# {' '.join(comment.split())}" for comment in comments if comment]
    lines.append(",".join(column.name for column in table.columns))
    lines += [",".join(_cell(value) for value in row) for row in table.rows]
    return "\r\n".join(lines) + "\r\n"


def _cell(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value)
    guarded = f"'{value}" if len(value) > 1 and value.startswith(FORMULA) else value
    return '"' + guarded.replace('"', '""') + '"'


def counting(table: Table) -> str:
    """How layers and heads are counted in the CSV; "" for a table without them."""
    if not any(column.name in COUNTED for column in table.columns):
        return ""
    return t("In this file layers and heads count from 0, on the screen from 1.")


def link_query(link: Mapping[str, str]) -> str | None:
    """`link` and the language as the query of an address; None if it would be too long for one."""
    # The language last: a sentence may end in a full stop, which mail programs cut from a link.
    query = urlencode({**link, "lang": language()}, quote_via=quote)
    return query if len(query) <= LONGEST_LINK else None


def origin(about: Provenance) -> str:
    """Where numbers come from, in one sentence."""
    return t(
        "Model {model}, weights {revision} (SHA-256), computed in {dtype}.",
        model=about.model,
        revision=about.revision,
        dtype=about.dtype,
    )


def versions(about: Provenance) -> str:
    """The software that computed them."""
    return " · ".join(f"{package} {version}" for package, version in about.versions)
