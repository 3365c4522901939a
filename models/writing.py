"""The waist's part for writing: how a text goes on, and what an encoder-decoder makes of one.

As all of the waist, these functions load torch with the first model only; `models` offers them by
the same names. `model` is a name for `models.load` or what it returned; `check` is called between
steps and raises to give up. All raise `Refusal` where the model cannot be had, or does not write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from models.dates import DateReading
from models.generated import (
    BeamSearch,
    Cut,
    Drawing,
    EveryPosition,
    Forced,
    Lengths,
    NextTokens,
    Prompt,
    Writing,
    WrittenToken,
)
from models.results import Sentence

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None


def prompt(model: str | Model, sentence: Sentence) -> Prompt:
    """What a model that reads from the left reads before it writes.

    That is the text up to its first hidden word; without any, all of it.
    """
    from models.generating.continuing import prompt as read

    return read(_loaded(model), sentence)


def scored(model: str | Model, ids: Sequence[int], check: Check = None) -> tuple[WrittenToken, ...]:
    """The tokens of a text that is given, each as likely as the model finds it."""
    from models.generating.continuing import opening

    return opening(_loaded(model), ids, check)


def next_tokens(model: str | Model, ids: Sequence[int], check: Check = None) -> NextTokens:
    """The distribution over the token after a text, all of it."""
    from models.generating.continuing import next_tokens as find

    return find(_loaded(model), ids, check)


def continuation(
    model: str | Model, ids: Sequence[int], drawing: Drawing, most: int
) -> Iterator[WrittenToken]:
    """What a model writes after a text; each token is computed when it is asked for.

    So a caller can give others their turn between two tokens, and stop at any time.

    Args:
        model: See above.
        ids: What it reads first: the ids of a `prompt`, and what was written since.
        drawing: Greedily, or by chance with a seed: as `generate` of transformers after
            ``torch.manual_seed(seed)``.
        most: How many tokens at most. It ends sooner with the text, and where the model can read
            no more.
    """
    from models.generating.continuing import continuation as go_on

    return go_on(_loaded(model), ids, drawing, most)


def with_token(
    model: str | Model, ids: Sequence[int], token_id: int, check: Check = None
) -> WrittenToken:
    """A token that somebody else puts after a text, as likely as the model finds it there."""
    from models.generating.continuing import forced

    return forced(_loaded(model), ids, [token_id], check)[0]


def beam_search(
    model: str | Model, ids: Sequence[int], width: int, most: int, check: Check = None
) -> BeamSearch:
    """The most probable continuations that a beam search finds.

    Args:
        model: See above.
        ids: As for `continuation`.
        width: How many texts go on side by side, at most 10.
        most: How many tokens at most, up to 60.
        check: See above.
    """
    from models.generating.beams import beam_search as search

    return search(_loaded(model), ids, width, most, check)


def after_cut(found: NextTokens, cut: Cut) -> Float[np.ndarray, " rank"]:
    """The probabilities that a cut leaves, in the order of the distribution; 0 for the others."""
    import torch

    from models.generating.sampling import cut_logits

    logits = cut_logits(torch.from_numpy(found.log_p), cut)
    kept: np.ndarray = logits.double().softmax(-1).numpy()
    return kept


def text_snippet(
    model: str | Model, prompt_ids: Sequence[int], parts: Sequence[tuple[Drawing | None, list[int]]]
) -> str:
    """A program that writes a text again.

    Args:
        model: See above.
        prompt_ids: Ids of the `prompt`.
        parts: The text in pieces: how each was chosen (None: by hand), and its ids.
    """
    from models.generating.snippets import text

    return text(_loaded(model), prompt_ids, parts)


def next_snippet(model: str | Model, ids: Sequence[int], cut: Cut) -> str:
    """A program that prints the most probable next tokens, before and after a cut."""
    from models.generating.snippets import next_tokens as program

    return program(_loaded(model), ids, cut)


def write(model: str | Model, sentence: Sentence, check: Check = None) -> Writing:
    """What an encoder-decoder writes when it has read a text, greedily, and where it looked.

    Hidden words are masks to a model that has learned to fill them in; others read all of the text.
    """
    from models.generating.writing import write as run

    return run(_loaded(model), sentence, check=check)


def force(model: str | Model, sentence: Sentence, target: str, check: Check = None) -> Forced:
    """A target that the decoder is given token by token, and what it would have written instead."""
    from models.generating.writing import force as run

    return run(_loaded(model), sentence, target, check)


def lengths(model: str | Model, sentence: Sentence, check: Check = None) -> Lengths:
    """How many tokens a model reads and how many answers it gives.

    An encoder-decoder writes until it ends; any other model answers once at every position.
    """
    from models.generating.writing import lengths as count

    return count(_loaded(model), sentence, check)


def vocabulary_size(model: str | Model) -> int:
    """How many tokens a model chooses from."""
    return int(_loaded(model).network.config.vocab_size)


def repetition(ids: Sequence[int]) -> tuple[bool, ...]:
    """For each token of a text, whether it belongs to three in a row that stood before."""
    from models.measures.repetition import repeated

    return repeated(ids)


def every_position(model: str | Model, sentence: Sentence, check: Check = None) -> EveryPosition:
    """What a masked model gives at each position of a text: one answer for every token it reads."""
    from models.generating.writing import every_position as answer

    return answer(_loaded(model), sentence, check)


def lengths_snippet(model: str | Model, sentences: Sequence[Sentence]) -> str:
    """A program that prints, for each text, how many tokens an encoder-decoder reads and writes."""
    from models.generating.writing import lengths_program

    return lengths_program(_loaded(model), sentences)


def date_readings(text: str) -> tuple[DateReading, ...]:
    """All ways to read the first date in figures; two where the text leaves it open."""
    from models.dates import readings

    return readings(text)


def _loaded(model: str | Model) -> Model:
    from models.loading import load

    return load(model) if isinstance(model, str) else model
