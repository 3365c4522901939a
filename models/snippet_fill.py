"""A program that prints the answers in the blanks again, with public packages only."""

from __future__ import annotations

import pprint
from typing import TYPE_CHECKING

from models.hiding import hidden_tokens, with_masks
from models.results import Sentence
from models.settings import settings
from models.snippets import location

if TYPE_CHECKING:
    from models.loading import Model

BODY = """\
import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer

# The text: {text}
# As the model reads it: {pieces}
ids = {ids}
blanks = {blanks}  # where the masks stand in it

folder = {folder!r}{where}
tokenizer = AutoTokenizer.from_pretrained(folder)
model = AutoModelForMaskedLM.from_pretrained(
    folder, dtype=torch.float32, attn_implementation="eager"
).eval()
with torch.inference_mode():
    logits = model(input_ids=torch.tensor([ids])).logits[0]  # (position, vocabulary)


def is_word(token_id):
    \"\"\"Special tokens and unused entries keep their probability, but are no answers.\"\"\"
    piece = tokenizer.convert_ids_to_tokens(token_id)
    special = token_id in tokenizer.all_special_ids
    return piece is not None and not special and not piece.startswith("[unused")


print("blank", "rank", "token_id", "piece", "probability", sep="\\t")
for number, position in enumerate(blanks, start=1):
    probabilities = logits[position].double().softmax(-1)  # over the full vocabulary
    best_first = probabilities.sort(descending=True, stable=True).indices.tolist()
    words = [token_id for token_id in best_first if is_word(token_id)]
    for rank, token_id in enumerate(words[:{top_k}], start=1):
        piece = tokenizer.convert_ids_to_tokens(token_id)
        print(number, rank, token_id, piece, probabilities[token_id].item(), sep="\\t")
"""


def prediction_snippet(model: Model, sentence: Sentence, top_k: int = 10) -> str:
    """A program for a fresh process that prints what `models.predict` answers.

    Token ids are written out instead of the text: the app reads special tokens that a visitor
    typed as ordinary text, which a plain call of the tokenizer does not.

    Args:
        model: Any masked language model.
        sentence: What was asked; its text stands in the program as a comment.
        top_k: How many answers to print for each blank.
    """
    reading = model.reader.read(sentence.text, settings().max_characters, model.max_tokens)
    hidden = hidden_tokens(reading, sentence.hidden, model.mask_id)
    ids, blanks = with_masks(reading.ids, hidden, model.mask_id)
    folder = location(model.name)
    return BODY.format(
        # repr escapes line breaks of every kind: text cannot leave its comment.
        text=repr(reading.text[: reading.read]),
        pieces=repr(" ".join(model.reader.spell(tuple(ids)))),
        ids=pprint.pformat(ids, width=96, compact=True),
        blanks=blanks,
        folder=folder,
        where="  # run it in the project's folder" if folder.startswith("models/") else "",
        top_k=top_k,
    )
