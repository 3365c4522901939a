"""Programs that print numbers of heads again: all statistics, one map, one query step by step."""

from __future__ import annotations

from collections.abc import Sequence

from models import snippet_bodies as bodies
from models.heads import HeadAt, Unit
from models.interventions import AttentionKind
from models.snippets import source_of
from models.traces import Trace

OUTPUT = """\
output = model(**inputs, output_attentions=True)
weights = torch.cat(output[attentions]).double().numpy()  # (layer, head, query, key)
"""

CROSS_STATISTICS = """\
logs = np.log2(np.where(weights > 0, weights, 1))
show(-(weights * logs).sum(-1).mean(-1))  # entropy in bits: (layer, head)
show(weights.mean(-2).max(-1))  # sink: (layer, head)
"""

ONE_HEAD = """\
mean = np.mean([weights[layer, head] for layer, head in heads], axis=0)
# Weights to the pieces of a word are summed, those from them averaged.
words = np.stack([mean[:, key].sum(-1) for key in keys], -1)
shown = np.stack([words[query].mean(0) for query in queries])
if renormalise:
    shown /= shown.sum(-1, keepdims=True)
show(shown)  # (query, key)
"""

QUERY = """\
def attend(module, query, key, value, mask, scaling=None, position_bias=None, **kwargs):
    \"\"\"Attention as everywhere; it notes one head's part in one call.\"\"\"
    global calls_so_far, noted
    groups = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    scores = query @ key.mT * (query.shape[-1] ** -0.5 if scaling is None else scaling)
    scores = scores if position_bias is None else scores + position_bias
    weights = (scores if mask is None else scores + mask).softmax(-1)
    heads_say = weights @ value
    if calls_so_far == call:
        q, k, v = query[0, head, asks], key[0, head], value[0, head]
        noted = k @ q, scores[0, head, asks], weights[0, head, asks], v.norm(dim=-1), \\
            heads_say[0, head, asks]
    calls_so_far += 1
    return heads_say.transpose(1, 2).contiguous(), weights


AttentionInterface.register("noted", attend)
AttentionMaskInterface.register("noted", eager_mask)
model.set_attn_implementation("noted")
calls_so_far, noted = 0, None
model(**inputs)
for numbers in noted:  # products, scores, weights, lengths of the values: (key); then the output
    show(numbers)
"""

LIKENESS = """\
import transformers

loading = {{"dtype": torch.{dtype}, "attn_implementation": "eager"}}
other = transformers.{auto}.from_pretrained("{folder}", **loading).eval()
other_inputs = {{name: torch.tensor(ids) for name, ids in other_inputs.items()}}


def by_words(model, inputs, attentions, queries, keys):
    output = model(**inputs, output_attentions=True)
    weights = torch.cat(output[attentions]).double().numpy()  # (layer, head, query, key)
    words = np.stack([weights[..., key].sum(-1) for key in keys], -1)
    return np.stack([words[..., query, :].mean(-2) for query in queries], -2)


def whole(weights):
    \"\"\"What goes to words without a counterpart is one more share.\"\"\"
    return np.concatenate([weights, np.clip(1 - weights.sum(-1, keepdims=True), 0, None)], -1)


def entropy(p):
    return -(p * np.log2(np.where(p > 0, p, 1))).sum(-1)


first = by_words(model, inputs, *first)[heads[0]]
every = by_words(other, other_inputs, *second)
show(first)  # (query, key), of words that have a counterpart
show(every[heads[1]])
show(first - every[heads[1]])
p, q = whole(first), whole(every)
# Mean Jensen-Shannon divergence in bits: (layer, head)
show((entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2).mean(-1))
"""

NAMES = {
    "encoder": "encoder_attentions",
    "decoder": "decoder_attentions",
    "cross": "cross_attentions",
}


def output_name(trace: Trace, kind: AttentionKind) -> str:
    """What transformers calls the weights of this kind in this model's output."""
    both = trace.encoder is not None and trace.decoder is not None
    return NAMES[kind] if both else "attentions"


def all_heads(trace: Trace, kind: AttentionKind) -> str:
    """Prints each statistic as (layer, head)."""
    name = "decoder_input_ids" if kind == "decoder" and trace.encoder else "input_ids"
    header = source_of(trace).header(attentions=output_name(trace, kind))
    if kind == "cross":
        return header + OUTPUT + CROSS_STATISTICS
    ids = f'ids = inputs["{name}"][0].numpy()\n'
    return header + OUTPUT + ids + bodies.STATISTICS


def one_layer(trace: Trace, kind: AttentionKind, layer: int) -> str:
    """Prints (head, query, key)."""
    header = source_of(trace).header(attentions=output_name(trace, kind), layer=layer)
    return header + OUTPUT + "show(weights[layer])  # (head, query, key)\n"


def weights(trace: Trace, kind: AttentionKind) -> str:
    """Prints (layer, head, query, key)."""
    header = source_of(trace).header(attentions=output_name(trace, kind))
    return header + OUTPUT + "show(weights)  # (layer, head, query, key)\n"


def one_head(
    trace: Trace,
    kind: AttentionKind,
    heads: Sequence[HeadAt],
    queries: Sequence[Unit],
    keys: Sequence[Unit],
    renormalise: bool,
) -> str:
    """Prints (query, key)."""
    header = source_of(trace).header(
        attentions=output_name(trace, kind),
        heads=list(heads),
        queries=[list(unit.tokens) for unit in queries],
        keys=[list(unit.tokens) for unit in keys],
        renormalise=renormalise,
    )
    return header + OUTPUT + ONE_HEAD


def query_stages(trace: Trace, call: int, head: int, query: int) -> str:
    """Prints products, scores, weights, value lengths, one number per key, and the output."""
    header = source_of(trace).header(bodies.EDITING, call=call, head=head, asks=query)
    return header + QUERY


Compared = tuple[Trace, AttentionKind, list[list[int]], list[list[int]]]
"""What one side of a comparison read, its kind of attention, and the tokens of common words."""


def likeness(first: Compared, second: Compared, heads: tuple[HeadAt, HeadAt]) -> str:
    """Prints both maps (query, key), their difference, and the distances (layer, head)."""
    (trace, kind, *words), (other, other_kind, *others) = first, second
    source = source_of(other)
    header = source_of(trace).header(
        other_inputs=dict(source.inputs),
        first=(output_name(trace, kind), *words),
        second=(output_name(other, other_kind), *others),
        heads=heads,
    )
    return header + LIKENESS.format(auto=source.auto, folder=source.folder, dtype=source.dtype)
