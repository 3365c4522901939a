"""The hub: what the policy allows, what is in the cache, what can be had; none of it asks anyone
outside this machine.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from huggingface_hub import constants

import models
from models.checkpoints import fetching, hub
from models.errors import HubRefused, HubUnreachable, NotFetched, TooLarge, Unusable
from models.names import parse
from tests.unit.fake_hub import COMMIT, in_cache, serving

Configure = Callable[..., None]
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty cache, and a hub that does not answer."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder))
    monkeypatch.setattr(hub, "endpoint", lambda: NOWHERE)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(hub, "WAIT", 0.5)
    hub._answers.cache_clear()
    return folder


def test_about_a_dozen_repositories_are_known() -> None:
    assert 10 <= len(hub.CURATED) <= 16
    for each in hub.CURATED:
        assert hub.HUB_ID.fullmatch(each.id) and each.megabytes > 50 and each.licence
        assert parse(each.name).place == each.id


def test_without_a_network_what_is_not_here_is_out_of_reach(
    configure: Configure, cache: Path, bert_folder: Path
) -> None:
    in_cache(cache, "openai-community/gpt2", bert_folder)
    configure()
    states = {each.id: state for each, state in models.repositories()}
    assert states.pop("openai-community/gpt2") == "cached"
    assert set(states.values()) == {"out of reach"}


def test_a_hub_that_answers_makes_the_others_fetchable(
    monkeypatch: pytest.MonkeyPatch, bert_folder: Path
) -> None:
    with serving(bert_folder) as address:
        monkeypatch.setattr(hub, "endpoint", lambda: address)
        assert hub.state(parse("hub:openai-community/gpt2")) == "to fetch"
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert hub.state(parse("hub:openai-community/gpt2")) == "to fetch", "asked once a minute"
    hub._answers.cache_clear()
    assert hub.state(parse("hub:openai-community/gpt2")) == "out of reach", "nobody is asked"


def test_a_cached_repository_needs_no_network(
    configure: Configure, cache: Path, bert_folder: Path
) -> None:
    in_cache(cache, "org/name", bert_folder)
    configure(hub_policy="any")
    assert models.load("hub:org/name").objective == "masked"
    assert models.load(f"hub:org/name@{COMMIT[:12]}").network is not None
    with pytest.raises(NotFetched):
        models.load("hub:org/name@fedcba9")
    with pytest.raises(NotFetched):
        models.load("hub:org/other")


def test_a_repository_that_came_only_in_part_is_not_here(cache: Path, bert_folder: Path) -> None:
    place = in_cache(cache, "org/name", bert_folder)
    (place / "model.safetensors").unlink()
    assert hub.cached(parse("hub:org/name")) is None


def test_a_repository_is_fetched_with_its_commit(
    configure: Configure, monkeypatch: pytest.MonkeyPatch, bert_folder: Path
) -> None:
    (bert_folder / "own.py").write_text("raise SystemExit")
    configure(hub_policy="any")
    with serving(bert_folder) as address:
        monkeypatch.setattr(hub, "endpoint", lambda: address)
        fetch = models.fetch("hub:org/name")
        fetch.wait(60)
    (bert_folder / "own.py").unlink()
    assert fetch.refusal is None
    assert fetch.fetched == f"hub:org/name@{COMMIT[:12]}"
    assert fetch.done == fetch.total > 10_000
    model = models.load(fetch.fetched)
    assert model.folder is not None and not list(model.folder.glob("*.py")), "never code"


def test_a_download_is_shared_told_and_stopped(
    configure: Configure, monkeypatch: pytest.MonkeyPatch, bert_folder: Path, cache: Path
) -> None:
    configure(hub_policy="any")
    with serving(bert_folder, pause=0.2) as address:
        monkeypatch.setattr(hub, "endpoint", lambda: address)
        fetch = models.fetch("hub:org/name")
        assert models.fetch("hub:org/name@bfloat16") is fetch
        for _ in range(600):
            if fetch.done > 0:
                break
            fetch.wait(0.05)
        assert fetch.running and 0 < fetch.done < fetch.total
        assert not fetch.stop(), "another visitor still waits for it"
        done = fetch.done
        for _ in range(600):
            if fetch.done > done or not fetch.running:
                break
            fetch.wait(0.05)
        assert fetch.done > done and not fetch.stopped, "it goes on for them"
        assert fetch.stop(), "the last one"
        another = models.fetch("hub:org/name")
        assert another is not fetch, "what was called off cannot be joined"
        for each in (fetch, another):
            each.stop()
            each.wait(30)
    assert fetch.stopped and not fetch.running and not fetch.fetched
    assert hub.cached(parse("hub:org/name")) is None


def test_where_nobody_answers_it_is_a_refusal(configure: Configure) -> None:
    configure(hub_policy="any")
    fetch = models.fetch("hub:org/name")
    fetch.wait(60)
    assert isinstance(fetch.refusal, HubUnreachable)


@pytest.mark.parametrize("policy", ["off", "curated"])
def test_nothing_is_fetched_that_is_not_allowed(configure: Configure, policy: str) -> None:
    configure(hub_policy=policy)
    with pytest.raises(HubRefused):
        models.fetch("hub:org/name")


def test_only_weights_configuration_and_tokenizer_are_fetched() -> None:
    there = {"config.json": 1, "vocab.txt": 1, "spiece.model": 1, "model.safetensors": 9,
             "pytorch_model.bin": 9, "own.py": 1, "onnx/model.onnx": 9, "tf_model.h5": 9,
             "model.safetensors.index.json": 1}  # fmt: skip
    assert list(fetching.wanted("x", there)) == [
        "config.json", "vocab.txt", "spiece.model", "model.safetensors"
    ]  # fmt: skip
    shards = {f"model-0000{n}-of-00002.safetensors": 9 for n in (1, 2)}
    index = {"model.safetensors.index.json": 1}
    assert fetching.wanted("x", index | shards) == index | shards
    with pytest.raises(Unusable) as refusal:
        fetching.wanted("x", {"config.json": 1, "pytorch_model.bin": 9})
    assert refusal.value.why == "pickle"


def test_what_is_too_large_is_not_fetched(configure: Configure) -> None:
    configure(max_parameters=10)
    with pytest.raises(TooLarge):
        fetching._allowed_size("x", type("Told", (), {"total": 11}))
