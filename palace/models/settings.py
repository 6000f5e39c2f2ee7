"""Settings of a user's own and of their agents, as they are shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SettingLevel(StrEnum):
    """Who says what a setting is, the one that holds first; a call says it before all of them."""

    AGENT = "agent"
    USER = "user"
    PROGRAM = "program"
    """What a program opened the palace with."""
    ENVIRONMENT = "environment"
    FILE = "file"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class SettingSaid:
    """What one level says of a setting."""

    level: SettingLevel
    where: str
    """The agent, the variable or the file; "" where there is nothing to name."""
    value: object


@dataclass(frozen=True, slots=True)
class ShownSetting:
    """A setting as it holds."""

    name: str
    value: object
    """A truth value, a number, a text, an array of words; None where there is none."""
    level: SettingLevel
    """Who says so."""
    means: str
    wants: str
    """What it may be."""
    agent: str | None = None
    """For which agent it holds; None for the user."""
    warnings: tuple[str, ...] = ()
    said: tuple[SettingSaid, ...] = ()
    """What every level says, the one that holds first."""
