"""What a user said that holds from then on, whatever else is nearer to a query."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import ARRAY, ColumnElement, Text, all_, cast, exists, func, or_, select
from sqlalchemy.orm import aliased

from palace.records import Generation, PassageKey, Role, Scope, Statement
from palace.store.database import UserSession
from palace.store.sql.rows import any_text
from palace.tables import Conversation, Drawer, Passage, Room

_ALL = Scope()
ADDRESSED = ("note", "openai")
"""The readers of what is said to the palace itself: who has no name there is the person, though nobody answers."""


def standing_candidates(
    session: UserSession,
    near: tuple[Generation, Sequence[float]],
    *,
    newest: int,
    limit: int,
    names: Sequence[str],
    scope: Scope = _ALL,
) -> list[Statement]:
    """Propose standing statements of the person, who goes by ``names``, by similarity to a unit vector, nearest first.

    Of very many, the ``newest`` filed are looked at; at most ``limit`` are given. In the wings of a
    ``scope`` alone.
    """
    parameters = {"vector": str(list(near[1])), "newest": newest, "limit": limit, "wings": scope.places["wings"]}
    parameters |= {"names": _lowered(names), "addressed": list(ADDRESSED)}
    rows = session.run("standing_candidates", parameters, generation=near[0].id)
    return [
        Statement(PassageKey(drawer_id, ordinal), text, similarity, said_at)
        for drawer_id, ordinal, text, similarity, said_at in rows
    ]


def list_standing(
    session: UserSession, wing_id: int, *, names: Sequence[str], without_readers: Sequence[str], newest: int
) -> list[int]:
    """List the drawers of a wing, by id, in which the person, who goes by ``names``, says what holds from then on.

    The ``newest`` filed, the latest first. What its source no longer says is left out, and what readers filed that do
    not count.
    """
    user = session.user_id
    query = (
        select(Passage.drawer_id)
        .join(Drawer, (Drawer.user_id == Passage.user_id) & (Drawer.id == Passage.drawer_id))
        .join(Room, (Room.user_id == Drawer.user_id) & (Room.id == Drawer.room_id))
        .join(Conversation, (Conversation.user_id == Drawer.user_id) & (Conversation.id == Drawer.conversation_id))
        .where(Passage.user_id == user, Drawer.user_id == user, Room.user_id == user, Conversation.user_id == user)
        .where(Passage.is_standing, Room.wing_id == wing_id, Drawer.replaced_at.is_(None))
        .where(Conversation.reader != all_(cast(list(without_readers), ARRAY(Text))), _is_own(session, names))
        .group_by(Passage.drawer_id)
        .order_by(Passage.drawer_id.desc())
        .limit(newest)
    )
    return list(session.execute(query).scalars())


def find_own(session: UserSession, drawer_ids: Collection[int], names: Sequence[str]) -> frozenset[int]:
    """Give those of some drawers, by id, that the person says, who goes by ``names``; none where it is in doubt."""
    user = session.user_id
    query = (
        select(Drawer.id)
        .join(Conversation, (Conversation.user_id == Drawer.user_id) & (Conversation.id == Drawer.conversation_id))
        .where(Drawer.user_id == user, Conversation.user_id == user, Drawer.id.in_(drawer_ids), _is_own(session, names))
    )
    return frozenset(session.execute(query).scalars())


def _is_own(session: UserSession, names: Sequence[str]) -> ColumnElement[bool]:
    """Tell whether the person says a drawer: under a name of theirs, or without one to the palace or an assistant."""
    other = aliased(Drawer)
    answered = exists().where(
        other.user_id == session.user_id,
        other.conversation_id == Drawer.conversation_id,
        other.role == Role.ASSISTANT.value,
    )
    unnamed = Drawer.speaker.is_(None) & or_(Conversation.reader.in_(ADDRESSED), answered)
    named = func.lower(Drawer.speaker) == any_text(_lowered(names))
    return (Drawer.role == Role.USER.value) & or_(unnamed, named)


def _lowered(names: Sequence[str]) -> list[str]:
    return [name.lower() for name in names]


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
