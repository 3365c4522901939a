"""What a model writes when it is left alone: all samples are kept, good and bad, none is chosen.

Each line of ``samples.jsonl`` beside the weights says what was asked, by which seed, what came, and
what a program can tell of it: the form of a poem, and whether it copies its training text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from transformers import (
    AutoModelForCausalLM,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    set_seed,
)

from models.training import corpora, verse_corpus
from models.training.corpora import Document
from models.training.split import normal_form
from models.verse import FORMS, form_of, lines_of, shares_lines

FILE = "samples.jsonl"
OPENINGS = Path(__file__).with_name("openings.txt")
TEMPERATURE, TOP_P = 0.8, 0.95
POEMS, SEEDS = 50, 10  # of each form; for each opening
LONGEST = {"verse": 80, "english": 40}  # tokens that are written
WORDS = 8  # so many in a row of the training text are a copy


@dataclass(frozen=True)
class Sample:
    """One text a model wrote.

    Attributes:
        asked: the form of a poem, or an opening.
        seed: of torch, set before this batch or text.
        text: what came, the opening included.
        form: that a poem turned out to have; None for none, and for prose.
        copied: whether two lines in a row of a poem, or eight words in a row, are its training's.
    """

    asked: str
    seed: int
    text: str
    form: str | None
    copied: bool


@torch.inference_mode()
def draw(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerFast,
    prompt: str,
    seed: int,
    longest: int,
    count: int = 1,
) -> list[str]:
    """Some texts that begin with a prompt, drawn in one batch.

    Args:
        model: a causal one in evaluation mode.
        tokenizer: the model's own, which puts no end after the prompt.
        prompt: text, or the token of a form.
        seed: repeats the draw on the same machine.
        longest: tokens to write at most.
        count: how many texts.
    """
    set_seed(seed)
    asked = tokenizer([prompt] * count, return_tensors="pt", return_token_type_ids=False)
    written = model.generate(  # type: ignore[operator]
        **asked, do_sample=True, temperature=TEMPERATURE, top_p=TOP_P, top_k=0,
        max_new_tokens=longest,
    )  # fmt: skip
    return list(tokenizer.batch_decode(written, skip_special_tokens=True))


def poems(model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, cache: Path) -> list[Sample]:
    """Fifty poems of each form."""
    known = {line for d in verse_corpus.read_train(cache) for line in lines_of(d.sentences[0])}
    longest = LONGEST["verse"]
    return [
        Sample(form.name, seed, text, form_of(text), shares_lines(text, known))
        for seed, form in enumerate(FORMS)
        for text in draw(model, tokenizer, form.token, seed, longest, POEMS)
    ]


def prose(model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, cache: Path) -> list[Sample]:
    """Ten continuations of each of ten openings."""
    known = eight_words(corpora.read(cache / "corpus" / "train.jsonl"))
    longest = LONGEST["english"]
    return [
        Sample(opening, seed, text, None, not known.isdisjoint(runs(text)))
        for opening in read_openings()
        for seed in range(SEEDS)
        for text in draw(model, tokenizer, opening, seed, longest)
    ]


def read_openings(path: Path = OPENINGS) -> list[str]:
    """The openings; a line that starts with # is a comment."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def runs(text: str, words: int = WORDS) -> Iterator[int]:
    """A hash of every run of so many words, case and punctuation aside.

    >>> len(list(runs("One two three, four!", 3)))
    2
    """
    said = normal_form(text).split()
    return (hash(tuple(said[i : i + words])) for i in range(len(said) - words + 1))


def eight_words(documents: Iterable[Document]) -> set[int]:
    """Every run of eight words in a text, over the borders of its sentences too."""
    return {run for document in documents for run in runs(" ".join(document.sentences))}


WRITERS = {"verse": poems, "english": prose, "english-s": prose}


def samples_of(folder: Path, text: str, cache: Path) -> list[Sample]:
    """All samples of a published model.

    Args:
        folder: of a causal model.
        text: the name of what it has read.
        cache: where its corpus lies.
    """
    tokenizer = PreTrainedTokenizerFast.from_pretrained(folder, local_files_only=True)
    model = AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32, local_files_only=True, use_safetensors=True
    )
    return WRITERS[text](model.eval(), tokenizer, cache)


def write_samples(folder: Path, samples: Sequence[Sample]) -> None:
    """Write them beside the weights."""
    lines = [json.dumps(asdict(sample), ensure_ascii=False) + "\n" for sample in samples]
    (folder / FILE).write_text("".join(lines), encoding="utf-8")


def in_words(samples: Sequence[Sample]) -> str:
    """What a card says of them."""
    total = len(samples)
    copied = sum(sample.copied for sample in samples) / total
    drawn = f"temperature {TEMPERATURE}, top-p {TOP_P}, nothing selected: `{FILE}`"
    if all(sample.form is None for sample in samples):
        return (
            f"{total} continuations of {total // SEEDS} openings ({drawn}): {copied:.1%} share "
            "eight words in a row with the training text.\n"
        )
    right = sum(sample.form == sample.asked for sample in samples) / total
    return (
        f"{total} poems, {POEMS} of each form ({drawn}): {right:.1%} have the form that was asked "
        f"for; {copied:.1%} hold two lines in a row that stand in the training text.\n"
    )
