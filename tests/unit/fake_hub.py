"""A hub on this machine: as much of huggingface.co's interface as fetching a model needs."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

COMMIT = "0123456789abcdef0123456789abcdef01234567"
PIECE = 4096


class _Hub(BaseHTTPRequestHandler):
    """Answers for one repository, whose files lie in a folder."""

    protocol_version = "HTTP/1.1"

    def __init__(self, folder: Path, pause: float, *args: object) -> None:
        self.folder, self.pause = folder, pause
        super().__init__(*args)  # type: ignore[arg-type]

    def log_message(self, *_: object) -> None:
        """Nothing."""

    def do_HEAD(self) -> None:
        self.answer(body=False)

    def do_GET(self) -> None:
        self.answer(body=True)

    def answer(self, *, body: bool) -> None:
        path = self.path.split("?")[0]
        if path.startswith("/api/models/org/name"):
            files = [{"rfilename": f.name, "size": f.stat().st_size} for f in self.folder.iterdir()]
            self.send(
                json.dumps({"id": "org/name", "sha": COMMIT, "siblings": files}).encode(), body
            )
        elif path.startswith(f"/org/name/resolve/{COMMIT}/"):
            self.send((self.folder / path.rsplit("/", 1)[1]).read_bytes(), body)
        else:
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()

    def send(self, content: bytes, body: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        for at in range(0, len(content) if body else 0, PIECE):
            try:
                self.wfile.write(content[at : at + PIECE])
            except OSError:  # they went away
                return
            time.sleep(self.pause)


@contextmanager
def serving(folder: Path, pause: float = 0.0) -> Iterator[str]:
    """The address of a hub that has ``org/name`` with the files of a folder.

    Args:
        folder: Its files.
        pause: Seconds after each piece of `PIECE` bytes.
    """
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Hub, folder, pause))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def in_cache(cache: Path, repository: str, folder: Path, commit: str = COMMIT) -> Path:
    """Put a folder into a cache as if it had been fetched."""
    root = cache / f"models--{repository.replace('/', '--')}"
    place = root / "snapshots" / commit
    place.mkdir(parents=True)
    for file in folder.iterdir():
        (place / file.name).write_bytes(file.read_bytes())
    (root / "refs").mkdir(exist_ok=True)
    (root / "refs" / "main").write_text(commit)
    return place
