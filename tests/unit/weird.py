"""Text that breaks things: for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

FRAGMENTS = (
    *(
        "[MASK]",
        "[CLS]",
        "[SEP]",
        "[PAD]",
        "<mask>",
        "</s>",
        "\0",
        "\ud83d",
        "\u200d",
        "😀",
        "👨\u200d👩",
    ),
    *(
        "مرحبا",
        "שלום",
        "你好",
        "</script>",
        "we've",
        " ",
        "\n",
        "the cat",
        "ﬁ",
        "é",
        "e\u0301",
        "İ",
    ),
)

WEIRD = st.one_of(
    st.text(max_size=120),
    st.text(st.characters(categories=["Cs", "Cc", "Cf", "Mn", "So", "Lo", "Zs"]), max_size=60),
    st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join),
)
