"""What a checkpoint is: found by trying it, not by its name. The waist's part for it.

`models` offers these functions by the same names; as all of the waist, they load torch with the
first model only. `model` is a name for `models.load` or what it returned; `check` is called between
steps and raises to give up. All raise `Refusal` where the model cannot be had.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from models.interventions import AttentionKind
from models.probing.records import (
    Cutting,
    Demands,
    Glance,
    Neighbours,
    Places,
    Probe,
    Sizes,
    WeightFacts,
    WeightName,
)

if TYPE_CHECKING:
    from models.loading import Model

__all__ = ["attention_kinds", "cutting", "demands", "glance", "neighbours", "part_sizes", "places",
           "probe", "weight", "weight_names"]  # fmt: skip

Check = Callable[[], None] | None


def probe(model: str | Model, text: str, check: Check = None) -> Probe:
    """Try a checkpoint on a text: what it is, what can be recorded and changed, what it sees.

    Everything is measured in runs of the network: tracing beside a plain eager forward pass, sums
    of rows, numbers that are none, what states notice when tokens are replaced one by one (original
    and changed texts in one batch: exactly 0 where nothing arrives). At most 24 tokens are read.

    Raises:
        ValueError: The text holds no token.
    """
    from models.probing.look import probe as look

    return look(_loaded(model), text, check)


def part_sizes(model: str | Model) -> Sizes:
    """All parameters by part and layer, each counted once, tied ones where they come first."""
    from models.probing.parts import sizes

    return sizes(_loaded(model))


def demands(model: str | Model, check: Check = None) -> Demands:
    """FLOPs by length, memory, what a cache takes, the configuration.

    FLOPs are counted at short lengths, by torch's formulas for the operations that the network
    runs with eager attention; from 300 million parameters on in a copy without numbers. What longer
    texts take follows by a formula, where one goes through all counts exactly.
    """
    from models.probing.needs import demands as count

    return count(_loaded(model), check)


def weight_names(model: str | Model) -> tuple[WeightName, ...]:
    """Every tensor of a checkpoint, tied ones once."""
    from models.probing.tensors import names

    return names(_loaded(model))


def weight(model: str | Model, name: str) -> WeightFacts:
    """How the numbers of one tensor lie: histogram, norms, singular values, outlier dimensions.

    Raises:
        KeyError: There is no such tensor.
    """
    from models.probing.tensors import facts

    return facts(_loaded(model), name)


def neighbours(model: str | Model, word: str, count: int = 12) -> Neighbours | None:
    """The entries whose input vectors are most alike to a word's, by cosine; None without a word.

    Raises:
        CannotTrace: The network keeps no table of words.
    """
    from models.probing.words import neighbours as find

    return find(_loaded(model), word, count)


def places(model: str | Model) -> tuple[Places, ...]:
    """The tensors that tell places apart, read from the loaded weights; () where there are none."""
    from models.probing.tables import places as read

    return read(_loaded(model))


def cutting(model: str | Model, text: str) -> Cutting:
    """How the tokenizer cuts a text, its special tokens, and whether it fits the weights."""
    from models.probing.tokens import cutting as cut

    return cut(_loaded(model), text)


def attention_kinds(model: str | Model) -> tuple[AttentionKind, ...]:
    """The kinds of attention that a model has; () without any."""
    from models.maps import kinds

    return kinds(_loaded(model))


def glance(
    model: str | Model,
    sentences: Sequence[str],
    kind: AttentionKind | None = None,
    progress: Callable[[int, int], None] | None = None,
    check: Check = None,
) -> Glance:
    """Every head's measures over several sentences: means and standard errors.

    Args:
        model: See above.
        sentences: Empty ones are left out; at most 200 are read, of each at most 128 tokens.
        kind: By default the model's first.
        progress: Called before each sentence with its number, from 0, and how many there are.
        check: See above.

    Raises:
        CannotTrace: The model has no attention.
        ValueError: No sentence, or no such attention.
    """
    from models.probing.several import glance as look

    return look(_loaded(model), sentences, kind, progress, check)


def _loaded(model: str | Model) -> Model:
    from models.loading import load

    return load(model) if isinstance(model, str) else model
