"""Drawers, the verbatim source of truth, their passages, the spans that are indexed, and what can be restored."""

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
        # The plain form would null user_id; and a closet of another room is refused here.
        ForeignKeyConstraint(
            ["user_id", "room_id", "closet_id"],
            ["closet.user_id", "closet.room_id", "closet.id"],
            ondelete="SET NULL (closet_id)",
        ),
        reference("run_id", "mining_run", None),
        reference("replaced_run_id", "mining_run", None),
        reference("replaced_by", "drawer", "SET NULL (replaced_by)"),
        reference("answers", "drawer", "SET NULL (answers)"),
        # Few drawers are replaced or answer one; deleting a drawer looks for those that cite it.
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
        # What is said in a stretch of time is found without reading a drawer.
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
    """What makes this turn the same turn when its source is read again: 16 bytes, or 20 under the palace's key."""
    position: Mapped[int] = mapped_column(Integer)
    """Place in the conversation, from 0; a revision shares it with what it replaced."""
    role: Mapped[str]
    speaker: Mapped[str | None]
    said_at: Mapped[datetime | None]
    content: Mapped[str]
    is_revision: Mapped[bool] = mapped_column(server_default=false())
    is_repaired: Mapped[bool] = mapped_column(server_default=false())
    filed_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    """Read from the clock under the conversation's lock: it orders the runs that filed in one conversation."""
    spoken_of: Mapped[Any | None] = mapped_column(TSTZMULTIRANGE)
    """The times that a message of the person speaks of, as wide as they may be meant; null where it speaks of none."""

    said_offset: Mapped[int | None] = mapped_column(SmallInteger)
    """Minutes east of UTC in which the source wrote the time; null where it named no zone."""
    reading: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    """Which version of the readers it was read by; 1 is that of Palace 0.1 and 0.2."""
    replaced_at: Mapped[datetime | None]
    """When its source was found to say something else in its place, or nothing; null while it stands."""
    replaced_by: Mapped[int | None]
    """The drawer that took its place."""
    replaced_run_id: Mapped[int | None]
    """The run that found it; undoing that takes it back."""
    answers: Mapped[int | None]
    """The drawer it answers, where the source says so."""
    language: Mapped[str | None]
    """What it is written in, or taken to be, as ISO 639-1: by whose dictionary its words are stemmed; null for none."""
    redacted: Mapped[dict[str, int] | None] = mapped_column(JSONB)
    """How many secrets of each kind were taken out of it; null where it stands as it was said."""
    said: Mapped[bytes | None] = mapped_column(LargeBinary)
    """20 bytes: a hash of what was said, under the palace's key; null where it stands as it was said."""


class Passage(Base):
    """A span of a drawer, written with it, independent of any model; or one sentence of what a person says."""

    __tablename__ = "passage"
    __table_args__ = (
        reference("drawer_id", "drawer"),
        # A query reads all that waits to be merged into the index; at the server's 4 MB that took most of its time.
        Index(
            "ix_passage_user_id_tsv",
            "user_id",
            "tsv",
            postgresql_using="gin",
            postgresql_with={"gin_pending_list_limit": 256},
            postgresql_where=text("tsv IS NOT NULL"),
        ),
        # Few of a user's passages are, and a task looks at all of them.
        Index("ix_passage_standing", "user_id", "drawer_id", "ordinal", postgresql_where=text("is_standing")),
        CheckConstraint("char_start >= 0 AND char_end > char_start", name="span"),
        CheckConstraint("kind IN ('whole', 'keywords', 'sentence', 'tool')", name="kind"),
        CheckConstraint("(tsv IS NULL) = (kind = 'sentence')", name="keywords"),
    )

    user_id: Mapped[UserId]
    drawer_id: Mapped[int] = mapped_column(primary_key=True)
    ordinal: Mapped[int] = mapped_column(Integer, primary_key=True)
    """From 0; sentences come after the passages that they are a part of."""
    char_start: Mapped[int] = mapped_column(Integer)
    char_end: Mapped[int] = mapped_column(Integer)
    """Code points, ``content[char_start:char_end]``."""
    kind: Mapped[str]
    """What of it is indexed: a ``PassageKind``."""
    tsv: Mapped[str | None] = mapped_column(TSVECTOR)
    """Content stemmed in the drawer's language (weight A), behind it as written (`palace_plain`, weight B), and without
    places the parts of names and codes and the runs of writing without spaces; null for a sentence, whose words its
    passage holds.
    """
    room_id: Mapped[int]
    """The drawer's."""
    is_person: Mapped[bool]
    """Whether a person said it: the drawer's role is user."""
    is_standing: Mapped[bool] = mapped_column(server_default=false())
    """It says what holds from then on: an instruction, or what the person always, never or rather does; it has a
    vector.
    """


class HiddenDrawer(Base):
    """A forgotten drawer with all that it takes to file it again; nothing reads it but what restores and deletes."""

    __tablename__ = "hidden_drawer"
    __table_args__ = (Index("ix_hidden_drawer_user_id_due_at", "user_id", "due_at"),)

    user_id: Mapped[UserId]
    identity: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    wing_number: Mapped[int] = mapped_column(Integer)
    room_number: Mapped[int] = mapped_column(Integer)
    number: Mapped[int] = mapped_column(Integer)
    hidden_at: Mapped[CreatedAt]
    due_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    """From then on it is deleted by whatever the user writes next."""
    parts: Mapped[Any] = mapped_column(JSONB)
    """Its lines as an export has them, with those of its wing, room and conversation."""
