"""What an operator may set, by environment (``UNMASK_MAX_TOKENS=256``) or in a TOML file.

The file is ``unmask.toml`` beside ``app.py``, or wherever ``UNMASK_SETTINGS`` points; the
environment wins. ``python -m models.settings`` prints the table shown in the README.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

PREFIX = "UNMASK_"
ROOT = Path(__file__).resolve().parent.parent


class SettingsError(Exception):
    """A setting is wrong; the message tells the operator which one, and what it should be."""


def _cores() -> int:
    """The cores this process may use, which in a container can be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _settings_file() -> Path:
    return Path(os.environ.get(f"{PREFIX}SETTINGS") or ROOT / "unmask.toml")


class Settings(BaseSettings):
    """All settings, checked once at the start and never changed after."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, extra="forbid", protected_namespaces=()
    )

    default_model: str = Field(
        default="bert-en", description="The model that answers first and is loaded at the start."
    )
    max_characters: int = Field(
        default=4_000, ge=1, le=100_000, description="The longest text read, in characters."
    )
    max_tokens: int = Field(
        default=512,
        ge=8,
        le=8_192,
        description="The longest text read, in tokens; a model's own limit may be lower.",
    )
    compute_slots: int = Field(
        default_factory=_cores, ge=1, le=1_024, description="How many requests compute at once."
    )
    max_waiting: int = Field(
        default=200, ge=1, description="How many requests may wait; more are asked to come back."
    )
    max_models: int = Field(
        default=12, ge=1, description="How many models stay in memory; the least used leaves first."
    )
    model_memory: int = Field(
        default=4_096,
        ge=64,
        description="Megabytes for loaded models; the one unused for longest leaves first.",
    )
    max_parameters: int = Field(
        default=1_000_000_000,
        ge=1,
        description="The largest model loaded, in parameters.",
    )
    cache: Path = Field(
        default=Path("~/.cache/unmask"),
        description="Folder for what is made once, such as converted GGUF files.",
    )
    hub_policy: Literal["off", "curated", "any"] = Field(
        default="curated",
        description="Which Hugging Face repositories may be loaded: none, a short list, or any.",
    )
    model_roots: Annotated[tuple[Path, ...], NoDecode] = Field(
        default=(),
        description="Folders under which `dir:` models may lie, separated as in PATH.",
    )

    @field_validator("cache")
    @classmethod
    def _at_home(cls, folder: Path) -> Path:
        return folder.expanduser()

    @field_validator("model_roots", mode="before")
    @classmethod
    def _split_paths(cls, value: object) -> object:
        """One string as in PATH from the environment; a list, too, from a file."""
        return (
            [part for part in value.split(os.pathsep) if part] if isinstance(value, str) else value
        )

    @field_validator("model_roots")
    @classmethod
    def _folders_exist(cls, roots: tuple[Path, ...]) -> tuple[Path, ...]:
        for root in roots:
            if not root.is_dir():
                raise ValueError(f"{root} is not a folder")
        return tuple(root.resolve() for root in roots)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments (tests), then the environment, then the file."""
        file = TomlConfigSettingsSource(settings_cls, toml_file=_settings_file())
        return init_settings, env_settings, file


def read_settings() -> Settings:
    """The settings as they stand now in the environment and the file.

    Raises:
        SettingsError: The file cannot be read, or a value is not allowed.
    """
    named = os.environ.get(f"{PREFIX}SETTINGS")
    if named and not Path(named).is_file():
        raise SettingsError(f"{PREFIX}SETTINGS names a file that is not there: {named}")
    try:
        return Settings()
    except ValidationError as error:
        lines = [_complaint(dict(detail)) for detail in error.errors()]
        raise SettingsError("\n".join(lines)) from None
    except (OSError, ValueError) as error:
        raise SettingsError(f"{_settings_file()} is not a readable TOML file: {error}") from None


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The settings of this process, read once."""
    return read_settings()


def _complaint(detail: dict[str, Any]) -> str:
    """One validation error as a sentence an operator can act on."""
    name = str(detail["loc"][0]) if detail["loc"] else "?"
    if detail["type"] == "extra_forbidden":
        return f"There is no setting {name!r}. Settings: {', '.join(Settings.model_fields)}."
    reason = str(detail["msg"]).removeprefix("Value error, ")
    return f"{PREFIX}{name.upper()} cannot be {detail['input']!r}: {reason}."


def table() -> str:
    """Every setting with its default and meaning, as a Markdown table."""
    rows = ["| variable | default | meaning |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = "one per core" if field.default_factory else f"`{field.default or 'none'}`"
        rows.append(f"| `{PREFIX}{name.upper()}` | {default} | {field.description} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())
