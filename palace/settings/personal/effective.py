"""Which value of a setting holds: that of the agent, the user, else of the process. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from palace.errors import BadRequest
from palace.settings import Settings
from palace.settings.personal.kinds import Value
from palace.settings.personal.table import ASKING, SETTINGS, Setting

Stored = Mapping[tuple[str, str], object]
"""What a user has set, by agent ("" for their own) and name."""


@dataclass(frozen=True, slots=True)
class Effective:
    """The settings as they hold for one agent, or for the user where no agent is named."""

    agent: str | None
    enabled: bool
    """Whether the agent is given anything that is remembered; what is said to it is filed all the same."""
    auto_mine: bool
    """Whether what is said is filed by itself."""
    top_k: int | None
    """None for five, and more where a query asks for all of a kind."""
    floor: str
    """"none", "low", "normal" or "strict"."""
    similarity_threshold: float
    """From 0 to 1; 0 keeps back nothing."""
    use_rerank: bool
    rerank_model: str
    embedding_model: str
    gate: tuple[str, ...]
    """The rules by which messages are skipped: "greeting", "tool", "knowledge"."""
    query_strategy: str
    """"local", "prepend", "llm", "rewrite" or "hyde"."""
    query_model: str | None
    injection: str
    """"memory_context", "memories", or "none" for no text."""
    injection_tokens: int
    working_memory: str | None
    """"none", "buffer_window" or "token_window"; None where nobody says."""
    working_tokens: int
    chat_model: str | None
    chat_api_base: str | None
    forget_grace: float
    """Days for which what is forgotten can be restored; 0 deletes it at once."""

    @classmethod
    def of(cls, settings: Settings, stored: Stored, agent: str | None) -> Effective:
        """Choose the value of every setting; what is stored and makes no sense counts for nothing."""
        values = {setting.name: _value(settings, stored, setting, agent or "") for setting in SETTINGS}
        return cls(agent=agent or None, **values)  # type: ignore[arg-type]  # each kind gives what its field holds


def check_consistent(settings: Settings, stored: Stored, agents: set[str]) -> None:
    """Make sure that no settings contradict each other, neither the user's own nor those of an agent.

    Raises:
        BadRequest: two do; both are named, and for whom.
    """
    for agent in sorted(agents | {""}):
        found = contradiction(Effective.of(settings, stored, agent))
        if found:
            raise BadRequest(f"{f'for the agent {agent!r}, ' if agent else ''}{found}")


def contradiction(effective: Effective) -> str:
    """Say which settings contradict each other, with what to do; "" where none do."""
    if effective.query_strategy in ASKING and effective.query_model is None:
        return f"query_strategy {effective.query_strategy} wants a language model: set query_model first"
    if effective.floor == "none" and effective.similarity_threshold > 0:
        return (
            f"floor none keeps nothing back, and similarity_threshold {effective.similarity_threshold:g} does:"
            " reset one of them first"
        )
    return ""


def _value(settings: Settings, stored: Stored, setting: Setting, agent: str) -> Value:
    for level in dict.fromkeys((agent, "")):
        if is_said(stored, setting, level):
            return setting.check(stored[level, setting.name])
    return value_of_process(settings, setting)


def is_said(stored: Stored, setting: Setting, agent: str) -> bool:
    """Tell whether an agent ("" for the user) has a value of their own that makes sense."""
    if agent and not setting.of_agents:
        return False
    return (agent, setting.name) in stored and setting.accepts(stored[agent, setting.name])


def value_of_process(settings: Settings, setting: Setting) -> Value:
    """Give the value that the settings of the process have."""
    value = getattr(settings, setting.field)
    return None if value is None else setting.check(value)
