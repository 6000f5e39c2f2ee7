"""Keys and sessions of browsers by their numbers, the log of what was done with them, and stored answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from palace.db.database import UserSession
from palace.db.tables import ApiKey, AuditEntry, PalaceUser, StoredAnswer, WebSession
from palace.models import AuditEntry as Entry

AUDIT_DAYS = 400
"""Days for which entries of the log are kept."""
COARSE = timedelta(hours=1)
"""How exact the time of a key's last use is."""


class StoredKey(NamedTuple):
    """A key as it is stored."""

    id: int
    label: str
    digest: bytes
    former_digest: bytes | None
    former_until: datetime | None
    scopes: Sequence[str]
    wing_ids: Sequence[int] | None
    users: Sequence[str] | None
    user_prefix: str | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


_COLUMNS = tuple(getattr(ApiKey, name) for name in StoredKey._fields)


def add_key(session: UserSession, key: Mapping[str, Any]) -> StoredKey:
    """Store a new key."""
    return StoredKey(*session.insert(insert(ApiKey).returning(*_COLUMNS), key).one())


def list_keys(session: UserSession) -> list[StoredKey]:
    """List all keys, the oldest first."""
    return [StoredKey(*row) for row in session.execute(session.select(*_COLUMNS).order_by(ApiKey.id))]


def lock_key(session: UserSession, key_id: int) -> StoredKey | None:
    """Return a key, which nobody else changes until the transaction ends; None without one."""
    row = session.execute(session.select(*_COLUMNS).where(ApiKey.id == key_id).with_for_update()).one_or_none()
    return None if row is None else StoredKey(*row)


def find_presented_key(session: UserSession, key_id: int) -> tuple[str, StoredKey] | None:
    """Return a key with the name of its user, by one statement; None without one."""
    query = session.select(*_COLUMNS, PalaceUser.name).join(PalaceUser, PalaceUser.id == ApiKey.user_id)
    row = session.execute(query.where(ApiKey.id == key_id)).one_or_none()
    return None if row is None else (str(row[-1]), StoredKey(*row[:-1]))


def change_key(session: UserSession, key_id: int, values: Mapping[str, Any]) -> None:
    """Change columns of a key."""
    session.update(ApiKey, ApiKey.id == key_id, **values)


def touch_key(session: UserSession, key: StoredKey, now: datetime) -> None:
    """Set the time of a key's last use, unless that was less than an hour ago."""
    if key.last_used_at is None or key.last_used_at < now - COARSE:
        change_key(session, key.id, {"last_used_at": now})


class StoredSession(NamedTuple):
    """A browser's session as it is stored."""

    id: int
    digest: bytes
    key_id: int | None
    expires_at: datetime


_OF_SESSION = tuple(getattr(WebSession, name) for name in StoredSession._fields)


def add_session(session: UserSession, values: Mapping[str, Any]) -> int:
    """Store a browser's session and return its number; those that are over are deleted."""
    session.delete(WebSession, WebSession.expires_at < sa.func.statement_timestamp())
    return int(session.insert(insert(WebSession).returning(WebSession.id), values).scalar_one())


def find_presented_session(session: UserSession, number: int) -> tuple[str, StoredSession, StoredKey | None] | None:
    """Return a browser's session with the name of its user and its key, by one statement; None without one."""
    query = (
        session.select(*_OF_SESSION, PalaceUser.name, *_COLUMNS)
        .join(PalaceUser, PalaceUser.id == WebSession.user_id)
        .outerjoin(ApiKey, sa.and_(ApiKey.user_id == WebSession.user_id, ApiKey.id == WebSession.key_id))
    )
    row = session.execute(query.where(WebSession.id == number)).one_or_none()
    if row is None:
        return None
    size = len(_OF_SESSION)
    key = StoredKey(*row[size + 1 :])
    return str(row[size]), StoredSession(*row[:size]), None if key.id is None else key


def change_session(session: UserSession, number: int, values: Mapping[str, Any]) -> None:
    """Change columns of a browser's session."""
    session.update(WebSession, WebSession.id == number, **values)


def delete_session(session: UserSession, number: int) -> None:
    """Delete a browser's session."""
    session.delete(WebSession, WebSession.id == number)


def delete_sessions_of_key(session: UserSession, key_id: int) -> None:
    """Delete the sessions of browsers that signed in with a key."""
    session.delete(WebSession, WebSession.key_id == key_id)


def add_audit(session: UserSession, key: str, action: str, target: str) -> None:
    """Enter what was done with a key, and delete entries that are too old."""
    session.insert(insert(AuditEntry), {"key": key, "action": action, "target": target})
    old = sa.func.statement_timestamp() - timedelta(days=AUDIT_DAYS)
    session.delete(AuditEntry, AuditEntry.happened_at < old)


def list_audit(session: UserSession, *, limit: int, since: datetime | None) -> list[Entry]:
    """List what was done with keys, the latest first."""
    columns = (AuditEntry.id, AuditEntry.happened_at, AuditEntry.key, AuditEntry.action, AuditEntry.target)
    query = session.select(*columns).order_by(AuditEntry.happened_at.desc(), AuditEntry.id.desc()).limit(limit)
    if since is not None:
        query = query.where(AuditEntry.happened_at >= since)
    return [Entry(*row) for row in session.execute(query)]


class Answered(NamedTuple):
    """What is known of a request with an idempotency key."""

    request: bytes
    status: int | None
    """None while it is carried out."""
    answer: Mapping[str, Any]


def begin_answer(
    session: UserSession, key: bytes, request: bytes, expires_at: datetime, abandoned: timedelta
) -> Answered | None:
    """Reserve the place of an answer and return None, or return what stands there.

    Expired answers are deleted, and places without one that were not renewed for so long.
    """
    now = sa.func.statement_timestamp()
    is_abandoned = sa.and_(StoredAnswer.status.is_(None), StoredAnswer.made_at < now - abandoned)
    session.delete(StoredAnswer, sa.or_(StoredAnswer.expires_at < now, is_abandoned))
    row = {"key": key, "request": request, "expires_at": expires_at}
    reserving = insert(StoredAnswer).on_conflict_do_nothing().returning(StoredAnswer.made_at)
    if session.insert(reserving, row).one_or_none() is not None:
        return None
    columns = (StoredAnswer.request, StoredAnswer.status, StoredAnswer.answer)
    return Answered(*session.execute(session.select(*columns).where(StoredAnswer.key == key)).one())


def renew_answer(session: UserSession, key: bytes) -> None:
    """Set the time of a place that waits for its answer to now."""
    session.update(StoredAnswer, StoredAnswer.key == key, StoredAnswer.status.is_(None), made_at=sa.func.now())


def end_answer(session: UserSession, key: bytes, status: int, answer: Mapping[str, Any]) -> None:
    """Store the answer to a request."""
    session.update(StoredAnswer, StoredAnswer.key == key, status=status, answer=dict(answer))


def drop_answer(session: UserSession, key: bytes) -> None:
    """Delete the place of an answer, so that the request can be repeated."""
    session.delete(StoredAnswer, StoredAnswer.key == key)
