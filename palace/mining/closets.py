"""Drawing a conversation's topics and putting its drawers into closets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from palace.mining.topics import segment_topics
from palace.records import FiledTurn
from palace.store.database import UserDatabase, UserSession
from palace.store.filing import closets
from palace.store.filing.conversations import lock_conversation

Topics = dict[str, tuple[str, list[int]]]


def draw_topics(database: UserDatabase, conversation_id: int, generation_id: int | None) -> int:
    """Draw the topics of each room of a conversation afresh; return how many closets it has now.

    A function of the whole conversation: drawn again as it grows. Without embeddings the words alone decide.
    """

    def read(session: UserSession) -> tuple[Sequence[FiledTurn], dict[int, npt.NDArray[np.float32]]]:
        turns = closets.list_turns(session, conversation_id)
        return turns, {} if generation_id is None else closets.find_vectors(session, conversation_id, generation_id)

    while True:
        turns, vectors = database.run(read)
        rooms: dict[int, list[FiledTurn]] = {}
        for turn in turns:
            rooms.setdefault(turn.room_id, []).append(turn)
        drawn = {room_id: _topics(of_room, vectors) for room_id, of_room in rooms.items()}
        if _write(database, conversation_id, turns, drawn):
            return sum(len(topics) for topics in drawn.values())


def _write(database: UserDatabase, conversation_id: int, turns: Sequence[FiledTurn], drawn: dict[int, Topics]) -> bool:
    """Write the closets drawn; False when a drawer they speak of was forgotten meanwhile."""

    def write(session: UserSession) -> bool:
        if not lock_conversation(session, conversation_id):
            return not turns
        if not closets.are_filed(session, conversation_id, [turn.drawer_id for turn in turns]):
            return False
        for room_id in sorted(drawn):
            closets.write_closets(session, room_id, drawn[room_id])
        closets.mark_topics_drawn(session, conversation_id, turns=len(turns))
        return True

    return database.run(write, flush=False)


def _topics(turns: Sequence[FiledTurn], vectors: dict[int, npt.NDArray[np.float32]]) -> Topics:
    texts = ["" if turn.is_tool else turn.content for turn in turns]
    topics: Topics = {}
    for topic in segment_topics(texts, _matrix(turns, vectors)):
        _, drawers = topics.setdefault(topic.slug, (topic.name, []))
        drawers += [turn.drawer_id for turn in turns[topic.start : topic.end]]
    return topics


def _matrix(turns: Sequence[FiledTurn], vectors: dict[int, npt.NDArray[np.float32]]) -> npt.NDArray[np.float32] | None:
    present = [vectors[turn.drawer_id] for turn in turns if turn.drawer_id in vectors]
    if not present:
        return None
    absent = np.full_like(present[0], np.nan)
    return np.stack([vectors.get(turn.drawer_id, absent) for turn in turns])


def redraw_pending(database: UserDatabase, generation_id: int | None) -> None:
    """Draw the topics of every conversation of the user's that waits for it."""
    pending = database.run(closets.list_topics_pending)
    for conversation_id in pending:
        draw_topics(database, conversation_id, generation_id)
