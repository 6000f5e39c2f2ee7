"""Mining: runs, and the conversations they read."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Index, Integer, LargeBinary, UniqueConstraint, func, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, CreatedAt, OwnId, UserId, reference


class MiningRun(Base):
    """One call of mine, or one note."""

    __tablename__ = "mining_run"

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    source: Mapped[str]
    """The source that the user named: a path, "-" or "note"."""
    started_at: Mapped[CreatedAt]
    finished_at: Mapped[datetime | None]
    """Null while it runs, and for good if it was killed."""
    drawer_count: Mapped[int] = mapped_column(Integer, server_default="0")
    undone_at: Mapped[datetime | None]


class RunBasis(Base):
    """A run skipped turns because an earlier run had filed them in another conversation."""

    __tablename__ = "run_basis"
    __table_args__ = (
        reference("run_id", "mining_run"),
        reference("basis_id", "mining_run"),
        Index("ix_run_basis_user_id_basis_id", "user_id", "basis_id"),
    )

    user_id: Mapped[UserId]
    run_id: Mapped[int] = mapped_column(primary_key=True)
    basis_id: Mapped[int] = mapped_column(primary_key=True)


class Conversation(Base):
    """A conversation, recognised by its identity, never by its path."""

    __tablename__ = "conversation"
    __table_args__ = (
        UniqueConstraint("user_id", "identity"),
        reference("run_id", "mining_run", None),
        Index("ix_conversation_user_id_run_id", "user_id", "run_id"),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    identity: Mapped[str]
    """Reader and source id; where the source has no id, reader and a name made from its opening turn."""
    reader: Mapped[str]
    title: Mapped[str | None]
    run_id: Mapped[int]
    """The run that filed it first."""
    filed_at: Mapped[CreatedAt]


class StepState(Base):
    """The state of a conversation in one index step; one without a row is pending."""

    __tablename__ = "index_step"
    __table_args__ = (reference("conversation_id", "conversation"),)

    user_id: Mapped[UserId]
    conversation_id: Mapped[int] = mapped_column(primary_key=True)
    step: Mapped[str] = mapped_column(primary_key=True)
    """Its name: "passages", "vectors", "topics"."""
    version: Mapped[int] = mapped_column(Integer, server_default="0")
    """The version that was done last; 0 if it is pending."""
    attempts: Mapped[int] = mapped_column(Integer, server_default="0")
    """Failures in a row."""
    failure: Mapped[str | None]
    """The last error message, one line."""
    failed_at: Mapped[datetime | None]
    done_at: Mapped[datetime | None]


class ExtractionReply(Base):
    """A language model's reply about a stretch of a conversation: its names and claims."""

    __tablename__ = "extraction_reply"
    __table_args__ = (reference("conversation_id", "conversation"),)

    user_id: Mapped[UserId]
    conversation_id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    """32 bytes, of the model and the turns as shown to it."""
    model: Mapped[str]
    prompt: Mapped[int] = mapped_column(Integer)
    """The version of the prompt."""
    drawers: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    """The drawers that the model was shown; the reply is deleted with any of them."""
    reply: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """The parts that were verified against the drawers."""
    called_at: Mapped[CreatedAt]
    is_imported: Mapped[bool] = mapped_column(server_default=text("false"))
    """Whether it was imported, so that this palace did not send the drawers to the model."""


class ConversationEdge(Base):
    """A line near the beginning or the end of a conversation without an id, which identifies it."""

    __tablename__ = "conversation_edge"
    __table_args__ = (
        reference("conversation_id", "conversation"),
        Index("ix_conversation_edge_user_id_line_hash", "user_id", "line_hash"),
    )

    user_id: Mapped[UserId]
    conversation_id: Mapped[int] = mapped_column(primary_key=True)
    line_hash: Mapped[int] = mapped_column(primary_key=True)
    """64 bits of a hash; no text."""


class Tombstone(Base):
    """A forgotten drawer's identity, without text, so that mining its source again does not file it."""

    __tablename__ = "tombstone"
    __table_args__ = (
        reference("conversation_id", "conversation"),
        reference("restored_by", "mining_run", None),
        Index("ix_tombstone_user_id_conversation_id", "user_id", "conversation_id"),
        Index("ix_tombstone_user_id_restored_by", "user_id", "restored_by"),
    )

    user_id: Mapped[UserId]
    identity: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    conversation_id: Mapped[int]
    position: Mapped[int] = mapped_column(Integer)
    forgotten_at: Mapped[CreatedAt]
    restored_by: Mapped[int | None]
    """The run that was told to file it again; the tombstone is in force while this is null."""


class Rebuild(Base):
    """A rebuild of derived data: what was made after its start is not made again when it is resumed."""

    __tablename__ = "rebuild"
    __table_args__ = (reference("wing_id", "wing"),)

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    wing_id: Mapped[int | None]
    """Null for the whole palace."""
    started_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    finished_at: Mapped[datetime | None]
