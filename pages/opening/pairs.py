"""Next-sentence prediction: two models that differ in nothing but whether they were asked it."""

from __future__ import annotations

import streamlit as st

import models
from components.feature_claims import judged, points
from components.rows import Row, Rows, rows
from components.rows import exports as tabled
from components.takeaway import panel_bar
from components.theme import BERT
from components.verdicts import verdicts
from components.words import fixed, msg, number, percent, sentences, t
from models.features import scored
from models.pair_tests import CHANCE, LITTLE, WITH, WITHOUT, gains, pair_verdicts
from models.trace import Features, PairTests, Score
from pages.opening.asking import Opening

TITLE = msg("Next sentence")
COMMAND = """\
# Run in the project's folder, with the corpora built (python -m models.training corpora); minutes
# on one core. They write models/zoo/next_sentence.json and models/zoo/features.json, from which
# all shares, intervals and verdicts here are computed.
python -m models.training.pair_tests
python -m models.training.features
"""


def show(opening: Opening) -> None:
    """The two models beside each other, the verdict or why there is none, and the bar."""
    st.markdown(
        t(
            "BERT was trained on pairs of passages, and asked, besides the hidden words, whether "
            "the second goes on where the first ends. Two small BERTs have read the same pairs; "
            "only one was asked. What does the question add?"
        )
    )
    found, probed = models.next_sentence_tests(), models.frozen_features()
    if found is None:
        st.info(
            t("These tests have not been run on this server: {command}",
              command="python -m models.training.pair_tests")
        )  # fmt: skip
        return
    tables = drawn(found, probed)
    note = _note(found)
    rows(tables, key="block_pairs", colour=BERT, headline=headline(found), note=note)
    if found.learned:
        said = judged(pair_verdicts(found, probed), LITTLE)
        verdicts(said, key="block_pair_claims")
    else:
        st.info(withheld(found))
    _bar(opening, found, tables, note)


def named(name: str) -> str:
    """One of the two."""
    return {WITHOUT: t("not asked"), WITH: t("asked")}[name]


def drawn(found: PairTests, probed: Features | None) -> list[Rows]:
    """Next-sentence accuracy; hidden words; the probe; and what the question adds to these."""
    chance = Row(t("Chance"), 100 * CHANCE, percent(CHANCE), strong=True)
    asked = [
        row(t("any book’s, as in training"), found.next_sentence()),
        row(t("a neighbour’s"), found.neighbours()),
        chance,
    ]
    names = (t("Model"), t("Share (95%)"), "")
    count = len(found.words)
    shares = [row(named(n), scored(found.top1(n), count)) for n in (WITHOUT, WITH)]
    tables = [
        Rows(t("Does the second passage follow? Right answers"), asked,
             (t("False passage"), t("Share (95%)"), ""), "dots", 1),
        Rows(t("Hidden words found at once"), shares, names, "dots", 1),
    ]  # fmt: skip
    if probed is not None and {WITH, WITHOUT} <= probed.views.keys():
        items = len(probed.words["new"])
        told = [row(named(n), scored(probed.at_best(n), items)) for n in (WITHOUT, WITH)]
        title = t("Part of speech, read by a probe from the best layer")
        tables.append(Rows(title, told, names, "dots", 1))
    kinds = {"words": t("Hidden words found"), "features": t("Read by a probe")}
    added = [
        difference(kinds[name], scored(draws, 0)) for name, draws in gains(found, probed).items()
    ]
    title = t("What being asked adds, in points")
    tables.append(Rows(title, added, (t("Measure"), t("Difference (95%)"), ""), "dots", 1))
    return tables


def row(name: str, one: Score) -> Row:
    """A share with its interval, in per cent."""
    shown = t(
        "{value} ({low} to {high})",
        value=percent(one.mean, 1),
        low=percent(one.low, 1),
        high=percent(one.high, 1),
    )
    return Row(name, 100 * one.mean, shown, 100 * one.low, 100 * one.high)


def difference(name: str, one: Score) -> Row:
    """A difference of shares, in points, with its interval."""
    shown = t(
        "{value} ({low} to {high})",
        value=points(one.mean),
        low=points(one.low),
        high=points(one.high),
    )
    return Row(name, 100 * one.mean, shown, 100 * one.low, 100 * one.high)


def headline(found: PairTests) -> str:
    """What was learned of the question."""
    one, near = found.next_sentence(), found.neighbours()
    if not found.learned:
        return t("The question was not learned: {share} right.", share=percent(one.mean, 1))
    if near.low > CHANCE:
        return t(
            "The question was learned: {share} right, and {near} where the false passage is taken "
            "from the neighbourhood.",
            share=percent(one.mean, 1),
            near=percent(near.mean, 1),
        )
    return t(
        "What was learned is to tell books apart: {share} right, but {near}, no better than "
        "chance, where the false passage is taken from the neighbourhood.",
        share=percent(one.mean, 1),
        near=percent(near.mean, 1),
    )


def withheld(found: PairTests) -> str:
    """Why there is no verdict."""
    one = found.next_sentence()
    return t(
        "No verdict: the model that was asked is right in {share} of the pairs ({low} to {high}), "
        "and one that guesses in {chance}. What was not learned can neither help nor harm.",
        share=percent(one.mean, 1),
        low=percent(one.low, 1),
        high=percent(one.high, 1),
        chance=percent(CHANCE),
    )


def _note(found: PairTests) -> str:
    counted = t(
        "{pairs} held-out pairs, {words} hidden words, the same for both. Lines: 95% of bootstrap "
        "resamples. Between three seeds of bert-v: ± {spread} points.",
        pairs=number(len(found.words)),
        words=number(int(found.words.sum())),
        spread=fixed(100 * found.spread, 1),
    )
    earlier = found.changed and t(
        "Tested with earlier weights of {models}.", models=t(", ").join(found.changed)
    )
    small = t("They are small and have read little: what is said of large models need not show.")
    return sentences(counted, small, earlier or "")


def _bar(opening: Opening, found: PairTests, tables: list[Rows], note: str) -> None:
    title = t("Next-sentence prediction, with and without")
    panel_bar(
        key="block_pairs_bar",
        title=title,
        numbers=lambda: tabled.numbers(tables, note),
        code=COMMAND,
        picture=lambda: tabled.picture(title, tables, BERT.mark, note),
        link=opening.link("pairs"),
        about=found.provenance,
        how=t(
            "bert-v-pairs and bert-v-next-sentence have read the same pairs in the same order; the "
            "second’s loss counts the question, too. Pairs are 128 tokens of running text, cut in "
            "two; half of the second passages are exchanged. 15% of the tokens are shown as "
            "[MASK]. Differences are paired; a claim is judged by twice the larger of the standard "
            "error (2,000 bootstrap resamples of the pairs, or of the probe’s words, seed 0) and "
            "the standard deviation between three seeds of bert-v. That it is easier to tell "
            "subjects apart than to tell what follows is Lan et al. 2020’s objection."
        ),
    )
