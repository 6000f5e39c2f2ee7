"""Working memory whose checkpoints are stored in the palace, so that another process continues the summary.

The messages themselves are not stored: those that a summary covers are identified by hashes under the palace's key.
Secrets that the user's rules match are removed from what the model sees and from the summary.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from threading import Lock
from typing import Any, NamedTuple

from palace.agent.context_window.checkpoint import Checkpoint, digest_of
from palace.agent.context_window.current_state import CurrentState
from palace.agent.context_window.history import HistoryEntry, entries_of
from palace.agent.context_window.state_summariser import StateSummariser
from palace.agent.context_window.summariser import ModelSummariser, Summariser
from palace.agent.context_window.summary import LEAST as LEAST_SUMMED_UP
from palace.agent.context_window.summary import SummarisingMemory, SummaryBuffer
from palace.agent.context_window.windows import LEAST, BufferWindow, Kept, TokenWindow, WholeHistory, WorkingMemory
from palace.agent.exchange import with_changed_texts
from palace.agent.messages import text_in
from palace.ai.llm import Reply
from palace.cancellation import unstopped
from palace.config.effective import Effective
from palace.db.database import UserDatabase, UserSession
from palace.db.summaries import KeptSummary, claim_summary, find_summary, release_summary, settle_summary
from palace.db.users import get_palace_key
from palace.errors import PalaceError
from palace.models import OnProgress
from palace.models.external_keys import Key
from palace.models.intake import bounded_id, repair

CLAIMED = timedelta(minutes=3)
"""How long one process may hold the claim on a summary: longer than its calls may take together."""
LASTING = timedelta(days=30)
"""How long a summary is kept after its last renewal."""
MOST_KNOWN = 1_000
GONE = "the summary was not kept: what it sums up was forgotten meanwhile, or somebody else renewed it"
PREFIX = "openai:"
"""Prefix of the identities of conversations that a program files; copied here to avoid importing the reader."""
Hiding = Callable[[str], str]
"""Returns a text with its secrets removed."""


class ChatKey(NamedTuple):
    """Identifies a conversation with an agent."""

    identity: str
    agent: str = ""


class Claim(NamedTuple):
    """An exclusive, temporary right to renew a summary."""

    revision: int
    checkpoint: Checkpoint


def identity_of(session: str) -> str:
    """Return the identity under which a program's conversation is filed."""
    return f"{PREFIX}{bounded_id(session)}"


def working_memory_of(
    effective: Effective, summariser_of: Callable[[str], ModelSummariser], *, model: str | None = None
) -> WorkingMemory:
    """Return the strategy that the settings name; ``model`` is the one whose tokens are counted."""
    budget, least = effective.working_tokens, effective.working_least
    match effective.working_memory:
        case "buffer_window":
            return BufferWindow(effective.working_messages)
        case "token_window":
            return TokenWindow(model, budget=budget, least=least or LEAST)
        case "summary_buffer" if effective.summary_model:
            return SummaryBuffer(
                summariser_of(effective.summary_model),
                model,
                budget=budget,
                trigger=effective.summary_trigger,
                target=effective.summary_target,
                recent=effective.summary_recent,
                least=least or LEAST_SUMMED_UP,
            )
        case "summary_buffer":
            # Only the environment and the file can set one without the other.
            return TokenWindow(model, budget=budget, least=least or LEAST_SUMMED_UP)
        case "current_state":
            asked = summariser_of(effective.summary_model) if effective.summary_model else None
            return CurrentState(StateSummariser(asked), model, budget=budget, least=least or LEAST)
        case _:
            return WholeHistory()


@dataclass(slots=True)
class Checkpoints:
    """The checkpoints of one user's conversations; safe to share."""

    database: UserDatabase
    lasting: timedelta = LASTING
    _known: OrderedDict[ChatKey, Checkpoint] = field(default_factory=OrderedDict, repr=False)
    """Checkpoints as last read, used while the database is unreachable."""
    _lock: Lock = field(default_factory=Lock, repr=False)

    def find(self, session: UserSession, chat: ChatKey, entries: Sequence[HistoryEntry]) -> Checkpoint | None:
        """Return the stored checkpoint of a conversation, or None where nothing is summarised."""
        kept = find_summary(session, *chat)
        found = None if kept is None else _read(kept, Key(get_palace_key(session)), entries)
        self.note(chat, found)
        return found

    def known(self, chat: ChatKey) -> Checkpoint | None:
        """Return the checkpoint as last read, without the database."""
        with self._lock:
            return self._known.get(chat)

    def claim(self, chat: ChatKey, entries: Sequence[HistoryEntry]) -> Claim | None:
        """Claim the renewal of a conversation's summary; None where another process holds the claim."""

        def claim(session: UserSession) -> Claim | None:
            covers = covers_of(entries, Key(get_palace_key(session)))
            revision = claim_summary(session, *chat, covers, lasting=self.lasting, claimed=CLAIMED)
            if revision is None:
                return None
            return Claim(revision, self.find(session, chat, entries) or Checkpoint())

        return self.database.run(claim)

    def settle(
        self, chat: ChatKey, revision: int, checkpoint: Checkpoint, entries: Sequence[HistoryEntry], model: str | None
    ) -> bool:
        """Store a renewed checkpoint; return False if its messages were forgotten or another process renewed it."""

        def settle(session: UserSession) -> bool:
            key = Key(get_palace_key(session))
            written = KeptSummary(
                checkpoint.summary,
                checkpoint.covered,
                checkpoint.stays,
                key.hide(bytes.fromhex(checkpoint.digest)) if checkpoint.digest else None,
                checkpoint.failures,
                checkpoint.tried,
                model,
                tuple(covers_of(entries[: checkpoint.covered], key)),
            )
            return settle_summary(session, *chat, revision, written)

        is_kept = self.database.run(settle)
        self.note(chat, checkpoint if is_kept else None)
        return is_kept

    def release(self, chat: ChatKey, revision: int) -> None:
        """Give up a claim without storing anything."""
        self.database.run(lambda session: release_summary(session, *chat, revision))

    def note(self, chat: ChatKey, checkpoint: Checkpoint | None) -> None:
        """Remember a checkpoint in this process, or with None that there is none."""
        with self._lock:
            self._known.pop(chat, None)
            if checkpoint is not None:
                self._known[chat] = checkpoint
            while len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)


