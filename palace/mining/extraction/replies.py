"""What a model adds to the index step that reads names and claims: asked before, replayed while it is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from palace.db.filing.closets import list_turns
from palace.db.replies import list_replies, list_replies_around
from palace.mining.extraction.replay import kinds_replied, topics_replied, with_replies
from palace.mining.extraction.said import as_said, turns_of
from palace.mining.extraction.windows import SaidTurn
from palace.models import FiledTurn
from palace.models.claims import Reading, Said
from palace.models.graph import StoredReply

if TYPE_CHECKING:
    from palace.mining.steps.step import Work


def ask_about(work: Work, conversations: Sequence[int]) -> None:
    """Ask the model of the settings, if any, about what it may be shown of some conversations, and keep its replies.

    Raises:
        Cancelled: the call under way was cancelled.
    """
    if work.asking is None:
        return

    def read(conversation_id: int) -> list[SaidTurn]:
        turns = work.database.run(lambda session: list_turns(session, conversation_id))
        return turns_of(turns, as_said(turns, work.person, work.zone))

    work.asking.ask(conversations, read)


def replayed(
    work: Work, turns: Sequence[FiledTurn], said: Sequence[Said], readings: Sequence[Reading]
) -> list[Reading]:
    """Put what a model replied about a conversation's drawers in the place of what rules read there."""
    if not turns:
        return list(readings)
    replies = work.database.run(lambda session: list_replies_around(session, turns[0].drawer_id))
    if not replies:
        return list(readings)
    return with_replies(turns_of(turns, said), readings, replies, _model(work))


def topics_told(work: Work, conversation_id: int) -> list[str]:
    """List what a model said a conversation is about, in its words; without a call."""
    replies = _replies(work, conversation_id)
    return topics_replied(_turns(work, conversation_id), replies, _model(work)) if replies else []


def kinds_told(work: Work, conversation_id: int) -> dict[str, str]:
    """Map a conversation's names, folded, to the kinds of things that a model said they are of; without a call."""
    replies = _replies(work, conversation_id)
    return kinds_replied(_turns(work, conversation_id), replies, _model(work)) if replies else {}


def _replies(work: Work, conversation_id: int) -> list[StoredReply]:
    return work.database.run(lambda session: list_replies(session, conversation_id))


def _turns(work: Work, conversation_id: int) -> list[SaidTurn]:
    turns = work.database.run(lambda session: list_turns(session, conversation_id))
    return turns_of(turns, as_said(turns, work.person, work.zone))


def _model(work: Work) -> str | None:
    return work.asking.extractor.model if work.asking else None
