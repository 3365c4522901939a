"""For every test: nothing is fetched, and the app's language starts as English."""

from __future__ import annotations

import os
from collections.abc import Iterator

# Before anything imports transformers: a test that wants the network should fail, not wait.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import pytest
import torch
from hypothesis import settings

# A busy machine is no reason to fail: no test here is about how long an example takes.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(autouse=True)
def gradients_stay_as_they_were() -> Iterator[None]:
    """A snippet run in this process may turn them off; the next test finds them on again."""
    with torch.enable_grad():
        yield
