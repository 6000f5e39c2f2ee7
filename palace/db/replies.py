"""Replies of a language model about stretches of conversations: kept, found again, gone with what they quote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.filing.conversations import find_conversation, lock_conversation
from palace.db.filing.steps import make_pending
from palace.db.rows import any_bytes, any_id, batches, columns_of, record_of, row_of
from palace.db.tables import Conversation, Drawer, ExtractionReply, MiningRun
from palace.models.graph import StoredReply
from palace.models.lines import ReplyLine


def list_replies(session: UserSession, conversation_id: int) -> list[StoredReply]:
    """List the replies about a conversation, newest first."""
    return _list(session, ExtractionReply.conversation_id == conversation_id)


def list_replies_around(session: UserSession, drawer_id: int) -> list[StoredReply]:
    """List the replies about the conversation of a drawer, newest first."""
    query = session.select(Drawer.conversation_id).where(Drawer.id == drawer_id)
    return _list(session, ExtractionReply.conversation_id == query.scalar_subquery())


def list_replied(session: UserSession, conversations: Sequence[int]) -> set[int]:
    """List those of some conversations that there are replies about."""
    query = session.select(ExtractionReply.conversation_id).where(
        ExtractionReply.conversation_id == any_id(conversations)
    )
    return set(session.values(query.distinct()))


def find_source(session: UserSession, conversation_id: int) -> str | None:
    """Find what the run named that filed a conversation first."""
    query = session.select(MiningRun.source).join(Conversation).where(Conversation.id == conversation_id)
    return session.execute(query).scalar_one_or_none()


def list_filed_by(session: UserSession, conversation_id: int, run_id: int) -> set[int]:
    """List the drawers of a conversation that a run filed."""
    query = session.select(Drawer.id).where(Drawer.conversation_id == conversation_id, Drawer.run_id == run_id)
    return set(session.values(query))


def store_reply(session: UserSession, conversation_id: int, stored: StoredReply) -> bool:
    """Keep a reply in the place of an earlier one about the same; False where one of its drawers is gone meanwhile."""
    # Whoever forgets a drawer has locked its conversation: either they find the reply, or this finds no drawer.
    if not lock_conversation(session, conversation_id):
        return False
    there = (Drawer.conversation_id == conversation_id, Drawer.id == any_id(stored.drawers))
    if session.count(Drawer, *there) != len(stored.drawers):
        return False
    row = row_of(ExtractionReply, stored, conversation_id=conversation_id, drawers=list(stored.drawers))
    anew = ("prompt", "drawers", "reply", "called_at", "is_imported")
    session.put(ExtractionReply, row, key=("conversation_id", "digest"), columns=anew)
    return True


def drop_covered(session: UserSession, conversation_id: int, model: str, digests: Sequence[bytes]) -> None:
    """Drop the replies of a model about a conversation all of whose drawers those of other replies are about as well,
    which are the ones with some ``digests``.
    """
    here = (ExtractionReply.conversation_id == conversation_id, ExtractionReply.model == model)
    named = ExtractionReply.digest == any_bytes(digests)
    kept = session.execute(session.select(ExtractionReply.drawers).where(*here, named)).scalars()
    covered = sorted({drawer_id for drawers in kept for drawer_id in drawers})
    session.delete(ExtractionReply, *here, ~named, ExtractionReply.drawers.contained_by(covered))


def drop_replies(session: UserSession, conversations: Sequence[int], drawer_ids: Sequence[int]) -> None:
    """Drop the replies that are about any of some drawers, which are of these conversations: they quote them."""
    session.delete(
        ExtractionReply,
        ExtractionReply.conversation_id == any_id(conversations),
        ExtractionReply.drawers.overlap(list(drawer_ids)),
    )


def _list(session: UserSession, about: sa.ColumnElement[bool]) -> list[StoredReply]:
    query = session.select(*columns_of(ExtractionReply, StoredReply)).where(about)
    return [record_of(StoredReply, row) for row in session.execute(query.order_by(ExtractionReply.called_at.desc()))]


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
        yield row.conversation_id, record_of(ReplyLine, row)


def file_replies(session: UserSession, identity: str, lines: Sequence[ReplyLine]) -> int:
    """Keep the replies about a conversation that are not there, as a file's; return how many.

    One that is about a drawer that is not there any more is left out. The conversation waits to be read again.
    """
    conversation_id = find_conversation(session, identity)
    if conversation_id is None or not lock_conversation(session, conversation_id):
        return 0
    ids = _find_drawers(session, conversation_id, {drawer for line in lines for drawer in line.drawers})
    rows = [
        row_of(
            ExtractionReply,
            line,
            conversation_id=conversation_id,
            drawers=[ids[drawer] for drawer in line.drawers],
            is_imported=True,
        )
        for line in sorted(lines, key=lambda line: line.digest)
        if ids.keys() >= set(line.drawers)
    ]
    known = session.select(ExtractionReply.digest).where(ExtractionReply.conversation_id == conversation_id)
    there = set(session.values(known))
    new = [row for row in rows if row["digest"] not in there]
    session.add(ExtractionReply, new)
    if new:
        make_pending(session, [conversation_id])
    return len(new)


def _find_drawers(session: UserSession, conversation_id: int, identities: set[bytes]) -> dict[bytes, int]:
    found: dict[bytes, int] = {}
    for batch in batches(sorted(identities)):
        query = session.select(Drawer.identity, Drawer.id).where(
            Drawer.conversation_id == conversation_id, Drawer.identity == any_bytes(batch)
        )
        found |= {row.identity: row.id for row in session.execute(query)}
    return found
