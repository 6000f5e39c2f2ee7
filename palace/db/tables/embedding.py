"""Embedding generations, and their embeddings."""

from __future__ import annotations

from typing import Any

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    CheckConstraint,
    Computed,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import BIT
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, CreatedAt, UserId


class EmbeddingGeneration(Base):
    """A model with its dimension, shared by all users of the palace."""

    __tablename__ = "embedding_generation"
    __table_args__ = (
        UniqueConstraint("model", "dimension", "normalised"),
        CheckConstraint("dimension BETWEEN 1 AND 4000", name="dimension"),
    )

    id: Mapped[int] = mapped_column(Integer, Identity(), primary_key=True)
    model: Mapped[str]
    dimension: Mapped[int] = mapped_column(Integer)
    normalised: Mapped[bool]
    created_at: Mapped[CreatedAt]


class UserGeneration(Base):
    """The generations that a user writes to: the active one, used by recall, and one being filled beside it."""

    __tablename__ = "user_generation"
    __table_args__ = (
        Index("uq_user_generation_active", "user_id", unique=True, postgresql_where=text("state = 'active'")),
        CheckConstraint("state IN ('active', 'filling')", name="state"),
    )

    user_id: Mapped[UserId]
    generation_id: Mapped[int] = mapped_column(Integer, ForeignKey("embedding_generation.id"), primary_key=True)
    state: Mapped[str]


class PassageEmbedding(Base):
    """A passage's vector in one generation; null while it is pending."""

    __tablename__ = "passage_embedding"
    __table_args__ = (
        ForeignKeyConstraint(
            ["user_id", "drawer_id", "ordinal"],
            ["passage.user_id", "passage.drawer_id", "passage.ordinal"],
            ondelete="CASCADE",
        ),
        Index(
            "ix_passage_embedding_pending",
            "user_id",
            "generation_id",
            "drawer_id",
            "ordinal",
            postgresql_where=text("embedding IS NULL"),
        ),
        # Narrow and sorted by user: scanning it takes a quarter of the time that scanning the vectors would.
        Index(
            "ix_passage_embedding_code",
            "user_id",
            "generation_id",
            postgresql_include=["drawer_id", "ordinal", "code"],
            postgresql_where=text("code IS NOT NULL"),
        ),
    )

    user_id: Mapped[UserId]
    drawer_id: Mapped[int] = mapped_column(primary_key=True)
    ordinal: Mapped[int] = mapped_column(Integer, primary_key=True)
    generation_id: Mapped[int] = mapped_column(Integer, ForeignKey("embedding_generation.id"), primary_key=True)
    embedding: Mapped[Any | None] = mapped_column(HALFVEC())
    """Without a dimension, so that generations of several share the table; stored inline if it fits a page."""
    code: Mapped[Any | None] = mapped_column(
        BIT(varying=True), Computed("binary_quantize(embedding)", persisted=True), deferred=True
    )
    """The vector's signs, one bit a dimension; the number of differing bits approximates the distance of vectors."""
