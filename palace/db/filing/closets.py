"""Closets: what topics are drawn from, and writing them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from pgvector.sqlalchemy import Vector
from sqlalchemy import and_, cast, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from palace.db.database import UserSession
from palace.db.tables import Closet, Conversation, Drawer, PassageEmbedding
from palace.models import FiledTurn, Role


def list_turns(session: UserSession, conversation_id: int) -> list[FiledTurn]:
    """List a conversation's drawers in order, revisions included, each with its room."""
    query = (
        select(
            Drawer.id,
            Drawer.room_id,
            Drawer.role,
            Drawer.content,
            Drawer.speaker,
            Drawer.said_at,
            Drawer.language,
            and_(Conversation.reader == "note", Drawer.role != Role.USER.value).label("is_correction"),
        )
        .join(Conversation, and_(Conversation.user_id == Drawer.user_id, Conversation.id == Drawer.conversation_id))
        .where(Drawer.user_id == session.user_id, Drawer.conversation_id == conversation_id)
        .order_by(Drawer.position, Drawer.number)
    )
    return [
        FiledTurn(
            row.id, row.room_id, row.content, Role(row.role), row.speaker, row.said_at, row.language, row.is_correction
        )
        for row in session.execute(query)
    ]


def are_filed(session: UserSession, conversation_id: int, drawer_ids: Sequence[int]) -> bool:
    """Tell whether these drawers of a conversation are all still there."""
    query = select(Drawer.id).where(Drawer.user_id == session.user_id, Drawer.conversation_id == conversation_id)
    return set(drawer_ids) <= set(session.execute(query).scalars())


def find_vectors(session: UserSession, conversation_id: int, generation_id: int) -> dict[int, npt.NDArray[np.float32]]:
    """Map the drawers of a conversation that are wholly embedded to the mean of their vectors."""
    vector = PassageEmbedding.embedding
    query = (
        select(Drawer.id, func.avg(cast(vector, Vector()), type_=Vector()))
        .join(
            PassageEmbedding,
            and_(PassageEmbedding.user_id == Drawer.user_id, PassageEmbedding.drawer_id == Drawer.id),
        )
        .where(
            Drawer.user_id == session.user_id,
            Drawer.conversation_id == conversation_id,
            PassageEmbedding.generation_id == generation_id,
        )
        .group_by(Drawer.id)
        .having(func.count() == func.count(vector))
    )
    return {drawer_id: np.asarray(mean, dtype=np.float32) for drawer_id, mean in session.execute(query)}


def write_closets(session: UserSession, room_id: int, topics: Mapping[str, tuple[str, Sequence[int]]]) -> None:
    """Make a room's closets be exactly ``topics``: slug to name and drawer ids; a slug that stays keeps its row."""
    here = and_(Closet.user_id == session.user_id, Closet.room_id == room_id)
    gone = session.execute(select(Closet.id).where(here, Closet.slug.not_in(list(topics)))).scalars().all()
    if gone:
        inside = and_(Drawer.user_id == session.user_id, Drawer.room_id == room_id, Drawer.closet_id.in_(gone))
        session.execute(update(Drawer).where(inside).values(closet_id=None))
        session.execute(delete(Closet).where(here, Closet.id.in_(gone)))
    if not topics:
        return
    rows = [{"room_id": room_id, "slug": slug, "name": name} for slug, (name, _) in sorted(topics.items())]
    made = insert(Closet)
    made = made.on_conflict_do_update(index_elements=["user_id", "room_id", "slug"], set_={"name": made.excluded.name})
    session.insert(made, rows)
    ids = dict(session.execute(select(Closet.slug, Closet.id).where(here)).all())
    pairs = [(drawer_id, ids[slug]) for slug, (_, drawers) in topics.items() for drawer_id in drawers]
    session.run(
        "place_in_closets",
        {
            "drawer_ids": [drawer_id for drawer_id, _ in pairs],
            "closet_ids": [closet_id for _, closet_id in pairs],
        },
    )
