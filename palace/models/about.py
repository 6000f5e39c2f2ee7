"""The page about the user, or about an entity: what is true now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from palace.models.graph import Entity, Standing
from palace.models.place import Pointer
from palace.models.source import Role

YOU = "You"
"""The name on the user's own page."""


@dataclass(frozen=True, slots=True)
class AboutLine:
    """One sentence of a page, with its source."""

    text: str
    """Addressed to the user: "You live in Ghent."; a quotation for statements that are no relation."""
    for_model: str
    """The same for a prompt: "The user lives in Ghent."."""
    pointer: Pointer
    """The latest drawer that states it."""
    said_at: datetime | None
    """When that was said; None if unknown."""
    role: Role
    """Who said it."""
    standing: Standing = Standing.PRESENT


@dataclass(frozen=True, slots=True)
class AboutKind:
    """One section of a page, such as home or work."""

    name: str
    """ "people", "home", "work" …, as docs/python.md lists them."""
    title: str
    lines: tuple[AboutLine, ...]
    left_out: int = 0
    """Number of further lines beyond the limit."""


@dataclass(frozen=True, slots=True)
class About:
    """A page about the user or an entity, in sections."""

    name: str
    """``YOU``, or the name of the entity."""
    entity: Entity | None
    """None on the user's page as long as no message says anything about them."""
    seen_from: datetime
    """The moment for which the page is true."""
    kinds: tuple[AboutKind, ...] = ()
    """Sections with at least one line."""
    unknown: tuple[str, ...] = ()
    """Expected sections of a person's page without a line: "home", "work"."""
    has_past: bool = False
    """Whether there are facts that are no longer true."""

    @property
    def gaps(self) -> str:
        """A sentence that lists the missing sections; "" if none is missing."""
        if self.is_empty and not self.unknown:
            known = "what is no longer so: --past shows it" if self.has_past else "that it is named"
            return f"Nothing is known of {self.name} but {known}."
        if not self.unknown:
            return ""
        *others, last = self.unknown
        listed = f"{', '.join(others)} or {last}" if others else last
        whose = "your" if self.name == YOU else f"{self.name}'s"
        return f"Nothing is known of {whose} {listed}."

    @property
    def is_empty(self) -> bool:
        """Whether the page has no line."""
        return not self.kinds
