"""The narrow waist: all that a page may ask of a model.

Importing this package is cheap; torch and transformers load with the first model. Pages never know
where an answer is computed, so another process or machine can take over behind these functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from models.architecture import (
    blueprint,
    depths,
    frozen_features,
    open_part,
    speeds,
    token_path,
)
from models.attention import (
    all_heads,
    at_blank,
    attributions,
    flow,
    head_effects,
    likeness,
    one_head,
    one_layer,
    part_of,
    query_stages,
    text_size,
    vectors,
)
from models.blocks_asked import (
    block_alike,
    block_depth,
    block_dropout,
    block_ffn,
    block_heads,
    block_stream,
    block_tests,
    block_untested,
    block_verdicts,
    next_sentence_tests,
)
from models.brought import (
    check_size,
    devices,
    fetch,
    folders,
    packages,
    repositories,
    resized,
    running_as,
    size_of,
)
from models.cards import card
from models.cloze import (
    compare_sentences,
    corrupt,
    fill_jointly,
    head_steps,
    lens,
    longer_answers,
    pseudo_perplexity,
    score_words,
)
from models.company import companies, contrasts
from models.errors import CannotTrace, NotFetched, Refusal
from models.positions import (
    added,
    head_offsets,
    position_probe,
    position_table,
    shuffled,
    table_program,
)
from models.probing import (
    attention_kinds,
    cutting,
    demands,
    glance,
    neighbours,
    part_sizes,
    places,
    probe,
    weight,
    weight_names,
)
from models.reach import out_of_reach
from models.seen import (
    METRICS,
    both_sides,
    common_words,
    in_contexts,
    opened,
    sight,
    targets,
    verdicts,
)
from models.slots import Cancelled, Slots, TooBusy, slots
from models.trace import (
    Blank,
    Candidate,
    Intervention,
    Measurement,
    Prediction,
    Record,
    Sentence,
    Span,
    Trace,
)
from models.trained import trained_on
from models.writing import (
    after_cut,
    beam_search,
    continuation,
    date_readings,
    every_position,
    force,
    lengths,
    lengths_snippet,
    next_snippet,
    next_tokens,
    prompt,
    repetition,
    scored,
    text_snippet,
    vocabulary_size,
    with_token,
    write,
)

if TYPE_CHECKING:
    from models.catalog import ModelFacts
    from models.loading import Model
    from models.report import Report

__all__ = [
    "METRICS",
    "Cancelled",
    "CannotTrace",
    "NotFetched",
    "Refusal",
    "Slots",
    "TooBusy",
    "added",
    "after_cut",
    "all_heads",
    "as_read",
    "at_blank",
    "attention_kinds",
    "attributions",
    "beam_search",
    "block_alike",
    "block_depth",
    "block_dropout",
    "block_ffn",
    "block_heads",
    "block_stream",
    "block_tests",
    "block_untested",
    "block_verdicts",
    "blueprint",
    "both_sides",
    "bundled",
    "card",
    "check_size",
    "common_words",
    "companies",
    "compare_sentences",
    "continuation",
    "contrasts",
    "corrupt",
    "cutting",
    "date_readings",
    "demands",
    "depths",
    "describe",
    "devices",
    "every_position",
    "examples",
    "fetch",
    "fill_jointly",
    "filled",
    "flow",
    "folders",
    "force",
    "frozen_features",
    "glance",
    "head_effects",
    "head_offsets",
    "head_steps",
    "in_contexts",
    "influence",
    "lengths",
    "lengths_snippet",
    "lens",
    "likeness",
    "load",
    "longer_answers",
    "neighbours",
    "next_sentence_tests",
    "next_snippet",
    "next_tokens",
    "one_head",
    "one_layer",
    "open_part",
    "opened",
    "out_of_reach",
    "packages",
    "part_of",
    "part_sizes",
    "places",
    "position_probe",
    "position_table",
    "predict",
    "prediction_snippet",
    "probe",
    "prompt",
    "pseudo_perplexity",
    "query_stages",
    "repetition",
    "reports",
    "repositories",
    "resized",
    "running_as",
    "score_words",
    "scored",
    "shuffled",
    "sight",
    "size_of",
    "slots",
    "speeds",
    "table_program",
    "targets",
    "text_size",
    "text_snippet",
    "token_path",
    "trace",
    "trained_on",
    "vectors",
    "verdicts",
    "visibility",
    "visible_words",
    "vocabulary_size",
    "warm_up",
    "weight",
    "weight_names",
    "with_token",
    "write",
]


def bundled() -> tuple[ModelFacts, ...]:
    """The models that came with the app, in the order a menu shows them; loads nothing."""
    from models.catalog import bundled as complete

    return complete()


def describe(name: str) -> ModelFacts:
    """What a page may say about a model; one that did not come with the app is loaded for it.

    Args:
        name: As for `load`. Of a model from elsewhere the languages are not known, and its
            architecture is taken from what it was trained to do.

    Raises:
        Refusal: It cannot be loaded.
    """
    from models.described import described

    return described(name)


def reports() -> tuple[Report, ...]:
    """What is known of every model that came with the app: figures, curves, cards; loads none."""
    from models.report import report

    return tuple(report(facts) for facts in bundled())


def examples(name: str) -> tuple[Sentence, ...]:
    """Sentences that show what a bundled model can and cannot do; () where it brings none.

    Raises:
        Refusal: The model is unknown or incomplete.
    """
    from models.catalog import folder
    from models.example_sentences import examples as examples_in

    return examples_in(folder(name))


def as_read(model: str | Model, text: str) -> str:
    """The text in the characters that a model knows, as long as before; see `models.chinese`.

    Raises:
        Refusal: The model cannot be loaded.
    """
    return (load(model) if isinstance(model, str) else model).reader.rewrite(text)[0]


def load(name: str) -> Model:
    """A model ready to run, shared by all visitors and threads, loaded once.

    Args:
        name: ``bert-en`` (bundled), ``dir:/a/folder``, ``hub:organisation/name`` or
            ``package:name``, and behind it ``@bfloat16`` or ``@cuda``; see `models.names`. A
            language model of any kind: its `objective` says which.

    Raises:
        Refusal: It is unknown, incomplete, unsafe or not allowed here; the subclass says which.
    """
    from models.loading import load as load_model

    return load_model(name)


def predict(
    model: str | Model,
    sentence: Sentence,
    top_k: int = 10,
    check: Callable[[], None] | None = None,
) -> Prediction:
    """What the model would put in every blank of a sentence.

    A masked model reads all blanks as such. Others never do: GPT, the Transformer's decoder and
    ELMo's forward model put their own best words into earlier blanks, ELMo's backward model into
    later ones (`Blank.guesses`). ELMo's two answers come combined, and each alone (`Blank.views`).

    Args:
        model: A name for `load`, or what it returned.
        sentence: Any text at all, with any words hidden; too much of it is cut and named.
        top_k: How many candidates to list per blank; probabilities are over the full vocabulary.
        check: Called between steps; raise from it to give up (a `Ticket.check`).

    Raises:
        Refusal: The model cannot be loaded or cannot fill blanks.
    """
    from models.prediction import predict as predict_blanks

    return predict_blanks(load(model) if isinstance(model, str) else model, sentence, top_k, check)


def prediction_snippet(model: str | Model, sentence: Sentence, top_k: int = 10) -> str:
    """A program that prints what `predict` answers, in a fresh process and without this project.

    Only ELMo's class is nowhere but here: its program imports `models.elmo`, and says so.

    Raises:
        Refusal: The model cannot be loaded or cannot fill blanks.
    """
    from models.snippet_fill import prediction_snippet as snippet

    return snippet(load(model) if isinstance(model, str) else model, sentence, top_k)


def filled(text: str, blanks: Sequence[Blank], choices: Sequence[Candidate | None]) -> str:
    """The visitor's own text with a word put in every blank (None leaves a blank as typed)."""
    from models.filling import filled as fill

    return fill(text, blanks, choices)


