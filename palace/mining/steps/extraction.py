"""The index step that extracts names and claims from a conversation and updates the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from palace.db.activity import record_lost
from palace.db.database import UserSession
from palace.db.filing.steps import has_outdated, make_step_pending
from palace.db.graph.asked import Moments, list_read_in, list_relations_of
from palace.db.graph.readings import NewReading
from palace.db.replies import list_replies_around
from palace.graph.implied import with_ends
from palace.graph.naming import name_conversation
from palace.graph.update import Owner, write_reading
from palace.mining.extraction.windows import SaidTurn, as_said
from palace.mining.steps.replies import with_replies
from palace.mining.steps.step import ConversationStep, Work
from palace.mining.steps.tags import TAGS
from palace.models import PASSAGES, FiledTurn, Phase, Role, StepVersion
from palace.models.claims import Reading
from palace.models.graph import Relation

EXTRACTION = StepVersion("extraction", 8)


class Made(NamedTuple):
    """Extracted names and claims, and the palace's owner."""

    reading: NewReading
    owner: Owner


@dataclass(frozen=True, slots=True)
class Extraction(ConversationStep):
    """The step that extracts names and claims, by rules or a model's reply, resolves names and folds claims."""

    made: StepVersion = EXTRACTION
    needs: tuple[str, ...] = (PASSAGES.name,)
    participle: str = "read for names and claims"
    calls_model: bool = False
    phase: Phase | None = Phase.EXTRACTION

    def do(self, work: Work, conversations: Sequence[int]) -> None:
        """Query the configured model, if any, about all conversations; then extract from one after the other."""
        if work.asking:
            work.asking.ask(conversations)
        ConversationStep.do(self, work, conversations)

    def make(self, work: Work, turns: Sequence[FiledTurn]) -> Made:
        """Extract from a whole conversation, because the type of a name depends on everything said about it."""
        # The patterns are compiled at import, which would slow down programs that only recall.
        from palace.mining.extraction.corrected import read_correction
        from palace.mining.extraction.rules import read_by_rules

        if all(turn.is_correction for turn in turns):
            read = [Reading()] * len(turns)
        else:
            said = as_said(turns, work.person, work.zone)
            shown = [SaidTurn(turn.drawer_id, each) for turn, each in zip(turns, said, strict=True)]
            replies = work.database.run(lambda session: list_replies_around(session, turns[0].drawer_id))
            read = with_replies(shown, read_by_rules(said, work.person, work.zone), replies, work.model)
        readings = [
            read_correction(turn.content) if turn.is_correction else with_ends(each)
            for turn, each in zip(turns, read, strict=True)
        ]
        speakers = {turn.speaker for turn in turns if turn.speaker and turn.role is Role.USER}
        named = name_conversation(
            [(turn.drawer_id, each) for turn, each in zip(turns, readings, strict=True)], speakers
        )
        work.extracted += 1
        work.names += sum(new.alias.is_named for new in named.aliases)
        work.claims += len(named.assertions)
        work.tell(Phase.EXTRACTION, work.extracted, "conversations")
        return Made(named, Owner(work.zone, work.person))

    def write(self, session: UserSession, conversation_id: int, made: Made) -> None:
        """Replace the conversation's previous extraction, and mark its tags as pending.

        Relations of an older version that nothing supports any more are recorded for ``palace doctor``.
        """
        is_outdated = has_outdated(session, EXTRACTION, conversation_id)
        before = list_read_in(session, conversation_id) if is_outdated else []
        write_reading(session, conversation_id, made.reading, made.owner)
        subjects = {each.subject_id for each in before}
        held = {_told(each) for each in list_relations_of(session, subjects, Moments(), most=5_000)} if subjects else ()
        if lost := [str(each.evidence[-1]) for each in before if _told(each) not in held]:
            record_lost(session, lost)
        make_step_pending(session, TAGS, [conversation_id])


def _told(relation: Relation) -> tuple[int, str, str]:
    return relation.subject_id, relation.predicate, relation.object
