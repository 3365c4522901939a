"""The waist's part for attention: every head at a glance, one exactly, one query step by step.

As all of the waist, these functions load torch with the first model only; `models` offers them by
the same names. `model` is a name for `models.load` or what it returned; `check` is called between
steps and raises to give up. All raise `Refusal` where the model cannot be had, or does not show
what is asked for (`CannotTrace`): ELMo has no attention at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from models.alike import Likeness
from models.flows import Flow
from models.heads import (
    AllHeads,
    AtBlank,
    Attribution,
    HeadAt,
    OneHead,
    OneLayer,
    QueryStages,
    Reads,
    TextSize,
    Vectors,
)
from models.interventions import AttentionKind
from models.results import Sentence
from models.traces import Measurement

if TYPE_CHECKING:
    from models.loading import Model

Check = Callable[[], None] | None


def all_heads(
    model: str | Model,
    sentence: Sentence,
    pair: str | None = None,
    kind: AttentionKind | None = None,
    target: str | None = None,
    check: Check = None,
) -> AllHeads:
    """Every head of one kind of attention as bytes, and what kinds of heads they are.

    Args:
        model: See above.
        sentence: What it reads.
        pair: A second text, for models that read two.
        kind: ``encoder``, ``decoder`` or ``cross``; by default the first that the model has.
        target: What the decoder of an encoder-decoder reads. By default the text itself, if that is
            what the model has learned to write, else its own answer.
        check: See above.

    Raises:
        ValueError: The model has no attention of this kind.
    """
    from models.looking_all import all_heads as look

    return look(_loaded(model), sentence, pair, kind, target, check)


def text_size(model: str | Model, sentence: Sentence) -> TextSize:
    """How long a text is for a model, and what it would cost to look at all heads on it.

    Args:
        model: See above.
        sentence: All of it, however long.
    """
    from models.costs import text_size as look

    return look(_loaded(model), sentence)


def part_of(model: str | Model, sentence: Sentence, first: int, last: int) -> Sentence:
    """Some tokens of a long text as a text of its own; what is hidden in it stays so.

    Args:
        model: Whose tokens they are.
        sentence: The long text.
        first: The first token, counted from 0; the part begins at the word that it is of.
        last: The last one.
    """
    from models.costs import part_of as look

    return look(_loaded(model), sentence, first, last)


def one_layer(
    model: str | Model, reads: Reads, kind: AttentionKind, layer: int, check: Check = None
) -> OneLayer:
    """All heads of one layer with a byte for each weight, however long the text is.

    Args:
        model: See above.
        reads: From `all_heads`.
        kind: Of attention.
        layer: Counted from 0.
        check: See above.
    """
    from models.looking_all import one_layer as look

    return look(_loaded(model), reads, kind, layer, check)


def vectors(
    model: str | Model,
    reads: Reads,
    kind: AttentionKind,
    with_vectors: bool = False,
    check: Check = None,
) -> Vectors:
    """Every weight of every head and, if asked for, their queries and keys: short texts only.

    Args:
        model: See above.
        reads: From `all_heads`.
        kind: Of attention.
        with_vectors: Queries and keys, too. `CannotTrace` where the family does not let them out.
        check: See above.
    """
    from models.looking_all import vectors as look

    return look(_loaded(model), reads, kind, with_vectors, check)


def one_head(
    model: str | Model,
    reads: Reads,
    kind: AttentionKind,
    heads: Sequence[HeadAt],
    *,
    merge: bool = False,
    hide_special: bool = False,
    between: tuple[int, int] | None = None,
    check: Check = None,
) -> OneHead:
    """The weights of a head, or the mean of several, exactly as the model computes them.

    Args:
        model: See above.
        reads: From `all_heads`, so that exactly the same is read.
        kind: Of attention.
        heads: (layer, head), at least one.
        merge: Show words whole: weights to their pieces summed, from them averaged.
        hide_special: Leave out tokens that are no text, and scale the rows to sum to 1 again.
        between: Of a pair: only the edges from the first of these texts to the second (0 or 1).
        check: See above.
    """
    from models.looking import one_head as look

    return look(_loaded(model), reads, kind, heads, merge, hide_special, between, check)


def query_stages(
    model: str | Model,
    reads: Reads,
    kind: AttentionKind,
    at: HeadAt,
    query: int,
    check: Check = None,
) -> QueryStages:
    """How the query of one token is compared with every key: all numbers on the way.

    Refused (`CannotTrace`) where the family computes attention by code of its own.
    """
    from models.looking import query_stages as look

    return look(_loaded(model), reads, kind, at, query, check)


def flow(model: str | Model, reads: Reads, kind: AttentionKind, check: Check = None) -> Flow:
    """How attention carries words through the layers, told in three ways.

    As weights (mean of the heads); weighed by the vectors that are carried (Kobayashi et al. 2020);
    and multiplied through the layers with their skip connections (rollout: Abnar & Zuidema 2020).
    The last is not there for cross attention, the second not for every family.
    """
    from models.looking_flow import flow as look

    return look(_loaded(model), reads, kind, check)


def likeness(
    model: str | Model,
    reads: Reads,
    kind: AttentionKind,
    at: HeadAt,
    other: str | Model,
    sentence: Sentence,
    match: bool = True,
    check: Check = None,
) -> Likeness | None:
    """One head beside one of another model, or on another sentence; None with no word in common.

    Args:
        model: See above.
        reads: From `all_heads`.
        kind: Of attention.
        at: The head.
        other: The model of the second head; perhaps the same.
        sentence: What that one reads; perhaps the same.
        match: Its head that is most like the first (by `Likeness.distances`), instead of the one in
            the same place. If there is no such place, that one is taken, too.
        check: See above.

    Raises:
        ValueError: The other model has no cross attention, and that is looked at.
    """
    from models.looking_alike import likeness as look
    from models.maps import reads as as_read

    one, two = _loaded(model), _loaded(other)
    return look(one, reads, kind, at, two, as_read(two, sentence, None, None), match, check)


def head_effects(
    model: str | Model,
    sentence: Sentence,
    blank: int = 0,
    kind: AttentionKind | None = None,
    check: Check = None,
) -> Measurement:
    """Change of log p of the word at a blank, in nats, when a head is silenced: (layer, head).

    The word is the original, or the top answer where nobody said which: its id is `answer`.
    """
    from models.measuring import head_effects as measure

    return measure(_loaded(model), sentence, blank, kind, check)


def at_blank(
    model: str | Model,
    sentence: Sentence,
    layer: int,
    blank: int = 0,
    kind: AttentionKind | None = None,
    attribution: Attribution | None = None,
    check: Check = None,
) -> AtBlank:
    """What the heads of a layer look at where a blank is answered, and what each edge does.

    Every edge of that row is cut by itself.

    Args:
        model: See above.
        sentence: With at least one hidden word.
        layer: Counted from 0.
        blank: Counted from 0 in reading order.
        kind: By default the own attention of the stack that answers; ``cross`` is the other row
            there is in an encoder-decoder.
        attribution: From `attributions`, as a third opinion.
        check: See above.
    """
    from models.looking import at_blank as look

    return look(_loaded(model), sentence, layer, blank, kind, attribution, check)


def attributions(
    model: str | Model, sentence: Sentence, blank: int = 0, check: Check = None
) -> Attribution:
    """Integrated gradients of log p of the word at a blank: what each word read adds, in nats.

    The baseline has [MASK] in place of every word (models that read no masks: the mean of all word
    vectors) and keeps special tokens; 64 steps (Sundararajan et al. 2017).
    """
    from models.measuring.gradients import attributions as measure

    return measure(_loaded(model), sentence, blank, check)


def _loaded(model: str | Model) -> Model:
    from models.loading import load

    return load(model) if isinstance(model, str) else model
