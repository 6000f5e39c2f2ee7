"""The index step that extracts names and claims from a conversation and updates the graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from palace.db.activity import record_lost
from palace.db.database import UserSession
from palace.db.filing.steps import list_outdated, make_step_pending
from palace.db.graph.asked import Moments, list_read_in, list_relations_of
from palace.db.graph.readings import NewReading
from palace.db.replies import list_replies
from palace.graph.implied import with_ends
from palace.graph.naming import name_conversation
from palace.graph.update import Owner, write_readings
from palace.mining.extraction.windows import SaidTurn, as_said
from palace.mining.steps.replies import with_replies
from palace.mining.steps.step import BatchStep, TurnsByConversation, Work
from palace.mining.steps.tags import TAGS
from palace.models import PASSAGES, FiledTurn, Phase, Role, StepVersion
from palace.models.claims import Reading
from palace.models.graph import Relation, StoredReply

EXTRACTION = StepVersion("extraction", 8)


class Made(NamedTuple):
    """Extracted names and claims, and the palace's owner."""

    reading: NewReading
    owner: Owner


@dataclass(frozen=True, slots=True)
class Extraction(BatchStep):
    """The step that extracts names and claims, by rules or a model's reply, resolves names and folds claims."""

    made: StepVersion = EXTRACTION
    needs: tuple[str, ...] = (PASSAGES.name,)
    participle: str = "read for names and claims"
    calls_model: bool = False
    phase: Phase | None = Phase.EXTRACTION

    def do(self, work: Work, conversations: Sequence[int]) -> None:
        """Query the configured model, if any, about all conversations; then extract."""
        if work.asking:
            work.asking.ask(conversations)
        BatchStep.do(self, work, conversations)

    def make_each(self, work: Work, turns: TurnsByConversation) -> Iterator[tuple[int, Made]]:
        """Extract from one conversation after the other, with the replies about it."""
        replies = work.database.run(lambda session: list_replies(session, turns))
        for conversation_id, each in turns.items():
            yield conversation_id, self._read(work, each, replies.get(conversation_id, ()))

    def _read(self, work: Work, turns: Sequence[FiledTurn], replies: Sequence[StoredReply]) -> Made:
        """Extract from a whole conversation, because the type of a name depends on everything said about it."""
        # The patterns are compiled at import, which would slow down programs that only recall.
        from palace.mining.extraction.corrected import read_correction
        from palace.mining.extraction.rules import read_by_rules

        if all(turn.is_correction for turn in turns):
            read = [Reading()] * len(turns)
        else:
            said = as_said(turns, work.person, work.zone)
            shown = [SaidTurn(turn.drawer_id, each) for turn, each in zip(turns, said, strict=True)]
            read = with_replies(shown, read_by_rules(said, work.person, work.zone), replies, work.model)
        readings = [
            read_correction(turn.content) if turn.is_correction else with_ends(each)
            for turn, each in zip(turns, read, strict=True)
        ]
        speakers = {turn.speaker for turn in turns if turn.speaker and turn.role is Role.USER}
        named = name_conversation(
            [(turn.drawer_id, each) for turn, each in zip(turns, readings, strict=True)], speakers
        )
        return Made(named, Owner(work.zone, work.person))

    def write_each(self, session: UserSession, made: Mapping[int, Made]) -> None:
        """Replace previous extractions, and mark the conversations' tags as pending.

        Relations of an older version that nothing supports any more are recorded for ``palace doctor``.
        """
        outdated = list_outdated(session, EXTRACTION, list(made))
        before = list_read_in(session, outdated) if outdated else []
        owner = next(iter(made.values())).owner
        write_readings(session, {number: each.reading for number, each in made.items()}, owner)
        subjects = {each.subject_id for each in before}
        held = {_told(each) for each in list_relations_of(session, subjects, Moments(), most=5_000)} if subjects else ()
        if lost := [str(each.evidence[-1]) for each in before if _told(each) not in held]:
            record_lost(session, lost)
        make_step_pending(session, TAGS, list(made))

    def count_written(self, work: Work, made: Made) -> None:
        """Count the conversation, its names and its claims."""
        work.extracted += 1
        work.names += sum(new.alias.is_named for new in made.reading.aliases)
        work.claims += len(made.reading.assertions)
        work.tell(Phase.EXTRACTION, work.extracted, "conversations")


def _told(relation: Relation) -> tuple[int, str, str]:
    return relation.subject_id, relation.predicate, relation.object
