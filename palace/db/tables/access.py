"""Access over a server: keys, browsers' sessions, what was done, and answers that a repeated request gets again."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA, JSONB

from palace.db.tables.base import MOMENT, Base, column, optional, own_id, owner_id, reference, time_of_insert


class ApiKey(Base):
    """A key by which a program reaches a palace; only hashes of it are stored."""

    __tablename__ = "api_key"
    __table_args__ = (
        sa.CheckConstraint("length(label) BETWEEN 1 AND 200", name="label"),
        sa.CheckConstraint(
            "cardinality(scopes) > 0 AND scopes <@ ARRAY['read', 'write', 'forget', 'admin']", name="scopes"
        ),
        sa.CheckConstraint("user_prefix <> ''", name="user_prefix"),
    )

    user_id = owner_id()
    id = own_id()
    label = column(sa.Text)
    """What the person calls it."""
    digest = column(BYTEA)
    """SHA-256 of the key."""
    former_digest = optional(BYTEA)
    """The same of the key before the last rotation."""
    former_until = optional(MOMENT)
    """Until then the former key is valid too."""
    scopes = column(ARRAY(sa.Text))
    wing_ids = optional(ARRAY(sa.BigInteger))
    """The only wings that it reaches; null for all. A deleted wing's id stays and reaches nothing."""
    users = optional(ARRAY(sa.Text))
    """A gateway's key: the only users that it may name; null for none but its own."""
    user_prefix = optional(sa.Text)
    """A gateway's key: it may name the users whose names begin with this."""
    created_at = time_of_insert()
    expires_at = optional(MOMENT)
    revoked_at = optional(MOMENT)
    last_used_at = optional(MOMENT)
    """Set at most once an hour."""


class WebSession(Base):
    """A browser that signed in; only a hash of its cookie is stored."""

    __tablename__ = "web_session"
    __table_args__ = (reference("key_id", "api_key"), sa.Index("ix_web_session_user_id_key_id", "user_id", "key_id"))

    user_id = owner_id()
    id = own_id()
    digest = column(BYTEA)
    """SHA-256 of the cookie."""
    key_id = optional(sa.BigInteger)
    """The key that it signed in with; null on the machine itself, where none is needed."""
    created_at = time_of_insert()
    expires_at = column(MOMENT)


class OAuthGrant(Base):
    """What a person allowed a program to do by OAuth; only hashes of its code and tokens are stored."""

    __tablename__ = "oauth_grant"
    __table_args__ = (
        sa.CheckConstraint("cardinality(scopes) > 0 AND scopes <@ ARRAY['read', 'write', 'forget']", name="scopes"),
        reference("key_id", "api_key"),
        sa.Index("ix_oauth_grant_user_id_key_id", "user_id", "key_id"),
    )

    user_id = owner_id()
    id = own_id()
    key_id = column(sa.BigInteger)
    """The key that the person consented with: the grant reaches no more than it does, and ends with it."""
    client = column(BYTEA)
    """SHA-256 of the program's id."""
    client_name = column(sa.Text)
    redirect_uri = column(sa.Text)
    resource = column(sa.Text)
    """The URL of the server that the tokens are for."""
    scopes = column(ARRAY(sa.Text))
    code_digest = column(BYTEA)
    """SHA-256 of the code; kept after its use, so that a second use is noticed."""
    code_challenge = column(sa.Text)
    family_digest = optional(BYTEA)
    """SHA-256 of what all refresh tokens of the grant share; null until the code is spent."""
    refresh_digest = optional(BYTEA)
    """SHA-256 of the only refresh token that is not spent."""
    access_digest = optional(BYTEA)
    access_until = optional(MOMENT)
    created_at = time_of_insert()
    expires_at = column(MOMENT)
    """Renewed with the tokens."""
    revoked_at = optional(MOMENT)
    last_used_at = optional(MOMENT)
    """Set at most once an hour."""


class AuditEntry(Base):
    """One thing that was done in a palace with a key, or to a key: ids, never text."""

    __tablename__ = "audit_entry"
    __table_args__ = (
        sa.CheckConstraint("action ~ '^[a-z_]+(\\.[a-z_]+)*$'", name="action"),
        sa.CheckConstraint("length(key) <= 50 AND length(target) <= 100", name="length"),
        sa.Index("ix_audit_entry_user_id_happened_at", "user_id", "happened_at"),
    )

    user_id = owner_id()
    id = own_id()
    key = column(sa.Text)
    """The id of the key, which may be a gateway's."""
    action = column(sa.Text)
    """What was done, such as "drawers.forget"."""
    target = column(sa.Text)
    """What it was done to: a pointer or a number; "" where there is no single one."""
    happened_at = time_of_insert()


class StoredAnswer(Base):
    """The answer to a request with an idempotency key, for a repetition of the request; it holds ids, never text."""

    __tablename__ = "stored_answer"
    __table_args__ = (sa.Index("ix_stored_answer_user_id_expires_at", "user_id", "expires_at"),)

    user_id = owner_id()
    key = column(BYTEA, primary_key=True)
    """Hash of the API key's id and the idempotency key."""
    request = column(BYTEA)
    """Hash of the request, under the palace's key."""
    status = optional(sa.Integer)
    """The HTTP status; null while the request is carried out."""
    answer = column(JSONB, server_default=sa.text("'{}'::jsonb"))
    """Body and headers of the answer."""
    made_at = time_of_insert()
    """While the request is carried out, this is renewed."""
    expires_at = column(MOMENT)
