"""Settings of a user and of their agents, as they are shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SettingLevel(StrEnum):
    """The levels that can set a value, highest precedence first; an argument of a call precedes all of them."""

    AGENT = "agent"
    USER = "user"
    PROGRAM = "program"
    """Passed by the program that opened the palace."""
    ENVIRONMENT = "environment"
    FILE = "file"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class SettingSaid:
    """The value that one level sets."""

    level: SettingLevel
    where: str
    """The agent, variable or file that sets it; "" where there is none to name."""
    value: object


@dataclass(frozen=True, slots=True)
class ShownSetting:
    """A setting with its effective value."""

    name: str
    value: object
    """A boolean, number, string or array of strings; None if unset."""
    level: SettingLevel
    """The level that the value comes from."""
    means: str
    wants: str
    """A description of the accepted values."""
    agent: str | None = None
    """The agent for which it applies; None for the user."""
    warnings: tuple[str, ...] = ()
    said: tuple[SettingSaid, ...] = ()
    """The values of all levels, highest precedence first."""
