"""One exact window into every family: how tracing a Transformer works.

Attention is one formula everywhere, and transformers lets it be supplied from outside: each
attention layer of each family hands its query, key, value and mask to *one registered function*.
`attend` below is that function. It computes what the family's own code would, and on the way it can
note down every quantity and change any of them. Where nobody asks for anything it hands over to
torch's fused kernel, so that a model prepared for tracing stays as fast as any other.

What lies around attention (residual stream, feed-forward network, positions, output head) has no
such common place; `models.hooks` sit on the modules that `models.families` names. Both ask
`models.recording` what the current visitor wants, so that one model serves all threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn
from transformers import AttentionInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import AttentionMaskInterface, eager_mask, sdpa_mask

from models.assembly import assemble, refuse
from models.inputs import Inputs, read
from models.interventions import (
    AttentionKind,
    CutEdges,
    Intervention,
    ReplaceHead,
    SilenceHeads,
)
from models.recording import (
    EVERY_ROW,
    Request,
    current,
    select,
    serving,
    to_numpy,
)
from models.results import Sentence
from models.traces import ATTENTION, Record, Trace, records
from models.wiring import Wiring, prepare

if TYPE_CHECKING:
    from models.loading import Model

NAME = "traced"


def attend(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    position_bias: Tensor | None = None,
    **kwargs: Any,
) -> tuple[Tensor, Tensor | None]:
    """Scaled dot-product attention (Vaswani et al. 2017, §3.2.1), observed.

    Shapes: query (batch, head, query, d_head); key and value (batch, head or fewer, key, d_head);
    the mask is added to the scores (batch, 1 or head, query, key). Returns what the heads say,
    (batch, query, head, d_head), and the weights, (batch, head, query, key).
    """
    request = current()
    step = None if request is None else _Step.begin(request, module)
    if step is None:
        fused: tuple[Tensor, None] = sdpa_attention_forward(
            module, query, key, value, attention_mask, dropout=dropout, scaling=scaling,
            position_bias=position_bias, **kwargs,
        )  # fmt: skip
        return fused

    groups = query.shape[1] // key.shape[1]
    if groups > 1:  # grouped queries: several query heads share a key and a value
        key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    scores = query @ key.mT
    scores *= query.shape[-1] ** -0.5 if scaling is None else scaling
    if position_bias is not None:  # T5 adds a learned number for each distance
        scores = scores + position_bias
    seen = scores if attention_mask is None else scores + attention_mask
    # The widest array of a model: where nobody asked for scores, the weights take their place.
    weights = torch.softmax(seen, -1, out=None if step.wants("scores") else seen)
    weights = step.change_weights(weights)
    context = step.change_context(weights @ value)  # (batch, head, query, d_head)
    step.note(
        attention_mask,
        query=query, key=key, value=value, scores=scores, weights=weights, context=context,
    )  # fmt: skip
    return context.transpose(1, 2).contiguous(), weights


def mask(*args: Any, **kwargs: Any) -> Tensor | None:
    """The mask that `attend` expects: numbers to add while tracing, else what the kernel likes."""
    build = sdpa_mask if current() is None else eager_mask
    built: Tensor | None = build(*args, **kwargs)
    return built


AttentionInterface.register(NAME, attend)
AttentionMaskInterface.register(NAME, mask)


class _Step:
    """One attention layer of one request: what to note of it and what to change in it."""

    def __init__(
        self, request: Request, module: nn.Module, kind: AttentionKind, layer: int
    ) -> None:
        self.request, self.module, self.kind, self.layer = request, module, kind, layer

    @classmethod
    def begin(cls, request: Request, module: nn.Module) -> _Step | None:
        """Count the layer; None if the request wants nothing of it."""
        kind = request.kinds[module]
        layer = request.begin(kind)
        noted = any(request.wanted(what, layer, kind) for what in ATTENTION)
        edits = (SilenceHeads, CutEdges, ReplaceHead)
        changed = any(True for sort in edits for _ in request.changes(sort, layer, kind))
        if not (noted or changed or request.dropping):
            return None
        return cls(request, module, kind, layer)

    def wants(self, what: str) -> bool:
        """A quantity of this layer was asked for."""
        return bool(self.request.wanted(what, self.layer, self.kind))

    def change_weights(self, weights: Tensor) -> Tensor:
        """Dropout, then edges that are cut; the rest of a row with a cut sums to 1 again."""
        if self.request.dropping is not None:
            weights = self.request.dropping.drop(weights, _dropout_probability(self.module))
        for rows, edit in self.request.changes(CutEdges, self.layer, self.kind):
            heads = range(weights.shape[1]) if edit.heads is None else edit.heads
            row, head = select(rows, heads, len(weights))
            for query, key in edit.edges:
                line = weights[row, head, query].clone()
                line[..., key] = 0.0
                total = line.sum(-1, keepdim=True)
                weights[row, head, query] = line / total.where(total > 0, 1.0)
        return weights

    def change_context(self, context: Tensor) -> Tensor:
        """Heads that are silenced, or speak another's words."""
        for rows, silence in self.request.changes(SilenceHeads, self.layer, self.kind):
            context[select(rows, silence.heads, len(context))] = 0.0
        for rows, patch in self.request.changes(ReplaceHead, self.layer, self.kind):
            positions = slice(None) if patch.positions is None else list(patch.positions)
            room = context[0, patch.head, positions].shape
            if patch.output.shape != room:
                raise ValueError(f"{patch.output.shape} does not fit {tuple(room)}")
            context[rows, patch.head, positions] = torch.tensor(
                patch.output, dtype=context.dtype, device=context.device
            )
        return context

    def note(self, attention_mask: Tensor | None, **quantities: Tensor) -> None:
        """Keep what was asked for, of the asked heads only."""
        for what, tensor in quantities.items():
            if asked := self.request.wanted(what, self.layer, self.kind):
                self.request.keep(what, tensor, self.kind, self.layer, asked)
        if self.request.wanted("mask", self.layer, self.kind):
            seen = torch.ones_like(quantities["weights"][0, 0], dtype=torch.bool)
            if attention_mask is not None:  # forbidden cells hold the smallest number there is
                seen &= attention_mask[0, 0] > torch.finfo(attention_mask.dtype).min / 2
            self.request.masks[self.kind, self.layer] = to_numpy(seen)


