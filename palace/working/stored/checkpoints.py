"""The checkpoints of one user's conversations, as their palace keeps them.

Nothing that is kept tells what was said: the messages that a summary stands for are known by hashes under the palace's
key, and the summary holds no secret that the user's rules find.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Lock
from typing import NamedTuple

from palace.intake.key import Key
from palace.store.database import UserDatabase, UserSession
from palace.store.users import get_palace_key
from palace.store.working.summaries import KeptSummary, claim_summary, find_summary, release_summary, settle_summary
from palace.text.repair import repair
from palace.working.shape import Entry, text_of
from palace.working.summary.checkpoint import Checkpoint, digest_of

CLAIMED = timedelta(minutes=3)
"""How long one process has for renewing a summary before another does: more than its calls may take together."""
LASTING = timedelta(days=30)
"""How long a summary is kept after it was last renewed."""
MOST_KNOWN = 1_000


class Talk(NamedTuple):
    """Whose history of which conversation."""

    identity: str
    agent: str = ""


class Claim(NamedTuple):
    """The right to renew a summary."""

    revision: int
    checkpoint: Checkpoint


@dataclass(slots=True)
class Checkpoints:
    """What the conversations of one user are summed up to; safe to share."""

    database: UserDatabase
    lasting: timedelta = LASTING
    _known: OrderedDict[Talk, Checkpoint] = field(default_factory=OrderedDict, repr=False)
    """As they were last read: they hold while nobody can look."""
    _lock: Lock = field(default_factory=Lock, repr=False)

    def find(self, talk: Talk, entries: Sequence[Entry]) -> Checkpoint | None:
        """Find where to go on from; None where nothing is summed up.

        Raises:
            DatabaseUnavailable: the palace cannot be asked.
        """
        return self.database.run(lambda session: self.find_in(session, talk, entries))

    def find_in(self, session: UserSession, talk: Talk, entries: Sequence[Entry]) -> Checkpoint | None:
        """Find it in a transaction that is open."""
        kept = find_summary(session, *talk)
        found = None if kept is None else _read(kept, Key(get_palace_key(session)), entries)
        self.note(talk, found)
        return found

    def known(self, talk: Talk) -> Checkpoint | None:
        """Give where to go on from as it was last read."""
        with self._lock:
            return self._known.get(talk)

    def claim(self, talk: Talk, entries: Sequence[Entry]) -> Claim | None:
        """Have nobody else sum a conversation up for a while; None where somebody does."""

        def claim(session: UserSession) -> Claim | None:
            covers = covers_of(entries, Key(get_palace_key(session)))
            revision = claim_summary(session, *talk, covers, lasting=self.lasting, claimed=CLAIMED)
            if revision is None:
                return None
            return Claim(revision, self.find_in(session, talk, entries) or Checkpoint())

        return self.database.run(claim)

    def settle(
        self, talk: Talk, revision: int, checkpoint: Checkpoint, entries: Sequence[Entry], model: str | None
    ) -> bool:
        """Keep what came of it; False where what it is made of was forgotten meanwhile, or somebody else renewed it."""

        def settle(session: UserSession) -> bool:
            written = _written(checkpoint, Key(get_palace_key(session)), entries, model)
            return settle_summary(session, *talk, revision, written)

        is_kept = self.database.run(settle)
        self.note(talk, checkpoint if is_kept else None)
        return is_kept

    def release(self, talk: Talk, revision: int) -> None:
        """Let others renew what was not renewed after all."""
        self.database.run(lambda session: release_summary(session, *talk, revision))

    def note(self, talk: Talk, checkpoint: Checkpoint | None) -> None:
        """Remember a checkpoint, or that there is none."""
        with self._lock:
            self._known.pop(talk, None)
            if checkpoint is not None:
                self._known[talk] = checkpoint
            while len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)


def covers_of(entries: Sequence[Entry], key: Key) -> list[bytes]:
    """Give a hash of each text that is said, as drawers that say the same have it."""
    said = dict.fromkeys(text for entry in entries if not entry.instructs and (text := text_of(entry.said)))
    return [key.hide(hashlib.sha256(repair(text)[0].encode()).digest()[:16]) for text in said]


def _read(kept: KeptSummary, key: Key, entries: Sequence[Entry]) -> Checkpoint:
    """Give a checkpoint as the history at hand has it; of another history it has no digest, and does not count."""
    digest = ""
    if kept.covered and kept.covered <= len(entries):
        here = digest_of(entries[: kept.covered])
        digest = here if key.hide(bytes.fromhex(here)) == kept.digest else ""
    return Checkpoint(kept.summary, kept.covered, kept.stays, digest, kept.failures, kept.tried)


def _written(checkpoint: Checkpoint, key: Key, entries: Sequence[Entry], model: str | None) -> KeptSummary:
    covered = entries[: checkpoint.covered]
    return KeptSummary(
        checkpoint.summary,
        checkpoint.covered,
        checkpoint.stays,
        key.hide(bytes.fromhex(checkpoint.digest)) if checkpoint.digest else None,
        checkpoint.failures,
        checkpoint.tried,
        model,
        tuple(covers_of(covered, key)),
    )
