"""Launches Unmask: `streamlit run app.py`."""

from __future__ import annotations

import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio.to_thread
import streamlit as st
from starlette.middleware import Middleware

import models
from components.failure import show_failure
from components.headers import SecurityHeaders
from components.probes import probe_routes
from models.settings import settings

ROOT = Path(__file__).parent
logger = logging.getLogger("unmask")


@asynccontextmanager
async def warm_up(_: st.App) -> AsyncIterator[None]:
    """Load the default model before the first visitor comes; serve the pages even without it."""
    settings()  # a wrong setting stops the start: the operator is there to read why
    try:
        await anyio.to_thread.run_sync(models.warm_up)
    except Exception:
        logger.exception("The default model could not be loaded; pages that need it will say so.")
    # The 400,000 objects of torch and transformers stay for good. A search for garbage that leaves
    # them out stops all visitors for a fraction of the 0.2 seconds that it would take with them.
    gc.collect()
    gc.freeze()
    yield


app = st.App(
    # The script lies away from pages/: Streamlit would run a pages/ folder beside it by itself.
    ROOT / "components" / "shell.py",
    routes=probe_routes(ROOT / "pages"),
    middleware=[Middleware(SecurityHeaders)],
    lifespan=warm_up,
    on_script_error=show_failure,
)
