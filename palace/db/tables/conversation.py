"""What was mined: runs, and the conversations they read."""

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
    """What the person named: a path, "-" or "note"."""
    started_at: Mapped[CreatedAt]
    finished_at: Mapped[datetime | None]
    """Null while it runs, and for ever where it was killed."""
    drawer_count: Mapped[int] = mapped_column(Integer, server_default="0")
    undone_at: Mapped[datetime | None]


class RunBasis(Base):
    """That a run left turns out because an earlier run had filed them in another conversation."""

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
    """A conversation, known by its identity, never by its path."""

    __tablename__ = "conversation"
    __table_args__ = (
        UniqueConstraint("user_id", "identity"),
        reference("run_id", "mining_run", None),
        Index("ix_conversation_user_id_run_id", "user_id", "run_id"),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    identity: Mapped[str]
    """Reader and source id; where the source has no id, reader and a name made of its opening turn."""
    reader: Mapped[str]
    title: Mapped[str | None]
    run_id: Mapped[int]
    """The run that filed it first."""
    filed_at: Mapped[CreatedAt]


class StepState(Base):
    """How far a conversation is with one index step; one without a row waits for it."""

    __tablename__ = "index_step"
    __table_args__ = (reference("conversation_id", "conversation"),)

    user_id: Mapped[UserId]
    conversation_id: Mapped[int] = mapped_column(primary_key=True)
    step: Mapped[str] = mapped_column(primary_key=True)
    """Its name: "passages", "vectors", "topics"."""
    version: Mapped[int] = mapped_column(Integer, server_default="0")
    """The version that was done last; 0 where it is to be done."""
    attempts: Mapped[int] = mapped_column(Integer, server_default="0")
    """How often in a row it failed."""
    failure: Mapped[str | None]
    """What the last failure said, in one line."""
    failed_at: Mapped[datetime | None]
    done_at: Mapped[datetime | None]


class ExtractionReply(Base):
    """What a language model replied about a stretch of a conversation: names and claims that stand there."""

    __tablename__ = "extraction_reply"
    __table_args__ = (reference("conversation_id", "conversation"),)

    user_id: Mapped[UserId]
    conversation_id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    """32 bytes: of the model and the turns as it was shown them."""
    model: Mapped[str]
    prompt: Mapped[int] = mapped_column(Integer)
    """The version of what it was told to do."""
    drawers: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    """What it was shown; the reply goes with any of them."""
    reply: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """As far as it stood up to the drawers."""
    called_at: Mapped[CreatedAt]
    is_imported: Mapped[bool] = mapped_column(server_default=text("false"))
    """Whether a file brought it: what it is about was not shown to the model from here."""


class ConversationEdge(Base):
    """A line near the beginning or the end of a conversation without an id, by which that is found again."""

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
    """That a drawer was forgotten: its identity, no text; kept so that mining its source again does not file it."""

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
    """A rebuild of what is an index: what was made after its start need not be made again when it is resumed."""

    __tablename__ = "rebuild"
    __table_args__ = (reference("wing_id", "wing"),)

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    wing_id: Mapped[int | None]
    """Null for the whole palace."""
    started_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    finished_at: Mapped[datetime | None]
