"""Programs that print the same numbers with public packages only; see `models.snippets`."""

from __future__ import annotations

from collections.abc import Sequence

from models.blueprints import ModelPart
from models.snippets import Source

PARAMETERS = """\
sizes = {name: tensor.numel() for name, tensor in model.named_parameters(remove_duplicate=False)}
show([sum(sizes[name] for name in names) for names in parts])  # parameters of each block, in order
show(sum(tensor.numel() for tensor in model.parameters()))  # of the whole model
"""

OUTPUT = """\
seen = []
module = model.get_submodule("{module}")
module.register_forward_hook(lambda module, read, given: seen.append(given))
model(**inputs)
output = seen[0]{first}
"""
LOGITS = 'output = model(**inputs)["{logits}"][0]\n'
SOFTMAX = 'output = model(**inputs)["{logits}"][0].softmax(-1)\n'
TURNED = "output = output.flip(0)  # it read from the right\n"
STATISTICS = """\
show([output.mean(), output.std(unbiased=False), output.max()])
print(list(output.shape))
"""

PATH = """\
output = model(**inputs)
probabilities = output["{logits}"][0, position].softmax(-1)
probabilities[no_words] = 0
show(probabilities.topk(10).values)
"""


def parameters(source: Source, parts: Sequence[ModelPart]) -> str:
    """Prints the parameters of every block, then of the whole model."""
    names = [[each.name for each in part.weights if not each.shared] for part in parts]
    return source.header(parts=names) + PARAMETERS


def lines(part: ModelPart, family: str) -> str:
    """The few lines that compute a block's output."""
    recurrent = family in ("elmo", "lstm")
    logits = "forward_logits" if recurrent else "logits"
    if part.kind == "softmax":
        return SOFTMAX.format(logits=logits)
    if part.kind == "vocabulary":  # Marian adds a bias that belongs to no module
        return LOGITS.format(logits=logits)
    first = "[0]"  # the only text of the batch
    if part.kind == "lstm":
        first = "[0][0]"
    elif part.module.endswith("embed_positions"):  # Marian makes them without a batch
        first = ""
    found = OUTPUT.format(module=part.module, first=first)
    return found + TURNED if part.side == "backward" else found


def output(source: Source, part: ModelPart, family: str) -> str:
    """Prints mean, standard deviation and largest number of a block's output, and its shape."""
    return source.header() + lines(part, family) + STATISTICS


def path(source: Source, family: str, position: int, no_words: Sequence[int]) -> str:
    """Prints the ten largest probabilities at the end of a token's way."""
    logits = "forward_logits" if family in ("elmo", "lstm") else "logits"
    header = source.header(position=position, no_words=list(no_words))
    return header + PATH.format(logits=logits)
