"""The steps from a query to what the head says, each with its own numbers, for a reader."""

from __future__ import annotations

from dataclasses import dataclass

from components.head import label
from components.words import fixed, number, percent, t
from models.trace import QueryStages


@dataclass(frozen=True)
class Step:
    """One step."""

    name: str
    formula: str
    told: str


def steps(found: QueryStages) -> tuple[Step, ...]:
    """Vectors, product, scale, mask, softmax, value; the strongest key is the example."""
    return (*_compared(found), *_weighed(found))


def _example(found: QueryStages) -> tuple[int, str]:
    best = int(found.weights.argmax())
    return best, label(found.keys[best])


def _compared(found: QueryStages) -> tuple[Step, ...]:
    best, word = _example(found)
    width, product = len(found.query_vector), float(found.products[best])
    return (
        Step(
            t("Vectors"),
            "q, k",
            t(
                "The token that asks has a query vector of {count} numbers, every token a key "
                "vector as long. Blue is below zero, orange above.",
                count=number(width),
            ),
        ),
        Step(
            t("Product"),
            "q · k = Σ qᵢ kᵢ",
            t(
                "Both are multiplied number by number and summed: {product} for “{word}”.",
                product=fixed(product, 2),
                word=word,
            ),
        ),
        _scaled(found, best, word),
    )


def _scaled(found: QueryStages, best: int, word: str) -> Step:
    score = fixed(float(found.scores[best]), 2)
    if found.scale is None:
        return Step(
            t("Score"),
            "s",
            t(
                "This model adds something else here, such as a position bias: {score}.",
                score=score,
            ),
        )
    return Step(
        t("Scale"),
        "s = q · k / √d" if found.scale < 1 else "s = q · k",
        t(
            "Times {scale}, so that long vectors do not make the softmax all or nothing: {score} "
            "for “{word}”.",
            scale=fixed(found.scale, 4),
            score=score,
            word=word,
        ),
    )


def _weighed(found: QueryStages) -> tuple[Step, ...]:
    best, word = _example(found)
    hidden = int((~found.mask).sum())
    brought = found.weights * found.value_norms
    most = int(brought.argmax())
    return (
        Step(
            t("Mask"),
            "s + m",
            t("No key is masked: this query may look at all of them.")
            if hidden == 0
            else t(
                "{count} keys lie ahead and may not be looked at: their score becomes −∞.",
                count=number(hidden),
            ),
        ),
        Step(
            "Softmax",
            "α = exp(s) / Σ exp(s)",
            t(
                "Scores become shares that sum to 1: {share} for “{word}”.",
                share=percent(float(found.weights[best]), 1),
                word=word,
            ),
        ),
        Step(
            t("Values"),
            "Σ α v",
            t(
                "The value vectors are weighted and summed. A large weight on a short vector "
                "brings little: most is brought by “{word}”, {amount} (Kobayashi et al. 2020).",
                word=label(found.keys[most]),
                amount=fixed(float(brought[most]), 3),
            ),
        ),
    )


def headline(found: QueryStages) -> str:
    """Where most of the weight lies, and whether most of what is brought comes from there, too."""
    best, word = _example(found)
    most = int((found.weights * found.value_norms).argmax())
    values = {"word": word, "share": percent(float(found.weights[best]))}
    if most == best:
        return t("“{word}” gets most of the weight ({share}) and brings most.", **values)
    return t(
        "“{word}” gets most of the weight ({share}), but “{other}” brings more: its value vector "
        "is longer ({longer} against {length}).",
        **values,
        other=label(found.keys[most]),
        longer=fixed(float(found.value_norms[most]), 2),
        length=fixed(float(found.value_norms[best]), 2),
    )
