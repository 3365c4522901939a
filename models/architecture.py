"""The waist's part for architectures: a model as blocks, a block opened, one token's way.

As all of the waist, these functions load torch with the first model only; `models` offers them by
the same names. `model` is a name for `models.load` or what it returned; `check` is called between
steps and raises to give up. All raise `Refusal` where the model cannot be had, or is of a family
whose blocks are not known here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from models.blueprints import Blueprint, Kind, OpenPart, Side, TokenPath
from models.features import Features, stored_features
from models.recurrence import Depths, Speeds, stored_speeds
from models.recurrence import depths as read_depths
from models.results import Sentence

if TYPE_CHECKING:
    from models.loading import Model

__all__ = ["blueprint", "depths", "frozen_features", "open_part", "speeds", "token_path"]

Check = Callable[[], None] | None


def blueprint(model: str | Model, sentence: Sentence) -> Blueprint:
    """A model as blocks: kinds, weights with shapes, parameters, FLOPs for this sentence.

    All of it is read from the loaded network. The parameters of the parts sum up to the model's;
    tied weights count once. FLOPs are those of matrix products, as torch counts them.

    Args:
        model: See above.
        sentence: A hidden word becomes a mask where the model reads any.
    """
    from models.building.parts import blueprint as draw

    return draw(_loaded(model), sentence)


def open_part(
    model: str | Model,
    sentence: Sentence,
    kind: Kind,
    side: Side,
    layer: int | None = None,
    check: Check = None,
) -> OpenPart:
    """What runs through one block on a sentence: what it gives, and the tensors on the way.

    Args:
        model: See above.
        sentence: As for `blueprint`.
        kind: Which block, as `blueprint` names it.
        side: In which tower.
        layer: In which layer, from 0; None outside the layers.
        check: See above.

    Raises:
        ValueError: There is no such block.
    """
    from models.building.opened import open_part as look

    return look(_loaded(model), sentence, kind, side, layer, check)


def token_path(
    model: str | Model,
    sentence: Sentence,
    position: int | None = None,
    layer: int = 0,
    check: Check = None,
) -> TokenPath:
    """One token's way from its embedding to the probabilities, one layer step by step.

    Of an encoder-decoder it is a token of the decoder, of ELMo the forward model's.

    Args:
        model: See above.
        sentence: As for `blueprint`.
        position: Which token, from 0; by default the one that answers for the hidden word.
        layer: Which layer is opened, from 0.
        check: See above.

    Raises:
        ValueError: There is no such token or layer.
    """
    from models.building.path import token_path as follow

    return follow(_loaded(model), sentence, position, layer, check)


def speeds() -> Speeds | None:
    """How long an LSTM and a Transformer take by length: the stored run; None if there is none."""
    return stored_speeds()


def depths() -> Depths:
    """Held-out loss of the published variants by layers; none of them is loaded."""
    return read_depths()


def frozen_features() -> Features | None:
    """What frozen features tell of a word: the stored run of a probe; None if there is none."""
    return stored_features()


def _loaded(model: str | Model) -> Model:
    from models.loading import load

    return load(model) if isinstance(model, str) else model
