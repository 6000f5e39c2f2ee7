"""The index step that segments a conversation into topics and assigns its drawers to closets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from palace.db.database import UserSession
from palace.db.filing import closets
from palace.db.filing.steps import mark_embedded
from palace.db.rows import grouped
from palace.mining.steps.extraction import EXTRACTION
from palace.mining.steps.replies import find_topics
from palace.mining.steps.step import BatchStep, TurnsByConversation, Work
from palace.mining.topics import Namer, name_topics, named_by, segment_topics
from palace.models import VECTORS, FiledTurn, Phase, StepVersion

TOPICS = StepVersion("topics", 2)
"""Since version 2, topics are key phrases; 1 used any adjacent words, including verbs and measures."""
Drawn = dict[str, tuple[str, list[int]]]


@dataclass(frozen=True, slots=True)
class Topics(BatchStep):
    """The step that assigns the drawers of each room to closets, based on their vectors if available.

    Runs after extraction, because a model's reply there may include topics.
    """

    made: StepVersion = TOPICS
    needs: tuple[str, ...] = (VECTORS.name, EXTRACTION.name)
    participle: str = "put into closets"
    calls_model: bool = False
    phase: Phase | None = Phase.TOPICS
    namer: Namer = name_topics
    """Called without an open transaction, if no model named topics."""

    def make_each(self, work: Work, turns: TurnsByConversation) -> Iterator[tuple[int, dict[int, Drawn]]]:
        """Compute the topics of each room; without vectors from words, and once more later."""
        vectors = work.database.run(lambda session: closets.find_vectors(session, list(turns)))
        replied = find_topics(work, turns)
        for conversation_id, each in turns.items():
            told = replied.get(conversation_id)
            namer = named_by(told, self.namer) if told else self.namer
            rooms = grouped((turn.room_id, turn) for turn in each)
            drawn = {room_id: _topics(of_room, vectors, namer) for room_id, of_room in rooms.items()}
            yield conversation_id, drawn

    def write_each(self, session: UserSession, made: Mapping[int, dict[int, Drawn]]) -> None:
        """Replace the closets of the conversations' rooms."""
        closets.write_closets(
            session, {room_id: topics for drawn in made.values() for room_id, topics in drawn.items()}
        )

    def count_written(self, work: Work, made: dict[int, Drawn]) -> None:
        """Count the conversation and its closets."""
        work.closets += sum(len(topics) for topics in made.values())
        work.drawn += 1
        work.tell(Phase.TOPICS, work.drawn, "conversations")

    def mark(self, session: UserSession, conversations: Sequence[int]) -> None:
        """Mark conversations as done, unless vectors are missing."""
        mark_embedded(session, self.made, conversations)


def _topics(turns: Sequence[FiledTurn], vectors: dict[int, npt.NDArray[np.float32]], namer: Namer) -> Drawn:
    texts = ["" if turn.is_tool else turn.content for turn in turns]
    topics: Drawn = {}
    speakers = {turn.speaker for turn in turns if turn.speaker}
    for topic in segment_topics(texts, _matrix(turns, vectors), speakers=speakers, namer=namer):
        _, drawers = topics.setdefault(topic.slug, (topic.name, []))
        drawers += [turn.drawer_id for turn in turns[topic.start : topic.end]]
    return topics


def _matrix(turns: Sequence[FiledTurn], vectors: dict[int, npt.NDArray[np.float32]]) -> npt.NDArray[np.float32] | None:
    present = [vectors[turn.drawer_id] for turn in turns if turn.drawer_id in vectors]
    if not present:
        return None
    absent = np.full_like(present[0], np.nan)
    return np.stack([vectors.get(turn.drawer_id, absent) for turn in turns])
