"""Choose what of a long conversation a turn sends; summaries are renewed after the turn, off its path."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock, Thread
from typing import Any

from palace.agent.context_window.checkpoint import Checkpoint
from palace.agent.context_window.history import entries_of
from palace.agent.context_window.stored import ChatKey, StoredWorkingMemory, may_ask
from palace.agent.context_window.summary import SummarisingMemory
from palace.agent.context_window.windows import Kept, WorkingMemory
from palace.agent.guard import Outcome, log_failure
from palace.agent.inject import Place, placed
from palace.agent.messages import Message
from palace.db.database import UserSession
from palace.errors import PalaceError

MOST_AT_ONCE = 4
"""Conversations that one process summarises at a time; others wait for their next turn."""


@dataclass(frozen=True, slots=True)
class FullRequest:
    """A request before anything is left out."""

    messages: Sequence[Message]
    blocks: Mapping[int, str]
    """Memory blocks by the index of their message."""
    place: Place
    chat: ChatKey | None = None
    """Identifies the chat, if known."""

    def sent(self) -> list[Any]:
        """List all messages, ready to send."""
        return placed(self.messages, self.blocks, self.place)

    def joined(self) -> dict[int, Any]:
        """Return the messages that can be trimmed, by index, each with its memory block."""
        said = {index: each for index, each in enumerate(self.messages) if each.shape and not each.is_block}
        return {index: placed([each], {0: self.blocks.get(index, "")}, "user")[0] for index, each in said.items()}


@dataclass(frozen=True, slots=True)
class Trimmed:
    """The messages to send of a request."""

    messages: list[Any]
    left_out: int = 0
    notes: tuple[str, ...] = ()
    renew: Callable[[], object] = lambda: None
    """Starts the summary that is due, in a thread of its own."""


@dataclass(slots=True)
class Trimming:
    """Trims the requests of one palace to what the model takes; safe to share between threads."""

    stored: StoredWorkingMemory
    _busy: dict[ChatKey, Thread] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def find(self, session: UserSession, memory: WorkingMemory | None, full: FullRequest) -> Checkpoint | None:
        """Load the checkpoint of a chat, in the open transaction."""
        if full.chat is None or not isinstance(memory, SummarisingMemory):
            return None
        try:
            entries = entries_of([*full.joined().values()])
        except PalaceError:  # a history that cannot be trimmed is sent as it is
            return None
        return self.stored.checkpoints.find(session, full.chat, entries)

    def trim(self, memory: WorkingMemory, full: FullRequest, checkpoint: Checkpoint | None) -> Trimmed:
        """Choose the messages of a request to send; no model is called."""
        joined = full.joined()
        try:
            kept = self._kept(memory, [*joined.values()], checkpoint, full.chat)
        except PalaceError as problem:
            return Trimmed(full.sent(), notes=(f"nothing was left out: {problem}",))
        with_blocks = {id(each): index for index, each in joined.items() if full.blocks.get(index)}
        messages: list[Any] = []
        for each in kept.messages:
            index = with_blocks.get(id(each))
            if index is None:
                messages.append(each)
            else:
                messages += placed([full.messages[index]], {0: full.blocks[index]}, full.place)
        trimmed, chat = Trimmed(messages, kept.left_out, kept.warnings), full.chat
        if chat is None or not isinstance(memory, SummarisingMemory) or not may_ask(kept, len(joined)):
            return trimmed
        return replace(trimmed, renew=partial(self.renew, memory, [*joined.values()], chat))

    def places(self, memory: WorkingMemory, full: FullRequest, checkpoint: Checkpoint | None) -> frozenset[int]:
        """Return the indices of the messages that are sent; all of them where nothing can be left out."""
        joined = full.joined()
        try:
            kept = {id(each) for each in self._kept(memory, [*joined.values()], checkpoint, full.chat).messages}
        except PalaceError:
            return frozenset(joined)
        return frozenset(index for index, each in joined.items() if id(each) in kept)

    def renew(self, memory: WorkingMemory, history: Sequence[Any], chat: ChatKey) -> None:
        """Summarise a chat in a thread of its own, unless that is under way."""
        with self._lock:
            self._busy = {each: thread for each, thread in self._busy.items() if thread.is_alive()}
            if chat in self._busy or len(self._busy) >= MOST_AT_ONCE:
                return
            # In a new context: the caller's operation ends, or may be cancelled, long before.
            work = partial(Context().run, self._renew, memory, history, chat)
            thread = Thread(target=work, name="palace-summary", daemon=True)
            with suppress(RuntimeError):  # no thread can be started any more: the next process summarises it
                thread.start()
                self._busy[chat] = thread

    def wait(self, seconds: float) -> None:
        """Wait for the summaries under way, at most so many seconds."""
        deadline = time.monotonic() + seconds
        with self._lock:
            threads = list(self._busy.values())
        for thread in threads:
            thread.join(max(deadline - time.monotonic(), 0))

    def _kept(
        self, memory: WorkingMemory, joined: Sequence[Any], checkpoint: Checkpoint | None, chat: ChatKey | None
    ) -> Kept:
        if not isinstance(memory, SummarisingMemory):
            return memory.keep(joined)
        known = None if chat is None else self.stored.checkpoints.known(chat)
        return memory.keep(joined, checkpoint or known, asks=False)

    def _renew(self, memory: WorkingMemory, history: Sequence[Any], chat: ChatKey) -> None:
        started, code = time.perf_counter(), ""
        try:
            kept = self.stored.keep(memory, history, chat)
            if kept.is_due and kept.checkpoint is not None and kept.checkpoint.failures:
                code = "failed"
        except PalaceError as problem:
            code = problem.code
        except Exception:  # noqa: BLE001 — a summariser of the caller's raises what it likes, and nobody waits for it
            code = "fault"
        if code:
            log_failure("summed_up", Outcome(code), step="summary", started=started)
