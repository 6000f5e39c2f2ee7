"""Reads claims from messages as tests write them."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from palace.records.graph import Claim, EntityType, NamedSpan, Said, VagueDate
from palace.records.source import Role
from palace.text.claims.reading import read_claims

SAID_AT = datetime.fromisoformat("2025-05-14T10:00:00+02:00")
"""A Wednesday."""
ZONE = ZoneInfo("Europe/Berlin")


def said(content: str, speaker: str | None = None) -> Said:
    """Say something as the person whose palace it is, or as somebody else."""
    return Said(content, Role.USER, speaker, SAID_AT, is_self=speaker is None)


def claims_of(*messages: str, names: dict[str, EntityType] | None = None) -> list[Claim]:
    """Give the claims of all messages of one person."""
    spans = [_spans(message, names or {}) for message in messages]
    return [claim for claims in read_claims([said(each) for each in messages], spans, ZONE) for claim in claims]


def told(*messages: str, names: dict[str, EntityType] | None = None) -> list[str]:
    """Write each claim in a line: subject, predicate, object, action, and its times where it has any."""
    return [written(claim) for claim in claims_of(*messages, names=names)]


def written(claim: Claim) -> str:
    """Write a claim as tests compare it: "I lives_in Ghent ends until 2025-05-01 month"."""
    times = (_time("from", claim.valid_from), _time("until", claim.valid_to))
    obj = claim.object or "-"
    return " | ".join(
        (claim.subject, claim.predicate, obj, " ".join(each for each in (claim.action.value, *times) if each))
    )


def _time(word: str, date: VagueDate | None) -> str:
    return f"{word} {date.day} {date.precision}" if date else ""


def _spans(message: str, names: dict[str, EntityType]) -> list[NamedSpan]:
    found = ((message.find(name), name, kind) for name, kind in names.items())
    return [NamedSpan(start, start + len(name), name, kind) for start, name, kind in found if start >= 0]
