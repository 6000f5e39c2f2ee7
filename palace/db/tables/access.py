"""Access over a server: keys, what was done with them, and answers that a repeated request gets again."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, DateTime, Index, Integer, Text, text
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, CreatedAt, Moment, OwnId, UserId


class ApiKey(Base):
    """A key by which a program reaches a palace; only hashes of it are stored."""

    __tablename__ = "api_key"
    __table_args__ = (
        CheckConstraint("length(label) BETWEEN 1 AND 200", name="label"),
        CheckConstraint(
            "cardinality(scopes) > 0 AND scopes <@ ARRAY['read', 'write', 'forget', 'admin']", name="scopes"
        ),
        CheckConstraint("user_prefix <> ''", name="user_prefix"),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    label: Mapped[str]
    """What the person calls it."""
    digest: Mapped[bytes] = mapped_column(BYTEA)
    """SHA-256 of the key."""
    former_digest: Mapped[bytes | None] = mapped_column(BYTEA)
    """The same of the key before the last rotation."""
    former_until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    """Until then the former key is valid too."""
    scopes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    wing_ids: Mapped[list[int] | None] = mapped_column(ARRAY(BigInteger))
    """The only wings that it reaches; null for all. A deleted wing's id stays and reaches nothing."""
    users: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    """A gateway's key: the only users that it may name; null for none but its own."""
    user_prefix: Mapped[str | None]
    """A gateway's key: it may name the users whose names begin with this."""
    created_at: Mapped[CreatedAt]
    expires_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    revoked_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    last_used_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    """Set at most once an hour."""


class AuditEntry(Base):
    """One thing that was done in a palace with a key, or to a key: ids, never text."""

    __tablename__ = "audit_entry"
    __table_args__ = (
        CheckConstraint("action ~ '^[a-z_]+(\\.[a-z_]+)*$'", name="action"),
        CheckConstraint("length(key) <= 50 AND length(target) <= 100", name="length"),
        Index("ix_audit_entry_user_id_happened_at", "user_id", "happened_at"),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    key: Mapped[str]
    """The id of the key, which may be a gateway's."""
    action: Mapped[str]
    """What was done, such as "drawers.forget"."""
    target: Mapped[str]
    """What it was done to: a pointer or a number; "" where there is no single one."""
    happened_at: Mapped[CreatedAt]


class StoredAnswer(Base):
    """The answer to a request with an idempotency key, for a repetition of the request; it holds ids, never text."""

    __tablename__ = "stored_answer"
    __table_args__ = (Index("ix_stored_answer_user_id_expires_at", "user_id", "expires_at"),)

    user_id: Mapped[UserId]
    key: Mapped[bytes] = mapped_column(BYTEA, primary_key=True)
    """Hash of the API key's id and the idempotency key."""
    request: Mapped[bytes] = mapped_column(BYTEA)
    """Hash of the request, under the palace's key."""
    status: Mapped[int | None] = mapped_column(Integer)
    """The HTTP status; null while the request is carried out."""
    answer: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'::jsonb"))
    """Body and headers of the answer."""
    made_at: Mapped[CreatedAt]
    expires_at: Mapped[Moment]
