"""Users and their data besides drawers: settings, events, review marks, costs and counts."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    DateTime,
    Double,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    Numeric,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, CreatedAt, OwnId, UserId, reference


class PalaceUser(Base):
    """A user; deleting the row deletes everything of theirs."""

    __tablename__ = "palace_user"
    __table_args__ = (UniqueConstraint("name"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    name: Mapped[str]
    wing_seq: Mapped[int] = mapped_column(Integer, server_default="0")
    """The last wing number drawn; numbers are never reused."""
    palace_key: Mapped[UUID] = mapped_column(server_default=func.gen_random_uuid())
    """Identifies the palace wherever it is kept: an export contains it, and an empty palace adopts it on import."""
    analysed_drawers: Mapped[int] = mapped_column(Integer, server_default="0")
    """How many drawers the user had when the planner's statistics were last refreshed for them."""
    created_at: Mapped[CreatedAt]


class StoredSetting(Base):
    """A stored setting; for others, the settings of the process apply."""

    __tablename__ = "setting"
    __table_args__ = (
        CheckConstraint("length(agent) <= 200", name="agent"),
        CheckConstraint("name ~ '^[a-z]+(_[a-z]+)*$'", name="name"),
    )

    user_id: Mapped[UserId]
    agent: Mapped[str] = mapped_column(primary_key=True)
    """"" for the user's own."""
    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[Any] = mapped_column(JSONB)
    changed_at: Mapped[CreatedAt]


class ActivityEvent(Base):
    """An event: what a run filed and what failed, or another change of the palace."""

    __tablename__ = "activity"
    __table_args__ = (
        CheckConstraint("kind ~ '^[a-z]+(_[a-z]+)*$'", name="kind"),
        reference("run_id", "mining_run"),
        Index("ix_activity_user_id_happened_at", "user_id", "happened_at"),
        Index("ix_activity_user_id_run_id", "user_id", "run_id"),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    kind: Mapped[str]
    """A kind such as "memory_mined"."""
    happened_at: Mapped[CreatedAt]
    """When a run ended; for one that is running, or was killed, when it began."""
    run_id: Mapped[int | None]
    details: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'::jsonb"))
    """Numbers of things filed or removed, and failures; no text of a drawer and no name."""


class ReviewMark(Base):
    """An item marked as seen in the review; only numbers, which may outlive the item."""

    __tablename__ = "review_mark"
    __table_args__ = (
        CheckConstraint("kind IN ('filed', 'redacted', 'changed')", name="kind"),
        Index("ix_review_mark_user_id_seen_at", "user_id", "seen_at"),
    )

    user_id: Mapped[UserId]
    kind: Mapped[str] = mapped_column(primary_key=True)
    item: Mapped[int] = mapped_column(primary_key=True)
    """A run, or a drawer."""
    by: Mapped[int] = mapped_column(primary_key=True)
    """For a change, the drawer that says what holds instead; otherwise 0."""
    seen_at: Mapped[CreatedAt]


LANGUAGE_COUNTED = "^language:[a-z]{2}$"
"""Name of the count of drawers in a language other than English."""


class CostEntry(Base):
    """One call to a paid model."""

    __tablename__ = "cost_entry"
    __table_args__ = (
        ForeignKeyConstraint(
            ["user_id", "conversation_id"],
            ["conversation.user_id", "conversation.id"],
            ondelete="SET NULL (conversation_id)",
        ),
        Index("ix_cost_entry_user_id_called_at", "user_id", "called_at"),
        Index(
            "ix_cost_entry_user_id_conversation_id",
            "user_id",
            "conversation_id",
            postgresql_where=text("conversation_id IS NOT NULL"),
        ),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    purpose: Mapped[str]
    """A purpose such as "memory_embed"."""
    model: Mapped[str]
    tokens: Mapped[int] = mapped_column(BigInteger)
    cost_usd: Mapped[Decimal] = mapped_column(Numeric(18, 9))
    seconds: Mapped[float] = mapped_column(Double)
    outcome: Mapped[str]
    called_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())
    conversation_id: Mapped[int | None]
    """The conversation it was about; null if it was about several or none, or if that is forgotten."""
    source: Mapped[str | None]
    """The mined source, as the user named it; null if it was about none or several."""


class CountDelta(Base):
    """A change of a count, appended and summed up later, so that no two writers update the same row."""

    __tablename__ = "count_delta"
    __table_args__ = (
        CheckConstraint(
            f"counted IN ('drawer', 'passage', 'sentence') OR counted ~ '{LANGUAGE_COUNTED}'", name="counted"
        ),
    )

    user_id: Mapped[UserId]
    counted: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[OwnId]
    amount: Mapped[int] = mapped_column(BigInteger)


class TermCount(Base):
    """In how many of a user's passages a lexeme occurs, as of the last sum; passages of tools are not counted."""

    __tablename__ = "term_count"

    user_id: Mapped[UserId]
    lexeme: Mapped[str] = mapped_column(primary_key=True)
    passage_count: Mapped[int] = mapped_column(Integer)


class TermDelta(Base):
    """Changes of many counts of lexemes, appended when passages are filed or removed, and summed up later."""

    __tablename__ = "term_delta"

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    lexemes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    amounts: Mapped[list[int]] = mapped_column(ARRAY(Integer))
    """One for each lexeme; negative for removed passages."""
