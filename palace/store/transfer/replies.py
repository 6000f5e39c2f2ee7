"""What a language model replied, read for an export and written for an import."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sqlalchemy as sa
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from palace.files.lines import ReplyLine
from palace.store.database import UserSession
from palace.store.filing.conversations import find_conversation, lock_conversation
from palace.store.filing.drawers import batches
from palace.store.filing.steps import make_pending
from palace.tables import Drawer, ExtractionReply

WINDOW = 50
"""Replies that are in memory at a time."""

_REPLIES = sa.text(
    "SELECT r.conversation_id, r.digest, r.model, r.prompt, shown.drawers, r.reply, r.called_at"
    " FROM extraction_reply AS r JOIN conversation AS c ON c.user_id = :user_id AND c.id = r.conversation_id"
    " CROSS JOIN LATERAL (SELECT array_agg(d.identity ORDER BY place.number) AS drawers"
    " FROM unnest(r.drawers) WITH ORDINALITY AS place (id, number)"
    " JOIN drawer AS d ON d.user_id = :user_id AND d.id = place.id"
    " JOIN room ON room.user_id = :user_id AND room.id = d.room_id"
    " WHERE CAST(:wing AS bigint) IS NULL OR room.wing_id = :wing) AS shown"
    " WHERE r.user_id = :user_id AND r.conversation_id = ANY(:conversations)"
    " AND cardinality(shown.drawers) = cardinality(r.drawers)"
    ' ORDER BY c.identity COLLATE "C", r.digest'
)


def iter_replies(
    session: UserSession, conversations: Sequence[int], wing_id: int | None
) -> Iterator[tuple[int, ReplyLine]]:
    """Give the replies, each with its conversation's id, in order of the conversation's identity and of digest.

    Of a wing, only those that are about nothing but drawers of it.
    """
    parameters = {"conversations": list(conversations), "wing": wing_id}
    for row in session.execute(_REPLIES.execution_options(yield_per=WINDOW), parameters):
        drawers = tuple(bytes(identity) for identity in row.drawers)
        line = ReplyLine(bytes(row.digest), row.model, row.prompt, drawers, dict(row.reply), row.called_at)
        yield row.conversation_id, line


def file_replies(session: UserSession, identity: str, lines: Sequence[ReplyLine]) -> int:
    """Keep the replies about a conversation that are not there, as a file's; return how many.

    One that is about a drawer that is not there any more is left out. The conversation waits to be read again.
    """
    conversation_id = find_conversation(session, identity)
    if conversation_id is None or not lock_conversation(session, conversation_id):
        return 0
    ids = _find_drawers(session, conversation_id, {drawer for line in lines for drawer in line.drawers})
    rows = [
        {
            "conversation_id": conversation_id,
            "digest": line.digest,
            "model": line.model,
            "prompt": line.prompt,
            "drawers": [ids[drawer] for drawer in line.drawers],
            "reply": line.reply,
            "called_at": line.called_at,
            "is_imported": True,
        }
        for line in sorted(lines, key=lambda line: line.digest)
        if ids.keys() >= set(line.drawers)
    ]
    known = select(ExtractionReply.digest).where(
        ExtractionReply.user_id == session.user_id, ExtractionReply.conversation_id == conversation_id
    )
    there = {bytes(digest) for digest in session.execute(known).scalars()}
    new = [row for row in rows if row["digest"] not in there]
    for batch in batches(new):
        session.insert(insert(ExtractionReply).on_conflict_do_nothing(), list(batch))
    if new:
        make_pending(session, [conversation_id])
    return len(new)


def _find_drawers(session: UserSession, conversation_id: int, identities: set[bytes]) -> dict[bytes, int]:
    found: dict[bytes, int] = {}
    for batch in batches(sorted(identities)):
        query = select(Drawer.identity, Drawer.id).where(
            Drawer.user_id == session.user_id,
            Drawer.conversation_id == conversation_id,
            Drawer.identity == sa.any_(sa.cast(list(batch), sa.ARRAY(sa.LargeBinary))),
        )
        found |= {bytes(row.identity): row.id for row in session.execute(query)}
    return found
