"""What agents have of conversations: rolling summaries, and blocks that were put beside messages."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, DateTime, ForeignKeyConstraint, Index, Integer
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, CreatedAt, Moment, UserId, reference


class WorkingSummary(Base):
    """The rolling summary of one conversation, replaced each time it is renewed, and what it stands for."""

    __tablename__ = "working_summary"
    __table_args__ = (
        CheckConstraint("length(agent) <= 200", name="agent"),
        Index("ix_working_summary_user_id_expires_at", "user_id", "expires_at"),
    )

    user_id: Mapped[UserId]
    identity: Mapped[str] = mapped_column(primary_key=True)
    """That of the conversation, whether anything of it is filed or not."""
    agent: Mapped[str] = mapped_column(primary_key=True)
    """Whose history it is of; "" where no agent is named."""
    summary: Mapped[str]
    """Without secrets; "" as long as nothing is summed up."""
    covered: Mapped[int] = mapped_column(Integer)
    """How many messages of the history it stands for, from the beginning."""
    stays: Mapped[list[int]] = mapped_column(ARRAY(Integer))
    """The places of those among them that are sent all the same."""
    digest: Mapped[bytes | None] = mapped_column(BYTEA)
    """Of these messages, under the palace's key: of another history it stands for nothing."""
    covers: Mapped[list[bytes]] = mapped_column(ARRAY(BYTEA))
    """Of each of them, under the key: it goes with the drawer that says the same."""
    failures: Mapped[int] = mapped_column(Integer)
    """How many times in a row it could not be renewed."""
    tried: Mapped[int] = mapped_column(Integer)
    """How long the history was when it last could not be."""
    model: Mapped[str | None]
    """The language model that wrote it."""
    revision: Mapped[int] = mapped_column(BigInteger)
    """Counts who renewed it: only the last to begin writes what came of it."""
    claimed_until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    """Until then somebody is renewing it, and nobody else does."""
    made_at: Mapped[CreatedAt]
    expires_at: Mapped[Moment]


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
        reference("drawer_id", "drawer"),
        Index("ix_injection_citation_user_id_drawer_id", "user_id", "drawer_id"),
    )

    user_id: Mapped[UserId]
    key: Mapped[bytes] = mapped_column(BYTEA, primary_key=True)
    drawer_id: Mapped[int] = mapped_column(primary_key=True)
