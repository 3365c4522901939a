"""How architectures, tasks, tests and figures are called."""

from __future__ import annotations

from components.theme import BERT, ELMO, ENCODER_DECODER, GPT, Colour
from components.words import msg
from models.catalog import Objective

ARCHITECTURES = {
    "bert": "BERT",
    "gpt": "GPT",
    "elmo": "ELMo",
    "seq": "Transformer",
    "lstm": "LSTM",
}
"""Names, the same in every language."""

COLOURS: dict[str, Colour] = {
    "bert": BERT,
    "gpt": GPT,
    "elmo": ELMO,
    "lstm": ELMO,
    "seq": ENCODER_DECODER,
}

TASKS: dict[Objective, str] = {
    "masked": msg("Fills hidden words"),
    "causal": msg("Says the next word"),
    "two-way": msg("Says the next word, and the one before"),
    "denoising": msg("Writes a sentence whole again"),
    "translation": msg("Writes another text"),
    "states": msg("Reads, and gives no answers: it came without a head"),
}

LANGUAGES = {
    "en": msg("English"),
    "lzh-Hant": msg("Chinese verse"),
    "zh-Hant-TW": msg("Chinese"),
}

TESTS = {
    "masked": msg("Hidden words, 15 % of a text"),
    "forward": msg("The next word"),
    "backward": msg("The word before"),
    "hidden words": msg("Hidden words, when it writes the sentence anew"),
    "one blank": msg("One hidden word"),
    "one blank, forward": msg("One hidden word, from the left alone"),
    "one blank, backward": msg("One hidden word, from the right alone"),
    "everyday": msg("One hidden word, everyday sentences written by hand"),
    "held-out days": msg("Days it has never seen"),
    "phrasings written by hand": msg("Phrasings written by hand"),
    "held-out help pages": msg("Help pages it has never seen"),
    "held-out windows": msg("Menus and windows it has never seen"),
    "alignment": msg("Its best head finds the same token in the source"),
}
"""Names of ``figures.json``."""

OWN_TASK = ("masked", "forward", "hidden words")
"""The test of what a model was trained to do, of each kind."""
