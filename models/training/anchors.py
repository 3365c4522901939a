"""Does a head of cross-attention align words? Measured where anybody can tell what is right.

An *anchor* is a token that stands once in the text and once in its translation: a figure, a name.
When the decoder is about to write it, a head that aligns looks at it in the source. Words without
such a twin say nothing here: nobody aligned them by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from models.training.evaluation import Interval
from models.training.sources.pair import Pair


@dataclass(frozen=True)
class Alignment:
    """The head that finds most anchors.

    Attributes:
        layer: of the decoder, from 0.
        head: from 0.
        found: share of anchors at which its largest weight lies on the twin; the error is binomial.
        anchors: how many there were.
        mean: the same share, averaged over all heads: what an average head does.
    """

    layer: int
    head: int
    found: Interval
    anchors: int
    mean: float


def anchors(source: Sequence[int], target: Sequence[int]) -> list[tuple[int, int]]:
    """(position in the target, position in the source) of each token that both hold once.

    >>> anchors([5, 7, 9, 9], [9, 7, 3])
    [(1, 1)]
    """
    once = [{i for i, count in Counter(side).items() if count == 1} for side in (source, target)]
    places = {token: position for position, token in enumerate(source)}
    return [(at, places[i]) for at, i in enumerate(target) if i in once[0] & once[1]]


@torch.inference_mode()
def alignment(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, pairs: Sequence[Pair]
) -> Alignment:
    """Look for the head of cross-attention that aligns best, with the true text forced.

    Args:
        model: an encoder-decoder in evaluation mode whose attention is eager.
        tokenizer: of both sides.
        pairs: held-out texts with their translations.

    Raises:
        ValueError: if no text shares a token with its translation.
    """
    special = set(tokenizer.all_special_ids)
    hits = []
    for pair in pairs:
        source, target = (tokenizer(text)["input_ids"] for text in (pair.source, pair.target))
        weights = cross_attention(model, source, target[:-1])
        for at, twin in anchors(source, target):
            if target[at] not in special:  # what stands at `at` is written by the position before
                hits.append((weights[:, :, at - 1].argmax(-1) == twin).numpy())
    if not hits:
        raise ValueError("no text shares a token with its translation")
    shares = np.mean(hits, axis=0)
    layer, head = np.unravel_index(shares.argmax(), shares.shape)
    best = float(shares.max())
    error = float(np.sqrt(best * (1 - best) / len(hits)))
    return Alignment(int(layer), int(head), Interval(best, error), len(hits), float(shares.mean()))


def cross_attention(
    model: PreTrainedModel, source: Sequence[int], target: Sequence[int]
) -> Float[Tensor, "layer head target source"]:
    """What each position of the decoder looks at in the source."""
    output = model(
        input_ids=torch.tensor([source]),
        decoder_input_ids=torch.tensor([target]),
        output_attentions=True,
        use_cache=False,
    )
    return torch.stack([layer[0] for layer in output.cross_attentions])
