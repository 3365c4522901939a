"""Quiet answers to a question that Streamlit's frontend asks at every deep link.

Opened at `/fill`, the frontend first asks `/fill/_stcore/health` whether the server lives under
`/fill`. Streamlit's 404 says no, and leaves an error in the browser's console. Any status that is
not a success says no as well, and one below 400 is not an error: 300 is the one without a meaning
of its own here.
"""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

NOT_HERE = 300


async def _not_here(_: Request) -> Response:
    return Response(status_code=NOT_HERE)


def probe_routes(pages: Path) -> list[Route]:
    """One route per page file in `pages`: a page's address is its file's name."""
    return [Route(f"/{page.stem}/_stcore/{{probe}}", _not_here) for page in pages.glob("*.py")]
