"""One visitor's request while the shared model runs: what to note down, and what to change.

A model is one object for all visitors and threads, so nothing about a request may live in it. It
lives here, in a `Request` that a ContextVar makes visible to this thread's forward pass alone. The
model's attention function and hooks (`models.tracing`, `models.wiring`) ask `current()`; while
nobody traces, the answer is None and they do nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar, get_args

import numpy as np
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from models.interventions import AttentionKind, Dropout, Intervention
from models.traces import Record, StackName

Edit = TypeVar("Edit", bound=Intervention)
HeadArrays = tuple[tuple[int, ...], np.ndarray]
"""Which heads, and their numbers along the first axis."""
Rows = list[int] | slice
"""Which sentences of a batch an intervention is for."""
EVERY_ROW = slice(None)


def to_numpy(tensor: Tensor) -> np.ndarray:
    """The tensor's numbers, read-only, holding no more memory than they need.

    A view is copied: it would keep the whole tensor alive, such as all heads for the sake of one.
    """
    tensor = tensor.detach()
    if tensor.is_floating_point():
        tensor = tensor.float()
    if tensor.untyped_storage().nbytes() > tensor.numel() * tensor.element_size():
        tensor = tensor.clone(memory_format=torch.contiguous_format)
    array: np.ndarray = tensor.cpu().numpy()
    array.flags.writeable = False
    return array


class Dropping(TorchFunctionMode):
    """Dropout as in training, for this thread only.

    ``model.train()`` would switch it on for every visitor of the shared model. A torch function
    mode is local to its thread and sees every dropout, in modules and in plain function calls.
    """

    def __init__(self, dropout: Dropout) -> None:
        super().__init__()
        self.p = dropout.p
        self.generator = torch.Generator().manual_seed(dropout.seed)

    def __torch_function__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
        """Replace calls of `torch.nn.functional.dropout`; pass on all others."""
        kwargs = kwargs or {}
        if func is not nn.functional.dropout:
            return func(*args, **kwargs)
        own = kwargs.get("p", args[1] if len(args) > 1 else 0.5)
        return self.drop(args[0] if args else kwargs["input"], own)

    def drop(self, values: Tensor, own: float) -> Tensor:
        """Zero values at random and scale the rest, so that the expectation stays."""
        p = own if self.p is None else self.p
        kept = torch.rand(values.shape, generator=self.generator) >= p
        return values * kept.to(values.device) / (1.0 - p)


@dataclass
class Request:
    """Everything one forward pass is asked for, and what it has found so far."""

    kinds: Mapping[nn.Module, AttentionKind] = field(default_factory=dict)
    """Which attention each module of the network computes."""
    records: tuple[Record, ...] = ()
    edits: tuple[tuple[Rows, Intervention], ...] = ()
    check: Callable[[], None] | None = None
    """Called at every layer; whatever it raises ends the forward pass."""
    each: Callable[[AttentionKind, int, np.ndarray], None] | None = None
    """Gets the weights of each layer, (head, query, key), at once: then they are not kept."""
    positions: Tensor | None = None
    """Compute logits at these positions only; None means everywhere."""
    last_block: tuple[StackName, int] | None = None
    """The block whose feed-forward network need not run but at the one position that is asked for:
    nobody reads what the others become there. None if all do."""
    attention: dict[tuple[AttentionKind, int], dict[str, HeadArrays]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    masks: dict[tuple[AttentionKind, int], np.ndarray] = field(default_factory=dict)
    activations: dict[tuple[StackName, int], np.ndarray] = field(default_factory=dict)
    residual: dict[tuple[StackName, int], list[tuple[str, Tensor]]] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)
    """How many layers of each kind have begun: layers are told apart by the order of calls, since
    some modules carry no index and ALBERT uses one module for every layer."""
    scratch: dict[str, Tensor] = field(default_factory=dict)
    """Tensors that one hook leaves for a later one of the same layer."""
    narrows: bool = False
    """The block that runs now is the last one, and needs one position alone."""
    dropping: Dropping | None = None

    def __post_init__(self) -> None:
        """Start the dropout asked for, if any, at its seed; note what is asked for at all."""
        self._asked = frozenset(record.what for record in self.records)
        asked = next((edit for _, edit in self.edits if isinstance(edit, Dropout)), None)
        self.dropping = None if asked is None else Dropping(asked)

    @property
    def attention_layers(self) -> int:
        """How many layers passed through the attention function so far."""
        return sum(self.calls[kind] for kind in get_args(AttentionKind))

    def begin(self, kind: str) -> int:
        """Count one more layer of this kind; returns its index."""
        if self.check is not None:
            self.check()
        self.calls[kind] += 1
        return self.calls[kind] - 1

    def wanted(self, what: str, layer: int, kind: AttentionKind | None = None) -> list[Record]:
        """The records that ask for this quantity of this layer."""
        if what not in self._asked:
            return []
        return [
            r
            for r in self.records
            if r.what == what
            and (r.layers is None or layer in r.layers)
            and (r.attention is None or r.attention == kind)
        ]

    def keep(
        self, what: str, tensor: Tensor, kind: AttentionKind, layer: int, asked: Sequence[Record]
    ) -> None:
        """Note a quantity of a batch of one, (1, head, row, column), of the asked heads only."""
        if any(r.heads is None for r in asked):
            heads, kept = tuple(range(tensor.shape[1])), tensor[0]
        else:
            heads = tuple(sorted({h for r in asked for h in r.heads or ()}))
            kept = tensor[0, list(heads)]
        if what == "weights" and self.each is not None:
            self.each(kind, layer, to_numpy(kept))
            return
        self.attention[kind, layer][what] = heads, to_numpy(kept)

    def changes(
        self, sort: type[Edit], layer: int | None = None, place: str | None = None
    ) -> Iterator[tuple[Rows, Edit]]:
        """The interventions of one sort that apply to a layer of a stack or kind of attention."""
        for rows, edit in self.edits:
            if not isinstance(edit, sort):
                continue
            layers = getattr(edit, "layers", None)
            at = getattr(edit, "layer", None)
            where = getattr(edit, "attention", None) or getattr(edit, "stack", None)
            if (
                (layers is None or layer in layers)
                and (at is None or at == layer)
                and (where is None or where == place)
            ):
                yield rows, edit


_CURRENT: ContextVar[Request | None] = ContextVar("request", default=None)


def current() -> Request | None:
    """The request that this thread's forward pass belongs to; None while nobody traces."""
    return _CURRENT.get()


@contextmanager
def serving(request: Request) -> Iterator[Request]:
    """Make a request the current one of this thread, whatever happens inside."""
    token = _CURRENT.set(request)
    try:
        with request.dropping or nullcontext():
            yield request
    finally:
        _CURRENT.reset(token)


def select(rows: Rows, heads: Sequence[int], count: int) -> tuple[Tensor, Tensor]:
    """Index (row, head) of a (batch, head, ...) tensor: every asked head of every asked row."""
    chosen = torch.arange(count)[rows]
    return chosen[:, None], torch.tensor(list(heads))[None, :]
