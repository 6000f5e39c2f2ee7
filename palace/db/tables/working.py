"""Agents' data on conversations: rolling summaries, and memory blocks put beside messages."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA

from palace.db.tables.base import MOMENT, Base, column, optional, owner_id, reference, time_of_insert


class WorkingSummary(Base):
    """The rolling summary of a conversation, replaced each time it is renewed, and what it covers."""

    __tablename__ = "working_summary"
    __table_args__ = (
        sa.CheckConstraint("length(agent) <= 200", name="agent"),
        sa.Index("ix_working_summary_user_id_expires_at", "user_id", "expires_at"),
    )

    user_id = owner_id()
    identity = column(sa.Text, primary_key=True)
    """The conversation's identity, whether any of it is filed or not."""
    agent = column(sa.Text, primary_key=True)
    """The agent whose history it summarises; "" if none is named."""
    summary = column(sa.Text)
    """Without secrets; "" before the first summary."""
    covered = column(sa.Integer)
    """How many messages from the beginning of the history it covers."""
    stays = column(ARRAY(sa.Integer))
    """Indices of covered messages that are sent all the same."""
    digest = optional(BYTEA)
    """Hash of the covered messages, under the palace's key: the summary is not used for another history."""
    covers = column(ARRAY(BYTEA))
    """Hash of each covered message, under the key: deleting a drawer with the same text deletes the summary."""
    failures = column(sa.Integer)
    """Failed renewals in a row."""
    tried = column(sa.Integer)
    """Length of the history at the last failure."""
    model = optional(sa.Text)
    """The language model that wrote it."""
    revision = column(sa.BigInteger)
    """Counts claims: only the last claimant may store its result."""
    claimed_until = optional(MOMENT)
    """Until then the summary is claimed for renewal."""
    made_at = time_of_insert()
    expires_at = column(MOMENT)


class Injection(Base):
    """A memory block put beside a message, by a hash of what was said up to there."""

    __tablename__ = "injection"
    __table_args__ = (sa.Index("ix_injection_user_id_expires_at", "user_id", "expires_at"),)

    user_id = owner_id()
    key = column(BYTEA, primary_key=True)
    """A hash of the messages of user, assistant and tools up to and including this one."""
    block = column(sa.Text)
    cited_count = column(sa.Integer)
    """How many drawers it quotes: with fewer citations left, one was deleted."""
    made_at = time_of_insert()
    expires_at = column(MOMENT)


class InjectionCitation(Base):
    """A drawer that a block quotes; deleted with either."""

    __tablename__ = "injection_citation"
    __table_args__ = (
        sa.ForeignKeyConstraint(["user_id", "key"], ["injection.user_id", "injection.key"], ondelete="CASCADE"),
        reference("drawer_id", "drawer"),
        sa.Index("ix_injection_citation_user_id_drawer_id", "user_id", "drawer_id"),
    )

    user_id = owner_id()
    key = column(BYTEA, primary_key=True)
    drawer_id = column(sa.BigInteger, primary_key=True)
