"""One word in two contexts: what each model makes of it, layer by layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import models
from components.contexts import Compared, Context, contexts
from components.contexts.exports import numbers, picture
from components.takeaway import panel_bar
from components.words import msg, t
from models.company import Member
from models.settings import settings
from models.trace import InContexts
from pages.comparing.lanes import WAYS
from pages.filling.asking import Check
from pages.filling.linked import follow
from pages.seeing.asking import Seeing

TITLE = msg("One word in two contexts")
KEY = "sees_contexts"

Pair = tuple[str, str]
ENGLISH: Mapping[str, Pair] = {
    msg("bank · two senses"): (
        "She sat on the bank of the river.",
        "She put her money in the bank.",
    ),
    msg("bank · one sense"): (
        "She put her money in the bank.",
        "He works for a large bank in the city.",
    ),
    msg("bat · two senses"): (
        "At night a bat flew out of the cave.",
        "He hit the ball with his new bat.",
    ),
    msg("bat · as first word"): (
        "Bat and owl fly at night.",
        "Bat and ball are all you need to play.",
    ),
}
VERSE: Mapping[str, Pair] = {
    msg("行 · two senses"): ("行到水窮處，坐看雲起時。", "兩個黃鸝鳴翠柳，一行白鷺上青天。"),
    msg("重 · two senses"): ("兩岸猿聲啼不住，輕舟已過萬重山。", "曉看紅濕處，花重錦官城。"),
    msg("月 · one sense"): ("床前明月光，疑是地上霜。", "舉頭望明月，低頭思故鄉。"),
}


def show(seeing: Seeing) -> None:
    """The two sentences, the lines and their bar."""
    st.subheader(t(TITLE), anchor=False)
    verse = seeing.company == "verse"
    offered, fields = VERSE if verse else ENGLISH, _fields(verse)
    _offer(offered, fields[:2])
    columns = st.columns([5, 5, 2])
    pair = _pair(offered, fields[:2], columns[:2])
    common = _common(seeing.members, pair)
    if not common:
        st.info(t("The two sentences share no word. Type one that stands in both."))
        return
    with columns[2]:
        word = _word(common, fields[2])
    shown = [_compared(seeing, member, pair, word) for member in seeing.members]
    found = [each.found for each in shown if each.found]
    if not found:
        st.info(next((each.note for each in shown if each.note), ""))
        return
    both = [Context(text, *span) for text, span in zip(pair, found[0].spans, strict=True)]
    contexts(shown, both, key=KEY)
    panel_bar(
        key="contexts",
        title=t(TITLE),
        numbers=lambda: numbers(shown),
        code=lambda: "\n\n".join(
            f"# {each.name}: {each.model}\n\n{each.found.snippet}" for each in shown if each.found
        ),
        picture=lambda: picture(shown),
        link=seeing.link(first=pair[0], second=pair[1], same=word),
        about=[each.provenance for each in found],
        how=t(
            "Each model reads both sentences; compared are the word’s states after each layer, by "
            "their cosine. Word vectors are the same for the same word: exactly 1. Of the "
            "Transformer it is the encoder’s state; a word of several pieces has their mean. "
            "States of all words lie in similar directions (Ethayarajh 2019): so beside it stands "
            "the mean over all pairs of different words. One pair of sentences is an anecdote; try "
            "others."
        ),
    )


def _fields(verse: bool) -> tuple[str, str, str]:
    """The keys of both sentences and of the word; verse has fields of its own."""
    first, second, word = (
        f"sees_context_{name}{'_verse' if verse else ''}" for name in ("first", "second", "word")
    )
    return first, second, word


def _offer(offered: Mapping[str, Pair], keys: Sequence[str]) -> None:
    """Pairs to try with one click."""
    with st.container(horizontal=True, gap="small"):
        for i, (name, pair) in enumerate(offered.items()):
            st.button(t(name), key=f"{keys[0]}_try{i}", on_click=_take, args=(keys, pair))


def _pair(
    offered: Mapping[str, Pair], keys: Sequence[str], columns: Sequence[DeltaGenerator]
) -> Pair:
    """The two texts: typed, linked or chosen."""
    linked = follow("first", KEY), follow("second", KEY)
    for key, text, first in zip(keys, linked, next(iter(offered.values())), strict=True):
        if text:
            st.session_state[key] = text
        st.session_state.setdefault(key, first)
    limit, titles = settings().max_characters, (t("First sentence"), t("Second sentence"))
    one, other = (
        column.text_input(title, key=key, live="300ms", max_chars=limit, persist_state="session")
        for column, title, key in zip(columns, titles, keys, strict=True)
    )
    return one[:limit], other[:limit]  # a browser may send anything


def _take(keys: Sequence[str], pair: Pair) -> None:
    for key, text in zip(keys, pair, strict=True):
        st.session_state[key] = text


def _common(members: Sequence[Member], pair: Pair) -> tuple[str, ...]:
    """The words of both texts, as the first model that is there cuts them."""
    for member in members:
        try:
            return models.common_words(member.model, *pair)
        except models.Refusal:
            continue
    return ()


def _word(common: Sequence[str], key: str) -> str:
    """The word to follow: what a link or the visitor says, else the rarest one."""
    if (linked := follow("same", KEY)) in common:
        st.session_state[key] = linked
    if st.session_state.get(key) not in common:
        st.session_state[key] = common[0]
    return str(st.selectbox(t("Word"), common, key=key, persist_state="session"))


def _compared(seeing: Seeing, member: Member, pair: Pair, word: str) -> Compared:
    """What one model makes of the word, or why it says nothing."""
    way = WAYS[member.family]
    one = Compared(
        way.name,
        member.model,
        way.colour,
        reads_left=member.objective == "causal",
        both_sides=member.objective == "masked",
    )

    def question(check: Check) -> InContexts | None:
        try:
            return models.in_contexts(member.model, *pair, word, check=check)
        except ValueError:  # this model's tokenizer cuts the texts into other words
            return None

    found = seeing.once("contexts", member, (pair, word), question)
    if found is None:
        return replace(one, note=t("To this model no such word stands in both."))
    return replace(one, note=found) if isinstance(found, str) else replace(one, found=found)
