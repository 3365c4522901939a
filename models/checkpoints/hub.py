"""Repositories of the Hugging Face hub: which are allowed, which are here, which can be had.

The cache is read by its layout (``models--org--name/snapshots/COMMIT``), so that what is here is
known without a network, and for the very commit that a name says.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from models.checkpoints.headers import weight_files
from models.errors import HubRefused, NotFetched, Refusal
from models.names import Name
from models.settings import settings

State = Literal["cached", "to fetch", "out of reach"]
HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
APACHE, MIT, CC_BY = "Apache-2.0", "MIT", "CC BY 4.0"
WAIT = 3.0
"""Seconds until a hub that does not answer is out of reach."""
AGAIN = 60.0
"""Seconds for which it stays so before it is asked again."""


@dataclass(frozen=True)
class Repository:
    """A well-known repository that the policy ``curated`` allows."""

    id: str
    megabytes: int
    """Of its weights, about; the exact size is asked for before anything is fetched."""
    licence: str

    @property
    def name(self) -> str:
        """For `models.load`."""
        return f"hub:{self.id}"


CURATED = (
    Repository("google-bert/bert-base-uncased", 440, APACHE),
    Repository("google-bert/bert-base-cased", 436, APACHE),
    Repository("google-bert/bert-base-multilingual-cased", 714, APACHE),
    Repository("google-bert/bert-base-chinese", 412, APACHE),
    Repository("distilbert/distilbert-base-uncased", 268, APACHE),
    Repository("FacebookAI/roberta-base", 499, MIT),
    Repository("google/electra-base-generator", 135, APACHE),
    Repository("answerdotai/ModernBERT-base", 599, APACHE),
    Repository("openai-community/gpt2", 548, MIT),
    Repository("distilbert/distilgpt2", 353, APACHE),
    Repository("HuggingFaceTB/SmolLM2-135M", 269, APACHE),
    Repository("google-t5/t5-small", 242, APACHE),
)
"""Language models in safetensors, with files small enough for a server without a GPU."""


def allowed(name: Name) -> None:
    """Whether the operator's policy lets this repository in.

    Raises:
        HubRefused: It does not.
    """
    policy = settings().hub_policy
    listed = name.place in {each.id for each in CURATED}
    if policy == "off" or (policy == "curated" and not listed) or not HUB_ID.fullmatch(name.place):
        raise HubRefused(str(name), policy)


def cached(name: Name) -> Path | None:
    """The folder of a repository in the cache, with all its weights; None if it is not there."""
    root = _cache() / f"models--{name.place.replace('/', '--')}"
    for commit in _commits(root, name.revision):
        folder = root / "snapshots" / commit
        try:
            if (folder / "config.json").is_file() and weight_files(str(name), folder):
                return folder
        except Refusal:  # begun and not finished, or only a pickle
            continue
    return None


def folder(name: Name) -> Path:
    """The folder of an allowed repository.

    Raises:
        HubRefused: The policy forbids it.
        NotFetched: It is not in the cache.
    """
    allowed(name)
    if (found := cached(name)) is None:
        raise NotFetched(str(name))
    return found


def state(name: Name) -> State:
    """Whether a repository is here, could be fetched, or neither."""
    if cached(name) is not None:
        return "cached"
    return "to fetch" if reachable() else "out of reach"


def reachable(now: Callable[[], float] = time.monotonic) -> bool:
    """Whether the hub answers; asked at most once a minute, and never where that is forbidden."""
    return _answers(endpoint(), int(now() // AGAIN))


@lru_cache(maxsize=4)
def _answers(endpoint: str, _minute: int) -> bool:
    from huggingface_hub import constants, get_session

    if constants.is_offline_mode():
        return False
    try:
        get_session().get(f"{endpoint}/api/models?limit=1", timeout=WAIT)
    except Exception:  # noqa: BLE001 - whatever goes wrong on the way: it is out of reach
        return False
    return True


def _commits(root: Path, wanted: str) -> list[str]:
    """The commits in the cache that a name can mean, the best first."""
    try:
        there = sorted((root / "snapshots").iterdir(), key=lambda one: one.stat().st_mtime)
        main = (root / "refs" / "main").read_text().strip() if not wanted else ""
    except OSError:
        there, main = _listed(root), ""
    names = [each.name for each in reversed(there) if each.name.startswith(wanted)]
    return sorted(names, key=lambda commit: commit != main)


def _listed(root: Path) -> list[Path]:
    try:
        return list((root / "snapshots").iterdir())
    except OSError:
        return []


def _cache() -> Path:
    from huggingface_hub import constants

    return Path(constants.HF_HUB_CACHE)


def endpoint() -> str:
    """The address of the hub."""
    from huggingface_hub import constants

    return str(constants.ENDPOINT)
