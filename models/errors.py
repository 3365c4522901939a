"""Why a model cannot be had. A refusal carries data, not prose: a page words it for its reader."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False)
class Refusal(Exception):
    """A model was asked for that cannot be given.

    Attributes:
        name: The model's name, as it was asked for.
    """

    name: str

    def __str__(self) -> str:
        """For logs: the kind of refusal and its data."""
        facts = ", ".join(f"{key}={value!r}" for key, value in vars(self).items())
        return f"{type(self).__name__}({facts})"


class UnknownModel(Refusal):
    """No bundled model has this name, and it is neither ``dir:`` nor ``hub:``."""


@dataclass(eq=False)
class FilesMissing(Refusal):
    """The model's folder is absent or incomplete.

    Attributes:
        missing: The files that should be there.
    """

    missing: tuple[str, ...]


class FolderRefused(Refusal):
    """The folder lies outside the roots that the operator named."""


@dataclass(eq=False)
class HubRefused(Refusal):
    """The hub policy does not allow this repository.

    Attributes:
        policy: ``off`` or ``curated``.
    """

    policy: str


class HubUnreachable(Refusal):
    """The repository is allowed, but neither cached here nor reachable (a normal state offline)."""


@dataclass(eq=False)
class Unusable(Refusal):
    """The files are there, but do not make a model that can do what was asked.

    Attributes:
        reason: ``architecture`` (no language model), ``weights`` (some would be random),
            ``tokenizer`` (none, or it does not match the weights) or ``mask`` (it reads no masks).
    """

    reason: str


@dataclass(eq=False)
class CannotTrace(Refusal):
    """Something asked for cannot be done exactly in this model, and is not done halfway.

    Attributes:
        what: The quantity or intervention, such as ``residual`` or ``NoSkip``.
        reason: ``family`` (its modules are not in the table), ``own attention`` (its code computes
            attention by itself), ``no attention`` (it has none), ``no transform`` (its head has
            none) or ``width`` (its head's transform changes the width, so that leaving it out fits
            nothing).
    """

    what: str
    reason: str
