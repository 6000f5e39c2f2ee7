"""What a user said that holds from then on, whatever else is nearer to a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import ARRAY, Text, all_, cast, select

from palace.records import Generation, PassageKey, Scope, Statement
from palace.store.database import UserSession
from palace.tables import Conversation, Drawer, Passage, Room

_ALL = Scope()


def standing_candidates(
    session: UserSession, near: tuple[Generation, Sequence[float]], *, newest: int, limit: int, scope: Scope = _ALL
) -> list[Statement]:
    """Propose standing statements by similarity to a unit vector, nearest first.

    Of very many, the ``newest`` filed are looked at; at most ``limit`` are given. In the wings of a
    ``scope`` alone.
    """
    parameters = {"vector": str(list(near[1])), "newest": newest, "limit": limit, "wings": scope.places["wings"]}
    rows = session.run("standing_candidates", parameters, generation=near[0].id)
    return [
        Statement(PassageKey(drawer_id, ordinal), text, similarity, said_at)
        for drawer_id, ordinal, text, similarity, said_at in rows
    ]


def list_standing(session: UserSession, wing_id: int, *, without_readers: Sequence[str], newest: int) -> list[int]:
    """List the drawers of a wing, by id, that say what holds from then on: the ``newest`` filed, the latest first.

    What its source no longer says is left out, and what readers filed that do not count.
    """
    user = session.user_id
    query = (
        select(Passage.drawer_id)
        .join(Drawer, (Drawer.user_id == Passage.user_id) & (Drawer.id == Passage.drawer_id))
        .join(Room, (Room.user_id == Drawer.user_id) & (Room.id == Drawer.room_id))
        .join(Conversation, (Conversation.user_id == Drawer.user_id) & (Conversation.id == Drawer.conversation_id))
        .where(Passage.user_id == user, Drawer.user_id == user, Room.user_id == user, Conversation.user_id == user)
        .where(Passage.is_standing, Room.wing_id == wing_id, Drawer.replaced_at.is_(None))
        .where(Conversation.reader != all_(cast(list(without_readers), ARRAY(Text))))
        .group_by(Passage.drawer_id)
        .order_by(Passage.drawer_id.desc())
        .limit(newest)
    )
    return list(session.execute(query).scalars())


def alike_statements(
    session: UserSession, keys: Sequence[PassageKey], generation: Generation, *, least: float
) -> Mapping[frozenset[PassageKey], float]:
    """Map pairs of passages, each of another drawer, to how alike they are: their cosine, where it is ``least``."""
    if len(keys) < 2:
        return {}
    parameters = {
        "drawers": [key.drawer_id for key in keys],
        "ordinals": [key.ordinal for key in keys],
        "least": least,
    }
    rows = session.run("alike_statements", parameters, generation=generation.id)
    return {frozenset((keys[one - 1], keys[other - 1])): likeness for one, other, likeness in rows}
