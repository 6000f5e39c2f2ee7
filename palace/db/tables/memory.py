"""Memories: what is known of a drawer that states a memory; and how often drawers were put into requests."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA

from palace.db.tables.base import MOMENT, Base, column, optional, owner_id, reference, time_of_insert


class Memory(Base):
    """A drawer that states a memory: its type, its life, and the drawers that it stands on."""

    __tablename__ = "memory"
    __table_args__ = (
        reference("drawer_id", "drawer"),
        sa.CheckConstraint("type IN ('semantic', 'procedural', 'episodic', 'reflective', 'instruction')", name="type"),
        sa.CheckConstraint("state IN ('proposed', 'accepted', 'rejected')", name="state"),
        sa.CheckConstraint("origin IN ('person', 'assistant', 'tool')", name="origin"),
        sa.CheckConstraint("maker IN ('person', 'rule', 'model', 'agent')", name="maker"),
        sa.CheckConstraint("importance BETWEEN 0 AND 1 AND confidence BETWEEN 0 AND 1", name="shares"),
    )

    user_id = owner_id()
    drawer_id = column(sa.BigInteger, primary_key=True)
    type = column(sa.Text)
    state = column(sa.Text)
    """Recall returns accepted ones alone."""
    origin = column(sa.Text)
    """Who said what it stands on; of several the least trusted."""
    maker = column(sa.Text)
    importance = column(sa.Double)
    confidence = column(sa.Double)
    is_pinned = column(sa.Boolean)
    reason = optional(sa.Text)
    evidence = column(ARRAY(BYTEA))
    """Identities of the drawers that it stands on: it is forgotten with any of them."""
    alike = column(ARRAY(BYTEA))
    """Identities of memories that say something similar."""
    contradicts = column(ARRAY(BYTEA))
    """Identities of memories that say otherwise."""
    expires_at = optional(MOMENT)
    updated_at = column(MOMENT, server_default=sa.func.now())


class DrawerUse(Base):
    """How often a drawer was put into requests, and what came of it."""

    __tablename__ = "drawer_use"
    __table_args__ = (reference("drawer_id", "drawer"),)

    user_id = owner_id()
    drawer_id = column(sa.BigInteger, primary_key=True)
    injected_count = column(sa.Integer, server_default="0")
    used_count = column(sa.Integer, server_default="0")
    """How often the reply used it."""
    corrected_count = column(sa.Integer, server_default="0")
    """How often the person said otherwise in the next messages."""
    used_at = time_of_insert()
    """When it was last put into a request."""
