"""A stranger's words stay words where Streamlit reads Markdown."""

from __future__ import annotations

import pytest

from components.verbatim import verbatim


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("*a* and _b_", r"\*a\* and \_b\_"),
        ("[free](http://x)", r"\[free\]\(http\:\/\/x\)".replace(r"\/", "/")),
        ("$5 and $6", r"\$5 and \$6"),
        (":red[x] :material/home:", r"\:red\[x\] \:material/home\:"),
        ("# 1. <b>`x`</b>", r"\# 1\. \<b\>\`x\`\</b\>"),
        ("他說：「好，走。」", "他說：「好，走。」"),
        ("it's fine, really", "it's fine, really"),
    ],
)
def test_no_sign_means_more_than_itself(typed: str, told: str) -> None:
    assert verbatim(typed) == told
