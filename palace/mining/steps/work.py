"""The index step that follows what coding agents did: files, commands, errors, and decisions about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from palace.db.database import UserSession
from palace.db.work import replace_actions
from palace.mining.steps.step import BatchStep, TurnsByConversation, Work
from palace.mining.trace import trace
from palace.models import StepVersion, WorkAction

WORK = StepVersion("work", 7)


@dataclass(frozen=True, slots=True)
class WorkDone(BatchStep):
    """The step that stores what tools did in a conversation, without a model."""

    made: StepVersion = WORK
    participle: str = "indexed as work"
    calls_model: bool = False

    def make_each(self, work: Work, turns: TurnsByConversation) -> Iterator[tuple[int, list[WorkAction]]]:  # noqa: ARG002
        """Follow the calls of each conversation."""
        for conversation_id, each in turns.items():
            yield conversation_id, trace(each)

    def write_each(self, session: UserSession, made: Mapping[int, Sequence[WorkAction]]) -> None:
        """Replace the actions of the conversations."""
        replace_actions(session, made)
