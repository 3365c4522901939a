"""The bodies of the snippets: each measure's definition as a short program of its own.

Names in capitals are the texts; `models.snippets` puts a header before them. They use transformers,
torch and numpy alone, and repeat the definitions on purpose: a second, independent spelling.
"""

LOADING = "from transformers import {auto}"
LOADING_ELMO = """\
# transformers has no ELMo: run this in the project's folder, whose class it is.
from models.elmo import {auto}"""
EDITING = """\
from transformers import AttentionInterface, AttentionMaskInterface, {auto}
from transformers.masking_utils import eager_mask"""
"""What to import; the last for `EDITED_ATTENTION`."""

HEADER = """\
import json

import numpy as np
import torch
{transformers}

# The text: {text}
inputs = {inputs}
inputs = {{name: torch.tensor(ids) for name, ids in inputs.items()}}
{parameters}
torch.set_grad_enabled(False)
model = {auto}.from_pretrained(
    "{folder}", dtype=torch.{dtype}, attn_implementation="eager"
).eval()


def show(numbers):
    numbers = numbers.double() if isinstance(numbers, torch.Tensor) else numbers
    print(json.dumps(np.round(np.asarray(numbers, dtype=float), 6).tolist()))


"""

WITH_INTERVENTIONS = """\
# Interventions have no switch in transformers: run this in the project's folder.
import json

import numpy as np
import models
from models.trace import *  # noqa: F403

trace = models.trace({name}, {text}, "weights", {interventions}, target={target!r})
print(json.dumps(np.round(trace.stack.weights(), 6).tolist()))
"""

WEIGHTS = """\
output = model(**inputs, output_attentions=True)
for kind in ("attentions", "encoder_attentions", "decoder_attentions", "cross_attentions"):
    if output.get(kind):
        show(torch.cat(output[kind]))  # (layer, head, query, key)
"""

ROLLOUT = """\
output = model(**inputs, output_attentions=True)
attentions = output.get("attentions") or output.get("encoder_attentions")
reached, layers = np.eye(attentions[0].shape[-1]), []
for weights in attentions:
    mean = weights[0].double().mean(0).numpy()  # over heads
    reached = (0.5 * mean + 0.5 * np.eye(len(mean))) @ reached
    layers.append(reached)
show(layers)  # (layer, position, input position)
"""

READING_WEIGHTS = """\
output = model(**inputs, output_attentions=True)
attentions = output.get("attentions") or output.get("encoder_attentions")
weights = torch.cat(attentions).double().numpy()  # (layer, head, query, key)
ids = inputs["input_ids"][0].numpy()
"""

STATISTICS = '''\
n = len(ids)
query, key = np.indices((n, n))


def share(cells):
    """Weight on some cells, mean over the queries that have any."""
    rows = cells.any(1)
    if not rows.any():
        return np.full(weights.shape[:2], np.nan)
    return (weights * cells).sum(-1)[..., rows].mean(-1)


same = (ids[query] == ids[key]) & (query != key)
followed = (key > 0) & (ids[query] == ids[key - 1]) & (key - 1 < query) & (query != key)
logs = np.log2(np.where(weights > 0, weights, 1))
show(-(weights * logs).sum(-1).mean(-1))  # entropy in bits: (layer, head), as all that follow
show((weights * abs(query - key)).sum(-1).mean(-1))  # distance in tokens
show(share(key == query - 1))  # previous
show(share(key == query + 1))  # next
show(share(key == query))  # diagonal
show(weights.mean(-2).max(-1))  # sink
show(share(same))  # same word
show(share(followed))  # induction
'''

HEAD_STATISTICS = READING_WEIGHTS + STATISTICS

SURPRISAL = """\
surprisal, entropy = [], []
for arguments, positions, ids in asked:
    arguments = {name: torch.tensor([row]) for name, row in arguments.items()}
    log_p = model(**arguments).logits[0, positions].double().log_softmax(-1)
    surprisal += (-log_p[range(len(ids)), ids] / np.log(2)).tolist()
    entropy += (-(log_p.exp() * log_p).sum(-1) / np.log(2)).tolist()
show(surprisal)
show(entropy)
"""

LENS = """\
output = model(**inputs, output_hidden_states=True)
states = output.get("hidden_states") or output.get("decoder_hidden_states")
for layer, state in enumerate(states):
    state = state[0, position : position + 1]
    if layer < len(states) - 1:  # the last state comes normed
        for name in norm:
            state = model.get_submodule(name)(state)
    state = state * scale
    for name in head:
        state = model.get_submodule(name)(state)
    logits = state[0] + getattr(model, "final_logits_bias", torch.zeros(1, 1))[0]
    show(logits.double().softmax(-1).topk(5).values)  # the five best answers after this layer
"""

ANSWER = """\
def answer(inputs):
    return model(**inputs).logits[:, position].double().softmax(-1).numpy()


"""

