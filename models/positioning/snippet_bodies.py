"""The bodies of the programs about positions: each definition spelled out once more."""

LOADING = """\
import json

import numpy as np
import torch
from transformers import {auto}

{parameters}
torch.set_grad_enabled(False)
model = {auto}.from_pretrained("{folder}", dtype=torch.{dtype}, attn_implementation="eager").eval()


def show(numbers):
    print(json.dumps(np.round(np.asarray(numbers, dtype=float), 6).tolist()))


"""

TABLE = """\
table = model.get_submodule("{table}").weight.double().numpy()
"""

FORMULA = """\
import json

import numpy as np


def show(numbers):
    print(json.dumps(np.round(np.asarray(numbers, dtype=float), 6).tolist()))


angles = np.arange({length})[:, None] / {base} ** (np.arange(0, {width}, 2) / {width})
table = np.stack([np.sin(angles), np.cos(angles)], -1).reshape({length}, {width})
"""

VIEWS = """\
show(table)  # the heat map and the waves
unit = table / np.linalg.norm(table, axis=1, keepdims=True)
cosines = unit @ unit.T
show([np.diagonal(cosines, k).mean() for k in range(len(table))])  # by distance
places = np.arange(len(table)) - (len(table) - 1) / 2
flat = table - table.mean(0)
rest = flat - places[:, None] * (places @ flat / (places @ places))
power = np.abs(np.fft.rfft(rest * np.hanning(len(table))[:, None], axis=0)) ** 2
show(power)  # by frequency and dimension
left, size, _ = np.linalg.svd(flat, full_matrices=False)
show((size**2 / (size**2).sum())[:3])  # of the variance, on the path's axes
"""

OFFSETS = """\
table = table[:count]
norm = "{norm}"
inside = table
if norm:  # the LayerNorm after the sum, without its division
    factors = model.get_submodule(norm).weight.double().numpy()
    inside = (table - table.mean(1, keepdims=True)) * factors
queries = np.split(model.get_submodule("{query}").weight.double().numpy(), heads)
keys = np.split(model.get_submodule("{key}").weight.double().numpy(), heads)


def curve(scores):
    t = np.arange(reach, count - reach)
    return [scores[t, t + k].mean() for k in range(-reach, reach + 1)]


show(curve(table @ table.T))
for q, k in zip(queries, keys):
    show(curve((inside @ q.T) @ (inside @ k.T).T / np.sqrt(len(q))))
"""

ADDED = """\
words = model.get_input_embeddings().weight.double().numpy()
if getattr(model.config, "scale_embedding", False):
    words = words * np.sqrt(words.shape[1])
W = model.get_submodule("{query}").weight.double().numpy()
x, p, W = (a.astype(np.float32) for a in (words[ids], table[: len(ids)], W))
added = (x + p) @ W.T
concatenated = np.hstack([x, p]) @ np.hstack([W, W]).T
print(np.abs(added - concatenated).max())
some = words[np.random.default_rng(0).permutation(len(words))[:4000]]
axes = np.linalg.svd(table - table.mean(0), full_matrices=False)[2][: words.shape[1]]
covariance = np.cov(some.T)
show(np.cumsum([a @ covariance @ a for a in axes]) / np.trace(covariance))
"""

TAKEN_AWAY = """\
model.get_submodule("{table}").weight.zero_()
"""

_DIVERGENCE = """\
def entropy(p):
    return -(p * np.log2(np.where(p > 0, p, 1.0))).sum()


def divergence(p, q):
    return entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2


output = model(input_ids=torch.tensor(rows), output_hidden_states=True)
states, p = output.hidden_states[-1].double(), output.logits.double().softmax(-1).numpy()
"""

ORDER = (
    _DIVERGENCE
    + """\
print(max(float((states[i] - states[0][at]).abs().max()) for i, at in enumerate(places)))
if blank is not None:
    answers = [p[i, at.index(blank)] for i, at in enumerate(places)]
    show([divergence(answers[0], each) for each in answers[1:]])
"""
)

CAUSAL = (
    _DIVERGENCE
    + """\
print(float((states[:, -1] - states[:1, -1]).abs().max()))  # the last word stays in its place
show([divergence(p[0, -1], each) for each in p[1:, -1]])
"""
)

RELATIVE = """\
import json

import numpy as np

reach, width = 32, 64
k = np.arange(-reach, reach + 1)
angles = np.multiply.outer(k, 10_000 ** (-np.arange(0, width, 2) / width))
q, key = np.random.default_rng(0).normal(size=(2, width))
a, b = q.reshape(-1, 2), key.reshape(-1, 2)
same, turned = (a * b).sum(1), a[:, 1] * b[:, 0] - a[:, 0] * b[:, 1]
q_self = (a * a).sum(1)


def show(numbers):
    print(json.dumps(np.round(numbers, 6).tolist()))


show(np.cos(angles).sum(1))  # sinusoids, p_t . p_(t+k)
show((np.cos(angles) * q_self).sum(1))  # rotary, a query and a key that are equal
show((np.cos(angles) * same + np.sin(angles) * turned).sum(1))  # rotary, of two others
for head in (1, 2, 4, 8):
    show(-(2.0**-head) * np.abs(k))  # ALiBi, eight heads
far = np.log(np.maximum(np.abs(k), 1) / 8) / np.log(128 / 8) * 8
wide = np.minimum(8 + far.astype(int), 15)
show((16 * (k > 0) + np.where(np.abs(k) < 8, np.abs(k), wide)).astype(float))  # T5: which bias
"""
