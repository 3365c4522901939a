"""Programs that print what is found in a block again; see `models.snippets`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from models import snippet_bodies as bodies
from models.blocks import snippet_bodies as own
from models.snippets import Source

if TYPE_CHECKING:
    from models.blocks.walk import Asked


def _header(asked: Asked, **more: object) -> str:
    source = Source.of(asked.model, asked.sentence.text, asked.question.tensors)
    about = {"position": asked.position, "word": asked.followed.word.token_id, **more}
    return source.header(bodies.LOADING, **about)


def feed_forward(asked: Asked, layer: int) -> str:
    """Prints four vectors, a share, that the convolution agrees, and three log-probabilities."""
    return _header(asked, layer=layer) + own.FEED_FORWARD


def alike(asked: Asked) -> str:
    """Prints for each way: residuals by layer, cosines by layer, the log-probability."""
    return _header(asked) + own.ALIKE


def silenced(asked: Asked, counts: Sequence[int], heads: int) -> str:
    """Prints the effect of each head, then both curves."""
    return _header(asked, counts=list(counts), heads=heads) + own.SILENCED


def stream(asked: Asked) -> str:
    """Prints what each part adds, their sum, and the logit."""
    return _header(asked) + own.STREAM


def passes(asked: Asked, p: float, seed: int) -> str:
    """Prints the probabilities of the words in each pass, then both entropies."""
    sentence = asked.sentence
    return own.PASSES.format(
        model=asked.model.name,
        text=ascii(sentence.text),
        hidden=sentence.hidden,
        p=p,
        seed=seed,
        blank=asked.blank,
    )
