"""What a browser may do with the app: the security headers, on every response.

The policy allows this server and nothing else: no foreign script, font, image or connection.
"""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def inline_script_hashes(html: str) -> list[str]:
    """CSP sources that allow exactly the inline scripts in `html`, such as `'sha256-…'`."""
    digests = (hashlib.sha256(script.encode()).digest() for script in _INLINE_SCRIPT.findall(html))
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


def content_security_policy() -> str:
    """The policy for the Streamlit that is installed; its hash follows an upgrade by itself."""
    index = Path(st.__file__).parent / "static" / "index.html"
    scripts = " ".join(inline_script_hashes(index.read_text(encoding="utf-8")))
    directives = {
        "default-src": "'self'",
        # blob: components are ES modules that Streamlit loads from memory.
        # 'wasm-unsafe-eval': its message decoder uses WebAssembly; JavaScript's eval stays out.
        "script-src": f"'self' blob: 'wasm-unsafe-eval' {scripts}",
        # 'unsafe-inline': Streamlit writes its styles while it runs. Scripts stay strict.
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "worker-src": "'self' blob:",
        "frame-src": "'self' blob: data:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'self'",
    }
    return "; ".join(f"{name} {sources}" for name, sources in directives.items())


def security_headers() -> dict[str, str]:
    """The headers that every response carries."""
    return {
        "Content-Security-Policy": content_security_policy(),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "SAMEORIGIN",
        # A link holds the visitor's sentence: never tell it to another site.
        "Referrer-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        "Cross-Origin-Opener-Policy": "same-origin",
    }


class SecurityHeaders:
    """ASGI middleware that sets the headers on HTTP responses and leaves WebSockets alone."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`; the policy is computed here, once."""
        self.app = app
        self.headers = security_headers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; add the headers as its response starts."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)
