"""Settings: environment variables (``PALACE_…``) over ``config.toml`` in the palace's home."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping
from datetime import tzinfo
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self

import platformdirs
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from palace.config.address import check_address
from palace.config.trust import environment, login_name, read_configuration, require_own_folder
from palace.config.zones import find_zone, system_zone
from palace.errors import BadRequest

BUNDLED_MODEL = "bundled/all-MiniLM-L6-v2"
LANGUAGES_MODEL = "bundled/languages"
ROOT_HOME = Path("/var/lib/palace")
DAY_SECONDS = 86_400
YEAR_MINUTES = 525_600
CONFIGURATION_FILE = "config.toml"
LARGEST_TOP_K = 1000
_NAME: dict[str, Any] = {"min_length": 1, "max_length": 500}
_DAYS: dict[str, Any] = {"of_agents": False, "ge": 0, "le": 36_500}
_RULES = r"^(none|(greeting|tool|knowledge)(, *(greeting|tool|knowledge))*)$"


def default_home() -> Path:
    """Return the default home of this account; a system folder for root, because Postgres refuses to run as root."""
    if os.name == "posix" and os.geteuid() == 0:
        return ROOT_HOME
    return Path(platformdirs.user_data_dir("palace", appauthor=False))


def configured_home() -> Path:
    """Return the home whose ``config.toml`` is read: the environment's, else this account's default.

    Raises:
        BadRequest: it is the home of an unknown account.
    """
    return _expanded(Path(environment().get("PALACE_HOME") or default_home()))


def operating_system_user() -> str:
    """Return the login name of the account that runs this process, "palace" where it has none."""
    try:
        return login_name()
    except (KeyError, OSError):
        return "palace"


def _own(default: Any, means: str, *, of_agents: bool = True, name: str = "", **limits: Any) -> Any:
    """Return the field of a setting that users may set for themselves or for their agents.

    ``name`` is its name among those settings, by default that of the field.
    """
    return Field(default, description=means, json_schema_extra={"name": name, "of_agents": of_agents}, **limits)


class Settings(BaseSettings):
    """The settings of the process; built once at the edge and passed down."""

    model_config = SettingsConfigDict(
        env_prefix="PALACE_", frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False
    )

    home: Path = Field(default_factory=default_home)
    """Folder of the embedded server, the configuration and everything else Palace keeps."""

    user: str = Field(default_factory=operating_system_user, min_length=1, max_length=200)
    """Whose palace is meant. It chooses a palace; it is not authentication."""

    person: str | None = Field(default=None, max_length=500)
    """The person whose palace it is, by name ("Marta Lindqvist"); several names separated by commas. A query that names
    them is answered with what they say of themselves."""

    timezone: str | None = None
    """The person's time zone ("Europe/Berlin"): times without one are meant in it, days are cut and times shown in it;
    this computer's unless given."""

    database_url: SecretStr | None = None
    """A shared Postgres (``postgresql://…``). When set, the embedded server is not started at all."""

    database_owner_url: SecretStr | None = None
    """The same database as the role that owns the schema: upgrades it, builds its indexes, backs it up, restores it."""

    database_schema: str = Field(default="palace", pattern=r"^[a-z_][a-z0-9_]{0,47}$")
    """The database schema that holds this palace."""

    server_idle_minutes: float = Field(default=30, ge=0, le=YEAR_MINUTES)
    """The embedded server stops after this many minutes without a connection; 0 keeps it running."""

    turn_timeout_seconds: float = Field(default=1.5, gt=0, le=600)
    """Seconds that memory may take before a turn, and after it; then the program goes on without it."""
    chat_timeout_seconds: float = Field(default=120, gt=0, le=DAY_SECONDS)
    """Seconds for which the model of ``palace chat`` may stay silent."""

    hooks: bool = True
    """Whether the hooks of coding agents recall and file anything; if false they do nothing at all."""

    worker_starts: bool = True
    """Whether the first job starts a worker where none runs; with the embedded server only."""

    hook_linger_seconds: float = Field(default=900, ge=0, le=DAY_SECONDS)
    """Seconds that a worker which started by itself stays after a hook, so that the next is answered at once."""

    watch_rest_seconds: float = Field(default=10, ge=0, le=DAY_SECONDS)
    """Seconds for which a file in a watched folder must be unchanged before it is mined."""

    embedding_dimension: int | None = Field(default=None, ge=1, le=4000)
    """Dimension of a remote model; asked of the model itself when not given."""

    embedding_threads: int | None = Field(default=None, ge=1, le=256)
    """Threads of a model that runs here; all cores when not given, and never more than there are."""

    embedding_timeout_seconds: float = Field(default=60, gt=0, le=DAY_SECONDS)
    """Seconds that one call to a remote embedding provider may take."""

    rerank_candidates: int = Field(default=20, ge=2, le=100)
    """How many hits the reranking model is shown."""

    rerank_timeout_seconds: float = Field(default=10, gt=0, le=DAY_SECONDS)
    """Seconds that reranking may take; after that the hits stay in their order."""

    extraction_model: str | None = Field(default=None, min_length=1, max_length=500)
    """The language model, any of litellm's, that reads names and claims in new messages. Without one, nothing is
    sent: rules read them on this computer."""

    extraction_timeout_seconds: float = Field(default=60, gt=0, le=DAY_SECONDS)
    """Seconds that the extraction model may take for a window of turns; after that the rules read it."""

    extraction_parallel: int = Field(default=4, ge=1, le=32)
    """How many windows the extraction model is asked about in parallel."""

    budget_usd_daily: Decimal = Field(default=Decimal(1), ge=0, le=1_000_000)
    """Dollars that a user's model calls may cost in a day, whatever for; work beyond that is done on this computer, or
    left undone."""

    budget_tokens_daily: int = Field(default=1_000_000, ge=0, le=1_000_000_000_000)
    """Tokens that language models may use in a day, embeddings not counted."""

    # Users can override the following for themselves or for an agent (``palace settings``, docs/settings.md).
    enabled: bool = _own(True, "whether agents are given anything that is remembered")
    auto_mine: bool = _own(True, "whether what is said to agents is filed by itself")
    top_k: int | None = _own(
        None, "hits that are given back; without it 5, up to 15 of all of a kind", ge=1, le=LARGEST_TOP_K
    )
    floor: Literal["none", "low", "normal", "strict"] = _own(
        "normal", "how likely an answer must be for hits to be returned"
    )
    similarity_threshold: float = _own(
        0, "the similarity below which a hit is kept back; 0 keeps back none", ge=0, le=1
    )
    rerank: bool = _own(False, "whether a language model puts the hits in front that answer", name="use_rerank")
    rerank_model: str = _own("anthropic/claude-haiku-4.5", "the language model that reranks, as litellm names it")
    embedding_model: str = _own(BUNDLED_MODEL, "the model that the palace is embedded with", of_agents=False)
    gate: str = _own("greeting,tool,knowledge", "which messages need no recall", pattern=_RULES)
    query_strategy: Literal["local", "prepend", "llm", "rewrite", "hyde"] = _own(
        "local", "how a vague message becomes a query"
    )
    query_model: str | None = _own(None, "the language model that writes queries, where one is to", **_NAME)
    injection: Literal["memory_context", "memories", "none"] = _own(
        "memory_context", "the shape in which an agent is given what is recalled; none gives it no text"
    )
    injection_tokens: int = _own(1500, "tokens of what an agent is given, at most", ge=1, le=100_000)
    accounts: Literal["show", "mask", "remove"] = _own("mask", "what models are given of account numbers")
    working_memory: Literal["none", "buffer_window", "token_window", "summary_buffer", "current_state"] = _own(
        "none", "what of a long conversation is sent with the next request"
    )
    working_messages: int = _own(20, "messages that buffer_window keeps", ge=1, le=100_000)
    working_tokens: int = _own(8000, "tokens that the strategies but buffer_window keep", ge=1, le=100_000_000)
    working_least: int | None = _own(
        None, "messages that the strategies keep in any case; without it 5, and 10 for summary_buffer", ge=1, le=100_000
    )
    summary_model: str | None = _own(
        None, "the language model that sums conversations up or writes their state", **_NAME
    )
    summary_trigger: float = _own(
        0.85, "the share of working_tokens above which a conversation is summed up", ge=0.01, le=1
    )
    summary_target: float = _own(0.70, "the share of working_tokens that is left afterwards", ge=0.01, le=1)
    summary_recent: float = _own(0.80, "the share of what is left that the latest messages have", ge=0.01, le=0.99)
    secrets_off: tuple[str, ...] = _own(
        (), "kinds and rules of secrets that are not heeded", of_agents=False, max_length=500
    )
    secrets_allowed: tuple[str, ...] = _own(
        (), "values that are never taken out of messages", of_agents=False, max_length=10_000, repr=False
    )
    secrets_patterns: dict[str, str] = _own(
        {}, "patterns of your own for secrets, by name", of_agents=False, max_length=100
    )
    chat_model: str | None = _own(None, "the language model that `palace chat` talks with", **_NAME)
    chat_api_base: str | None = _own(None, "the address of a server of your own for `palace chat`", **_NAME)
    memories: Literal["off", "rules"] = _own(
        "rules", "how memories are made from turns: not at all, or by rules", of_agents=False
    )
    memory_interval: int = _own(
        10, "turns of a conversation after which memories are made", of_agents=False, ge=1, le=10_000
    )
    forget_grace: float = _own(7, "days for which what is forgotten can be restored", of_agents=False, ge=0, le=365)
    memory_days_episodic: float = _own(90, "days after which an unused episode expires; 0 for never", **_DAYS)
    memory_days_procedural: float = _own(365, "days after which an unused how-to expires; 0 for never", **_DAYS)
    memory_days_semantic: float = _own(0, "days after which an unused fact expires; 0 for never", **_DAYS)
    memory_fade_days: float = _own(
        180, "days without use after which a memory's importance is halved; 0 for never", **_DAYS
    )
    memory_model: str | None = _own(
        None,
        "the language model that makes, merges and sums up memories; what it fails at is done by rules",
        **_NAME,
    )
    memory_quota: int = _own(
        10_000, "memories of a type above which the least useful expire", of_agents=False, ge=1, le=1_000_000
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 — the signature is pydantic's
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Let arguments override the environment, and the environment the configuration file."""
        home = configured_home()
        require_own_folder(home)
        if isinstance(env_settings, EnvSettingsSource):
            env_settings.env_vars = {name.lower(): value for name, value in environment().items()}
        file = InitSettingsSource(settings_cls, read_configuration(home / CONFIGURATION_FILE))
        return init_settings, env_settings, file

    @field_validator("home")
    @classmethod
    def _is_a_place(cls, home: Path) -> Path:
        if str(home) == ".":
            raise ValueError("is empty: unset it, or name a folder")
        _expanded(home)
        return home

    @field_validator("database_url", "database_owner_url")
    @classmethod
    def _can_be_connected_to(cls, url: SecretStr | None) -> SecretStr | None:
        return None if url is None else SecretStr(check_address(url.get_secret_value()))

    @model_validator(mode="after")
    def _names_one_server(self) -> Self:
        if self.database_owner_url is not None and self.database_url is None:
            # Otherwise the embedded server would be upgraded, or backed up, instead.
            raise ValueError("PALACE_DATABASE_OWNER_URL is set and PALACE_DATABASE_URL is not: set both, or neither")
        return self

    @field_validator("person")
    @classmethod
    def _is_a_name(cls, person: str | None) -> str | None:
        if person is not None:
            names_in(person)
        return person

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

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Copy the settings, without the cached folder if ``home`` changes, which pydantic would copy as well."""
        copied = super().model_copy(update=update, deep=deep)
        if "home" in (update or {}):
            copied.__dict__.pop("home_folder", None)
        return copied


def names_in(person: str) -> tuple[str, ...]:
    """Return the names in the setting ``person``.

    Raises:
        ValueError: one of them is empty, does not begin with a capital or has a control character.
    """
    names = tuple(" ".join(name.split()) for name in person.split(","))
    if not all(name[:1].isupper() for name in names):
        raise ValueError('is no name: write "Marta Lindqvist", several separated by commas, each with its capital')
    if any(unicodedata.category(each) in ("Cc", "Cs") for name in names for each in name):
        raise ValueError("has a control character in it")
    return names


def load_settings(**overrides: Any) -> Settings:
    """Read the settings; arguments that are None are left to the environment and the file.

    Raises:
        BadRequest: a value is invalid; the message names the setting.
    """
    try:
        return Settings(**{name: value for name, value in overrides.items() if value is not None})
    except ValidationError as problem:
        raise BadRequest(_told(problem.errors(include_input=False, include_url=False)[0])) from problem
    except SettingsError as problem:
        named = next((name for name in Settings.model_fields if f'"{name}"' in str(problem)), "settings")
        example = '{"NAME": "PATTERN"}' if named == "secrets_patterns" else '["ONE", "ANOTHER"]'
        raise BadRequest(
            f"setting {named} (PALACE_{named.upper()}) is to be written as JSON in the environment: {example}"
        ) from problem


def _told(problem: ErrorDetails) -> str:
    """Return a message on an invalid setting and what it may be; never quotes its value."""
    name = ".".join(str(part) for part in problem["loc"]) or "settings"
    if problem["type"] == "extra_forbidden":
        return f"there is no setting {name!r}, which {CONFIGURATION_FILE} names: docs/quickstart.md lists them"
    cause = problem.get("ctx", {}).get("error")
    if cause and not problem["loc"]:
        return str(cause)
    message = str(cause) if cause else f"{problem['msg'][:1].lower()}{problem['msg'][1:]}{_range_of(name)}"
    return (
        f"setting {name} (PALACE_{name.upper()}) {message}"
        if cause
        else f"setting {name} (PALACE_{name.upper()}): {message}"
    )


def _range_of(name: str) -> str:
    field = Settings.model_fields.get(name)
    limits = {
        key: getattr(rule, key)
        for rule in (field.metadata if field else ())
        for key in ("ge", "gt", "le")
        if hasattr(rule, key)
    }
    if "le" not in limits or not limits.keys() & {"ge", "gt"}:
        return ""
    low = f"{limits['ge']:,}" if "ge" in limits else f"more than {limits['gt']:,}"
    return f" (from {low} to {limits['le']:,})"


def _expanded(home: Path) -> Path:
    """Expand ``~`` and ``~name``."""
    if {"\n", "\r"} & set(str(home)):
        raise BadRequest(f"PALACE_HOME {str(home)!r} has a line break in it: Postgres cannot work in such a folder")
    try:
        return home.expanduser()
    except RuntimeError as problem:
        raise BadRequest(f"PALACE_HOME {str(home)!r} names the home of an account that is not there") from problem
