"""What a link asks for is followed once; from then on the visitor decides.

Streamlit's own binding of widgets to the address would write translated labels into it, and does
not go with links that lead from one page to another.
"""

from __future__ import annotations

import streamlit as st


def follow(parameter: str, place: str = "") -> str | None:
    """What a new link says about `parameter`; None if it says nothing, or was followed before.

    Args:
        parameter: Its name in the link.
        place: Who follows it, where several pages know the same parameter: each follows it by
            itself.
    """
    followed = st.session_state.setdefault("filling/followed", {})
    asked = st.query_params.get(parameter), st.query_params.get("text")
    if followed.get((place, parameter)) == asked:
        return None
    followed[place, parameter] = asked
    return asked[0]
