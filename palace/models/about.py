"""A page of what holds of the person whose palace it is, or of anybody or anything that messages name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from palace.models.graph import Entity, Standing
from palace.models.place import Pointer
from palace.models.source import Role

YOU = "You"
"""The name of the person whose palace it is, on a page of their own."""


@dataclass(frozen=True, slots=True)
class AboutLine:
    """A sentence of a page."""

    text: str
    """To the person: "You live in Ghent."; of what they said themselves, their own words."""
    told: str
    """The same to a model: "The user lives in Ghent."."""
    pointer: Pointer
    """The drawer that said it last."""
    said_at: datetime | None
    """When that was said; None where it is not known."""
    role: Role
    """Who said it."""
    standing: Standing = Standing.PRESENT


@dataclass(frozen=True, slots=True)
class AboutKind:
    """What is known of one kind."""

    name: str
    """ "people", "home", "work" …, as docs/python.md lists them."""
    title: str
    lines: tuple[AboutLine, ...]
    left_out: int = 0
    """How many more there are than were asked for."""


@dataclass(frozen=True, slots=True)
class About:
    """What is known of somebody or something, by kinds."""

    name: str
    """``YOU``, or what the entity is called."""
    entity: Entity | None
    """None of the person themselves as long as no message says anything of them."""
    seen_from: datetime
    """What holds does so at this moment."""
    kinds: tuple[AboutKind, ...] = ()
    """Those of which anything is known."""
    unknown: tuple[str, ...] = ()
    """What one would expect to be known of a person and is not: "home", "work"."""
    has_past: bool = False
    """Whether something is known that is no longer so."""

    @property
    def gaps(self) -> str:
        """What is not known, in one sentence; "" where nothing is missing."""
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
        """Whether nothing is known."""
        return not self.kinds
