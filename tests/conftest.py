"""For every test: nothing is fetched, and the app's language starts as English."""

from __future__ import annotations

import os

# Before anything imports transformers: a test that wants the network should fail, not wait.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

from hypothesis import settings

# A busy machine is no reason to fail: no test here is about how long an example takes.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
