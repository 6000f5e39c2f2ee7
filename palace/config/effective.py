"""The effective value of a setting: the agent's, else the user's, else that of the process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from palace.config.settings import Settings
from palace.config.table import ASKING, SETTINGS, Setting, Value
from palace.errors import BadRequest

Stored = Mapping[tuple[str, str], object]
"""The values that a user has stored, by agent ("" for their own) and name of the setting."""


@dataclass(frozen=True, slots=True)
class Effective:
    """The effective settings of an agent, or of the user where ``agent`` is None."""

    agent: str | None
    enabled: bool
    auto_mine: bool
    top_k: int | None
    floor: str
    similarity_threshold: float
    use_rerank: bool
    rerank_model: str
    embedding_model: str
    gate: tuple[str, ...]
    query_strategy: str
    query_model: str | None
    injection: str
    injection_tokens: int
    accounts: str
    working_memory: str
    working_messages: int
    working_tokens: int
    working_least: int | None
    summary_model: str | None
    summary_trigger: float
    summary_target: float
    summary_recent: float
    chat_model: str | None
    chat_api_base: str | None
    memories: str
    memory_interval: int
    forget_grace: float
    memory_days_episodic: float
    memory_days_procedural: float
    memory_days_semantic: float
    memory_fade_days: float
    memory_model: str | None
    memory_quota: int

    @property
    def model_floor(self) -> str:
        """The floor for models: "strict" instead of "normal", because a model treats whatever it gets as an answer."""
        return "strict" if self.floor == "normal" else self.floor

    @classmethod
    def of(cls, settings: Settings, stored: Stored, agent: str | None) -> Effective:
        """Choose the value of every setting except those about secrets, which recall does not need.

        Stored values that are invalid are ignored.
        """
        held = (setting for setting in SETTINGS if not setting.is_of_secrets)
        values = {setting.name: value_of(settings, stored, setting, agent or "") for setting in held}
        return cls(agent=agent or None, **values)  # type: ignore[arg-type]  # each kind returns its field's type


def check_consistent(settings: Settings, stored: Stored, agents: set[str]) -> None:
    """Check that no settings contradict each other, neither the user's own nor those of an agent.

    Raises:
        BadRequest: two do; the message names both, and the agent.
    """
    for agent in sorted(agents | {""}):
        found = contradiction(Effective.of(settings, stored, agent))
        if found:
            raise BadRequest(f"{f'for the agent {agent!r}, ' if agent else ''}{found}")


def contradiction(effective: Effective) -> str:
    """Return a message about two contradicting settings, with what to do; "" if there are none."""
    if effective.query_strategy in ASKING and effective.query_model is None:
        return f"query_strategy {effective.query_strategy} wants a language model: set query_model first"
    if effective.floor == "none" and effective.similarity_threshold > 0:
        return (
            f"floor none keeps nothing back, and similarity_threshold {effective.similarity_threshold:g} does:"
            " reset one of them first"
        )
    return _of_working_memory(effective)


def _of_working_memory(effective: Effective) -> str:
    if effective.working_memory == "summary_buffer" and effective.summary_model is None:
        return "working_memory summary_buffer wants a language model: set summary_model first"
    if effective.summary_target > effective.summary_trigger:
        return (
            f"summary_target {effective.summary_target:g} is above summary_trigger {effective.summary_trigger:g}:"
            " what is left must not be summed up again at once"
        )
    least = effective.working_least or 0
    if effective.working_memory == "buffer_window" and effective.working_messages < least:
        return f"working_messages {effective.working_messages} are fewer than working_least {least}, which are kept"
    return ""


def value_of(settings: Settings, stored: Stored, setting: Setting, agent: str = "") -> Value:
    """Return the effective value for an agent, or for the user."""
    for level in dict.fromkeys((agent, "")):
        if is_said(stored, setting, level):
            return setting.check(stored[level, setting.name])
    return value_of_process(settings, setting)


def is_said(stored: Stored, setting: Setting, agent: str) -> bool:
    """Check whether a valid value is stored for an agent ("" for the user)."""
    if agent and not setting.of_agents:
        return False
    return (agent, setting.name) in stored and setting.accepts(stored[agent, setting.name])


def value_of_process(settings: Settings, setting: Setting) -> Value:
    """Return the value in the settings of the process."""
    value = getattr(settings, setting.field)
    return None if value is None else setting.check(value)