def without_cache(wiring: Wiring) -> dict[str, bool]:
    """The argument that spares a decoder from keeping keys and values for a next word."""
    return {"use_cache": False} if wiring.stacks[-1] == "decoder" else {}


def _dropout_probability(module: nn.Module) -> float:
    """An attention module's own dropout, which it passes on only while it trains."""
    for name in ("attention_dropout", "attn_dropout", "dropout"):
        found = getattr(module, name, None)
        if found is not None:
            return float(getattr(found, "p", found))
    return 0.0


def trace(
    model: Model,
    text: str | Sentence,
    record: str | Record | Iterable[str | Record] = "weights",
    interventions: Iterable[Intervention] = (),
    *,
    pair: str | None = None,
    target: str | None = None,
    check: Callable[[], None] | None = None,
    each: Callable[[AttentionKind, int, np.ndarray], None] | None = None,
) -> Trace:
    """Run a model over a text once, and keep what was asked for.

    Args:
        model: A loaded model; it is shared and stays as it is.
        text: What it reads; hidden words of a `Sentence` become masks.
        record: Quantities (`models.traces.QUANTITIES`) by name, or by layer and head as `Record`.
        interventions: What to change during this run, all at once.
        pair: A second text, for models that read two.
        target: What the decoder of an encoder-decoder reads; by default the model's own answer.
        check: Called at every layer; raise from it to give up.
        each: Gets the recorded weights of each layer, (head, query, key), as soon as they are
            there. They are not kept then: memory for one layer is enough.

    Raises:
        CannotTrace: This family cannot show or change something asked for, exactly.
        ValueError: A quantity, layer or head that does not exist.
    """
    return traced(model, read(model, text, pair, target), record, interventions, check, each)


def traced(
    model: Model,
    inputs: Inputs,
    record: str | Record | Iterable[str | Record],
    interventions: Iterable[Intervention] = (),
    check: Callable[[], None] | None = None,
    each: Callable[[AttentionKind, int, np.ndarray], None] | None = None,
) -> Trace:
    """As `trace`, of inputs that were read already."""
    wiring = prepare(model.network, NAME)
    asked, changes = records(record), tuple(interventions)
    refuse(model.name, model.network, wiring, asked, changes)
    request = Request(wiring.kinds, asked, tuple((EVERY_ROW, c) for c in changes), check, each)
    with torch.inference_mode(), serving(request):
        output = model.network(
            **inputs.tensors,
            output_hidden_states=any(r.what == "hidden_states" for r in asked),
            output_attentions=not wiring.routed,
            **without_cache(wiring),
        )
    return assemble(inputs, request, output, wiring, model.provenance)
