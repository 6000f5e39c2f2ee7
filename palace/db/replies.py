"""A language model's replies about stretches of conversations: stored, and deleted with the drawers they quote."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.filing.conversations import find_conversation, lock_conversation
from palace.db.filing.steps import make_pending
from palace.db.rows import any_bytes, any_id, batches, columns_of, grouped, record_of, row_of
from palace.db.tables import Conversation, Drawer, ExtractionReply, MiningRun
from palace.models.graph import StoredReply
from palace.models.lines import ReplyLine


def list_replies(session: UserSession, conversations: Collection[int]) -> dict[int, list[StoredReply]]:
    """Map conversations with replies to those, newest first."""
    query = session.select(ExtractionReply.conversation_id, *columns_of(ExtractionReply, StoredReply))
    query = query.where(ExtractionReply.conversation_id == any_id(conversations))
    rows = session.execute(query.order_by(ExtractionReply.called_at.desc()))
    return grouped((row.conversation_id, record_of(StoredReply, row)) for row in rows)


def list_replied(session: UserSession, conversations: Sequence[int]) -> set[int]:
    """Return those of some conversations that have replies."""
    query = session.select(ExtractionReply.conversation_id).where(
        ExtractionReply.conversation_id == any_id(conversations)
    )
    return set(session.values(query.distinct()))


def find_source(session: UserSession, conversation_id: int) -> str | None:
    """Return the source of the run that first filed a conversation; None if it is gone."""
    query = session.select(MiningRun.source).join(Conversation).where(Conversation.id == conversation_id)
    return session.execute(query).scalar_one_or_none()


def list_filed_by(session: UserSession, conversation_id: int, run_id: int) -> set[int]:
    """Return the drawers of a conversation that a run filed."""
    query = session.select(Drawer.id).where(Drawer.conversation_id == conversation_id, Drawer.run_id == run_id)
    return set(session.values(query))


def store_reply(session: UserSession, conversation_id: int, stored: StoredReply) -> bool:
    """Store a reply, replacing an earlier one with the same digest; False if one of its drawers is gone."""
    # Forgetting a drawer locks its conversation: either that finds the reply, or this finds no drawer.
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
    """Delete a model's replies about a conversation that those with ``digests`` cover: same drawers or fewer."""
    here = (ExtractionReply.conversation_id == conversation_id, ExtractionReply.model == model)
    named = ExtractionReply.digest == any_bytes(digests)
    kept = session.execute(session.select(ExtractionReply.drawers).where(*here, named)).scalars()
    covered = sorted({drawer_id for drawers in kept for drawer_id in drawers})
    session.delete(ExtractionReply, *here, ~named, ExtractionReply.drawers.contained_by(covered))


def drop_replies(session: UserSession, conversations: Sequence[int], drawer_ids: Sequence[int]) -> None:
    """Delete the replies about any of some drawers, which belong to these conversations: they quote them."""
    session.delete(
        ExtractionReply,
        ExtractionReply.conversation_id == any_id(conversations),
        ExtractionReply.drawers.overlap(list(drawer_ids)),
    )


WINDOW = 50
"""The most replies in memory at a time."""

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
    """Yield the replies with their conversation's id, in order of the conversation's identity and the digest.

    With ``wing_id``, only those that are about drawers of that wing alone.
    """
    parameters = {"conversations": list(conversations), "wing": wing_id}
    for row in session.execute(_REPLIES.execution_options(yield_per=WINDOW), parameters):
        yield row.conversation_id, record_of(ReplyLine, row)


def file_replies(session: UserSession, identity: str, lines: Sequence[ReplyLine]) -> int:
    """Insert imported replies about a conversation that do not exist yet; return how many.

    Replies about a missing drawer are left out. The conversation is marked to be read again.
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
