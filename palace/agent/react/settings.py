"""The settings of an agent, with dashed names in files and dicts and snake_case in Python."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from palace.errors import BadRequest


class Named(BaseModel):
    """A record whose members are also known by dashed names."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=lambda name: name.replace("_", "-"), populate_by_name=True
    )

    @classmethod
    def of(cls, values: Self | Mapping[str, Any] | None) -> Self:
        """Return a record of the values of a mapping, checked; None gives the defaults.

        Raises:
            BadRequest: a name is unknown, or a value is of a wrong type or out of range.
        """
        if isinstance(values, cls):
            return values
        try:
            return cls.model_validate(dict(values or {}))
        except ValidationError as problem:
            first = problem.errors(include_url=False)[0]
            named = ".".join(map(str, first["loc"]))
            raise BadRequest(f"{cls.__name__} cannot have this {named}: {first['msg']}") from problem


class AgentSettings(Named):
    """How an agent proceeds, and what it remembers."""

    max_iterations: int = Field(default=10, ge=1, le=1000)
    """Replies of the model with tool calls; after that it has to answer with what it knows."""
    working_memory_threshold: int = Field(default=2_000, ge=1)
    """Tokens of thoughts, actions and observations beyond which the older ones are summarised."""
    fact_retrieval_top_k: int = Field(default=5, ge=0, le=50)
    episode_retrieval_top_k: int = Field(default=3, ge=0, le=50)
    enable_auto_fact_extraction: bool = True
    """Whether the model extracts facts from what the person said."""
    enable_episode_recording: bool = True
    """Whether each conversation that has ended is stored as an episode."""
    additional_context: str = ""
    """Text that is added to the instructions."""
    idle_minutes: int = Field(default=60, ge=0)
    """Minutes after its last run in which a conversation that nobody ended is ended by the next run of another one."""
    retention_days: int | None = Field(default=None, ge=1, le=36_500)
    """Days after which the conversations and memories that the agent stored are deleted; None keeps them."""
    memory_timeout: float = Field(default=5.0, gt=0, le=600)
    """Seconds that memory may take before the agent goes on without it."""

    @classmethod
    def from_toml(cls, path: str | Path, table: str = "agent") -> Self:
        """Read settings from a table of a TOML file; a missing table gives the defaults.

        Raises:
            BadRequest: the file cannot be read, a name is unknown, or a value out of range.
        """
        try:
            values = tomllib.loads(Path(path).read_text("utf-8"))
        except (OSError, ValueError) as problem:
            raise BadRequest(f"{path} cannot be read: {str(problem).splitlines()[0]}") from problem
        return cls.of(values.get(table))
