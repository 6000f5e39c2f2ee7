"""Mining: runs, and the conversations they read."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from palace.db.tables.base import MOMENT, Base, column, optional, own_id, owner_id, reference, time_of_insert


class MiningRun(Base):
    """One call of mine, or one note."""

    __tablename__ = "mining_run"

    user_id = owner_id()
    id = own_id()
    source = column(sa.Text)
    """The source that the user named: a path, "-" or "note"."""
    started_at = time_of_insert()
    finished_at = optional(MOMENT)
    """Null while it runs, and for good if it was killed."""
    drawer_count = column(sa.Integer, server_default="0")
    undone_at = optional(MOMENT)


class RunBasis(Base):
    """A run skipped turns because an earlier run had filed them in another conversation."""

    __tablename__ = "run_basis"
    __table_args__ = (
        reference("run_id", "mining_run"),
        reference("basis_id", "mining_run"),
        sa.Index("ix_run_basis_user_id_basis_id", "user_id", "basis_id"),
    )

    user_id = owner_id()
    run_id = column(sa.BigInteger, primary_key=True)
    basis_id = column(sa.BigInteger, primary_key=True)


class Conversation(Base):
    """A conversation, recognised by its identity, never by its path."""

    __tablename__ = "conversation"
    __table_args__ = (
        sa.UniqueConstraint("user_id", "identity"),
        reference("run_id", "mining_run", None),
        sa.Index("ix_conversation_user_id_run_id", "user_id", "run_id"),
    )

    user_id = owner_id()
    id = own_id()
    identity = column(sa.Text)
    """Reader and source id; where the source has no id, reader and a name made from its opening turn."""
    reader = column(sa.Text)
    title = optional(sa.Text)
    run_id = column(sa.BigInteger)
    """The run that filed it first."""
    filed_at = time_of_insert()


class StepState(Base):
    """The state of a conversation in one index step; one without a row is pending."""

    __tablename__ = "index_step"
    __table_args__ = (reference("conversation_id", "conversation"),)

    user_id = owner_id()
    conversation_id = column(sa.BigInteger, primary_key=True)
    step = column(sa.Text, primary_key=True)
    """Its name: "passages", "vectors", "topics"."""
    version = column(sa.Integer, server_default="0")
    """The version that was done last; 0 if it is pending."""
    attempts = column(sa.Integer, server_default="0")
    """Failures in a row."""
    failure = optional(sa.Text)
    """The last error message, one line."""
    failed_at = optional(MOMENT)
    done_at = optional(MOMENT)


class ExtractionReply(Base):
    """A language model's reply about a stretch of a conversation: its names and claims."""

    __tablename__ = "extraction_reply"
    __table_args__ = (reference("conversation_id", "conversation"),)

    user_id = owner_id()
    conversation_id = column(sa.BigInteger, primary_key=True)
    digest = column(sa.LargeBinary, primary_key=True)
    """32 bytes, of the model and the turns as shown to it."""
    model = column(sa.Text)
    prompt = column(sa.Integer)
    """The version of the prompt."""
    drawers = column(ARRAY(sa.BigInteger))
    """The drawers that the model was shown; the reply is deleted with any of them."""
    reply = column(JSONB)
    """The parts that were verified against the drawers."""
    called_at = time_of_insert()
    is_imported = column(sa.Boolean, server_default=sa.text("false"))
    """Whether it was imported, so that this palace did not send the drawers to the model."""


class ConversationEdge(Base):
    """A line near the beginning or the end of a conversation without an id, which identifies it."""

    __tablename__ = "conversation_edge"
    __table_args__ = (
        reference("conversation_id", "conversation"),
        sa.Index("ix_conversation_edge_user_id_line_hash", "user_id", "line_hash"),
    )

    user_id = owner_id()
    conversation_id = column(sa.BigInteger, primary_key=True)
    line_hash = column(sa.BigInteger, primary_key=True)
    """64 bits of a hash; no text."""


class Tombstone(Base):
    """A forgotten drawer's identity, without text, so that mining its source again does not file it."""

    __tablename__ = "tombstone"
    __table_args__ = (
        reference("conversation_id", "conversation"),
        reference("restored_by", "mining_run", None),
        sa.Index("ix_tombstone_user_id_conversation_id", "user_id", "conversation_id"),
        sa.Index("ix_tombstone_user_id_restored_by", "user_id", "restored_by"),
    )

    user_id = owner_id()
    identity = column(sa.LargeBinary, primary_key=True)
    conversation_id = column(sa.BigInteger)
    position = column(sa.Integer)
    forgotten_at = time_of_insert()
    restored_by = optional(sa.BigInteger)
    """The run that was told to file it again; the tombstone is in force while this is null."""


class Rebuild(Base):
    """A rebuild of derived data: what was made after its start is not made again when it is resumed."""

    __tablename__ = "rebuild"
    __table_args__ = (reference("wing_id", "wing"),)

    user_id = owner_id()
    id = own_id()
    wing_id = optional(sa.BigInteger)
    """Null for the whole palace."""
    started_at = column(MOMENT, server_default=sa.func.clock_timestamp())
    finished_at = optional(MOMENT)
