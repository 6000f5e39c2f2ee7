"""The index step that segments a conversation into topics and assigns its drawers to closets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from palace.db.database import UserDatabase, UserSession
from palace.db.filing import closets
from palace.db.filing.conversations import lock_conversation
from palace.db.filing.steps import mark_drawn
from palace.db.generations import find_generation
from palace.db.replies import list_replied
from palace.mining.steps.extraction import EXTRACTION
from palace.mining.steps.replies import find_topics
from palace.mining.steps.step import IndexStep, Work
from palace.mining.topics import Namer, name_topics, named_by, segment_topics
from palace.models import VECTORS, FiledTurn, Phase, StepVersion

TOPICS = StepVersion("topics", 2)
"""Since version 2, topics are key phrases; 1 used any adjacent words, including verbs and measures."""
Drawn = dict[str, tuple[str, list[int]]]


@dataclass(frozen=True, slots=True)
class Topics(IndexStep):
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

    def do(self, work: Work, conversations: Sequence[int]) -> None:
        """Compute the topics of conversations again; without vectors they will be computed once more later."""
        replied = work.database.run(lambda session: list_replied(session, conversations))
        for conversation_id in conversations:
            told = find_topics(work, conversation_id) if conversation_id in replied else []
            namer = named_by(told, self.namer) if told else self.namer
            work.closets += draw_topics(work.database, conversation_id, namer)
            work.drawn += 1
            work.tell(Phase.TOPICS, work.drawn, "conversations")


def draw_topics(database: UserDatabase, conversation_id: int, namer: Namer = name_topics) -> int:
    """Compute the topics of each room of a conversation; return the number of closets.

    The result depends on the whole conversation, so it is recomputed as that grows. Without embeddings, words are used.
    """

    def read(session: UserSession) -> tuple[Sequence[FiledTurn], dict[int, npt.NDArray[np.float32]]]:
        active = find_generation(session, "active")
        turns = closets.list_turns(session, conversation_id)
        return turns, {} if active is None else closets.find_vectors(session, conversation_id, active.id)

    while True:
        turns, vectors = database.run(read)
        rooms: dict[int, list[FiledTurn]] = {}
        for turn in turns:
            rooms.setdefault(turn.room_id, []).append(turn)
        drawn = {room_id: _topics(of_room, vectors, namer) for room_id, of_room in rooms.items()}
        if _write(database, conversation_id, turns, drawn):
            return sum(len(topics) for topics in drawn.values())


def _write(database: UserDatabase, conversation_id: int, turns: Sequence[FiledTurn], drawn: dict[int, Drawn]) -> bool:
    """Write the closets; return False if one of their drawers was forgotten meanwhile."""

    def write(session: UserSession) -> bool:
        if not lock_conversation(session, conversation_id):
            return not turns
        if not closets.are_filed(session, conversation_id, [turn.drawer_id for turn in turns]):
            return False
        for room_id in sorted(drawn):
            closets.write_closets(session, room_id, drawn[room_id])
        mark_drawn(session, TOPICS, conversation_id, turns=len(turns))
        return True

    return database.run(write, flush=False)


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
