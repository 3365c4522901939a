"""The program that prints a flow again: mean weights, what is carried, and rollout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from models import snippet_bodies as bodies
from models.interventions import AttentionKind
from models.snippet_attention import OUTPUT, output_name
from models.snippets import source_of
from models.traces import Trace

if TYPE_CHECKING:
    from models.loading import Model

MEAN = """\
show(weights.mean(1))  # mean of the heads: (layer, query, key)
"""

VALUES = """\
def attend(module, query, key, value, mask, scaling=None, position_bias=None, **kwargs):
    \"\"\"Attention as everywhere; it keeps the values.\"\"\"
    groups = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    scores = query @ key.mT * (query.shape[-1] ** -0.5 if scaling is None else scaling)
    for more in (position_bias, mask):
        scores = scores if more is None else scores + more
    weights = scores.softmax(-1)
    noted.append((weights[0].double(), value[0].double()))
    return (weights @ value).transpose(1, 2).contiguous(), weights


AttentionInterface.register("noted", attend)
AttentionMaskInterface.register("noted", eager_mask)
model.set_attn_implementation("noted")
noted = []
model(**inputs)
weights = np.stack([noted[call][0].double().numpy() for call in calls])  # (layer, head, query, key)
"""

CARRIED = """\
carried = []
for call, name in zip(calls, projections):  # the matrix behind the heads of each layer
    weighs, values = (each.double() for each in noted[call])
    module = model.get_submodule(name)
    matrix = module.weight.double()
    matrix = matrix.T if hasattr(module, "in_features") else matrix  # (head and d_head, dim)
    matrix = matrix.reshape(len(values), values.shape[-1], -1)
    says = torch.einsum("hkd,hde->hke", values, matrix)
    lengths = torch.einsum("hqk,hke->qke", weighs, says).norm(dim=-1)
    carried.append((lengths / lengths.sum(-1, keepdim=True)).numpy())
show(carried)  # Kobayashi et al. 2020, each row as shares: (layer, query, key)
"""

ROLLOUT = """\
reached, layers = np.eye(weights.shape[-1]), []
for mean in weights.mean(1):
    reached = (0.5 * mean + 0.5 * np.eye(len(mean))) @ reached
    layers.append(reached)
show(layers)  # Abnar and Zuidema 2020: (layer, position, input position)
"""


def flow(model: Model, trace: Trace, kind: AttentionKind, projections: list[str] | None) -> str:
    """Prints mean weights, then carried shares where they can be had, then rollout where it is."""
    from models.measuring.parts import calls

    source, rolled = source_of(trace), "" if kind == "cross" else ROLLOUT
    if projections is None or trace.missing:
        header = source.header(attentions=output_name(trace, kind))
        return header + OUTPUT + MEAN + rolled
    header = source.header(bodies.EDITING, calls=calls(model, kind), projections=projections)
    return header + VALUES + MEAN + CARRIED + rolled
