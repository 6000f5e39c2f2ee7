"""Conversations put into a palace as they would be read, and what the graph then holds; what readings are made of."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date
from typing import Any

import sqlalchemy as sa

from palace import Palace
from palace.graph.naming import name_conversation
from palace.graph.update import Owner, write_readings
from palace.models.claims import (
    SELF,
    Action,
    Claim,
    EntityType,
    NamedSpan,
    Precision,
    Reading,
    VagueDate,  # fmt: skip
)
from palace.models.graph import Alias, Assertion, Decision, DecisionVerb, FoldedRelation, Likeness
from tests.held import rows

__all__ = [
    "SELF", "Action", "Alias", "Assertion", "Claim", "Decision", "DecisionVerb", "EntityType", "FoldedRelation",
    "Likeness", "NamedSpan", "Precision", "Reading", "VagueDate",
]  # fmt: skip

MARCH, JULY = "2026-03-01T10:00:00Z", "2026-07-03T10:00:00Z"


def said(
    palace: Palace, identity: str, *messages: tuple[str, str, Reading], wing: str = "Efoil", owner: Owner | None = None
) -> list[str]:
    """File a conversation of what a person said, put what is to be read from it in the place of what was."""
    filed = palace.file(
        [{"role": "user", "content": text, "timestamp": at} for text, at, _ in messages], id=identity, wing=wing
    )
    pointers = [str(pointer) for (pointer,) in filed.pointers]
    readings = [reading for _, _, reading in messages]
    read = [(palace.show(each).drawer.id, reading) for each, reading in zip(pointers, readings, strict=True)]

    def write(session: Any) -> None:
        query = sa.text("SELECT conversation_id FROM drawer WHERE user_id = :user_id AND id = :id")
        conversation_id = session.connection.execute(query, {"user_id": session.user_id, "id": read[0][0]}).scalar_one()
        write_readings(session, {conversation_id: name_conversation(read)}, owner or Owner(UTC))

    palace._opened.database.run(write)
    return pointers


def tell(
    palace: Palace,
    identity: str,
    *names: str | tuple[str, EntityType],
    wing: str = "Life",
    at: str = MARCH,
    claims: Sequence[Claim] = (),
) -> str:
    """File a conversation of one message that says names, persons' unless a type is given; gives its room."""
    text, spans = f"{identity}:", []
    for each in names:
        name, type_ = (each, EntityType.PERSON) if isinstance(each, str) else each
        spans.append(NamedSpan(len(text) + 1, len(text) + 1 + len(name), name, type_))
        text += f" {name}"
    message = (text, at, Reading(tuple(spans), tuple(claims)))
    (pointer,) = said(palace, identity, message, wing=wing, owner=palace._opened.owner)
    return pointer.removeprefix("§ ").rpartition("/")[0]


def claims(subject: str, predicate: str, value: str, action: Action = Action.HOLDS, **dates: VagueDate) -> Reading:
    """Give what a sentence was read for that claims one thing."""
    return Reading((), (Claim(subject, predicate, value, action, 0, 1, **dates),))


def known(palace: Palace) -> dict[str, set[str]]:
    """Map who is known to the other names they have."""
    return {each.name: set(each.aliases) for each in palace.entities.list(everything=True, limit=None)}


def relations(palace: Palace) -> list[tuple[Any, ...]]:
    """List what is believed now: subject, predicate, object, since and until."""
    return rows(
        palace,
        "SELECT e.key, r.predicate, r.object, CAST(r.valid_from AS date), CAST(r.valid_to AS date) FROM relation AS r"
        " JOIN entity AS e ON e.user_id = :user_id AND e.id = r.subject_id"
        " WHERE r.user_id = :user_id AND r.superseded_at IS NULL ORDER BY 1, 2, 4, 3",
    )


FIRST = ("The efoil has a 12V20Ah battery.", MARCH, claims("efoil", "has_battery", "12V20Ah"))
THEN = ("I put a 24V20Ah battery in it.", JULY, claims("efoil", "has_battery", "24V20Ah"))
CHANGED = [
    ("efoil", "has_battery", "12V20Ah", date(2026, 3, 1), date(2026, 7, 3)),
    ("efoil", "has_battery", "24V20Ah", date(2026, 7, 3), None),
]
