"""File the exchanges of turns, as mining files messages, without waiting for index steps; on failure they are queued.

All that one process files of a conversation is one run, so that undoing the run removes it.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import tzinfo
from threading import Lock

from palace.agent.exchange import Exchange, Shown
from palace.agent.guard import Guard, log_failure
from palace.agent.known_rules import KnownRules
from palace.agent.outbox import Emptied, Outbox
from palace.agent.turn import Finished
from palace.db.activity import count_landed, end_mined
from palace.db.changes.runs import finish_run, start_run
from palace.db.counts import fold_counts
from palace.db.database import UserDatabase, UserSession
from palace.db.users import get_palace_key
from palace.errors import DatabaseRefused
from palace.mining.files.reading import Reading
from palace.mining.filing.conversation import AfterFiling, FilingRun, ToFile, file_conversation
from palace.mining.readers.in_memory import FILE, InMemoryConversation, messages_of
from palace.mining.readers.registry import read_conversations
from palace.mining.redaction import Redactor
from palace.mining.tally import noted
from palace.models import Conversation
from palace.models.external_keys import Key

SOURCE_NAME = "Conversations"
"""The wing of conversations that belong nowhere else."""
MOST_RUNS = 1000
"""Conversations whose run is remembered, at most; of others a new run begins."""
SHARE = 0.8
"""Share of the time for finishing that filing may take; the rest is for the outbox."""
LEAST_WRITING = 0.2
"""Seconds for writing to the outbox, at least, even if filing used up the time; milliseconds suffice."""
MOST_WRITING = 1_000
"""Exchanges whose writing to the outbox may be overdue at once: high, so that none is lost."""


def source_of(conversation: str) -> str:
    """Return the name of a conversation's run for a person."""
    return f"conversation {' '.join(conversation.split())[:80]}"


@dataclass(slots=True)
class Filer:
    """Files the exchanges of one palace; safe to share between threads."""

    database: UserDatabase
    zone: tzinfo
    rules: KnownRules
    """The user's redaction rules, loaded with each filing."""
    after_filing: AfterFiling | None = None
    when_filed: Callable[[], object] | None = None
    """Called after the commit if anything is new: starts the index steps."""
    note_use: Callable[[UserSession, Shown], None] | None = None
    """Counts what was shown to the model, in the transaction that ends the filing."""
    _runs: OrderedDict[str, int] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def file(self, exchange: Exchange) -> int:
        """File the messages of an exchange that are not filed yet; return how many drawers are new.

        On return they are durable and searchable by their words; index steps are pending.

        Raises:
            BadRequest: nothing in it can be filed.
            PalaceError: the database cannot be reached, or refuses.
        """
        self.database.shared.check_schema()
        conversations = list(self._read(exchange))
        try:
            return self._file(exchange, conversations)
        except DatabaseRefused:
            with self._lock:
                was_known = self._runs.pop(exchange.conversation, None) is not None
            if not was_known:
                raise
            # Its run was undone: later messages are filed in a new run.
            return self._file(exchange, conversations)

    def _read(self, exchange: Exchange) -> Iterator[Conversation]:
        # Messages that are missing from this request were not deleted.
        said = messages_of(exchange.messages)
        source = InMemoryConversation(said, exchange.conversation, origin=SOURCE_NAME, is_partial=True)
        return read_conversations(source, Reading(FILE, zone=self.zone))

    def _file(self, exchange: Exchange, conversations: list[Conversation]) -> int:
        run_id = self._run_of(exchange.conversation)
        run = FilingRun(run_id, exchange.wing, zone=self.zone, after_filing=self.after_filing)
        redactor = self.database.run(self._redactor, flush=False)
        filed = [
            file_conversation(self.database, run, ToFile(redactor.named(each), SOURCE_NAME, redactor))
            for each in conversations
        ]
        new = sum(each.new for each in filed)
        if new:
            self.database.run(lambda session: self._close(session, run_id, exchange))
            if self.when_filed:
                self.when_filed()
        return new

    def _close(self, session: UserSession, run_id: int, exchange: Exchange) -> None:
        landed = count_landed(session, run_id)
        finish_run(session, run_id, drawers=sum(count for _, count in landed))
        end_mined(session, run_id, noted(source_of(exchange.conversation), landed, None))
        fold_counts(session, only_many=True)
        if self.note_use and exchange.shown:
            self.note_use(session, exchange.shown)

    def _redactor(self, session: UserSession) -> Redactor:
        return Redactor(Key(get_palace_key(session)), self.rules.find(session))

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


