"""The waist's part for masked models: words at blanks, whole sentences, the loss (a cloze test).

As all of the waist, these functions load torch with the first model only; `models` offers them by
the same names. `model` is a name for `models.load` or what it returned; `check` is called between
steps and raises to give up; `blank` counts from 0 in reading order. All raise `Refusal` where the
model cannot be had or has no mask, and those with a `blank` raise ValueError where there is none
of that number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from models.answers import Corruption, HeadSteps, Lens
from models.fills import JointFill, LongerAnswers, NamedWords, ScoredSentence, SentencePair
from models.results import Sentence

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None


def score_words(
    model: str | Model,
    sentence: Sentence,
    words: str | Sequence[str],
    blank: int = 0,
    check: Check = None,
) -> NamedWords:
    """Rank, probability, surprisal and share of words that the visitor names at a blank.

    Words are a list as people type one ("he/she", "is, are", "貓、狗"), or its words. Nothing typed
    is an error: each word comes back with an `outcome`, in the order given. Other blanks stay
    hidden.
    """
    from models import masked

    return masked.score_words(_loaded(model), sentence, words, blank, check)


def longer_answers(
    model: str | Model, sentence: Sentence, blank: int = 0, top_k: int = 5, check: Check = None
) -> LongerAnswers:
    """Answers of two and of three pieces at a blank, which one mask has no room for.

    The mask is widened and a beam goes over the pieces from left to right. It keeps beginnings that
    need a continuation (one is more probable than not) and words that the tokenizer itself would
    cut like that, so the lists can be short or empty. Probabilities by the chain rule; those of
    different lengths do not compete in one softmax, so each length is a list of its own.
    """
    from models import masked

    return masked.longer_answers(_loaded(model), sentence, blank, top_k, check)


def fill_jointly(
    model: str | Model, sentence: Sentence, beam: int = 5, check: Check = None
) -> JointFill:
    """All blanks filled one after another, each answer knowing those before it.

    A beam over (blank, word), the most confident blank next; the score is the sum of
    log-probabilities in that order. The independent fill (each blank's best word, the others
    hidden) is scored in the same way. Without a blank, both are empty.
    """
    from models import masked

    return masked.fill_jointly(_loaded(model), sentence, beam, check)


def pseudo_perplexity(model: str | Model, text: str, check: Check = None) -> ScoredSentence:
    """-log p of every word given all others, and e to its mean per piece (Salazar et al. 2020).

    Each word is hidden as a whole and its pieces are read off by the chain rule (Kauf & Ivanova
    2023).
    """
    from models import masked

    return masked.pseudo_perplexity(_loaded(model), text, check)


def compare_sentences(
    model: str | Model, first: str, second: str, check: Check = None
) -> SentencePair:
    """Two sentences side by side, and the difference of their pseudo-log-likelihoods in nats."""
    from models import masked

    return masked.compare_sentences(_loaded(model), first, second, check)


def lens(
    model: str | Model, sentence: Sentence, blank: int = 0, top_k: int = 5, check: Check = None
) -> Lens:
    """What the model would answer at a blank after each layer, through its own head.

    Refused (`CannotTrace`) where the family's head is not known.
    """
    from models import masked

    return masked.lens(_loaded(model), sentence, blank, top_k, check)


def head_steps(
    model: str | Model,
    sentence: Sentence,
    blank: int = 0,
    layer: int | None = None,
    top_k: int = 5,
    check: Check = None,
) -> HeadSteps:
    """One blank through the masked-LM head: dense, activation, LayerNorm, logits, softmax.

    The answer without the first three (the transform) is given beside it. `layer` says whose state
    goes in: 0 = the embeddings, None = the last layer's; ValueError where there is no such layer.
    Refused (`CannotTrace`) where the family has no such head, or it is not known.
    """
    from models import masked

    return masked.head_steps(_loaded(model), sentence, blank, layer, top_k, check)


def corrupt(
    model: str | Model,
    text: str,
    seed: int = 0,
    rate: float = 0.15,
    top_k: int = 5,
    check: Check = None,
) -> Corruption:
    """A sentence corrupted as in training, and the loss at the selected positions, in nats.

    15 % of the tokens, at least one: 80 % of them masked, 10 % replaced, 10 % kept (Devlin et al.
    2018, §3.1). The same seed draws the same.
    """
    from models import masked

    return masked.corrupt(_loaded(model), text, seed, rate, top_k, check)


def _loaded(model: str | Model) -> Model:
    from models.loading import load

    return load(model) if isinstance(model, str) else model
