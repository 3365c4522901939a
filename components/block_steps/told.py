"""A feed-forward network in words: its steps, and what another activation does to the answer."""

from __future__ import annotations

from math import exp, log

from components.head_steps.stages import Stage, spread
from components.head_steps.verdict import LITTLE
from components.shares import joined, rare
from components.words import fixed, msg, number, percent, sentences, t
from models.trace import FeedForward

ACTIVATIONS = {
    "gelu": "GELU",
    "relu": "ReLU",
    "identity": msg("None (identity)"),
}


def activation_name(name: str, *, own: bool = False) -> str:
    """An activation as a reader knows it; the model's own is marked."""
    shown = t(ACTIVATIONS.get(name, name))
    return t("{activation}: as trained", activation=shown) if own else shown


def stages(found: FeedForward) -> tuple[Stage, ...]:
    """Read, expand, activate, contract, add, norm."""
    token = found.followed.tokens[found.followed.position]
    return (
        Stage(
            t("Read"), "u", _numbers(len(found.input)),
            t("The state at “{token}” after attention and its norm. The network reads this one "
              "position and no other.", token=token),
            spread(found.input), found.input,
        ),
        Stage(
            t("Expand"), "W₁u + b₁", _numbers(len(found.expanded)),
            t("Each of {count} neurons weighs the whole state.",
              count=number(len(found.expanded))),
            spread(found.expanded), found.expanded,
        ),
        Stage(
            t("Activate"), f"{activation_name(found.activation)}(W₁u + b₁)",
            _numbers(len(found.activated)),
            t("Each number by itself. This bend is all that keeps W₂W₁ from being one matrix."),
            (*spread(found.activated), *_quiet(found)), found.activated, found.expanded,
        ),
        Stage(
            t("Contract"), "W₂a + b₂", _numbers(len(found.contracted)),
            t("Every neuron adds its column of W₂, as strongly as it fires."),
            spread(found.contracted), found.contracted,
        ),
        Stage(
            t("Add"), "u + FFN(u)", _numbers(len(found.input)),
            t("The skip connection: what was read stays, the network only adds."),
            spread(found.input + found.contracted), found.input + found.contracted,
        ),
        Stage(
            t("Norm"), "LN(u + FFN(u))", _numbers(len(found.output)),
            t("LayerNorm brings it to one size. The next layer reads this."),
            spread(found.output), found.output,
        ),
    )  # fmt: skip


def _numbers(count: int) -> str:
    return t("{count} numbers", count=number(count))


def _quiet(found: FeedForward) -> tuple[tuple[str, str], ...]:
    return ((t("Below 1% of the layer’s largest"), percent(float(found.sparsity[found.layer]), 1)),)


def verdict(found: FeedForward) -> str:
    """Does this answer need the bend? Computed, whatever the answer."""
    before = log(found.followed.word.probability)
    bent = {each.activation: each.log_p for each in found.swapped}
    change = bent["identity"] - before
    told = t(
        "Without any activation, in all layers at once, “{word}” goes from {before} to {after} "
        "({change} nats).",
        word=joined(found.followed.word),
        before=rare(exp(before)),
        after=rare(exp(bent["identity"])),
        change=_signed(change),
    )
    return sentences(_judged(-change), told)


def _judged(loss: float) -> str:
    if abs(loss) < LITTLE:
        return t("No difference here.")
    return t("Supported here.") if loss > 0 else t("Not supported here: the opposite.")


def _signed(value: float) -> str:
    return f"+{fixed(value, 2)}" if value > 0 else fixed(value, 2)


def caution() -> str:
    """What the verdict does not say."""
    return t(
        "This is one word in one sentence, and the weights were trained with their own activation: "
        "that they fail with another one does not show that no model could do without. Below are "
        "models that were trained with each."
    )
