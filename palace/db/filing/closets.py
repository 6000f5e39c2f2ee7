"""Closets: reading the turns that topics are drawn from, and writing the closets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from pgvector.sqlalchemy import Vector
from sqlalchemy import and_, cast, func

from palace.db.database import UserSession
from palace.db.rows import columns_of, record_of
from palace.db.tables import Closet, Conversation, Drawer, PassageEmbedding
from palace.models import FiledTurn, Role


def list_turns(session: UserSession, conversation_id: int) -> list[FiledTurn]:
    """List a conversation's drawers in order, revisions included, each with its room."""
    query = (
        session.select(
            Drawer.id.label("drawer_id"),
            *columns_of(Drawer, FiledTurn),
            and_(Conversation.reader == "note", Drawer.role != Role.USER.value).label("is_correction"),
        )
        .join(Conversation)
        .where(Drawer.conversation_id == conversation_id)
        .order_by(Drawer.position, Drawer.number)
    )
    return [record_of(FiledTurn, row) for row in session.execute(query)]


def are_filed(session: UserSession, conversation_id: int, drawer_ids: Sequence[int]) -> bool:
    """Check whether these drawers of a conversation all still exist."""
    query = session.select(Drawer.id).where(Drawer.conversation_id == conversation_id)
    return set(drawer_ids) <= set(session.values(query))


def find_vectors(session: UserSession, conversation_id: int, generation_id: int) -> dict[int, npt.NDArray[np.float32]]:
    """Map the drawers of a conversation to the mean of their vectors; those not wholly embedded are left out."""
    vector = PassageEmbedding.embedding
    query = (
        session.select(Drawer.id, func.avg(cast(vector, Vector()), type_=Vector()))
        .join(
            PassageEmbedding, and_(PassageEmbedding.user_id == Drawer.user_id, PassageEmbedding.drawer_id == Drawer.id)
        )
        .where(Drawer.conversation_id == conversation_id, PassageEmbedding.generation_id == generation_id)
        .group_by(Drawer.id)
        .having(func.count() == func.count(vector))
    )
    return {drawer_id: np.asarray(mean, dtype=np.float32) for drawer_id, mean in session.execute(query)}


def write_closets(session: UserSession, room_id: int, topics: Mapping[str, tuple[str, Sequence[int]]]) -> None:
    """Replace a room's closets by ``topics``, slug to name and drawer ids; a slug that stays keeps its row."""
    here = Closet.room_id == room_id
    gone = session.execute(session.select(Closet.id).where(here, Closet.slug.not_in(list(topics)))).scalars().all()
    if gone:
        session.update(Drawer, Drawer.room_id == room_id, Drawer.closet_id.in_(gone), closet_id=None)
        session.delete(Closet, here, Closet.id.in_(gone))
    if not topics:
        return
    rows = [{"room_id": room_id, "slug": slug, "name": name} for slug, (name, _) in sorted(topics.items())]
    session.put(Closet, rows, key=("room_id", "slug"), columns=("name",))
    ids = dict(session.execute(session.select(Closet.slug, Closet.id).where(here)).all())
    pairs = [(drawer_id, ids[slug]) for slug, (_, drawers) in topics.items() for drawer_id in drawers]
    session.run(
        "place_in_closets",
        {
            "drawer_ids": [drawer_id for drawer_id, _ in pairs],
            "closet_ids": [closet_id for _, closet_id in pairs],
        },
    )
