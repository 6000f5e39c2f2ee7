"""Reading a conversation for names and for what it claims, and having the graph follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from palace.cancellation import go_on
from palace.graph.implied import with_ends
from palace.graph.naming import name_conversation
from palace.graph.update import Owner, write_reading
from palace.mining.extraction.replies import ask_about, replayed
from palace.mining.extraction.said import as_said
from palace.mining.steps.conversation_step import ConversationStep
from palace.mining.steps.step import Work
from palace.mining.steps.tags import TAGS
from palace.records import PASSAGES, FiledTurn, Phase, StepVersion
from palace.records.graph import Claim, Reading, Said
from palace.store.database import UserSession
from palace.store.filing.steps import make_step_pending
from palace.store.graph.readings import NewReading
from palace.text.claims import read_claims
from palace.text.claims.called import (
    read_called,
    typed_by_claims,
    typed_by_nouns,
    types_of_claims,
    types_of_nouns,
    with_titles,
)
from palace.text.entities import bundled_tagger, read_names
from palace.text.entities.tagging import Tag, Tagger

EXTRACTION = StepVersion("extraction", 4)


class Made(NamedTuple):
    """What a conversation was read for, and whose palace it is in."""

    reading: NewReading
    owner: Owner


@dataclass(frozen=True, slots=True)
class Extraction(ConversationStep):
    """Read names and claims by rules, and by a model where one replied; resolve the names and fold the claims."""

    made: StepVersion = EXTRACTION
    needs: tuple[str, ...] = (PASSAGES.name,)
    participle: str = "read for names and claims"
    calls_model: bool = False
    phase: Phase | None = Phase.EXTRACTION

    def do(self, work: Work, conversations: Sequence[int]) -> None:
        """Ask the model of the settings, where they name one, about all of them; then read one after the other."""
        ask_about(work, conversations)
        ConversationStep.do(self, work, conversations)

    def make(self, work: Work, turns: Sequence[FiledTurn]) -> Made:
        """Read a conversation as a whole: what a name is, is told by all that is said of it."""
        said = as_said(turns, work.person, work.zone)
        by_rules = _by_rules(said, work)
        readings = [with_ends(each) for each in replayed(work, turns, said, by_rules)]
        drawers = (turn.drawer_id for turn in turns)
        named = name_conversation(list(zip(drawers, readings, strict=True)))
        work.extracted += 1
        work.names += sum(new.alias.is_named for new in named.aliases)
        work.claims += len(named.assertions)
        work.tell(Phase.EXTRACTION, work.extracted, "conversations")
        return Made(named, Owner(work.zone, work.person))

    def write(self, session: UserSession, conversation_id: int, made: Made) -> None:
        """Put it in the place of what was read before; what is made of the names is to be made again."""
        write_reading(session, conversation_id, made.reading, made.owner)
        make_step_pending(session, TAGS, [conversation_id])


@dataclass(frozen=True, slots=True)
class _Endable:
    """A tagger that can be ended between two messages: a long conversation keeps it for minutes."""

    tagger: Tagger

    def tag(self, texts: Sequence[str]) -> Iterator[tuple[Tag, ...]]:
        """Give the names of each text."""
        for tags in self.tagger.tag(texts):
            go_on()
            yield tags


def _by_rules(said: Sequence[Said], work: Work) -> list[Reading]:
    tagger = bundled_tagger()
    found = read_names(said, _Endable(tagger) if tagger else None, work.person)
    titled = [with_titles(each.content, spans) for each, spans in zip(said, found, strict=True)]
    called = read_called(said, titled)
    types = types_of_nouns(called)
    names = [typed_by_nouns(spans, types) for spans in titled]
    claims = read_claims(said, names, work.zone)
    borne = types_of_claims(claims)
    names = [typed_by_claims(spans, borne) for spans in names]
    return [
        Reading(spans, (*told, *(each for each in naming if _is_new(each, told))))
        for spans, told, naming in zip(names, claims, called, strict=True)
    ]


def _is_new(claim: Claim, told: Sequence[Claim]) -> bool:
    said = (claim.subject, claim.predicate, claim.object)
    return said not in ((each.subject, each.predicate, each.object) for each in told)
