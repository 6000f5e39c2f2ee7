"""Filing exchanges as mining files messages, without waiting for any index step.

All that one process files of a conversation is one run: to undo it takes back what was said there.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from threading import Lock

from palace.errors import DatabaseRefused
from palace.intake.key import Key
from palace.intake.limits import bounded_id
from palace.mining.event import noted
from palace.mining.files.reading import Reading
from palace.mining.filing.conversation import AfterFiling, FilingRun, ToFile, file_conversation
from palace.mining.readers import openai
from palace.mining.readers.handed import FILE, HandedConversation, messages_of
from palace.mining.readers.registry import read_conversations
from palace.mining.redaction.keeping import Keeping
from palace.records import Conversation
from palace.store.activity.events import count_landed, end_mined
from palace.store.counts import fold_counts
from palace.store.database import UserDatabase, UserSession
from palace.store.filing.runs import finish_run, start_run
from palace.store.users import get_palace_key
from palace.turns.exchange.exchange import Exchange
from palace.turns.exchange.known_rules import KnownRules

SOURCE_NAME = "Conversations"
"""The wing of what belongs nowhere else."""
MOST_RUNS = 1000
"""Conversations whose run is remembered; of others a new one begins."""


def identity_of(conversation: str) -> str:
    """Give the identity under which a conversation of turns stands in the palace."""
    return f"{openai.NAME}:{bounded_id(conversation)}"


@dataclass(slots=True)
class Filer:
    """Files the exchanges of one palace; safe to share."""

    database: UserDatabase
    zone: tzinfo
    rules: KnownRules
    """What secrets are taken out: the user's own, looked up with each filing."""
    after_filing: AfterFiling | None = None
    when_filed: Callable[[], object] | None = None
    """Called behind the transaction, where something is new: it sees that somebody does the index steps."""
    _runs: OrderedDict[str, int] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def file(self, exchange: Exchange) -> int:
        """File what of an exchange is not filed yet; give how many drawers are new.

        They are durable, and found by their words, when it returns. Index steps are pending then.

        Raises:
            BadRequest: nothing in it can be filed.
            PalaceError: the database cannot be reached, or refuses.
        """
        self.database.shared.check_schema()
        conversations = list(self._read(exchange))
        try:
            return self._file(exchange, conversations)
        except DatabaseRefused:
            if not self._forget_run(exchange.conversation):
                raise
            # Its run was undone: what is said from now on is filed by another.
            return self._file(exchange, conversations)

    def _read(self, exchange: Exchange) -> Iterator[Conversation]:
        handed = HandedConversation(messages_of(exchange.messages), exchange.conversation, None, origin=SOURCE_NAME)
        for conversation in read_conversations(handed, Reading(FILE, zone=self.zone)):
            # What was said before is not gone because it is not said again.
            yield replace(conversation, is_partial=True)

    def _file(self, exchange: Exchange, conversations: list[Conversation]) -> int:
        run_id = self._run_of(exchange.conversation)
        run = FilingRun(run_id, exchange.wing, zone=self.zone, after_filing=self.after_filing)
        keeping = self.database.run(self._keeping, flush=False)
        filed = [
            file_conversation(self.database, run, ToFile(keeping.named(each), SOURCE_NAME, keeping))
            for each in conversations
        ]
        new = sum(each.new for each in filed)
        if new:
            self.database.run(lambda session: _close(session, run_id, exchange.conversation))
            if self.when_filed:
                self.when_filed()
        return new

    def _keeping(self, session: UserSession) -> Keeping:
        return Keeping(Key(get_palace_key(session)), self.rules.find(session))

    def _run_of(self, conversation: str) -> int:
        with self._lock:
            run_id = self._runs.get(conversation)
        if run_id is None:
            run_id = self.database.run(lambda session: start_run(session, source_of(conversation)), flush=False)
        with self._lock:
            self._runs[conversation] = run_id
            self._runs.move_to_end(conversation)
            while len(self._runs) > MOST_RUNS:
                self._runs.popitem(last=False)
        return run_id

    def _forget_run(self, conversation: str) -> bool:
        with self._lock:
            return self._runs.pop(conversation, None) is not None


def source_of(conversation: str) -> str:
    """Name a conversation's run to a person."""
    return f"conversation {' '.join(conversation.split())[:80]}"


def _close(session: UserSession, run_id: int, conversation: str) -> None:
    landed = count_landed(session, run_id)
    finish_run(session, run_id, drawers=sum(count for _, count in landed))
    end_mined(session, run_id, noted(source_of(conversation), landed, None))
    fold_counts(session, only_many=True)
