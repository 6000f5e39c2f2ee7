"""Reads claims from messages and writes each in a line, as tests compare them."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from palace.mining.extraction.rules import heard_of
from palace.models import EntityType, Role
from palace.models.claims import Claim, NamedSpan, Said, VagueDate
from palace.nlp.claims.reader import read_claims

SAID_AT = datetime.fromisoformat("2025-05-14T10:00:00+02:00")
"""A Wednesday."""
ZONE = ZoneInfo("Europe/Berlin")
Names = dict[str, EntityType]


def named(**names: str) -> Names:
    """Give the types of names, written by type: ``named(place="Ghent Turin", person="Ilse")``."""
    return {name.replace("_", " "): EntityType(kind) for kind, written in names.items() for name in written.split()}


def said(content: str, speaker: str | None = None) -> Said:
    """Say something as the person whose palace it is, or as somebody else."""
    return Said(content, Role.USER, speaker, SAID_AT, is_self=speaker is None)


def claims_of(*messages: str, names: Names | None = None) -> list[Claim]:
    """Give the claims of all messages of one person."""
    return [claim for claims in read([said(each) for each in messages], names or {}) for claim in claims]


def read(turns: list[Said], names: Names | None = None) -> list[tuple[Claim, ...]]:
    """Give the claims of each turn."""
    return read_claims(heard_of(turns), [_spans(turn.content, names or {}) for turn in turns], ZONE)


def told(*messages: str, names: Names | None = None, but: str = "") -> str:
    """Write the claims of one person's messages, but those of one predicate: "I | owns | boat | ends ; …"."""
    return " ; ".join(written(each) for each in claims_of(*messages, names=names) if each.predicate != but)


def told_last(talk: str, names: Names | None = None) -> str:
    """Write what the last of messages ("one || other") adds to the claims of those before."""
    *before, last = talk.split(" || ")
    known = len(claims_of(*before, names=names))
    return " ; ".join(written(claim) for claim in claims_of(*before, last, names=names)[known:])


def written(claim: Claim) -> str:
    """Write a claim as subject, predicate, object, action, and its times where it has any."""
    times = (_time("from", claim.valid_from), _time("until", claim.valid_to))
    action = " ".join(each for each in (claim.action.value, *times) if each)
    return " | ".join((claim.subject, claim.predicate, claim.object or "-", action))


def _time(word: str, date: VagueDate | None) -> str:
    return f"{word} {date.day} {date.precision}" if date else ""


def _spans(message: str, names: Names) -> list[NamedSpan]:
    found = ((message.find(name), name, kind) for name, kind in names.items())
    return [NamedSpan(start, start + len(name), name, kind) for start, name, kind in found if start >= 0]