@dataclass(frozen=True, slots=True)
class HidingSummariser:
    """Removes secrets from what a summariser sees and from what it returns."""

    summariser: Summariser
    rules: Callable[[], Hiding]
    """Called each time, because the user may have changed the rules."""

    def sum_up(self, previous: str, entries: Sequence[HistoryEntry], tokens: int) -> Reply[str]:
        """Renew a summary.

        Raises:
            LanguageModelError: the model failed.
        """
        hide = self.rules()
        hidden = [replace(entry, shape=with_changed_texts(entry.shape, hide)) for entry in entries]
        reply = self.summariser.sum_up(hide(previous), hidden, tokens)
        return replace(reply, value=hide(reply.value))


@dataclass(frozen=True, slots=True)
class StoredWorkingMemory:
    """Applies a user's working memory with the stored checkpoints; safe to share between threads.

    Failures of the database or a model become warnings, never errors.
    """

    checkpoints: Checkpoints
    rules: Callable[[], Hiding]

    def keep(
        self,
        memory: WorkingMemory,
        history: Sequence[Any],
        chat: ChatKey | None,
        *,
        asks: bool = True,
        progress: OnProgress | None = None,
    ) -> Kept:
        """Choose the messages of a history to send, and store the checkpoint where they are summarised.

        Raises:
            BadRequest: the history is not a list of messages.
        """
        if not isinstance(memory, SummarisingMemory):
            return memory.keep(history)
        memory = replace(memory, summariser=HidingSummariser(memory.summariser, self.rules))
        if chat is None:
            return memory.keep(history, asks=asks, progress=progress)
        entries = entries_of(history)
        try:
            checkpoint = self.checkpoints.database.run(lambda session: self.checkpoints.find(session, chat, entries))
        except PalaceError as problem:
            kept = memory.keep(history, self.checkpoints.known(chat), asks=asks, progress=progress)
            return _warned(kept, f"the summary of this conversation could not be looked up: {problem}")
        kept = memory.keep(history, checkpoint, asks=False)
        if not (asks and may_ask(kept, len(history))):
            return kept
        try:
            claim = self.checkpoints.claim(chat, entries)
        except PalaceError as problem:
            return _warned(kept, f"older messages were not summed up: {problem}")
        # If another process is renewing the summary, the next request will use it.
        return kept if claim is None else self._renewed(memory, entries, chat, claim, progress)

    def _renewed(
        self,
        memory: SummarisingMemory,
        entries: Sequence[HistoryEntry],
        chat: ChatKey,
        claim: Claim,
        progress: OnProgress | None,
    ) -> Kept:
        """Summarise a conversation under a claim, and store the result."""
        try:
            kept = memory.keep([entry.message for entry in entries], claim.checkpoint, progress=progress)
        except BaseException:
            with unstopped():
                self.checkpoints.release(chat, claim.revision)
            raise
        assert kept.checkpoint is not None
        model = kept.calls[-1].model if kept.calls else None
        try:
            with unstopped():
                is_kept = self.checkpoints.settle(chat, claim.revision, kept.checkpoint, entries, model)
        except PalaceError as problem:
            return _warned(kept, f"the summary was not kept: {problem}")
        return kept if is_kept else _warned(kept, GONE)


def may_ask(kept: Kept, length: int) -> bool:
    """Check whether a summary is due and the last failed attempt is long enough ago."""
    return kept.is_due and (kept.checkpoint is None or kept.checkpoint.may_try(length))


def covers_of(entries: Sequence[HistoryEntry], key: Key) -> list[bytes]:
    """Return a keyed hash of each distinct message text, the same as for drawers of that text."""
    said = dict.fromkeys(
        text for entry in entries if not entry.instructs and (text := text_in(entry.said.get("content")))
    )
    return [key.hide(hashlib.sha256(repair(text)[0].encode()).digest()[:16]) for text in said]


def _read(kept: KeptSummary, key: Key, entries: Sequence[HistoryEntry]) -> Checkpoint:
    """Return a stored checkpoint for this history; of another history its digest is "", so that it does not apply."""
    digest = ""
    if kept.covered and kept.covered <= len(entries):
        here = digest_of(entries[: kept.covered])
        digest = here if key.hide(bytes.fromhex(here)) == kept.digest else ""
    return Checkpoint(kept.summary, kept.covered, kept.stays, digest, kept.failures, kept.tried)


def _warned(kept: Kept, warning: str) -> Kept:
    return replace(kept, warnings=(*kept.warnings, warning))
