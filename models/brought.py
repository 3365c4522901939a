"""The waist's part for models that visitors bring: what there is, how large it is, getting it here.

As all of the waist, these functions load torch with the first model only; `models` offers them by
the same names.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from models.checkpoints import hub
from models.checkpoints.hub import Repository, State
from models.checkpoints.places import Packed, installed, listed
from models.checkpoints.sized import Sized
from models.names import parse

if TYPE_CHECKING:
    from models.checkpoints.fetching import Fetch


def folders(search: str = "") -> tuple[str, ...]:
    """Names of the models under the folders that the operator named; none if none is named.

    Args:
        search: What their place must contain, case aside.
    """
    return listed(search)


def packages() -> tuple[Packed, ...]:
    """The installed packages that carry a model."""
    return installed()


def repositories() -> tuple[tuple[Repository, State], ...]:
    """The well-known repositories of the hub, and whether each is here or could be."""
    return tuple((each, hub.state(parse(each.name))) for each in hub.CURATED)


def fetch(name: str) -> Fetch:
    """Begin to fetch a repository of the hub, or join a download of it that runs already.

    Args:
        name: ``hub:org/name``, with ``@commit`` for another version than the newest.

    Raises:
        HubRefused: The operator's policy forbids it.
    """
    from models.checkpoints.fetching import fetch as begin

    return begin(name)


def size_of(name: str) -> Sized:
    """What a model is, before it is loaded: from its configuration and the headers of its weights.

    Args:
        name: As for `models.load`.

    Raises:
        Refusal: It is not here, or its files cannot be read.
    """
    from models.catalog import place
    from models.checkpoints import gguf
    from models.checkpoints.sized import sized

    path = place(parse(name))
    return gguf.header(name, path) if path.is_file() else sized(name, path)


def check_size(found: Sized) -> None:
    """Whether the operator allows a model of this size.

    Raises:
        TooLarge: No; with the figures.
    """
    from models.checkpoints.sized import within_limits

    within_limits(found)


def resized(found: Sized, name: str) -> Sized:
    """The same figures for the same files under another name, such as in half precision."""
    return replace(found, name=name)


def devices() -> tuple[str, ...]:
    """The devices of this machine that a model could run on, the usual one first."""
    import torch

    return ("cpu", "cuda") if torch.cuda.is_available() else ("cpu",)


def running_as(name: str, dtype: str, device: str) -> str:
    """The name of the same files in a number format on a device."""
    return str(replace(parse(name), dtype=dtype, device=device))
