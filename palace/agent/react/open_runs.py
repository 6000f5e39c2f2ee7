"""The runs of open conversations, stored in the palace until their memories are, so that no restart loses them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import BaseModel, ValidationError

from palace.agent.context_window.checkpoint import Checkpoint
from palace.agent.context_window.stored import ChatKey, Checkpoints, Claim, identity_of
from palace.agent.react.learning import Invocation
from palace.agent.react.memory import AGENT, AgentMemory
from palace.cancellation import pause
from palace.errors import StillRunning

TRIES, PAUSE = 50, 0.1
"""How often a conversation that another process changes is tried, and the seconds between."""


class OpenRuns(BaseModel):
    """The runs of one open conversation, as they are stored."""

    wing: str
    conversation: str
    runs: tuple[Invocation, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredRuns:
    """The open conversations of one collection: working summaries, which go with each message that is forgotten."""

    memory: AgentMemory

    def read(self, conversation: str) -> tuple[Invocation, ...]:
        """Return the runs of a conversation; none of one that is not open."""
        checkpoints, chat = self._checkpoints, self._chat(conversation)
        found = checkpoints.database.run(lambda session: checkpoints.find(session, chat, ()))
        return _runs(found.summary if found else "")

    def change(self, conversation: str, change: Callable[[Sequence[Invocation]], Sequence[Invocation]]) -> None:
        """Store what ``change`` makes of the runs of a conversation; with none it is no longer open.

        Raises:
            StillRunning: another process changes it.
        """
        chat, claim = self._chat(conversation), self._claim(conversation)
        try:
            runs = tuple(change(_runs(claim.checkpoint.summary)))
            if runs:
                stored = OpenRuns(wing=self.memory.wing, conversation=conversation, runs=self._hidden(runs))
                summary = Checkpoint(stored.model_dump_json(), len(runs))
                self._checkpoints.settle(chat, claim.revision, summary, (), None)
            else:
                self.drop(conversation)
        except BaseException:
            self._checkpoints.release(chat, claim.revision)
            raise

    def drop(self, conversation: str) -> None:
        """Drop a conversation without storing memories of it."""
        self.memory.palace.working.drop(self.memory.name_of(conversation), agent=AGENT)

    def names(self, *, before: datetime | None = None) -> Iterator[str]:
        """List the open conversations of the collection, with ``before`` those that are unchanged since then."""
        for each in self.memory.palace.working.sessions():
            if each.agent == AGENT and (before is None or each.made_at < before):
                stored = _stored(each.summary)
                if stored is not None and stored.wing == self.memory.wing:
                    yield stored.conversation

    @property
    def _checkpoints(self) -> Checkpoints:
        found: Checkpoints = self.memory.palace.working.stored.checkpoints
        return found

    def _chat(self, conversation: str) -> ChatKey:
        return ChatKey(identity_of(self.memory.name_of(conversation)), AGENT)

    def _claim(self, conversation: str) -> Claim:
        for _ in range(TRIES):
            claim = self._checkpoints.claim(self._chat(conversation), ())
            if claim is not None:
                return claim
            pause(PAUSE)
        raise StillRunning("another process changes this conversation of an agent")

    def _hidden(self, runs: Sequence[Invocation]) -> tuple[Invocation, ...]:
        hide = self.memory.palace.working.stored.rules()
        return tuple(each.changed(hide) for each in runs)


def _stored(text: str) -> OpenRuns | None:
    try:
        return OpenRuns.model_validate_json(text)
    except ValidationError:  # nothing is stored, or by another version
        return None


def _runs(text: str) -> tuple[Invocation, ...]:
    stored = _stored(text)
    return stored.runs if stored else ()
