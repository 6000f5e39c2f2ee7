"""Embedding generations, and their embeddings."""

from __future__ import annotations

import sqlalchemy as sa
from pgvector.sqlalchemy import HALFVEC
from sqlalchemy.dialects.postgresql import BIT

from palace.db.tables.base import Base, column, optional, owner_id, time_of_insert


class EmbeddingGeneration(Base):
    """A model with its dimension, shared by all users of the palace."""

    __tablename__ = "embedding_generation"
    __table_args__ = (
        sa.UniqueConstraint("model", "dimension", "normalised"),
        sa.CheckConstraint("dimension BETWEEN 1 AND 4000", name="dimension"),
    )

    id = column(sa.Integer, sa.Identity(), primary_key=True)
    model = column(sa.Text)
    dimension = column(sa.Integer)
    normalised = column(sa.Boolean)
    created_at = time_of_insert()


class UserGeneration(Base):
    """The generations that a user writes to: the active one, used by recall, and one being filled beside it."""

    __tablename__ = "user_generation"
    __table_args__ = (
        sa.Index("uq_user_generation_active", "user_id", unique=True, postgresql_where=sa.text("state = 'active'")),
        sa.CheckConstraint("state IN ('active', 'filling')", name="state"),
    )

    user_id = owner_id()
    generation_id = column(sa.Integer, sa.ForeignKey("embedding_generation.id"), primary_key=True)
    state = column(sa.Text)


class PassageEmbedding(Base):
    """A passage's vector in one generation; null while it is pending."""

    __tablename__ = "passage_embedding"
    __table_args__ = (
        sa.ForeignKeyConstraint(
            ["user_id", "drawer_id", "ordinal"],
            ["passage.user_id", "passage.drawer_id", "passage.ordinal"],
            ondelete="CASCADE",
        ),
        sa.Index(
            "ix_passage_embedding_pending",
            "user_id",
            "generation_id",
            "drawer_id",
            "ordinal",
            postgresql_where=sa.text("embedding IS NULL"),
        ),
        # Narrow and sorted by user: scanning it takes a quarter of the time that scanning the vectors would.
        sa.Index(
            "ix_passage_embedding_code",
            "user_id",
            "generation_id",
            postgresql_include=["drawer_id", "ordinal", "code"],
            postgresql_where=sa.text("code IS NOT NULL"),
        ),
    )

    user_id = owner_id()
    drawer_id = column(sa.BigInteger, primary_key=True)
    ordinal = column(sa.Integer, primary_key=True)
    generation_id = column(sa.Integer, sa.ForeignKey("embedding_generation.id"), primary_key=True)
    embedding = optional(HALFVEC())
    """Without a dimension, so that generations of several share the table; stored inline if it fits a page."""
    code = optional(BIT(varying=True), sa.Computed("binary_quantize(embedding)", persisted=True))
    """The vector's signs, one bit a dimension; the number of differing bits approximates the distance of vectors."""
