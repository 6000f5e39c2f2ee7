"""Filing a note by hand."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, tzinfo

from palace.mining.closets import draw_topics
from palace.mining.embed import EmbeddingRun
from palace.mining.filing.conversation import FilingRun, file_conversation
from palace.records import Conversation, Drawer, Role, Turn
from palace.store.counts import fold_counts
from palace.store.database import UserSession
from palace.store.drawers import get_first_drawer
from palace.store.filing.runs import finish_run, start_run

WING = "Notes"


def file_note(
    embedding: EmbeddingRun, text: str, *, wing: str | None, said_at: datetime | None, zone: tzinfo
) -> Drawer:
    """File a note as a conversation of one turn, known by its text; embed it, and give its drawer."""
    database, user_id = embedding.database, embedding.user_id
    turn = Turn(Role.USER, text, said_at=said_at or datetime.now(UTC))
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    note = Conversation(reader="note", turns=(turn,), source_id=digest)
    run_id = database.run(user_id, lambda session: start_run(session, "note"))
    filed = file_conversation(database, FilingRun(user_id, run_id, wing or WING, zone=zone), note, source_name=WING)
    assert filed.conversation_id is not None
    conversation_id = filed.conversation_id
    embedding.embed_pending(conversations=[conversation_id])
    draw_topics(database, user_id, conversation_id, embedding.generation.id)

    def finish(session: UserSession) -> Drawer:
        finish_run(session, run_id, drawers=filed.new)
        fold_counts(session, only_many=True)
        return get_first_drawer(session, conversation_id)

    return database.run(user_id, finish)
