"""Settings: environment variables (``PALACE_…``) over ``config.toml`` in the palace's home."""

from __future__ import annotations

import getpass
import os
from datetime import tzinfo
from functools import cached_property
from pathlib import Path
from typing import Any

import platformdirs
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from palace.errors import BadRequest
from palace.zones import find_zone, system_zone

BUNDLED_MODEL = "bundled/all-MiniLM-L6-v2"
ROOT_HOME = Path("/var/lib/palace")


def default_home() -> Path:
    """The folder of this operating-system user's palace; root's is a system folder, since Postgres refuses root."""
    if os.name == "posix" and os.geteuid() == 0:
        return ROOT_HOME
    return Path(platformdirs.user_data_dir("palace", appauthor=False))


def operating_system_user() -> str:
    """The login name of whoever runs this process, "palace" where it has none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "palace"


class Settings(BaseSettings):
    """What can be configured; built once at the edge and handed down."""

    model_config = SettingsConfigDict(env_prefix="PALACE_", frozen=True, extra="forbid")

    home: Path = Field(default_factory=default_home)
    """Folder of the embedded server, the configuration and everything else Palace keeps."""

    user: str = Field(default_factory=operating_system_user, min_length=1, max_length=200)
    """Whose palace is meant. It chooses a palace; it is not authentication."""

    timezone: str | None = None
    """The person's time zone ("Europe/Berlin"): times without one are meant in it, days are cut and times shown in it;
    this computer's unless given."""

    database_url: SecretStr | None = None
    """A shared Postgres (``postgresql://…``). When set, the embedded server is not started at all."""

    database_owner_url: SecretStr | None = None
    """The same database as the role that owns the schema: upgrades it, builds its indexes, backs it up, restores it."""

    database_schema: str = Field(default="palace", pattern=r"^[a-z_][a-z0-9_]{0,47}$")
    """The database schema that holds this palace."""

    server_idle_minutes: float = Field(default=30, ge=0)
    """The embedded server stops after this many minutes without a connection; 0 keeps it running."""

    embedding_model: str = BUNDLED_MODEL
    """The model of a palace's first generation: the bundled one, or any embedding model litellm knows."""

    embedding_dimension: int | None = Field(default=None, ge=1, le=4000)
    """Dimension of a remote model; asked of the model itself when not given."""

    embedding_threads: int | None = Field(default=None, ge=1)
    """Threads of the bundled model; all cores when not given."""

    embedding_timeout_seconds: float = Field(default=60, gt=0)
    """How long one call to a remote embedding provider may take."""

    rerank: bool = False
    """Whether a language model puts the hits in front that answer the query; a recall may say otherwise."""

    rerank_model: str = "anthropic/claude-haiku-4.5"
    """The language model that reranks: any that litellm knows."""

    rerank_candidates: int = Field(default=20, ge=2, le=100)
    """How many hits it is shown."""

    rerank_timeout_seconds: float = Field(default=10, gt=0)
    """How long it may take; after that the hits stay in their order."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 — the signature is pydantic's
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Put arguments over the environment over the configuration file."""
        home = Path(os.environ.get("PALACE_HOME") or default_home())
        toml = TomlConfigSettingsSource(settings_cls, toml_file=home.expanduser() / "config.toml")
        return init_settings, env_settings, toml

    @field_validator("timezone")
    @classmethod
    def _is_known(cls, name: str | None) -> str | None:
        if name is not None:
            find_zone(name)
        return name

    @cached_property
    def zone(self) -> tzinfo:
        """The person's time zone."""
        return system_zone() if self.timezone is None else find_zone(self.timezone)

    @cached_property
    def home_folder(self) -> Path:
        """``home`` made absolute, ``~`` expanded."""
        return self.home.expanduser().absolute()


def load_settings(**overrides: Any) -> Settings:
    """Read the settings; arguments that are None are left to the environment and the file.

    Raises:
        BadRequest: a value is not acceptable; the message names the setting.
    """
    try:
        return Settings(**{name: value for name, value in overrides.items() if value is not None})
    except ValidationError as problem:
        first = problem.errors()[0]
        name = ".".join(str(part) for part in first["loc"]) or "settings"
        raise BadRequest(
            f"setting {name} (PALACE_{name.upper()}): {first['msg'].removeprefix('Value error, ')}"
        ) from problem
    except ValueError as problem:
        raise BadRequest(f"config.toml cannot be read: {problem}") from problem
