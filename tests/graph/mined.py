"""Conversations that name somebody, put into a palace as they would be read."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from palace import Palace
from palace.graph.naming import name_conversation
from palace.graph.update import write_reading
from palace.records.graph import Claim, EntityType, NamedSpan, Reading
from palace.store.database import UserSession


def tell(
    palace: Palace,
    identity: str,
    *names: str | tuple[str, EntityType],
    wing: str = "Life",
    at: str = "2026-03-01T10:00:00Z",
    claims: Sequence[Claim] = (),
) -> str:
    """File a conversation of one message that says names, persons' unless a type is given; gives its room."""
    typed = [(each, EntityType.PERSON) if isinstance(each, str) else each for each in names]
    text, spans = f"{identity}:", []
    for name, type_ in typed:
        text += " "
        spans.append(NamedSpan(len(text), len(text) + len(name), name, type_))
        text += name
    filed = palace.file([{"role": "user", "content": text, "timestamp": at}], id=identity, wing=wing)
    ((pointer,),) = filed.pointers

    def write(session: UserSession) -> None:
        query = sa.text("SELECT id, conversation_id FROM drawer WHERE user_id = :user_id ORDER BY id DESC LIMIT 1")
        drawer_id, conversation_id = session.connection.execute(query, {"user_id": session.user_id}).one()
        reading = name_conversation([(drawer_id, Reading(tuple(spans), tuple(claims)))])
        write_reading(session, conversation_id, reading, palace._opened.owner)

    palace._opened.database.run(write)
    return str(pointer).removeprefix("§ ").rpartition("/")[0]


def known(palace: Palace) -> dict[str, set[str]]:
    """Map who is known to the other names they have."""
    return {each.name: set(each.aliases) for each in palace.entities.list(everything=True, limit=None)}
