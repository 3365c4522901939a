"""All result records in one place: the only module of `models` that `components` may import."""

from __future__ import annotations

from models.results import BLANK, Blank, Candidate, Prediction, Provenance, Sentence, Span

__all__ = ["BLANK", "Blank", "Candidate", "Prediction", "Provenance", "Sentence", "Span"]
