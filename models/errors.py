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


class NotFetched(Refusal):
    """The repository is allowed, but nobody has fetched it yet: `models.fetch` does."""


@dataclass(eq=False)
class ExtraMissing(Refusal):
    """A package that only this kind of model needs is not installed.

    Attributes:
        packages: What is to be installed.
    """

    packages: tuple[str, ...]


@dataclass(eq=False)
class TooLarge(Refusal):
    """It is beyond what the operator allows; found out before anything was loaded.

    Attributes:
        what: ``parameters``, or ``memory`` in bytes.
        needed: How much it has.
        limit: How much is allowed.
    """

    what: str
    needed: int
    limit: int


class NoRoom(Refusal):
    """The memory for models is taken by others that are being used just now; ask again later."""


@dataclass(eq=False)
class NoDevice(Refusal):
    """There is no such device in this machine, or the model does not run in this number format.

    Attributes:
        device: Such as ``cuda`` or ``bfloat16``.
    """

    device: str


@dataclass(eq=False)
class Unusable(Refusal):
    """The files are there, but do not make a model that can do what was asked.

    Attributes:
        reason: ``architecture`` (no language model), ``weights`` (some would be random),
            ``tokenizer`` (none, or it does not match the weights) or ``mask`` (it reads no masks).
        why: What exactly, one of `WHY`; "" where the reason says it all.
        named: Weights or files that it is about, the first few; a stranger's words.
        count: How many there are in all.
    """

    reason: str
    why: str = ""
    named: tuple[str, ...] = ()
    count: int = 0


WHY = (
    *("empty", "config", "unknown type", "own code", "no text"),
    *("no weights", "pickle", "header", "truncated", "shard", "shapes", "fresh", "spare", "nan"),
    *("no tokenizer", "slow tokenizer", "larger tokenizer"),
)
"""What can be wrong with a folder. There is nothing in it; config.json cannot be read, or names a
type that transformers does not know, or one that exists as code in the folder only; it reads no
text. There are no weights, or only a pickle; a file is no such file, ends too early, or is missing;
weights have another shape, or are not there and would be drawn at random; there are layers that the
configuration has no place for; weights are no numbers. There is no tokenizer, or one that does not
say where in a text its tokens stand, or that knows more tokens than the model has vectors for."""


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
