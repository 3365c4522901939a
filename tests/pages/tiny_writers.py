"""What the tests of the pages that write have in common."""

from __future__ import annotations

import models
from models.catalog import ModelFacts


def known(facts: dict[str, ModelFacts], name: str) -> ModelFacts:
    """What `models.describe` says of these models, and of no others."""
    if name not in facts:
        raise models.Refusal(name)
    return facts[name]
