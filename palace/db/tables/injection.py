"""Blocks that were put beside messages, kept so that later requests repeat them byte for byte."""

from __future__ import annotations

from sqlalchemy import ForeignKeyConstraint, Index, Integer
from sqlalchemy.dialects.postgresql import BYTEA
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, CreatedAt, Moment, UserId


class Injection(Base):
    """A block that was put beside a message, with what was said up to there as its key."""

    __tablename__ = "injection"
    __table_args__ = (Index("ix_injection_user_id_expires_at", "user_id", "expires_at"),)

    user_id: Mapped[UserId]
    key: Mapped[bytes] = mapped_column(BYTEA, primary_key=True)
    """A hash of the messages of a person, an assistant and tools up to the message, that one included."""
    block: Mapped[str]
    cited_count: Mapped[int] = mapped_column(Integer)
    """How many drawers it quotes: while as many citations are there, none of them is gone."""
    made_at: Mapped[CreatedAt]
    expires_at: Mapped[Moment]


class InjectionCitation(Base):
    """A drawer that a block quotes; gone with either."""

    __tablename__ = "injection_citation"
    __table_args__ = (
        ForeignKeyConstraint(["user_id", "key"], ["injection.user_id", "injection.key"], ondelete="CASCADE"),
        ForeignKeyConstraint(["user_id", "drawer_id"], ["drawer.user_id", "drawer.id"], ondelete="CASCADE"),
        Index("ix_injection_citation_user_id_drawer_id", "user_id", "drawer_id"),
    )

    user_id: Mapped[UserId]
    key: Mapped[bytes] = mapped_column(BYTEA, primary_key=True)
    drawer_id: Mapped[int] = mapped_column(primary_key=True)
