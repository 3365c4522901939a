"""The bodies of the programs that answer blanks again: one for each kind of model."""

IMPORTS = """\
import torch
from transformers import {auto}, AutoTokenizer
"""

ELMO_IMPORTS = """\
import torch
from transformers import AutoTokenizer

# transformers has no ELMo: run this in the project's folder, whose class it is.
from models.elmo import ElmoForPreTraining
"""

HEAD = '''\
{imports}
# The text: {text}
folder = {folder!r}{where}
tokenizer = AutoTokenizer.from_pretrained(folder)
model = {auto}.from_pretrained(
    folder, dtype=torch.{dtype}, attn_implementation="eager"
).eval()
torch.set_grad_enabled(False)


def is_word(token_id):
    """Special tokens and unused entries keep their probability, but are no answers."""
    piece = tokenizer.convert_ids_to_tokens(token_id)
    special = token_id in tokenizer.all_special_ids
    return piece is not None and not special and not piece.startswith("[unused")


def show(blank, log_p):
    """Print the best words, and return the best of all."""
    probabilities = log_p.exp()
    best_first = log_p.sort(descending=True, stable=True).indices.tolist()
    words = [token_id for token_id in best_first if is_word(token_id)]
    for rank, token_id in enumerate(words[:{top_k}], start=1):
        piece = tokenizer.convert_ids_to_tokens(token_id)
        print(blank, rank, token_id, piece, probabilities[token_id].item(), sep="\\t")
    return words[0]


print("blank", "rank", "token_id", "piece", "probability", sep="\\t")
'''

MASKED = """\
# As the model reads it: {pieces}
ids = {ids}
blanks = {blanks}  # where the masks stand in it
logits = model(input_ids=torch.tensor([ids])).logits[0]  # (position, vocabulary)
for number, position in enumerate(blanks, start=1):
    show(number, logits[position].double().log_softmax(-1))  # over the full vocabulary
"""

CAUSAL = """\
# As the model reads it: {pieces}
parts = {parts}  # what stands before each blank
ids = []
for number, part in enumerate(parts, start=1):
    ids += part
    logits = model(input_ids=torch.tensor([ids])).{logits}[0, -1]  # what comes next?
    ids.append(show(number, logits.double().log_softmax(-1)))  # its own guess, for later blanks
"""

DENOISING = """\
# The encoder reads: {source_pieces}
source = {source}
# The decoder reads: {pieces}
parts = {parts}  # what stands before each blank
ids = []
for number, part in enumerate(parts, start=1):
    ids += part
    inputs = {{"input_ids": torch.tensor([source]), "decoder_input_ids": torch.tensor([ids])}}
    logits = model(**inputs).logits[0, -1]  # what does it write next?
    ids.append(show(number, logits.double().log_softmax(-1)))  # its own guess, for later blanks
"""

TWO_WAY = """\
import json
from pathlib import Path

# As the models read it: {pieces}
parts = {parts}  # what stands before, between and behind the blanks

forward, ids = [], []
for number, part in enumerate(parts[:-1], start=1):
    ids = ids + part
    log_p = model(torch.tensor([ids])).forward_logits[0, -1].double().log_softmax(-1)
    forward.append(log_p)  # what comes next?
    ids = [*ids, show(f"{{number}} forward", log_p)]  # its own guess, for later blanks

backward, ids = [], []
for number in range(len(parts) - 1, 0, -1):
    ids = parts[number] + ids
    log_p = model(torch.tensor([ids])).backward_logits[0, 0].double().log_softmax(-1)
    backward.insert(0, log_p)  # what came before?
    ids = [show(f"{{number}} backward", log_p), *ids]  # its own guess, for earlier blanks

counts = json.loads(Path(folder, "unigram.json").read_text())
counts = torch.tensor(counts, dtype=torch.float64) + 1
log_unigram = (counts / counts.sum()).log()
no_word = torch.tensor([not is_word(token_id) for token_id in range(len(log_unigram))])
for number, (one, other) in enumerate(zip(forward, backward), start=1):
    both = (one + other - log_unigram).masked_fill(no_word, -torch.inf)
    show(number, both.log_softmax(-1))  # both together
"""
