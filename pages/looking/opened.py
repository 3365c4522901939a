"""Which head is open."""

from __future__ import annotations

import numpy as np
import streamlit as st

from components.head import Choice, choice
from models.trace import HeadAt
from pages.looking.asking import KEY, Looking


def chosen(looking: Looking) -> Choice:
    """What the visitor opened, or a link."""
    found, query = looking.found, st.query_params
    link = {name: query.get(name, "") for name in ("head", "rows", "columns", "top")}
    return choice(KEY, found.depth, found.heads, link, _first(looking))


def _first(looking: Looking) -> HeadAt:
    """The sharpest head that is no sink: it shows at once what a head can do."""
    values = looking.found.statistics
    sharp = np.where(values["sink"] < 0.5, values["entropy"], np.inf)
    layer, at = np.unravel_index(int(sharp.argmin()), sharp.shape)
    return int(layer), int(at)