ANSWER_OF_LSTM = """\
def answer(inputs):
    return model(**inputs).forward_logits[:, position].double().softmax(-1).numpy()


"""

ANSWER_OF_ELMO = """\
def answer(inputs):
    log_p = 0.0
    if "forward" in inputs:  # the model that reads the left text says what comes next
        log_p += model(inputs["forward"]).forward_logits[:, -1].double().log_softmax(-1)
    if "backward" in inputs:  # the one that reads the right text, what came before
        log_p += model(inputs["backward"]).backward_logits[:, 0].double().log_softmax(-1)
    if len(inputs) == 2:
        counts = np.array(json.load(open("{folder}/unigram.json"))) + 1.0
        log_p -= torch.tensor(np.log(counts / counts.sum()))
        log_p[:, no_words] = -torch.inf
    return log_p.softmax(-1).numpy()


"""

INFLUENCE = """\
def entropy(p):
    return -(p * np.log2(np.where(p > 0, p, 1))).sum(-1)


original, influence = answer(inputs), []
for pieces, substitutes in words:  # others of its kind, drawn from counts^0.75, seed 0
    changed = {name: ids.repeat(len(substitutes), 1) for name, ids in inputs.items()}
    for piece, places in enumerate(pieces):
        for name, at in places:
            changed[name][:, at] = torch.tensor(substitutes)[:, piece]
    p, q = original, answer(changed)
    influence.append((entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2).mean())
show(influence)  # mean Jensen-Shannon divergence in bits, one per word
"""

VISIBILITY = """\
columns = []
for pieces, substitutes in words:
    batch = {name: ids.repeat(1 + len(substitutes), 1) for name, ids in inputs.items()}
    for piece, places in enumerate(pieces):
        for name, at in places:
            batch[name][1:, at] = torch.tensor(substitutes)[:, piece]
    output = model(**batch, output_hidden_states=True)
    states = output[f"{stack}hidden_states"][-1][..., part]
    original, changed = states[0], states[1:]
    moved = (changed - original).norm(dim=-1).mean(0) / original.norm(dim=-1)
    columns.append(moved.double().numpy())
show(np.stack(columns, axis=1))  # (position, word)
"""

EDITED_ATTENTION = '''\
calls_so_far, edit = 0, None  # edit: (call, head, key or None for all of the head)


def attend(module, query, key, value, mask, scaling=None, position_bias=None, **kwargs):
    """Attention as everywhere, but for one head silenced or one edge cut."""
    global calls_so_far, edited_weights
    groups = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    scores = query @ key.mT * (query.shape[-1] ** -0.5 if scaling is None else scaling)
    for more in (position_bias, mask):
        scores = scores if more is None else scores + more
    weights = scores.softmax(-1)
    here, calls_so_far = calls_so_far, calls_so_far + 1
    if edit and edit[0] == here and edit[2] is not None:
        row = weights[:, edit[1], position]
        row[:, edit[2]] = 0.0
        row /= row.sum(-1, keepdim=True).clamp_min(1e-38)
    if here == globals().get("call"):
        edited_weights = weights[0, :, position].double().numpy()
    heads_say = weights @ value
    if edit and edit[0] == here and edit[2] is None:
        heads_say[:, edit[1]] = 0.0
    return heads_say.transpose(1, 2).contiguous(), weights


AttentionInterface.register("edited", attend)
AttentionMaskInterface.register("edited", eager_mask)
model.set_attn_implementation("edited")


def log_p(*change):
    global calls_so_far, edit
    calls_so_far, edit = 0, change or None
    return model(**inputs).logits[0, position].double().log_softmax(-1)[word].item()


'''

HEAD_EFFECTS = """\
original = log_p()
show([[log_p(c, head, None) - original for head in range(heads)] for c in calls])
"""

EDGE_EFFECTS = """\
original = log_p()
weights = edited_weights[:, :keys]  # of the blank's row: (head, key)
effects = [[log_p(call, head, key) - original for key in range(keys)] for head in range(heads)]
"""

PRINT_EFFECTS = """\
show(effects)  # (head, key)
"""

AGREEMENT = '''\

def ranks(values):
    """Equal values share the mean of their ranks."""
    _, place, count = np.unique(np.ravel(values), return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


show(np.corrcoef(ranks(weights), ranks(np.abs(effects)))[0, 1])  # Spearman's rho
'''

FFN_EFFECTS = """\
ran, off = 0, None


def silence(module, args, output):
    global ran
    here, ran = ran, ran + 1
    if here == off:
        return (output[0] * 0, *output[1:]) if isinstance(output, tuple) else output * 0


for name in modules:  # ALBERT has one block, which runs in every layer
    model.get_submodule(name).register_forward_hook(silence)


def log_p(layer=None):
    global ran, off
    ran, off = 0, layer
    return model(**inputs).logits[0, position].double().log_softmax(-1)[word].item()


original = log_p()
show([log_p(layer) - original for layer in range(depth)])
"""
