"""Every response carries the security headers, and the policy is as strict as Streamlit allows."""

from __future__ import annotations

import asyncio
import base64
import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import streamlit as st

from components.headers import (
    SecurityHeaders,
    content_security_policy,
    inline_script_hashes,
    security_headers,
)

Messages = list[dict[str, Any]]


def answer(scope_type: str, sent_by_app: Messages) -> Messages:
    """What leaves the middleware when the wrapped app sends these messages."""
    sent: Messages = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        for message in sent_by_app:
            await send(message)

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    async def serve() -> None:
        await SecurityHeaders(app)({"type": scope_type, "path": "/"}, receive, send)

    with ThreadPoolExecutor(1) as thread:  # this one may be running a browser's event loop
        thread.submit(asyncio.run, serve()).result()
    return sent


def start(*headers: tuple[bytes, bytes]) -> dict[str, Any]:
    return {"type": "http.response.start", "status": 404, "headers": list(headers)}


def policy() -> dict[str, list[str]]:
    directives = [directive.split() for directive in content_security_policy().split(";")]
    return {name: sources for name, *sources in directives}


def test_a_response_gets_every_header_once() -> None:
    first, body = answer(
        "http", [start((b"content-type", b"text/css")), {"type": "http.response.body"}]
    )
    headers = dict(first["headers"])
    assert headers[b"content-type"] == b"text/css"
    for name, value in security_headers().items():
        assert headers[name.lower().encode()] == value.encode()
    assert body == {"type": "http.response.body"}


def test_a_weaker_header_is_replaced() -> None:
    (first,) = answer("http", [start((b"x-frame-options", b"ALLOWALL"))])
    assert [v for k, v in first["headers"] if k == b"x-frame-options"] == [b"SAMEORIGIN"]


def test_websockets_and_lifespan_pass_untouched() -> None:
    for kind in ("websocket", "lifespan"):
        messages = [{"type": f"{kind}.accept"}, start()]
        assert answer(kind, messages) == messages


def test_policy_allows_no_host_and_no_unsafe_script() -> None:
    for name, sources in policy().items():
        for source in sources:
            assert "://" not in source and "*" not in source, f"{name} {source}"
            assert source not in {"http:", "https:", "ws:", "wss:"}, f"{name} {source}"
            assert source != "'unsafe-eval'"
            assert source != "'unsafe-inline'" or name == "style-src"
    assert policy()["default-src"] == ["'self'"]
    assert policy()["object-src"] == ["'none'"]
    assert policy()["frame-ancestors"] == ["'self'"]


def test_policy_allows_exactly_the_scripts_in_streamlits_page() -> None:
    html = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    inline = html.split("<script>")[1].split("</script>")[0]
    expected = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
    assert html.count("<script>") == 1
    assert policy()["script-src"] == [
        "'self'",
        "blob:",
        "'wasm-unsafe-eval'",
        f"'sha256-{expected}'",
    ]


def test_hash_of_a_script_is_the_browsers() -> None:
    # The example of the Content Security Policy specification, level 2.
    html = "<p>x</p><script>alert('Hello, world.');</script><script src='a.js'></script>"
    assert inline_script_hashes(html) == ["'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"]
