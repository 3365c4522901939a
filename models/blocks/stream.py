"""The residual stream as a sum: what each part adds, and what that adds to a word's logit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from models.block_records import Part, PartKind, Stream
from models.blocks import snippets
from models.blocks.walk import Asked, Block, Ending, asked, carried, scale, walk
from models.placing import single
from models.results import Candidate, Sentence

if TYPE_CHECKING:
    from models.loading import Model

Named = tuple[PartKind, int | None, float]
"""A part: what it is, of which layer, how long it was when it was added."""
PROMOTED = 3


@torch.inference_mode()
def stream(
    model: Model, sentence: Sentence, blank: int = 0, check: Callable[[], None] | None = None
) -> Stream:
    """Take the answer at a blank apart; see `models.blocks_asked.stream`."""
    question = asked(model, sentence, blank, check)
    seen = question.run(["hidden_states", "context"], check=check)
    blocks = walk(question, seen)
    names, parts = summands(question, blocks)
    ending = Ending(model.network, blocks[-1].output)
    found = [*names, ("head", None, 0.0), ("bias", None, 0.0)]
    logits = torch.cat([ending.carry(parts), ending.own[None]]) @ ending.matrix.T
    logits = torch.cat([logits, ending.bias[None]])  # (part, vocabulary)
    word = question.followed.word.token_id
    states = [block.input for block in blocks] + [blocks[-1].output]
    if seen.logits is None:
        raise ValueError("the pass recorded no logits")
    return Stream(
        followed=question.followed,
        logit=float(seen.logits[question.position, word]),
        parts=tuple(
            Part(kind, layer, length, float(row[word]), promoted(model, row))
            for (kind, layer, length), row in zip(found, logits, strict=True)
        ),
        lengths=np.array([float(state.norm()) for state in states]),
        provenance=model.provenance,
        snippet=snippets.stream(question),
    )


def summands(
    question: Asked, blocks: Sequence[Block]
) -> tuple[list[Named], Float[Tensor, "part dim"]]:
    """The parts of the last state, each carried to there; they sum to it."""
    names, parts, bias = _embedded(question)
    for number, block in enumerate(blocks):
        steps: tuple[tuple[PartKind, Tensor], ...] = (
            ("attention", block.attention),
            ("ffn", block.ffn),
        )
        for (kind, added), size, own in zip(steps, block.scales, block.biases, strict=True):
            names.append((kind, number, float(added.norm())))
            parts = carried(torch.cat([parts, added[None]]), size)
            bias = carried(bias, size) + own
    return [*names, ("norms", None, 0.0)], torch.cat([parts, bias[None]])


def _embedded(question: Asked) -> tuple[list[Named], Float[Tensor, "part dim"], Tensor]:
    """Word, position and type, carried through the norm of the embeddings; and its bias."""
    network: Any = question.model.network
    table = single(network.base_model.embeddings)
    id_ = question.question.tensors["input_ids"][0, question.position]
    vectors = {
        "word": table.word_embeddings.weight[id_],
        "position": table.position_embeddings.weight[question.position],
        "type": table.token_type_embeddings.weight[0],
    }
    parts = torch.stack(list(vectors.values()))
    kinds: tuple[PartKind, ...] = ("word", "position", "type")
    names: list[Named] = [(kind, None, float(vectors[kind].norm())) for kind in kinds]
    size = scale(table.LayerNorm, parts.sum(0))
    return names, carried(parts, size), table.LayerNorm.bias


def promoted(
    model: Model, row: Float[Tensor, " vocabulary"], count: int = PROMOTED
) -> tuple[Candidate, ...]:
    """The words that a row of logits raises most."""
    allowed = torch.from_numpy(model.vocabulary.is_word)
    best = row.masked_fill(~allowed, -torch.inf).topk(count).indices.tolist()
    return tuple(model.vocabulary.candidate(i, 0.0) for i in best)
