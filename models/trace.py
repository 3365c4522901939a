"""All result records in one place: the only module of `models` that `components` may import."""

from __future__ import annotations

from models.interventions import (
    BypassHead,
    CutEdges,
    Dropout,
    Intervention,
    NoFeedForward,
    NoPositions,
    NoSkip,
    ReplaceActivation,
    ReplaceHead,
    SilenceHeads,
)
from models.results import BLANK, Blank, Candidate, Prediction, Provenance, Sentence, Span
from models.traces import Attention, Measurement, Missing, Record, Residual, Stack, Token, Trace

__all__ = [
    "BLANK",
    "Attention",
    "Blank",
    "BypassHead",
    "Candidate",
    "CutEdges",
    "Dropout",
    "Intervention",
    "Measurement",
    "Missing",
    "NoFeedForward",
    "NoPositions",
    "NoSkip",
    "Prediction",
    "Provenance",
    "Record",
    "ReplaceActivation",
    "ReplaceHead",
    "Residual",
    "Sentence",
    "SilenceHeads",
    "Span",
    "Stack",
    "Token",
    "Trace",
]
