"""What of a scope keeps anything out: looking through many passages takes half the time where nothing has to be."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa

from palace.records import Scope
from palace.store.database import UserSession

_KEEPS_OUT = sa.text(
    # Through the wings, which are few, and the index of rooms by their wing: a palace may have very many rooms.
    "SELECT EXISTS (SELECT FROM wing AS w WHERE w.user_id = :user_id AND w.id <> ALL(CAST(:wings AS bigint[]))"
    " AND EXISTS (SELECT FROM room AS r WHERE r.user_id = :user_id AND r.wing_id = w.id)) AS other_wings,"
    " EXISTS (SELECT FROM conversation AS c WHERE c.user_id = :user_id AND c.reader = ANY(CAST(:readers AS text[])))"
    " AS of_readers"
)


def bounds_of(session: UserSession, scope: Scope) -> Scope:
    """Give a scope without its wings where nothing stands in others, and without its readers where they read nothing.

    Whoever proposes within these proposes what is in the scope, as long as nothing is filed meanwhile: what is told is
    held to the scope itself.
    """
    if not scope.is_confined and not scope.without_readers:
        return scope
    other_wings, of_readers = session.execute(_KEEPS_OUT, scope.places).one()
    return replace(
        scope,
        wing_ids=scope.wing_ids if other_wings else None,
        without_readers=scope.without_readers if of_readers else (),
    )
