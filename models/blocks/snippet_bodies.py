"""The bodies of the programs about a block; `models.snippets` puts a header before them.

Each spells its definition out once more, on BERT's own modules, with public packages alone.
"""

FEED_FORWARD = """\
blocks = model.bert.encoder.layer
block, seen = blocks[layer], {}
block.intermediate.dense.register_forward_hook(
    lambda module, args, out: seen.update(read=args[0][0], expanded=out[0])
)
block.output.dense.register_forward_hook(
    lambda module, args, out: seen.update(activated=args[0][0], contracted=out[0])
)
model(**inputs)
for name in ("read", "expanded", "activated", "contracted"):
    show(seen[name][position])
sizes = seen["activated"].abs()
show((sizes < 0.01 * sizes.max()).float().mean())  # sparsity of this layer

# Vaswani et al. 2017, section 3.3: the same as two convolutions of width 1
first, second = block.intermediate.dense, block.output.dense
act = block.intermediate.intermediate_act_fn
inner = torch.conv1d(seen["read"].T[None], first.weight[..., None], first.bias)
outer = torch.conv1d(act(inner), second.weight[..., None], second.bias)[0].T
show(((outer - seen["contracted"]).abs().max() < 1e-4).item())

for other in (torch.nn.GELU(), torch.nn.ReLU(), torch.nn.Identity()):
    for each in blocks:
        each.intermediate.intermediate_act_fn = other
    show(model(**inputs).logits[0, position].double().log_softmax(-1)[word])  # nats
"""

ALIKE = """\
def rebuild(block, ffn=True, skips=("attention", "ffn")):
    attention, output = block.attention.output, block.output
    attention.forward = lambda said, came: attention.LayerNorm(
        attention.dense(said) + ("attention" in skips) * came
    )
    output.forward = lambda wide, came: output.LayerNorm(
        ffn * output.dense(wide) + ("ffn" in skips) * came
    )


ways = [
    {}, {"ffn": False}, {"skips": ("attention",)}, {"skips": ("ffn",)}, {"skips": ()}
]  # as trained, no FFN, no skip around the FFN, none around attention, none at all
for way in ways:
    for block in model.bert.encoder.layer:
        rebuild(block, **way)
    output = model(**inputs, output_hidden_states=True)
    states = [state[0].double() for state in output.hidden_states]
    own = [(x - x.mean(0)).norm(dim=1) / x.norm(dim=1) for x in states]
    unit = [x / x.norm(dim=1, keepdim=True) for x in states]
    pairs = len(unit[0]) * (len(unit[0]) - 1)
    show([each.mean() for each in own])
    show([((x @ x.T).sum() - len(x)) / pairs for x in unit])
    show(output.logits[0, position].double().log_softmax(-1)[word])  # nats
"""

SILENCED = """\
blocks = model.bert.encoder.layer
width = blocks[0].attention.self.attention_head_size


def log_p(silent):
    def quiet(layer):
        def before(module, args):
            said = args[0].clone()
            for at, head in silent:
                if at == layer:
                    said[..., head * width : (head + 1) * width] = 0
            return (said,)
        return before

    put = [
        block.attention.output.dense.register_forward_pre_hook(quiet(layer))
        for layer, block in enumerate(blocks)
    ]
    found = model(**inputs).logits[0, position].double().log_softmax(-1)[word]
    for each in put:
        each.remove()
    return float(found)


every = [(layer, head) for layer in range(len(blocks)) for head in range(heads)]
untouched = log_p([])
effects = np.array([log_p([each]) - untouched for each in every])
show(effects.reshape(len(blocks), heads))  # nats
order = [every[i] for i in np.argsort(-effects, kind="stable")]
show([log_p(order[:count]) for count in counts])  # least useful first
show([log_p(order[len(order) - count :]) for count in counts])  # most useful first
"""

STREAM = """\
bert, head = model.bert, model.cls.predictions


def carry(parts, norm, total):  # LayerNorm at its actual scale: linear, without its bias
    scale = (total.var(-1, unbiased=False) + norm.eps).rsqrt() * norm.weight
    return (parts - parts.mean(-1, keepdim=True)) * scale


table, seen = bert.embeddings, []
ends = [end for block in bert.encoder.layer for end in (block.attention.output, block.output)]
for end in ends:
    end.dense.register_forward_hook(lambda module, args, out: seen.append(out[0, position]))
output = model(**inputs, output_hidden_states=True)
parts = torch.stack([
    table.word_embeddings.weight[inputs["input_ids"][0, position]],
    table.position_embeddings.weight[position],
    table.token_type_embeddings.weight[0],
])
parts, bias = carry(parts, table.LayerNorm, parts.sum(0)), table.LayerNorm.bias
for added, end in zip(seen, ends):
    norm = end.LayerNorm
    total = parts.sum(0) + bias + added
    parts = carry(torch.cat([parts, added[None]]), norm, total)
    bias = carry(bias, norm, total) + norm.bias
state, transform = output.hidden_states[-1][0, position], head.transform
before = transform.dense(state)
after = transform.transform_act_fn(before)
gain = after / before  # of each unit of the head, at its actual value
parts = torch.cat([parts, bias[None]]) @ transform.dense.weight.T * gain
parts = carry(parts, transform.LayerNorm, after)
own = carry(transform.dense.bias * gain, transform.LayerNorm, after) + transform.LayerNorm.bias
logits = torch.cat([parts, own[None]]) @ head.decoder.weight[word]
# Word, position, type; attention and FFN of each layer; biases of the norms and of the head;
# and what the word has by itself.
show(torch.cat([logits, head.decoder.bias[word, None]]))
show(logits.sum() + head.decoder.bias[word])
show(output.logits[0, position, word])
"""

PASSES = """\
# Dropout for one request alone has no switch in transformers: run this in the project's folder.
import json

import numpy as np
import models
from models.trace import Sentence

found = models.block_dropout({model!r}, Sentence({text}, {hidden}), {p}, {seed}, {blank})
print(json.dumps(np.round(found.drawn, 6).tolist()))
print(json.dumps(np.round([found.total_bits, found.within_bits], 6).tolist()))
"""
