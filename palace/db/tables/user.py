"""Users and their data besides drawers: settings, events, review marks, costs and counts."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import BYTEA, JSONB

from palace.db.tables.base import MOMENT, Base, column, optional, own_id, owner_id, reference, time_of_insert


class PalaceUser(Base):
    """A user; deleting the row deletes everything of theirs."""

    __tablename__ = "palace_user"
    __table_args__ = (sa.UniqueConstraint("name"),)

    id = column(sa.BigInteger, sa.Identity(), primary_key=True)
    name = column(sa.Text)
    wing_seq = column(sa.Integer, server_default="0")
    """The last wing number drawn; numbers are never reused."""
    palace_key = column(sa.Uuid, server_default=sa.func.gen_random_uuid())
    """Identifies the palace wherever it is kept: an export contains it, and an empty palace adopts it on import."""
    analysed_drawers = column(sa.Integer, server_default="0")
    """How many drawers the user had when the planner's statistics were last refreshed for them."""
    created_at = time_of_insert()


class StoredSetting(Base):
    """A stored setting; for others, the settings of the process apply."""

    __tablename__ = "setting"
    __table_args__ = (
        sa.CheckConstraint("length(agent) <= 200", name="agent"),
        sa.CheckConstraint("name ~ '^[a-z]+(_[a-z]+)*$'", name="name"),
    )

    user_id = owner_id()
    agent = column(sa.Text, primary_key=True)
    """"" for the user's own."""
    name = column(sa.Text, primary_key=True)
    value = column(JSONB)
    changed_at = time_of_insert()


class ActivityEvent(Base):
    """An event: what a run filed and what failed, or another change of the palace."""

    __tablename__ = "activity"
    __table_args__ = (
        sa.CheckConstraint("kind ~ '^[a-z]+(_[a-z]+)*$'", name="kind"),
        reference("run_id", "mining_run"),
        sa.Index("ix_activity_user_id_happened_at", "user_id", "happened_at"),
        sa.Index("ix_activity_user_id_run_id", "user_id", "run_id"),
    )

    user_id = owner_id()
    id = own_id()
    kind = column(sa.Text)
    """A kind such as "memory_mined"."""
    happened_at = time_of_insert()
    """When a run ended; for one that is running, or was killed, when it began."""
    run_id = optional(sa.BigInteger)
    details = column(JSONB, server_default=sa.text("'{}'::jsonb"))
    """Numbers of things filed or removed, and failures; no text of a drawer and no name."""


class ReviewMark(Base):
    """An item marked as seen in the review; only numbers, which may outlive the item."""

    __tablename__ = "review_mark"
    __table_args__ = (
        sa.CheckConstraint("kind IN ('filed', 'redacted', 'changed')", name="kind"),
        sa.Index("ix_review_mark_user_id_seen_at", "user_id", "seen_at"),
    )

    user_id = owner_id()
    kind = column(sa.Text, primary_key=True)
    item = column(sa.BigInteger, primary_key=True)
    """A run, or a drawer."""
    by = column(sa.BigInteger, primary_key=True)
    """For a change, the drawer that says what holds instead; otherwise 0."""
    seen_at = time_of_insert()


class SyncPeer(Base):
    """A machine or a shared folder that this palace is synchronised with."""

    __tablename__ = "sync_peer"
    __table_args__ = (sa.CheckConstraint("length(name) BETWEEN 1 AND 200 AND number >= 0", name="limits"),)

    user_id = owner_id()
    name = column(sa.Text, primary_key=True)
    number = column(sa.Integer, server_default="0")
    """The number of the last bundle of a machine that was read from a folder, or written to it; 1 for a paired
    palace."""
    synced_at = optional(MOMENT)
    """The time of the last complete sync; null for a single machine of a folder, or a paired palace."""


class SyncMark(Base):
    """A hash of something that need not be sent again. Without it, it is sent and recognised as known."""

    __tablename__ = "sync_mark"
    __table_args__ = (sa.CheckConstraint("length(purpose) <= 200", name="purpose"),)

    user_id = owner_id()
    purpose = column(sa.Text, primary_key=True)
    """"taken" for the state of a received conversation; "restored" for a restored drawer, whose digest begins with the
    time; "key" for the key of a palace from which something came; else the folder that a state was written to."""
    digest = column(BYTEA, primary_key=True)


LANGUAGE_COUNTED = "^language:[a-z]{2}$"
"""Name of the count of drawers in a language other than English."""


class CostEntry(Base):
    """One call to a paid model."""

    __tablename__ = "cost_entry"
    __table_args__ = (
        sa.ForeignKeyConstraint(
            ["user_id", "conversation_id"],
            ["conversation.user_id", "conversation.id"],
            ondelete="SET NULL (conversation_id)",
        ),
        sa.Index("ix_cost_entry_user_id_called_at", "user_id", "called_at"),
        sa.Index(
            "ix_cost_entry_user_id_conversation_id",
            "user_id",
            "conversation_id",
            postgresql_where=sa.text("conversation_id IS NOT NULL"),
        ),
    )

    user_id = owner_id()
    id = own_id()
    purpose = column(sa.Text)
    """A purpose such as "memory_embed"."""
    model = column(sa.Text)
    tokens = column(sa.BigInteger)
    cost_usd = column(sa.Numeric(18, 9))
    seconds = column(sa.Double)
    outcome = column(sa.Text)
    called_at = time_of_insert()
    conversation_id = optional(sa.BigInteger)
    """The conversation it was about; null if it was about several or none, or if that is forgotten."""
    source = optional(sa.Text)
    """The mined source, as the user named it; null if it was about none or several."""


class CountDelta(Base):
    """A change of a count, appended and summed up later, so that no two writers update the same row."""

    __tablename__ = "count_delta"
    __table_args__ = (
        sa.CheckConstraint(
            f"counted IN ('drawer', 'passage', 'sentence') OR counted ~ '{LANGUAGE_COUNTED}'", name="counted"
        ),
    )

    user_id = owner_id()
    id = own_id()
    counted = column(sa.Text, primary_key=True)
    amount = column(sa.BigInteger)


class TermCount(Base):
    """In how many of a user's passages a lexeme occurs, as of the last sum; passages of tools are not counted."""

    __tablename__ = "term_count"

    user_id = owner_id()
    lexeme = column(sa.Text, primary_key=True)
    passage_count = column(sa.Integer)


class TermDelta(Base):
    """Changes of many counts of lexemes, appended when passages are filed or removed, and summed up later."""

    __tablename__ = "term_delta"

    user_id = owner_id()
    id = own_id()
    lexemes = column(sa.ARRAY(sa.Text))
    amounts = column(sa.ARRAY(sa.Integer))
    """One for each lexeme; negative for removed passages."""
