"""Names the wing of a conversation, and a room for each of its slices. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cache

from palace.config.zones import in_zone
from palace.mining.filing.wing_matching import people_of
from palace.models import Conversation, NewRoom, Slicing, Turn, WingKind
from palace.models.intake import repair
from palace.nlp.rules import Rules
from palace.nlp.words import slugify

LONGEST_NAME = 120
_FORMATS = Rules("readers", "files.toml")
_CHATS = ("whatsapp", "telegram", "discord")
"""Readers of chats between people: each chat has a wing of its own, called as the chat is."""


@cache
def _catch_all() -> frozenset[str]:
    return frozenset(map(slugify, (*_FORMATS.table("wings").values(), "Conversations", "Notes", "Corrections")))


@dataclass(frozen=True, slots=True)
class WingPlace:
    """Name, slug and kind of a wing to find or create."""

    name: str
    slug: str
    kind: WingKind


def place_wing(conversation: Conversation, *, asked: str | None, source_name: str) -> WingPlace:
    """Return the requested wing, else the project's, else the chat's own, else one named after the format or source."""
    if asked:
        name, kind = asked, _kind_of(conversation, asked)
    elif conversation.project:
        name, kind = conversation.project, WingKind.PROJECT
    elif conversation.reader in _CHATS and one_line(conversation.title or ""):
        name, kind = conversation.title or "", _kind_of(conversation, conversation.title or "")
    else:
        name, kind = _FORMATS.table("wings").get(conversation.reader, source_name), WingKind.TOPIC
    shown = one_line(name) or "Conversations"
    return WingPlace(shown, slugify(shown), kind)


def is_catch_all(slugs: Collection[str]) -> bool:
    """Check whether a wing with these slugs is a catch-all of a format rather than a subject."""
    return not _catch_all().isdisjoint(slugs)


def slices_of(conversation: Conversation, zone: tzinfo) -> list[str]:
    """Return each turn's slice: "" for a whole conversation, else the day in ``zone`` of it or the last dated turn.

    A slice is only the key of a room; changing the zone does not move what is filed.
    """
    if conversation.slicing is Slicing.WHOLE:
        return [""] * len(conversation.turns)
    slices, day = [], _day(conversation.started_at, zone) or "undated"
    for turn in conversation.turns:
        day = _day(turn.said_at, zone) or day
        slices.append(day)
    return slices


def rooms_for(
    conversation: Conversation, slices: Sequence[str], zone: tzinfo, *, called: str = ""
) -> tuple[NewRoom, ...]:
    """Return a room for each slice, in order of first appearance.

    A room without a title is named after its time in ``zone``, or, undated, after ``called``, its source.
    """
    first: dict[str, list[Turn]] = {}
    for name, turn in zip(slices, conversation.turns, strict=True):
        first.setdefault(name, []).append(turn)
    begun = {name: _began(conversation, name, turns) for name, turns in first.items()}
    return tuple(
        NewRoom(
            slice=name,
            name=_shown(conversation, name, in_zone(began, zone) if began else None, called),
            started_at=began,
        )
        for name, began in begun.items()
    )


def _kind_of(conversation: Conversation, name: str) -> WingKind:
    """Return the kind of a requested wing: a person's if named after a speaker, a project's, else a topic."""
    slug = slugify(name)
    if slug in map(slugify, people_of(conversation)):
        return WingKind.PERSON
    return WingKind.PROJECT if conversation.project and slugify(conversation.project) == slug else WingKind.TOPIC


def one_line(text: str) -> str:
    """Return a name made from text: storable, white space collapsed, at most 120 characters."""
    name = " ".join(repair(text)[0].split())
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1].rstrip() + "…"


def _began(conversation: Conversation, slice_name: str, turns: Sequence[Turn]) -> datetime | None:
    dates = [turn.said_at for turn in turns if turn.said_at]
    return min(dates, default=conversation.started_at if slice_name == "" else None)


def _shown(conversation: Conversation, slice_name: str, began: datetime | None, called: str) -> str:
    title = one_line(conversation.title or "")
    if not title and began is None:
        title = one_line(", ".join(part for part in (called, conversation.place) if part) if called else "")
    return ", ".join(part for part in (title, slice_name) if part) or session_name(began)


def session_name(started_at: datetime | None) -> str:
    """Return a name for an untitled conversation from its date and part of day, in the datetime's own zone."""
    if started_at is None:
        return "Undated session"
    hour = started_at.hour
    part = "night" if hour < 5 else "morning" if hour < 12 else "afternoon" if hour < 18 else "evening"
    return f"{started_at:%Y-%m-%d} {part} session"


def _day(moment: datetime | None, zone: tzinfo) -> str | None:
    return in_zone(moment, zone).date().isoformat() if moment else None
