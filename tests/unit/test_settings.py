"""Settings from the environment and a file, and plain words where they are wrong."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pydantic
import pytest

from models.settings import Settings, SettingsError, read_settings, settings, table
from models.slots import slots

Configure = Callable[..., None]


def test_defaults(configure: Configure) -> None:
    configure()
    now = settings()
    assert (now.default_model, now.max_tokens, now.hub_policy) == ("bert-en", 512, "curated")
    assert now.compute_slots == len(os.sched_getaffinity(0))


def test_the_environment_wins_over_the_file(configure: Configure, tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(f'max_tokens = 64\nhub_policy = "off"\nmodel_roots = ["{tmp_path}"]\n')
    configure(settings=file, max_tokens=128)
    now = settings()
    assert (now.max_tokens, now.hub_policy, now.model_roots) == (128, "off", (tmp_path,))


def test_roots_are_written_as_in_path(configure: Configure, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    configure(model_roots=os.pathsep.join([str(tmp_path / "a"), str(tmp_path / "b")]))
    assert settings().model_roots == (tmp_path / "a", tmp_path / "b")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("max_tokens", "many", "UNMASK_MAX_TOKENS cannot be 'many'"),
        ("max_characters", "0", "greater than or equal to 1"),
        ("hub_policy", "all", "'off', 'curated' or 'any'"),
        ("model_roots", "/no/such/folder", "/no/such/folder is not a folder"),
        ("settings", "/no/such/file", "names a file that is not there"),
    ],
)
def test_a_wrong_value_is_named(configure: Configure, name: str, value: str, words: str) -> None:
    configure(**{name: value})
    with pytest.raises(SettingsError) as error:
        read_settings()
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [("max_token = 9", "no setting 'max_token'"), ("max_tokens = ", "not a readable TOML file")],
)
def test_a_wrong_file_is_named(
    configure: Configure, tmp_path: Path, content: str, words: str
) -> None:
    file = tmp_path / "my.toml"
    file.write_text(content)
    configure(settings=file)
    with pytest.raises(SettingsError) as error:
        read_settings()
    assert words in str(error.value)


def test_settings_never_change(configure: Configure) -> None:
    configure()
    with pytest.raises(pydantic.ValidationError):
        settings().max_tokens = 9


def test_every_setting_is_in_the_table() -> None:
    rows = table().splitlines()[2:]
    assert len(rows) == len(Settings.model_fields)
    for row, (name, field) in zip(rows, Settings.model_fields.items(), strict=True):
        assert f"`UNMASK_{name.upper()}`" in row
        assert field.description
        assert field.description in row


def test_the_slots_of_the_process_follow_the_settings(configure: Configure) -> None:
    configure(compute_slots=1)
    assert slots() is slots()
    with slots().claim("a") as first:
        assert first.running
