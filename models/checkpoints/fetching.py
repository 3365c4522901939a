"""Fetch a repository of the hub: one download for all who wait for it, told and stopped at will."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

from models.checkpoints import hub
from models.checkpoints.headers import INDEX, SINGLE
from models.errors import HubUnreachable, Refusal, TooLarge, Unusable
from models.names import Name, parse
from models.settings import settings

TEXTS = re.compile(r"[\w.-]+\.(json|txt|model|spm)")
"""What is fetched besides weights: configuration and tokenizer. Never code, never pickles."""
SHARDS = re.compile(r"model-\d+-of-\d+\.safetensors")
COMMIT_DIGITS = 12


class Stopped(Exception):
    """Whoever waited for a download does not want it any more."""


class Fetch:
    """One download, in a thread of its own.

    Attributes:
        name: What was asked for.
        total: Bytes in all; 0 until the hub has said it.
        done: Bytes so far.
        fetched: The name with its commit, once all is here; "" until then.
        refusal: Why it cannot be had, once that is known.
        stopped: It was called off.
    """

    def __init__(self, name: Name) -> None:
        self.name = name
        self.total = self.done = 0
        self.fetched = ""
        self.refusal: Refusal | None = None
        self.stopped = False
        self._waiting = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self._thread.is_alive()

    def join(self) -> bool:
        """One more waits for it; False if it was called off already, and nobody can join it."""
        with _LOCK:
            if not self._stop.is_set():
                self._waiting += 1
            return not self._stop.is_set()

    def stop(self) -> bool:
        """One less waits for it; whether that has called it off, since nobody is left.

        What is here already is kept, and the next try goes on from there.
        """
        with _LOCK:
            self._waiting -= 1
            if self._waiting <= 0:
                self._stop.set()
            return self._stop.is_set()

    def wait(self, seconds: float | None = None) -> None:
        """Until it has ended, or for so long."""
        self._thread.join(seconds)

    def count(self, bytes_more: float) -> None:
        """Some more has come.

        Raises:
            Stopped: Nobody wants it any more.
        """
        self.done += int(bytes_more)
        if self._stop.is_set():
            raise Stopped

    def _run(self) -> None:
        try:
            self.fetched = self._fetch()
        except Stopped:
            self.stopped = True
        except Refusal as refusal:
            self.refusal = refusal
        except Exception:  # noqa: BLE001 - the network fails in many ways, and all mean this
            self.refusal = HubUnreachable(str(self.name))

    def _fetch(self) -> str:
        from huggingface_hub import HfApi, constants, hf_hub_download

        constants.HF_HUB_DISABLE_XET = True  # its own threads could not be stopped
        api = HfApi(endpoint=hub.endpoint(), token=False)
        info = api.model_info(
            self.name.place,
            revision=self.name.revision or None,
            files_metadata=True,
            timeout=10 * hub.WAIT,
        )
        files = wanted(str(self.name), {f.rfilename: f.size or 0 for f in info.siblings or ()})
        _allowed_size(str(self.name), info.safetensors)
        self.total = sum(files.values())
        for file in files:
            self.count(0)
            hf_hub_download(
                self.name.place,
                file,
                revision=info.sha,
                endpoint=hub.endpoint(),
                cache_dir=constants.HF_HUB_CACHE,
                token=False,
                tqdm_class=self._bar(),
            )
        self.done = self.total
        return str(Name("hub", self.name.place, str(info.sha)[:COMMIT_DIGITS]))

    def _bar(self) -> type[Any]:
        """What the hub's library takes for a progress bar."""
        count = self.count

        class Counting(_Silent):
            def __init__(self, **told: Any) -> None:
                count(told.get("initial") or 0)  # what an earlier try has left

            def update(self, more: float | None = 1) -> None:
                count(more or 0)

        return Counting


class _Silent:
    """As much of a progress bar as is asked of one, without the bar."""

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Nothing is open."""


def wanted(name: str, there: dict[str, int]) -> dict[str, int]:
    """The files to fetch of those that a repository has, with their sizes: weights come last.

    Raises:
        Unusable: It has no weights in safetensors.
    """
    texts = {file: size for file, size in there.items() if TEXTS.fullmatch(file)}
    weights = {SINGLE: there[SINGLE]} if SINGLE in there else {}
    if not weights and INDEX in there:
        weights = {file: size for file, size in there.items() if SHARDS.fullmatch(file)}
    if weights.keys() == {SINGLE}:
        texts.pop(INDEX, None)
    if not weights:
        pickles = [file for file in there if Path(file).suffix in (".bin", ".pt", ".h5")]
        why = "pickle" if pickles else "no weights"
        raise Unusable(name, "weights", why, tuple(pickles[:3]), len(pickles))
    return texts | weights


def _allowed_size(name: str, told: Any) -> None:
    """Refuse what is too large before it is fetched, if the hub says how large it is."""
    total = int(getattr(told, "total", 0) or 0)
    if total > (limit := settings().max_parameters):
        raise TooLarge(name, "parameters", total, limit)


_RUNNING: dict[str, Fetch] = {}
_LOCK = threading.RLock()


def fetch(name: str) -> Fetch:
    """Begin to fetch a repository, or join a download of it that runs already.

    Raises:
        HubRefused: The operator's policy forbids it.
    """
    wanted_name = parse(parse(name).source)
    hub.allowed(wanted_name)
    with _LOCK:
        for key in [key for key, one in _RUNNING.items() if not one.running]:
            del _RUNNING[key]
        running = _RUNNING.get(str(wanted_name))
        if running is None or not running.join():
            running = _RUNNING[str(wanted_name)] = Fetch(wanted_name)
            running.join()
        return running
