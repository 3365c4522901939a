"""ELMo opened, to take away: as a table and as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from components.opened import PARTS, layer_name, part_name
from components.opened.mix import Mix, similarity
from components.pictures import Bar, Group, Svg, bar_chart
from components.shares import full_bar, joined, share
from components.takeaway import Column, Table, origin, precise
from components.theme import ELMO
from components.words import number, percent, sentences, t
from models.trace import Opened


def numbers(found: Opened, word: int, mix: Mix) -> Table:
    """The answers at a word, then its similarity to every other one."""
    return Table(
        columns=[
            Column("part", t("Part")),
            Column("rank", t("Rank"), number),
            Column("word", t("Word")),
            Column("probability", t("Probability"), precise),
            Column("cosine", t("Cosine"), precise),
        ],
        rows=[*_answers(found, word), *_alike(found, word, mix)],
        note=t(
            "Answers in place of “{word}”, then the cosine of its state with those of the other "
            "words: in each layer (0 is the static one), with equal weights, and in your mix "
            "(softmax weights {weights}, γ {gamma}).",
            word=found.words[word].text,
            weights=t(", ").join(number(weight, 3) for weight in mix.weights),
            gamma=number(mix.gamma, 1),
        ),
    )


def _answers(found: Opened, word: int) -> Iterator[tuple[object, ...]]:
    for part in PARTS:
        for rank, each in enumerate(getattr(found.words[word], part).best, start=1):
            yield part, rank, joined(each), each.probability, None


def _alike(found: Opened, word: int, mix: Mix) -> Iterator[tuple[object, ...]]:
    far = np.full(found.layers, -np.inf)
    ways = {"equal": replace(mix, scores=(0.0,) * found.layers), "mix": mix}
    cosines = {name: similarity(found, way)[word] for name, way in ways.items()}
    for layer in range(found.layers):
        only = far.copy()
        only[layer] = 0.0
        cosines[f"layer {layer}"] = similarity(found, Mix(tuple(only)))[word]
    for name, values in sorted(cosines.items()):
        for i, value in enumerate(values.tolist()):
            if i != word:
                yield name, None, found.words[i].text, None, value


def picture(found: Opened, word: int, mix: Mix) -> Svg:
    """The three answers, and the similarities under the mix."""
    about = found.words[word]
    answers = {part: getattr(about, part).best for part in PARTS}
    full = full_bar(best[0].probability for best in answers.values() if best)
    groups = [
        Group(
            part_name(part),
            [Bar(joined(each), each.probability, share(each.probability)) for each in best],
        )
        for part, best in answers.items()
    ]
    cosines = similarity(found, mix)[word].tolist()
    bars = [
        Bar(each.text, max(0.0, value) * full, number(value, 3, exactly=True))
        for i, (each, value) in enumerate(zip(found.words, cosines, strict=True))
        if i != word
    ]
    weights = t(", ").join(
        t("{layer}: {share}", layer=layer_name(i), share=percent(weight, 1))
        for i, weight in enumerate(mix.weights.tolist())
    )
    groups.append(Group(t("Cosine with “{word}”", word=about.text), bars, axis="1"))
    return bar_chart(
        t("ELMo at “{word}”", word=about.text),
        groups,
        full=full,
        axis=percent(full),
        colour=ELMO.mark,
        footnote=sentences(t("Mix: {weights}.", weights=weights), origin(found.provenance)),
    )