def visible_words(model: str | Model, sentence: Sentence) -> tuple[Span, ...]:
    """Where the words stand that a model reads and that are not hidden, in reading order.

    Raises:
        Refusal: The model cannot be loaded.
    """
    from models.questions import visible_words as find_words

    return find_words(load(model) if isinstance(model, str) else model, sentence)


def influence(
    model: str | Model,
    sentence: Sentence,
    blank: int = 0,
    check: Callable[[], None] | None = None,
    view: str | None = None,
) -> Measurement:
    """How much each visible word matters to the answer at a blank, in bits: values (word).

    Exactly 0 for a word that the model does not read before it answers, such as those to the right
    in a model that reads from the left.

    Args:
        model: A name for `load`, or what it returned.
        sentence: With at least one hidden and one visible word. Time and memory grow with the
            square of its length.
        blank: Which blank, counted from 0 in reading order.
        check: Called at every layer; raise from it to give up.
        view: A part alone. ELMo: ``forward`` or ``backward``, one of its models. Encoder-decoder:
            ``source`` or ``prefix``, a word there alone; by default both change together.

    Raises:
        Refusal: The model cannot be loaded, or brings no counts to draw other words from.
        ValueError: There is no such blank, or no such view.
    """
    from models.counts import word_counts
    from models.measuring import influence as measure

    loaded = load(model) if isinstance(model, str) else model
    return measure(loaded, sentence, word_counts(loaded), blank, view=view, check=check)


def visibility(
    model: str | Model,
    text: str,
    view: str | None = None,
    check: Callable[[], None] | None = None,
) -> Measurement:
    """Who sees what: how far each position's state moves when a word is replaced.

    Values (position, word), a share of the state's length, exactly 0 where nothing of the word
    arrives; the positions are its `tokens`. Nothing is masked.

    Args:
        model: A name for `load`, or what it returned.
        text: With at least one word.
        view: ELMo: ``forward`` or ``backward``, half of its states. Encoder-decoder: the decoder's
            states when words of its ``source`` or of its ``prefix`` are replaced. By default all of
            ELMo's states, and the encoder's.
        check: Called at every layer; raise from it to give up.

    Raises:
        Refusal: The model cannot be loaded, or brings no counts to draw other words from.
        ValueError: There is no such view, or no word.
    """
    from models.counts import word_counts
    from models.measuring import visibility as measure

    loaded = load(model) if isinstance(model, str) else model
    return measure(loaded, text, word_counts(loaded), view, check=check)


def warm_up() -> None:
    """Load the models of the first page and run each once, so that the first visitor need not wait.

    Raises:
        Refusal: One of them cannot be loaded; the default model is tried first.
    """
    for member in companies()["best"]:
        predict(member.model, Sentence("[MASK]"))


def trace(
    model: str | Model,
    text: str | Sentence,
    record: str | Record | Iterable[str | Record] = "weights",
    interventions: Iterable[Intervention] = (),
    **options: Any,
) -> Trace:
    """Look inside a model while it reads a text once; `models.tracing.trace` has all arguments.

    It may share its name with the module `models.trace` because that is imported above.

    Raises:
        Refusal: The model cannot be loaded, or cannot show or change something asked for.
    """
    from models.tracing import trace as trace_model

    return trace_model(
        load(model) if isinstance(model, str) else model, text, record, interventions, **options
    )
