"""Decide when memories are made of a conversation by itself: after some turns, at another topic, and at its end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial

from palace.config.effective import Effective
from palace.db.jobs import enqueue_index
from palace.db.memory_making import Due, list_due
from palace.memories.making import make_memories
from palace.models import MadeMemories
from palace.opened import OpenPalace

QUIET = timedelta(minutes=30)
"""How long nothing was said in a conversation that counts as ended."""
LEAST_TURNS = 3
"""Fewest turns of which memories are made at another topic."""


def make_due(opened: OpenPalace, conversation_id: int | None, effective: Effective) -> None:
    """Make the memories of a conversation, or of all, that are due; for other conversations enqueue jobs.

    Raises:
        PalaceError: the database or the embedding model did not answer.
    """
    if effective.memories == "off":
        return
    now = datetime.now(UTC)
    due = [each.conversation_id for each in opened.run(list_due) if is_due(each, effective.memory_interval, now)]
    here = due if conversation_id is None else [each for each in due if each == conversation_id]
    if here:
        make_memories(opened, here, only_new=True)
    for other in due:
        if other not in here:
            opened.run(partial(enqueue_index, conversation_id=other))


def make_last(opened: OpenPalace, conversations: list[int] | None) -> MadeMemories:
    """Make the memories of what was not read yet of conversations that have ended, of some or of all followed ones.

    Raises:
        PalaceError: the database or the embedding model did not answer.
    """
    if opened.effective().memories == "off":
        return MadeMemories(0, 0)
    due = opened.run(lambda session: list_due(session, conversations))
    return make_memories(opened, [each.conversation_id for each in due], only_new=True)


def is_due(unread: Due, interval: int, now: datetime) -> bool:
    """Check whether memories are due of what was not read of a conversation."""
    has_drifted = unread.topics > 1 and unread.turns >= LEAST_TURNS
    return unread.is_over or unread.turns >= interval or has_drifted or now - unread.last_at >= QUIET
