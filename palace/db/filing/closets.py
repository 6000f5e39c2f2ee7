"""Closets: reading the turns that topics are drawn from, and writing the closets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from palace.db.database import UserSession
from palace.db.rows import any_id, grouped, ids_text, record_of
from palace.db.tables import Closet, Drawer
from palace.models import FiledTurn

_SIZES = sa.text(
    "SELECT d.conversation_id, sum(octet_length(d.content)), count(*) FROM drawer AS d WHERE d.user_id = :user_id"
    " AND d.conversation_id = ANY(CAST(:conversations AS bigint[])) GROUP BY d.conversation_id"
)
_TURNS = sa.text(
    "SELECT d.conversation_id, d.id AS drawer_id, d.room_id, d.content, d.role, d.speaker, d.said_at, d.language,"
    " c.reader = 'note' AND d.role <> 'user' AS is_correction FROM drawer AS d"
    " JOIN conversation AS c ON c.user_id = :user_id AND c.id = d.conversation_id WHERE d.user_id = :user_id"
    " AND d.conversation_id = ANY(CAST(:conversations AS bigint[])) ORDER BY d.conversation_id, d.position, d.number"
)
_VECTORS = sa.text(
    "SELECT d.id, CAST(avg(CAST(e.embedding AS vector)) AS text) FROM drawer AS d JOIN user_generation AS g"
    " ON g.user_id = :user_id AND g.state = 'active' JOIN passage_embedding AS e ON e.user_id = :user_id"
    " AND e.drawer_id = d.id AND e.generation_id = g.generation_id WHERE d.user_id = :user_id"
    " AND d.conversation_id = ANY(CAST(:conversations AS bigint[])) GROUP BY d.id HAVING count(*) = count(e.embedding)"
)
_STALE = sa.text(
    "SELECT c.id FROM closet AS c WHERE c.user_id = :user_id AND c.room_id = ANY(CAST(:rooms AS bigint[]))"
    " AND NOT EXISTS (SELECT FROM unnest(CAST(:room_ids AS bigint[]), CAST(:slugs AS text[])) AS given (room_id, slug)"
    " WHERE given.room_id = c.room_id AND given.slug = c.slug)"
)
Topics = Mapping[str, tuple[str, Sequence[int]]]
"""Topics of a room: slug to name and drawer ids."""


def measure_texts(session: UserSession, conversations: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Map conversations with drawers to the bytes of their texts, and the number of their drawers."""
    rows = session.execute(_SIZES, {"conversations": ids_text(conversations)})
    return {number: (int(size), drawers) for number, size, drawers in rows}


def list_turns(session: UserSession, conversations: Sequence[int]) -> dict[int, list[FiledTurn]]:
    """Map conversations with drawers to those in order, revisions included, each with its room."""
    rows = session.execute(_TURNS, {"conversations": ids_text(conversations)})
    return grouped((row.conversation_id, record_of(FiledTurn, row)) for row in rows)


def find_vectors(session: UserSession, conversations: Sequence[int]) -> dict[int, npt.NDArray[np.float32]]:
    """Map the drawers of conversations to the mean of their active vectors; those not wholly embedded are left out."""
    rows = session.execute(_VECTORS, {"conversations": ids_text(conversations)})
    return {drawer_id: np.fromstring(mean[1:-1], dtype=np.float32, sep=",") for drawer_id, mean in rows}


def write_closets(session: UserSession, rooms: Mapping[int, Topics]) -> None:
    """Replace the closets of rooms by topics; a slug that stays keeps its row."""
    slugs = [(room_id, slug) for room_id, topics in sorted(rooms.items()) for slug in sorted(topics)]
    named = {"room_ids": ids_text(room_id for room_id, _ in slugs), "slugs": [slug for _, slug in slugs]}
    gone = session.values(_STALE, {**named, "rooms": ids_text(rooms)})
    if gone:
        session.update(Drawer, Drawer.room_id == any_id(rooms), Drawer.closet_id == any_id(gone), closet_id=None)
        session.delete(Closet, Closet.room_id == any_id(rooms), Closet.id == any_id(gone))
    if not slugs:
        return
    rows = [{"room_id": room_id, "slug": slug, "name": rooms[room_id][slug][0]} for room_id, slug in slugs]
    session.put(Closet, rows, key=("room_id", "slug"), columns=("name",))
    placed = [
        (drawer_id, room_id, slug)
        for room_id, topics in rooms.items()
        for slug, (_, drawers) in topics.items()
        for drawer_id in drawers
    ]
    session.run(
        "place_in_closets",
        {
            "drawer_ids": ids_text(drawer_id for drawer_id, _, _ in placed),
            "room_ids": ids_text(room_id for _, room_id, _ in placed),
            "slugs": [slug for _, _, slug in placed],
        },
    )
