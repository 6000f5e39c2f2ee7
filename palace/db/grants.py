"""What people let programs do by OAuth, as it is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from palace.db.database import UserSession
from palace.db.keys import COARSE
from palace.db.tables import ApiKey, OAuthGrant, PalaceUser


class StoredGrant(NamedTuple):
    """A grant as it is stored, with what its key allows."""

    id: int
    key_id: int
    client: bytes
    client_name: str
    redirect_uri: str
    resource: str
    scopes: Sequence[str]
    code_digest: bytes
    code_challenge: str
    family_digest: bytes | None
    refresh_digest: bytes | None
    access_digest: bytes | None
    access_until: datetime | None
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    last_used_at: datetime | None
    user: str
    key_scopes: Sequence[str]
    key_wing_ids: Sequence[int] | None
    is_key_valid: bool


_IS_KEY_VALID = sa.and_(
    ApiKey.revoked_at.is_(None),
    sa.or_(ApiKey.expires_at.is_(None), ApiKey.expires_at > sa.func.statement_timestamp()),
)
_OF_KEY = (ApiKey.scopes, ApiKey.wing_ids, _IS_KEY_VALID)
_COLUMNS = (
    *(getattr(OAuthGrant, name) for name in StoredGrant._fields[: -len(_OF_KEY) - 1]),
    PalaceUser.name,
    *_OF_KEY,
)


def add_grant(session: UserSession, grant: Mapping[str, Any]) -> int:
    """Store a new grant and return its id; those that are expired are deleted."""
    session.delete(OAuthGrant, OAuthGrant.expires_at < sa.func.statement_timestamp())
    return int(session.insert(insert(OAuthGrant).returning(OAuthGrant.id), grant).scalar_one())


def list_grants(session: UserSession) -> list[StoredGrant]:
    """List the grants, the oldest first."""
    return [StoredGrant(*row) for row in session.execute(_query(session).order_by(OAuthGrant.id))]


def find_grant(session: UserSession, grant_id: int, *, locks: bool = False) -> StoredGrant | None:
    """Return a grant, which with ``locks`` nobody else changes until the transaction ends; None without one."""
    query = _query(session).where(OAuthGrant.id == grant_id)
    if locks:
        query = query.with_for_update(of=OAuthGrant.__table__)
    row = session.execute(query).one_or_none()
    return None if row is None else StoredGrant(*row)


def change_grant(session: UserSession, grant_id: int, values: Mapping[str, Any]) -> None:
    """Change columns of a grant."""
    session.update(OAuthGrant, OAuthGrant.id == grant_id, **values)


def revoke_grants_of_key(session: UserSession, key_id: int, now: datetime) -> None:
    """Revoke what programs may do with a key; those that are revoked stay as they are."""
    session.update(OAuthGrant, OAuthGrant.key_id == key_id, OAuthGrant.revoked_at.is_(None), revoked_at=now)


def touch_grant(session: UserSession, grant: StoredGrant, now: datetime) -> None:
    """Set the time of a grant's last use, unless that was less than an hour ago."""
    if grant.last_used_at is None or grant.last_used_at < now - COARSE:
        change_grant(session, grant.id, {"last_used_at": now})


def _query(session: UserSession) -> sa.Select[*tuple[Any, ...]]:
    of_key = sa.and_(ApiKey.user_id == OAuthGrant.user_id, ApiKey.id == OAuthGrant.key_id)
    query = session.select(*_COLUMNS).join(ApiKey, of_key)
    return query.join(PalaceUser, PalaceUser.id == OAuthGrant.user_id)
