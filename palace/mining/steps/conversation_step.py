"""An index step that makes one thing of each conversation: read its drawers, make it, write it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from palace.db.database import UserSession
from palace.db.filing import closets
from palace.db.filing.conversations import lock_conversation
from palace.db.filing.rebuilding import list_drawer_ids
from palace.db.filing.steps import mark_done
from palace.mining.steps.step import IndexStep, Work
from palace.models import FiledTurn


@dataclass(frozen=True, slots=True)
class ConversationStep(IndexStep):
    """Makes something of a conversation's drawers, all of them together, and again whenever they change."""

    @abstractmethod
    def make(self, work: Work, turns: Sequence[FiledTurn]) -> Any:
        """Make it of a conversation's drawers, in order; no transaction is open, so a model may be asked here.

        What a model costs goes to ``work.record``.

        Raises:
            ModelError: it cannot be made of this conversation; the others go on, and it is tried again later.
        """

    @abstractmethod
    def write(self, session: UserSession, conversation_id: int, made: Any) -> None:
        """Write it in the place of what there was; the conversation is locked, and as ``make`` saw it.

        It may be called again with the same, should the transaction be lost: what is written twice stands once.
        """

    def do(self, work: Work, conversations: Sequence[int]) -> None:
        """Make it for some conversations; one that changed meanwhile is read again."""
        for conversation_id in conversations:
            while not self._do_one(work, conversation_id):
                pass

    def _do_one(self, work: Work, conversation_id: int) -> bool:
        turns = work.database.run(lambda session: closets.list_turns(session, conversation_id))
        made = self.make(work, turns) if turns else None

        def write(session: UserSession) -> bool:
            if not lock_conversation(session, conversation_id):
                return True
            if list_drawer_ids(session, conversation_id) != [turn.drawer_id for turn in turns]:
                return False
            if turns:
                self.write(session, conversation_id, made)
                mark_done(session, self.made, [conversation_id])
            return True

        return work.database.run(write)
