"""Through the blocks of a BERT at one position, with everything that is added on the way.

A block of BERT adds and then norms: u = LN(h + attention), out = LN(u + FFN(u)). LayerNorm is
LN(x) = γ (x − mean x) / σ(x) + β. With σ held at its actual value it is linear in x, so that every
summand can be carried through it by itself, exactly: `carried`. The same holds for the activation
in the output head, if each unit keeps the gain g(x) / x that it has here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from models.answers import Answer
from models.block_records import Followed
from models.errors import CannotTrace
from models.inputs import Inputs
from models.interventions import Intervention
from models.masked.asking import answer, best_word
from models.placing import single
from models.questions import Question, ask
from models.results import Sentence
from models.traces import Trace
from models.tracing import traced

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from models.loading import Model

Vector = Float[Tensor, " dim"]
BEST = 5


@dataclass(frozen=True)
class Asked:
    """A question to a model of BERT's kind, and its untouched answer."""

    model: Model
    sentence: Sentence
    blank: int
    question: Question
    log_p: Float[Tensor, " vocabulary"]
    followed: Followed

    @property
    def position(self) -> int:
        """Where the answer is read off."""
        return self.question.position

    def run(
        self, record: Sequence[str] = (), changes: Iterable[Intervention] = (), check: Any = None
    ) -> Trace:
        """One pass over the question's own tokens."""
        inputs = Inputs("", None, None, ("", "", ""), (), (), self.question.tensors)
        return traced(self.model, inputs, [*record, "logits"], changes, check)

    def log_p_of(self, seen: Trace) -> Float[Tensor, " vocabulary"]:
        """The answer of a pass, in nats, float64."""
        if seen.logits is None:
            raise ValueError("the pass recorded no logits")
        row = torch.from_numpy(seen.logits[self.position].copy())
        return row.double().log_softmax(-1)

    def answered(self, log_p: Tensor, top_k: int = BEST) -> Answer:
        """As a reader wants it."""
        original = self.followed.word.token_id if self.followed.own else None
        return answer(self.model, log_p.numpy(), original, top_k)


def asked(model: Model, sentence: Sentence, blank: int = 0, check: Any = None) -> Asked:
    """Ask a model about a blank.

    Raises:
        CannotTrace: Its blocks are not built as BERT's.
        ValueError: There is no such blank.
    """
    _refuse_others(model)
    question = ask(model, sentence, blank, check=check)
    nobody = Followed((), question.position, model.vocabulary.candidate(0, 0.0), False, _NONE)
    first = Asked(model, sentence, blank, question, torch.empty(0), nobody)
    log_p = first.log_p_of(first.run(check=check))
    own = question.original is not None
    word = question.original if question.original is not None else best_word(model, log_p.numpy())
    followed = Followed(
        tokens=tuple(_name(model, id_) for id_ in question.tensors["input_ids"][0].tolist()),
        position=question.position,
        word=model.vocabulary.candidate(word, float(log_p[word].exp())),
        own=own,
        answer=answer(model, log_p.numpy(), word if own else None, BEST),
    )
    return Asked(model, sentence, blank, question, log_p, followed)


_NONE = Answer((), None, None, 0.0)


def _name(model: Model, id_: int) -> str:
    candidate = model.vocabulary.candidate(id_, 0.0)
    return f"…{candidate.text}" if candidate.continuation else candidate.text


@dataclass(frozen=True)
class Block:
    """One block at one position: what goes in, what is added, what comes out; (dim,) each."""

    input: Vector
    attention: Vector
    """What attention adds."""
    middle: Vector
    """After the first norm: what the feed-forward network reads."""
    expanded: Float[Tensor, " neuron"]
    activated: Float[Tensor, " neuron"]
    ffn: Vector
    """What the feed-forward network adds."""
    output: Vector
    scales: tuple[Vector, Vector]
    """γ / σ of both norms at this very input."""
    biases: tuple[Vector, Vector]
    """β of both."""


def blocks_of(model: Model) -> list[Any]:
    """The modules of the blocks, in order, in single precision.

    Raises:
        CannotTrace: They are not built as BERT's.
    """
    _refuse_others(model)
    body: Any = model.network.base_model
    return [single(layer) for layer in body.encoder.layer]


def _refuse_others(model: Model) -> None:
    if model.network.config.model_type != "bert":
        raise CannotTrace(model.name, "residual", "family")


@torch.inference_mode()
def walk(asked: Asked, seen: Trace) -> list[Block]:
    """All blocks at the answering position, from a pass that recorded states and contexts."""
    stack, found = seen.stack, []
    for number, module in enumerate(blocks_of(asked.model)):
        said = stack.attention[number]["context"][:, asked.position]  # (head, d_head)
        came = torch.from_numpy(stack.hidden_states[number][asked.position].copy())
        found.append(through(module, came, torch.from_numpy(said.copy()).flatten()))
    return found


def through(module: Any, came: Vector, said: Vector) -> Block:
    """One block, by its own modules."""
    attention = module.attention.output.dense(said)
    first, second = module.attention.output.LayerNorm, module.output.LayerNorm
    middle = first(came + attention)
    expanded = module.intermediate.dense(middle)
    activated = module.intermediate.intermediate_act_fn(expanded)
    ffn = module.output.dense(activated)
    return Block(
        input=came,
        attention=attention,
        middle=middle,
        expanded=expanded,
        activated=activated,
        ffn=ffn,
        output=second(middle + ffn),
        scales=(scale(first, came + attention), scale(second, middle + ffn)),
        biases=(first.bias, second.bias),
    )


def scale(norm: nn.LayerNorm, total: Vector) -> Vector:
    """γ / σ of a norm at an input."""
    return (total.var(-1, unbiased=False) + norm.eps).rsqrt() * norm.weight


def carried(parts: Float[Tensor, "*part dim"], scale: Vector) -> Float[Tensor, "*part dim"]:
    """Parts of a sum through the norm of that sum, at its own scale and without its bias."""
    return (parts - parts.mean(-1, keepdim=True)) * scale


class Ending:
    """From the last block to the logits, as a linear map: every gain held at its actual value."""

    def __init__(self, network: Any, state: Vector) -> None:
        head = single(network.cls.predictions)
        self._dense = head.transform.dense
        before = self._dense(state)
        after = head.transform.transform_act_fn(before)
        self._gain = torch.where(before.abs() > 1e-12, after / before, 0.5)
        self._scale = scale(head.transform.LayerNorm, after)
        self._norm_bias = head.transform.LayerNorm.bias
        self.matrix: Tensor = head.decoder.weight
        """(vocabulary, dim)."""
        self.bias: Tensor = head.decoder.bias

    def carry(self, parts: Float[Tensor, "*part dim"]) -> Float[Tensor, "*part dim"]:
        """Parts of the last state, up to the vocabulary matrix; without any bias."""
        return carried(parts @ self._dense.weight.T * self._gain, self._scale)

    @property
    def own(self) -> Vector:
        """What the head's own biases add there."""
        return carried(self._dense.bias * self._gain, self._scale) + self._norm_bias
