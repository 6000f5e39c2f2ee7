"""Agents' data on conversations: rolling summaries, and memory blocks put beside messages."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, DateTime, ForeignKeyConstraint, Index, Integer
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, CreatedAt, Moment, UserId, reference


class WorkingSummary(Base):
    """The rolling summary of a conversation, replaced each time it is renewed, and what it covers."""

    __tablename__ = "working_summary"
    __table_args__ = (
        CheckConstraint("length(agent) <= 200", name="agent"),
        Index("ix_working_summary_user_id_expires_at", "user_id", "expires_at"),
    )

    user_id: Mapped[UserId]
    identity: Mapped[str] = mapped_column(primary_key=True)
    """The conversation's identity, whether any of it is filed or not."""
    agent: Mapped[str] = mapped_column(primary_key=True)
    """The agent whose history it summarises; "" if none is named."""
    summary: Mapped[str]
    """Without secrets; "" before the first summary."""
    covered: Mapped[int] = mapped_column(Integer)
    """How many messages from the beginning of the history it covers."""
    stays: Mapped[list[int]] = mapped_column(ARRAY(Integer))
    """Indices of covered messages that are sent all the same."""
    digest: Mapped[bytes | None] = mapped_column(BYTEA)
    """Hash of the covered messages, under the palace's key: the summary is not used for another history."""
    covers: Mapped[list[bytes]] = mapped_column(ARRAY(BYTEA))
    """Hash of each covered message, under the key: deleting a drawer with the same text deletes the summary."""
    failures: Mapped[int] = mapped_column(Integer)
    """Failed renewals in a row."""
    tried: Mapped[int] = mapped_column(Integer)
    """Length of the history at the last failure."""
    model: Mapped[str | None]
    """The language model that wrote it."""
    revision: Mapped[int] = mapped_column(BigInteger)
    """Counts claims: only the last claimant may store its result."""
    claimed_until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    """Until then the summary is claimed for renewal."""
    made_at: Mapped[CreatedAt]
    expires_at: Mapped[Moment]


class Injection(Base):
    """A memory block put beside a message, by a hash of what was said up to there."""

    __tablename__ = "injection"
    __table_args__ = (Index("ix_injection_user_id_expires_at", "user_id", "expires_at"),)

    user_id: Mapped[UserId]
    key: Mapped[bytes] = mapped_column(BYTEA, primary_key=True)
    """A hash of the messages of user, assistant and tools up to and including this one."""
    block: Mapped[str]
    cited_count: Mapped[int] = mapped_column(Integer)
    """How many drawers it quotes: with fewer citations left, one was deleted."""
    made_at: Mapped[CreatedAt]
    expires_at: Mapped[Moment]


class InjectionCitation(Base):
    """A drawer that a block quotes; deleted with either."""

    __tablename__ = "injection_citation"
    __table_args__ = (
        ForeignKeyConstraint(["user_id", "key"], ["injection.user_id", "injection.key"], ondelete="CASCADE"),
        reference("drawer_id", "drawer"),
        Index("ix_injection_citation_user_id_drawer_id", "user_id", "drawer_id"),
    )

    user_id: Mapped[UserId]
    key: Mapped[bytes] = mapped_column(BYTEA, primary_key=True)
    drawer_id: Mapped[int] = mapped_column(primary_key=True)