@dataclass(frozen=True, slots=True)
class Finishing:
    """Files the exchanges of one palace in order, or queues them in the outbox; safe to share between threads."""

    filer: Filer
    outbox: Outbox
    guard: Guard = field(default_factory=Guard)
    writing: Guard = field(default_factory=lambda: Guard(most=MOST_WRITING))

    def finish(self, exchange: Exchange, seconds: float, *, is_away: bool = False, later: bool = False) -> Finished:
        """File an exchange within so many seconds, else put it into the outbox; at once if the database is away."""
        if is_away or later:
            return self._wait(exchange, "the database did not answer" if is_away else "", seconds)
        started = time.perf_counter()
        if not self.outbox.is_empty:
            waiting = self._wait(exchange, "", seconds)
            left = seconds - (time.perf_counter() - started)
            if waiting.is_waiting or left <= 0:
                return self._empty(waiting, left)
            seconds = left  # rather out of order than lost
        new: list[int] = []
        # Slow work is not cancelled: the exchange is queued meanwhile, and a second filing changes nothing.
        outcome = self.guard.run(lambda: new.append(self.filer.file(exchange)), seconds * SHARE, stops=False)
        if outcome.is_done:
            return Finished(is_filed=True, drawers_new=new[0])
        log_failure("turn_finished", outcome, step="file", started=started)
        return self._wait(exchange, outcome.note, seconds - (time.perf_counter() - started))

    def empty(self, seconds: float | None = None) -> Emptied:
        """File the outbox in the caller's thread, without a time limit unless ``seconds`` sets one."""
        return self.outbox.empty(self.filer.file, seconds=seconds)

    def _empty(self, waiting: Finished, seconds: float) -> Finished:
        """File as much of the outbox as there is time for, the new exchange last."""
        if seconds <= 0:
            return waiting
        refused: list[int] = []

        def work() -> None:
            emptied = self.empty(seconds * SHARE)
            if emptied.problem:
                raise emptied.problem
            refused.append(emptied.refused)

        started = time.perf_counter()
        outcome = self.guard.run(work, seconds, stops=False)
        if not outcome.is_done:
            log_failure("turn_finished", outcome, step="outbox", started=started)
            return Finished(is_waiting=True, notes=(outcome.note,))
        note = f"{refused[0]} exchanges can never be filed: they are kept in {self.outbox.refused_path}"
        is_left = not self.outbox.is_empty
        return Finished(is_filed=not is_left, is_waiting=is_left, notes=(note,) if refused[0] else ())

    def _wait(self, exchange: Exchange, note: str, seconds: float) -> Finished:
        """Put an exchange into the outbox; if that takes longer, it goes on in its thread."""
        started, why = time.perf_counter(), (note,) if note else ()
        outcome = self.writing.run(
            lambda: self.outbox.add(exchange.with_texts(self.filer.rules.hide)),
            max(seconds, LEAST_WRITING),
            stops=False,
        )
        if outcome.is_done:
            return Finished(is_waiting=True, notes=tuple(f"{each}: what was said waits in the outbox" for each in why))
        log_failure("turn_finished", outcome, step="outbox", started=started)
        if outcome.code == "timeout":
            behind = "what was said is looked through for secrets: it waits in the outbox behind that"
            return Finished(notes=(*why, behind))
        return Finished(notes=(*why, outcome.note))
