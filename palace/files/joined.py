"""What a palace has of a conversation that another one's export has as well."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Here:
    """A drawer, or a forgotten one."""

    identity: bytes
    position: int
    role: str = ""
    said_at: datetime | None = None
    content: str | None = None
    """What is kept of it, where something was taken out; else None."""
    is_forgotten: bool = False


class Home(NamedTuple):
    """In which conversation an identity is known."""

    conversation: str
    is_filed: bool
    """False where it is forgotten."""
