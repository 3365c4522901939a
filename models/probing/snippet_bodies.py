"""The bodies of the programs; each repeats its definition on purpose, in a spelling of its own."""

FROM_PACKAGE = "from transformers import {auto}"
FROM_HERE = """\
# transformers has no ELMo: run this in the project's folder, whose class it is.
from models.elmo import {auto}"""
LOADING = """\
import numpy as np
import torch
{imports}

{parameters}
torch.set_grad_enabled(False)
model = {auto}.from_pretrained(
    "{folder}", dtype=torch.{dtype}, attn_implementation="eager"
).eval()
tensors = dict(model.named_parameters())
"""
PROBE = """\
output = model(**inputs, output_attentions=True, output_hidden_states=True)
for kind in ("attentions", "encoder_attentions", "decoder_attentions", "cross_attentions"):
    if output.get(kind):
        sums = torch.cat(output[kind]).double().sum(-1)
        print(kind, "largest distance of a row's sum from 1:", float((sums - 1).abs().max()))

# Every token replaced by its neighbour in the vocabulary, in one batch with the original.
side = "decoder_input_ids" if "decoder_input_ids" in inputs else "input_ids"
ids = inputs[side]
rows = {name: each.repeat(ids.shape[1] + 1, 1) for name, each in inputs.items()}
for place in range(ids.shape[1]):
    other = int(ids[0, place]) + 1
    rows[side][place + 1, place] = other if other < model.config.vocab_size else other - 2
top = "decoder_hidden_states" if side.startswith("decoder") else "hidden_states"
states = model(**rows, output_hidden_states=True)[top][-1]
moved = (states[1:] - states[0]).norm(dim=-1) / states[0].norm(dim=-1)  # (place, position)
print("largest move before a replaced token:", float(moved.tril(-1).max()))
print("largest move after it:", float(moved.triu(1).max()))
"""
SIZES = """\
for name, tensor in tensors.items():
    print(name, tuple(tensor.shape), tensor.numel())
print("all", sum(tensor.numel() for tensor in tensors.values()))
"""
DEMANDS = """\
from torch.utils.flop_counter import FlopCounterMode

for length in lengths:
    ids = torch.zeros(1, length, dtype=torch.long)
    inputs = {"input_ids": ids}
    if model.config.is_encoder_decoder:
        inputs["decoder_input_ids"] = ids
    with FlopCounterMode(display=False) as counter:  # it does not know recurrent layers
        model(**inputs)
    print(length, counter.get_total_flops())
"""
WEIGHT = """\
values = tensors[name].double()
print("norm", float(values.norm()))
print("counts", np.histogram(tensors[name].float().numpy(), bins)[0].tolist())
if values.ndim > 1 and min(values.shape) <= 1536:
    print("singular values", torch.linalg.svdvals(values.flatten(1))[:10].tolist())
"""
NEIGHBOURS = """\
vectors = tensors[table].double()
asked = vectors[ids].mean(0)
cosines = vectors @ asked / (vectors.norm(dim=1) * asked.norm())
for at in cosines.argsort(descending=True)[: count + len(ids)].tolist():
    print(at, float(cosines[at]))
"""
TABLE = """\
values = model.get_submodule(module).weight
print(tuple(values.shape), float(values.min()), float(values.max()))
"""
ROTARY = """\
buffers = model.get_submodule(module).named_buffers()
speeds = next(each for name, each in buffers if name.endswith("inv_freq")).double()
print(torch.cos(torch.arange(count)[:, None] * speeds).tolist())  # (distance, pair of dims)
"""
CUTTING = """\
from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("{folder}")
for id_ in tokenizer({text}).input_ids:
    print(id_, tokenizer.convert_ids_to_tokens(id_))
"""
GLANCE = """\
# The measures are this project's: run this in its folder.
import models

sentences = {sentences}
found = models.glance({name}, sentences, {kind})
for name, means, errors in zip(found.names, found.means, found.errors):
    print(name, means.round(4).tolist(), errors.round(4).tolist())
"""
