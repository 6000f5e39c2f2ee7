"""Drawers, the verbatim source of truth; passages, their indexed spans; and forgotten drawers that can be restored."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB, TSTZMULTIRANGE, TSVECTOR

from palace.db.tables.base import MOMENT, Base, column, optional, own_id, owner_id, reference, time_of_insert


class Drawer(Base):
    """One message or note, byte for byte."""

    __tablename__ = "drawer"
    __table_args__ = (
        sa.UniqueConstraint("user_id", "identity"),
        sa.UniqueConstraint("user_id", "room_id", "number"),
        reference("room_id", "room"),
        reference("conversation_id", "conversation"),
        # A plain SET NULL would null user_id as well. The three columns also rule out a closet of another room.
        sa.ForeignKeyConstraint(
            ["user_id", "room_id", "closet_id"],
            ["closet.user_id", "closet.room_id", "closet.id"],
            ondelete="SET NULL (closet_id)",
        ),
        reference("run_id", "mining_run", None),
        reference("replaced_run_id", "mining_run", None),
        reference("replaced_by", "drawer", "SET NULL (replaced_by)"),
        reference("answers", "drawer", "SET NULL (answers)"),
        # Few drawers are replaced or answer one; deleting a drawer looks for those that refer to it.
        sa.Index(
            "ix_drawer_user_id_replaced_by",
            "user_id",
            "replaced_by",
            postgresql_where=sa.text("replaced_by IS NOT NULL"),
        ),
        sa.Index("ix_drawer_user_id_answers", "user_id", "answers", postgresql_where=sa.text("answers IS NOT NULL")),
        sa.Index(
            "ix_drawer_user_id_replaced_run_id",
            "user_id",
            "replaced_run_id",
            postgresql_where=sa.text("replaced_run_id IS NOT NULL"),
        ),
        sa.Index("ix_drawer_user_id_conversation_id_position", "user_id", "conversation_id", "position"),
        sa.Index("ix_drawer_user_id_run_id", "user_id", "run_id"),
        # Finds what was said in a stretch of time without reading drawers.
        sa.Index(
            "ix_drawer_user_id_said_at",
            "user_id",
            "said_at",
            postgresql_include=["id", "room_id", "filed_at"],
        ),
        sa.Index(
            "ix_drawer_user_id_filed_at_redacted",
            "user_id",
            "filed_at",
            postgresql_where=sa.text("redacted IS NOT NULL"),
        ),
        sa.CheckConstraint("role IN ('user', 'assistant', 'system', 'tool')", name="role"),
        sa.CheckConstraint("(said IS NULL) = (redacted IS NULL)", name="redacted"),
    )

    user_id = owner_id()
    id = own_id()
    room_id = column(sa.BigInteger)
    number = column(sa.Integer)
    conversation_id = column(sa.BigInteger)
    closet_id = optional(sa.BigInteger)
    run_id = column(sa.BigInteger)
    identity = column(sa.LargeBinary)
    """Recognises the turn when its source is read again: 16 bytes, or 20 under the palace's key."""
    position = column(sa.Integer)
    """Index in the conversation, from 0; a revision shares it with the drawer it replaced."""
    role = column(sa.Text)
    speaker = optional(sa.Text)
    said_at = optional(MOMENT)
    content = column(sa.Text)
    is_revision = column(sa.Boolean, server_default=sa.false())
    is_repaired = column(sa.Boolean, server_default=sa.false())
    filed_at = column(MOMENT, server_default=sa.func.clock_timestamp())
    """From the clock, under the conversation's lock: it orders the runs that filed in one conversation."""
    spoken_of = optional(TSTZMULTIRANGE)
    """The times that a user's message speaks of, as wide as they may be meant; null where it speaks of none."""

    said_offset = optional(sa.SmallInteger)
    """Offset of the source's time from UTC, in minutes east; null where it named no zone."""
    reading = column(sa.SmallInteger, server_default="1")
    """The version of the readers that read it; 1 is that of Palace 0.1 and 0.2."""
    replaced_at = optional(MOMENT)
    """When its source was found to say something else, or nothing, in its place; null while it is current."""
    replaced_by = optional(sa.BigInteger)
    """The drawer that replaced it."""
    replaced_run_id = optional(sa.BigInteger)
    """The run that found it replaced; undoing the run takes that back."""
    answers = optional(sa.BigInteger)
    """The drawer it answers, where the source says so."""
    language = optional(sa.Text)
    """Detected or assumed language, as ISO 639-1, which selects the stemmer; null if unknown."""
    redacted = optional(JSONB)
    """How many secrets of each kind were removed from it; null where it is unchanged."""
    said = optional(sa.LargeBinary)
    """20 bytes: a hash of the original text, under the palace's key; null where it is unchanged."""


class Passage(Base):
    """A span of a drawer, stored with it, independent of any model; or one sentence of a user's message."""

    __tablename__ = "passage"
    __table_args__ = (
        reference("drawer_id", "drawer"),
        # A query reads the whole pending list; at the server's default of 4 MB that took most of its time.
        sa.Index(
            "ix_passage_user_id_tsv",
            "user_id",
            "tsv",
            postgresql_using="gin",
            postgresql_with={"gin_pending_list_limit": 256},
            postgresql_where=sa.text("tsv IS NOT NULL"),
        ),
        # Few passages are standing, and a query for them reads all.
        sa.Index("ix_passage_standing", "user_id", "drawer_id", "ordinal", postgresql_where=sa.text("is_standing")),
        sa.CheckConstraint("char_start >= 0 AND char_end > char_start", name="span"),
        sa.CheckConstraint("kind IN ('whole', 'keywords', 'sentence', 'tool')", name="kind"),
        sa.CheckConstraint("(tsv IS NULL) = (kind = 'sentence')", name="keywords"),
    )

    user_id = owner_id()
    drawer_id = column(sa.BigInteger, primary_key=True)
    ordinal = column(sa.Integer, primary_key=True)
    """From 0; sentences come after the passages that contain them."""
    char_start = column(sa.Integer)
    char_end = column(sa.Integer)
    """Offsets in code points: ``content[char_start:char_end]``."""
    kind = column(sa.Text)
    """What is indexed of it: a ``PassageKind``."""
    tsv = optional(TSVECTOR)
    """The text stemmed in the drawer's language (weight A), then as written (`palace_plain`, weight B), and without
    positions the parts of names and codes and the words of scripts without spaces. Null for a sentence, whose words its
    passage holds."""
    room_id = column(sa.BigInteger)
    """The drawer's room."""
    is_person = column(sa.Boolean)
    """Whether a user said it: the drawer's role is user."""
    is_standing = column(sa.Boolean, server_default=sa.false())
    """Whether it is a standing statement: an instruction, or what the user always, never or rather does. It has a
    vector."""


class HiddenDrawer(Base):
    """A forgotten drawer with all that is needed to restore it; only restoring and deleting read it."""

    __tablename__ = "hidden_drawer"
    __table_args__ = (sa.Index("ix_hidden_drawer_user_id_due_at", "user_id", "due_at"),)

    user_id = owner_id()
    identity = column(sa.LargeBinary, primary_key=True)
    wing_number = column(sa.Integer)
    room_number = column(sa.Integer)
    number = column(sa.Integer)
    hidden_at = time_of_insert()
    due_at = column(MOMENT)
    """From then on it is deleted with the user's next write."""
    parts = column(JSONB)
    """Its export lines, with those of its wing, room and conversation."""
