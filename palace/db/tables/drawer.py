"""Drawers, the verbatim source of truth; passages, their indexed spans; and forgotten drawers that can be restored."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    DateTime,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    UniqueConstraint,
    false,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB, TSTZMULTIRANGE, TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from palace.db.tables.base import Base, CreatedAt, OwnId, UserId, reference


class Drawer(Base):
    """One message or note, byte for byte."""

    __tablename__ = "drawer"
    __table_args__ = (
        UniqueConstraint("user_id", "identity"),
        UniqueConstraint("user_id", "room_id", "number"),
        reference("room_id", "room"),
        reference("conversation_id", "conversation"),
        # A plain SET NULL would null user_id as well. The three columns also rule out a closet of another room.
        ForeignKeyConstraint(
            ["user_id", "room_id", "closet_id"],
            ["closet.user_id", "closet.room_id", "closet.id"],
            ondelete="SET NULL (closet_id)",
        ),
        reference("run_id", "mining_run", None),
        reference("replaced_run_id", "mining_run", None),
        reference("replaced_by", "drawer", "SET NULL (replaced_by)"),
        reference("answers", "drawer", "SET NULL (answers)"),
        # Few drawers are replaced or answer one; deleting a drawer looks for those that refer to it.
        Index(
            "ix_drawer_user_id_replaced_by",
            "user_id",
            "replaced_by",
            postgresql_where=text("replaced_by IS NOT NULL"),
        ),
        Index("ix_drawer_user_id_answers", "user_id", "answers", postgresql_where=text("answers IS NOT NULL")),
        Index(
            "ix_drawer_user_id_replaced_run_id",
            "user_id",
            "replaced_run_id",
            postgresql_where=text("replaced_run_id IS NOT NULL"),
        ),
        Index("ix_drawer_user_id_conversation_id_position", "user_id", "conversation_id", "position"),
        Index("ix_drawer_user_id_run_id", "user_id", "run_id"),
        # Finds what was said in a stretch of time without reading drawers.
        Index(
            "ix_drawer_user_id_said_at",
            "user_id",
            "said_at",
            postgresql_include=["id", "room_id", "filed_at"],
        ),
        Index(
            "ix_drawer_user_id_filed_at_redacted",
            "user_id",
            "filed_at",
            postgresql_where=text("redacted IS NOT NULL"),
        ),
        CheckConstraint("role IN ('user', 'assistant', 'system', 'tool')", name="role"),
        CheckConstraint("(said IS NULL) = (redacted IS NULL)", name="redacted"),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    room_id: Mapped[int]
    number: Mapped[int] = mapped_column(Integer)
    conversation_id: Mapped[int]
    closet_id: Mapped[int | None]
    run_id: Mapped[int]
    identity: Mapped[bytes] = mapped_column(LargeBinary)
    """Recognises the turn when its source is read again: 16 bytes, or 20 under the palace's key."""
    position: Mapped[int] = mapped_column(Integer)
    """Index in the conversation, from 0; a revision shares it with the drawer it replaced."""
    role: Mapped[str]
    speaker: Mapped[str | None]
    said_at: Mapped[datetime | None]
    content: Mapped[str]
    is_revision: Mapped[bool] = mapped_column(server_default=false())
    is_repaired: Mapped[bool] = mapped_column(server_default=false())
    filed_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    """From the clock, under the conversation's lock: it orders the runs that filed in one conversation."""
    spoken_of: Mapped[Any | None] = mapped_column(TSTZMULTIRANGE)
    """The times that a user's message speaks of, as wide as they may be meant; null where it speaks of none."""

    said_offset: Mapped[int | None] = mapped_column(SmallInteger)
    """Offset of the source's time from UTC, in minutes east; null where it named no zone."""
    reading: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    """The version of the readers that read it; 1 is that of Palace 0.1 and 0.2."""
    replaced_at: Mapped[datetime | None]
    """When its source was found to say something else, or nothing, in its place; null while it is current."""
    replaced_by: Mapped[int | None]
    """The drawer that replaced it."""
    replaced_run_id: Mapped[int | None]
    """The run that found it replaced; undoing the run takes that back."""
    answers: Mapped[int | None]
    """The drawer it answers, where the source says so."""
    language: Mapped[str | None]
    """Detected or assumed language, as ISO 639-1, which selects the stemmer; null if unknown."""
    redacted: Mapped[dict[str, int] | None] = mapped_column(JSONB)
    """How many secrets of each kind were removed from it; null where it is unchanged."""
    said: Mapped[bytes | None] = mapped_column(LargeBinary)
    """20 bytes: a hash of the original text, under the palace's key; null where it is unchanged."""


class Passage(Base):
    """A span of a drawer, stored with it, independent of any model; or one sentence of a user's message."""

    __tablename__ = "passage"
    __table_args__ = (
        reference("drawer_id", "drawer"),
        # A query reads the whole pending list; at the server's default of 4 MB that took most of its time.
        Index(
            "ix_passage_user_id_tsv",
            "user_id",
            "tsv",
            postgresql_using="gin",
            postgresql_with={"gin_pending_list_limit": 256},
            postgresql_where=text("tsv IS NOT NULL"),
        ),
        # Few passages are standing, and a query for them reads all.
        Index("ix_passage_standing", "user_id", "drawer_id", "ordinal", postgresql_where=text("is_standing")),
        CheckConstraint("char_start >= 0 AND char_end > char_start", name="span"),
        CheckConstraint("kind IN ('whole', 'keywords', 'sentence', 'tool')", name="kind"),
        CheckConstraint("(tsv IS NULL) = (kind = 'sentence')", name="keywords"),
    )

    user_id: Mapped[UserId]
    drawer_id: Mapped[int] = mapped_column(primary_key=True)
    ordinal: Mapped[int] = mapped_column(Integer, primary_key=True)
    """From 0; sentences come after the passages that contain them."""
    char_start: Mapped[int] = mapped_column(Integer)
    char_end: Mapped[int] = mapped_column(Integer)
    """Offsets in code points: ``content[char_start:char_end]``."""
    kind: Mapped[str]
    """What is indexed of it: a ``PassageKind``."""
    tsv: Mapped[str | None] = mapped_column(TSVECTOR)
    """The text stemmed in the drawer's language (weight A), then as written (`palace_plain`, weight B), and without
    positions the parts of names and codes and the words of scripts without spaces. Null for a sentence, whose words its
    passage holds."""
    room_id: Mapped[int]
    """The drawer's room."""
    is_person: Mapped[bool]
    """Whether a user said it: the drawer's role is user."""
    is_standing: Mapped[bool] = mapped_column(server_default=false())
    """Whether it is a standing statement: an instruction, or what the user always, never or rather does. It has a
    vector."""


class HiddenDrawer(Base):
    """A forgotten drawer with all that is needed to restore it; only restoring and deleting read it."""

    __tablename__ = "hidden_drawer"
    __table_args__ = (Index("ix_hidden_drawer_user_id_due_at", "user_id", "due_at"),)

    user_id: Mapped[UserId]
    identity: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    wing_number: Mapped[int] = mapped_column(Integer)
    room_number: Mapped[int] = mapped_column(Integer)
    number: Mapped[int] = mapped_column(Integer)
    hidden_at: Mapped[CreatedAt]
    due_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    """From then on it is deleted with the user's next write."""
    parts: Mapped[Any] = mapped_column(JSONB)
    """Its export lines, with those of its wing, room and conversation."""
