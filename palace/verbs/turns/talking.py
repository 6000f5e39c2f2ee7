"""What a chat needs beside its turns: what was said in a session before, and a model whose calls are in the ledger."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from palace.errors import ModelError, PalaceError
from palace.llm.streaming import StreamedReply, StreamingLanguageModel
from palace.opened import OpenPalace
from palace.records import CallRecord
from palace.store.database import UserDatabase
from palace.store.filing.conversations import find_conversation, list_said
from palace.store.ledger import record_calls
from palace.store.ledger.reserved import TALK
from palace.turns.filing import identity_of

MOST_SAID = 2_000
"""Messages of a session that are read back; what was said before is recalled where it matters."""


def history_of(opened: OpenPalace, session: str, limit: int) -> list[dict[str, Any]]:
    """Read back what a person and an assistant said in a session, oldest first; nothing where there is none."""
    identity = identity_of(session)

    def read(transaction: Any) -> list[dict[str, Any]]:
        conversation_id = find_conversation(transaction, identity)
        return [] if conversation_id is None else list_said(transaction, conversation_id, limit=limit)

    return opened.run(read)


@dataclass(frozen=True, slots=True)
class ChatModel:
    """A language model that is talked with; what its calls take stands in the palace's ledger as ``chat``."""

    language_model: StreamingLanguageModel
    database: UserDatabase

    @property
    def model(self) -> str:
        """Its name."""
        return self.language_model.model

    def stream(self, messages: Sequence[Any]) -> Generator[str, None, None]:
        """Send a request and give the text of the reply as it comes; closing it ends the call.

        Raises:
            LanguageModelError: there is no key, the model did not reply, broke off, or fell silent.
        """
        reply = self.language_model.stream(messages)
        calls: Sequence[CallRecord] | None = None
        try:
            yield from reply
        except ModelError as problem:
            calls = problem.calls
            raise
        finally:
            reply.close()
            self._note(_calls(reply) if calls is None else calls)

    def _note(self, calls: Sequence[CallRecord]) -> None:
        # A talk goes on without its ledger: the call is made, and nobody waits for a database that is away.
        with suppress(PalaceError):
            self.database.run(lambda session: record_calls(session, TALK, calls), flush=False)


def _calls(reply: StreamedReply) -> Sequence[CallRecord]:
    return (reply.call,)
