"""What was found, in words: every sentence rests on a measured number."""

from __future__ import annotations

from components.facts import Fact
from components.words import msg, number, percent, sentences, t
from models.trace import Ability, HeadsOfKind, Probe, Reach, Scheme, Tying

SAME = {"float32": 1e-5, "float16": 1e-2, "bfloat16": 8e-2}
"""States that differ by less differ by the rounding of this number format."""

SCHEMES: dict[Scheme, str] = {
    "learned": msg("vectors that it learned, added to the words"),
    "sinusoids": msg("sinusoids, added to the words"),
    "zero": msg("a table of vectors that are all 0"),
    "rotary": msg("queries and keys rotated by their place"),
    "bias": msg("a learned number for each distance, added to the scores"),
    "relative": msg("vectors for distances, compared within attention"),
    "alibi": msg("a slope for each head, by distance"),
    "recurrent": msg("none: it reads word by word, and order comes by itself"),
}
TYINGS: dict[Tying, str] = {
    "tied": msg("one matrix reads words and writes them (tied)"),
    "equal": msg("two matrices with the same numbers"),
    "apart": msg("one matrix reads words, another writes them"),
    "none": msg("no matrix that writes words"),
}
KINDS = {"encoder": msg("Encoder"), "decoder": msg("Decoder"), "cross": msg("Cross")}
NAMES = {
    "weights": msg("attention weights"), "scores": msg("scores"), "mask": msg("masks"),
    "query": msg("queries"), "key": msg("keys"), "value": msg("values"),
    "context": msg("what heads say"), "hidden_states": msg("hidden states"),
    "activations": msg("activations"), "residual": msg("the stream as a sum"),
    "logits": msg("logits"), "SilenceHeads": msg("silence a head"),
    "CutEdges": msg("cut an edge of attention"), "ReplaceHead": msg("replace what a head says"),
    "NoFeedForward": msg("no feed-forward networks"), "NoSkip": msg("no skip connections"),
    "NoPositions": msg("no positions"), "ReplaceActivation": msg("another activation"),
    "BypassHead": msg("bypass the masked-LM head"), "Dropout": msg("dropout while it reads"),
}  # fmt: skip
REASONS = {
    "family": msg("not in the table of families"),
    "own attention": msg("attention by code of its own"),
    "no attention": msg("it has no attention"),
    "no transform": msg("its head has no such part"),
    "width": msg("its head changes the width"),
}


def small(value: float) -> str:
    """A number that may be tiny: `exactly 0`, `2.3e-07`, `0.61`."""
    if value == 0:
        return t("exactly 0")
    return f"{value:.1e}" if value < 0.01 else number(value, 2)


def reach_of(found: Probe, watched: str) -> Reach | None:
    """What one kind of state notices."""
    return next((each for each in found.reaches if each.watched == watched), None)


def summary(found: Probe) -> str:
    """The checkpoint in a sentence that a stranger understands, and what was measured."""
    if "encoder" in found.depth and "decoder" in found.depth:
        return _both(found)
    if (forward := reach_of(found, "forward")) is not None:
        return _two_way(found, forward)
    whole = reach_of(found, "whole")
    layers = number(sum(found.depth.values()))
    if whole is None or not whole.pairs:
        return t("A model of {layers} layers. The text is too short to say which way it reads.",
                 layers=layers)  # fmt: skip
    if whole.one_way:
        what = (
            t("A recurrent model of {layers} layers that reads from the left.", layers=layers)
            if not found.attention
            else t("A decoder of {layers} layers that reads from the left.", layers=layers)
        )
        told = t(
            "Measured: no leak. Replacing a later token moves no earlier state, in {pairs} pairs.",
            pairs=number(whole.pairs),
        )
        return sentences(what, told)
    if found.objective == "causal":
        return t(
            "A model of {layers} layers that should say the next word, but measured it leaks: "
            "replacing a later token moves earlier states by up to {move} of their length.",
            layers=layers,
            move=percent(whole.ahead, 1),
        )
    told = t(
        "Measured: replacing a token moves states before it (up to {ahead} of their length) and "
        "after it (up to {back}).",
        ahead=percent(whole.ahead),
        back=percent(whole.back),
    )
    return sentences(
        t("An encoder of {layers} layers that reads both sides.", layers=layers), told
    )  # fmt: skip


def _both(found: Probe) -> str:
    what = t(
        "An encoder of {encoder} layers that reads, and a decoder of {decoder} layers that writes.",
        encoder=number(found.depth["encoder"]),
        decoder=number(found.depth["decoder"]),
    )
    decoder, source = reach_of(found, "decoder"), reach_of(found, "cross")
    if decoder is None:
        return what
    told = (
        t("Measured: the decoder reads from the left, no leak in {pairs} pairs.",
          pairs=number(decoder.pairs))
        if decoder.one_way
        else t("Measured: the decoder leaks; later tokens move earlier states by up to {move}.",
               move=percent(decoder.ahead, 1))
    )  # fmt: skip
    seen = source is not None and source.ahead > 0
    notices = (
        t("It notices the source.") if seen else t("It does not notice the source at all.")
    )  # fmt: skip
    return sentences(what, told, notices)


def _two_way(found: Probe, forward: Reach) -> str:
    what = t(
        "Two language models of {layers} recurrent layers each, one from each side.",
        layers=number(sum(found.depth.values())),
    )
    backward = reach_of(found, "backward")
    clean = forward.one_way and backward is not None and backward.back == 0 < backward.ahead
    told = (
        t("Measured: neither half notices what lies behind its reading direction.")
        if clean
        else t("Measured: a half notices what it should not have read.")
    )
    return sentences(what, told)


def facts_of(found: Probe) -> list[Fact]:
    """The checks, each with its number."""
    compared = t("logit") if found.compared == "logits" else t("number of a state")
    shown = [
        Fact(
            t("Parity"),
            small(found.parity),
            t(
                "Largest difference of a {what} between tracing and a plain eager forward pass; "
                "the largest one is {largest}.",
                what=compared,
                largest=number(found.largest, 1),
            ),
        )
    ]
    if found.attention:
        rows = sum(kind.rows for kind in found.attention)
        error = max(kind.row_error for kind in found.attention)
        shown.append(
            Fact(
                t("Rows of attention"),
                small(error),
                t("Largest distance of a row’s sum from 1, over {rows} rows of weights.",
                  rows=number(rows)),
            )
        )  # fmt: skip
    shown += [
        _seen(each) if both_sides(found, each) else _leak(each)
        for each in found.reaches
        if each.watched in LEAKS
    ]
    broken = found.broken + sum(kind.broken for kind in found.attention)
    return [
        *shown,
        Fact(
            t("Word order"),
            _about_zero(found.order, found.provenance.dtype),
            t("Largest move of a word’s state when the words stand the other way round."),
        ),
        Fact(t("NaN or infinite"), number(broken),
             t("Among all weights, states and outputs on this text.")),
    ]  # fmt: skip


def both_sides(found: Probe, reach: Reach) -> bool:
    """It was made to read both sides: what it sees of later tokens is no leak."""
    return reach.watched == "whole" and found.objective == "masked"


def _seen(found: Reach) -> Fact:
    told = t(
        "Largest move of a state when a later token is replaced, as a share of its length; {pairs} "
        "pairs. An encoder should notice.",
        pairs=number(found.pairs),
    )
    return Fact(t("Seen of later tokens"), small(found.ahead), told)


def _about_zero(value: float, dtype: str) -> str:
    return small(value) if value > SAME[dtype] else t("≈ 0 ({value})", value=small(value))


LEAKS = {
    "whole": msg("Leak from later tokens"),
    "decoder": msg("Leak from later tokens: decoder"),
    "forward": msg("Leak from later tokens: forward model"),
    "backward": msg("Leak from earlier tokens: backward model"),
}


def _leak(found: Reach) -> Fact:
    move = found.back if found.watched == "backward" else found.ahead
    told = t(
        "Largest move of a state when a token that must not be seen from there is replaced, as a "
        "share of its length; {pairs} pairs.",
        pairs=number(found.pairs),
    )
    return Fact(t(LEAKS[found.watched]), small(move), told)


def heads_told(found: HeadsOfKind) -> str:
    """One kind of attention in a sentence."""
    size = t("{kind}: {layers} × {heads} heads", kind=t(KINDS[found.kind]),
             layers=number(found.layers), heads=number(found.heads))  # fmt: skip
    if found.d_head is not None:
        size = t("{size} of {width} dims", size=size, width=number(found.d_head))
    return size


def groups_told(found: HeadsOfKind) -> str:
    """Whether query heads share keys, as measured."""
    kind = t(KINDS[found.kind])
    if found.key_heads is None:
        return t("{kind}: keys do not come out of this family", kind=kind)
    if found.key_heads == found.heads:
        return t("{kind}: every head has keys of its own", kind=kind)
    return t("{kind}: {heads} heads share {keys} sets of keys (grouped queries)", kind=kind,
             heads=number(found.heads), keys=number(found.key_heads))  # fmt: skip


def window_told(found: Probe) -> str:
    """What the configuration says of windows, and what was measured on this text."""
    own = [each for each in found.attention if each.kind != "cross"]
    if found.window is None and all(_whole(found, each) for each in own):
        return t("none declared, and none seen on this text")
    reaches = t("; ").join(
        t("{kind}: {far}", kind=t(KINDS[each.kind]), far=t(", ").join(map(number, each.farthest)))
        for each in own
    )
    declared = (
        t("none declared")
        if found.window is None
        else t("declared: {count} tokens", count=number(found.window))
    )
    return t("{declared}; farthest token seen, layer by layer: {reaches}", declared=declared,
             reaches=reaches or "–")  # fmt: skip


def _whole(found: Probe, of: HeadsOfKind) -> bool:
    """Every layer reaches as far as the text is long; beside an encoder, as any layer does."""
    longest = len(found.tokens) - 1 if len(found.depth) == 1 else max(of.farthest, default=0)
    return all(far >= longest for far in of.farthest)


def ability_told(found: Ability, *, recorded: bool) -> str:
    """Whether it was done, or why it cannot be."""
    if found.reason:
        return t("no: {reason}", reason=t(REASONS.get(found.reason, found.reason)))
    if recorded:
        return t("yes: {count} numbers", count=number(found.size))
    return t("yes: an output moved by up to {move}", move=small(found.size))
