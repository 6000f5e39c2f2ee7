"""The graph: names and claims read from drawers, entities, and relations folded from the claims."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TSTZRANGE, ExcludeConstraint

from palace.db.tables.base import MOMENT, Base, column, optional, own_id, owner_id, reference, time_of_insert

TYPES = "type IN ('person', 'place', 'organisation', 'event', 'item', 'project', 'time', 'unknown')"
VALID = "tstzrange(valid_from, valid_to)"
BEGUN = sa.text("(CASE WHEN valid_from IS NULL THEN '-infinity'::timestamptz ELSE valid_from END)")
"""When a relation began, with an unknown beginning before all others. CASE, not coalesce: under row-level security
Postgres uses an index only for leakproof expressions."""


class Entity(Base):
    """A person or thing that drawers name; rebuilt from its names, under the same key."""

    __tablename__ = "entity"
    __table_args__ = (sa.UniqueConstraint("user_id", "key"), sa.CheckConstraint(TYPES, name="type"))

    user_id = owner_id()
    id = own_id()
    key = column(sa.Text)
    """Key for rebuilding it: its fullest name, folded."""
    name = column(sa.Text)
    type = column(sa.Text)
    is_named = column(sa.Boolean)
    """False if it is only called by a noun."""
    kinds = optional(ARRAY(sa.Text))
    """General words for it, most specific first; empty, or null in older rows, if none were determined."""


class Alias(Base):
    """A name as one conversation uses it, and the entity it was resolved to."""

    __tablename__ = "alias"
    __table_args__ = (
        reference("conversation_id", "conversation"),
        reference("entity_id", "entity", "SET NULL (entity_id)"),
        sa.Index("ix_alias_user_id_entity_id", "user_id", "entity_id"),
        sa.Index("ix_alias_user_id_folded", "user_id", "folded", "entity_id"),
        sa.Index("ix_alias_user_id_family", "user_id", "family"),
        sa.Index(
            "ix_alias_user_id_conversation_id_unread",
            "user_id",
            "conversation_id",
            postgresql_where=sa.text("kinds IS NULL"),
        ),
        sa.CheckConstraint(TYPES, name="type"),
    )

    user_id = owner_id()
    conversation_id = column(sa.BigInteger, primary_key=True)
    folded = column(sa.Text, primary_key=True)
    """The name without case, accents and surplus spaces."""
    name = column(sa.Text)
    """Its most frequent spelling there."""
    type = column(sa.Text)
    is_named = column(sa.Boolean)
    count = column(sa.Integer)
    family = column(sa.Text)
    """Names of one family are resolved together: those with the same first word, folded."""
    entity_id = optional(sa.BigInteger)
    kinds = optional(ARRAY(sa.Text))
    """General words for it in the conversation, most specific first; null if not determined yet."""


class Mention(Base):
    """The span of a name in a drawer."""

    __tablename__ = "mention"
    __table_args__ = (
        reference("drawer_id", "drawer"),
        sa.ForeignKeyConstraint(
            ["user_id", "conversation_id", "folded"],
            ["alias.user_id", "alias.conversation_id", "alias.folded"],
            ondelete="CASCADE",
        ),
        sa.Index("ix_mention_user_id_conversation_id_folded", "user_id", "conversation_id", "folded"),
        sa.CheckConstraint("char_start >= 0 AND char_end > char_start", name="span"),
    )

    user_id = owner_id()
    drawer_id = column(sa.BigInteger, primary_key=True)
    char_start = column(sa.Integer, primary_key=True)
    char_end = column(sa.Integer, primary_key=True)
    conversation_id = column(sa.BigInteger)
    folded = column(sa.Text)


class KnownName(Base):
    """A name, known from any conversation, that a drawer contains without having it as a mention."""

    __tablename__ = "known_name"
    __table_args__ = (
        reference("drawer_id", "drawer"),
        sa.Index("ix_known_name_user_id_folded", "user_id", "folded"),
    )

    user_id = owner_id()
    drawer_id = column(sa.BigInteger, primary_key=True)
    folded = column(sa.Text, primary_key=True)
    """It is tied to no entity: the aliases at the time of reading decide whose name it is."""


class Assertion(Base):
    """One dated claim read from one drawer."""

    __tablename__ = "assertion"
    __table_args__ = (
        reference("drawer_id", "drawer"),
        sa.ForeignKeyConstraint(
            ["user_id", "conversation_id", "subject"],
            ["alias.user_id", "alias.conversation_id", "alias.folded"],
            ondelete="CASCADE",
        ),
        reference("superseded_by", "drawer", "SET NULL (superseded_by)"),
        sa.Index("ix_assertion_user_id_drawer_id", "user_id", "drawer_id"),
        sa.Index("ix_assertion_user_id_conversation_id_subject", "user_id", "conversation_id", "subject", "predicate"),
        sa.Index(
            "ix_assertion_user_id_superseded_by",
            "user_id",
            "superseded_by",
            postgresql_where=sa.text("superseded_by IS NOT NULL"),
        ),
        sa.CheckConstraint(
            "action IN ('holds', 'begins', 'ends', 'was', 'happens', 'corrects', 'denies')", name="action"
        ),
    )

    user_id = owner_id()
    id = own_id()
    drawer_id = column(sa.BigInteger)
    conversation_id = column(sa.BigInteger)
    ordinal = column(sa.SmallInteger)
    """Index among the claims of its drawer, from 0."""
    subject = column(sa.Text)
    """The subject's folded name, as in its alias."""
    predicate = column(sa.Text)
    object = column(sa.Text)
    """As written in the drawer."""
    object_folded = optional(sa.Text)
    """The object's folded name; null for a value."""
    action = column(sa.Text)
    char_start = column(sa.Integer)
    char_end = column(sa.Integer)
    """The clause that it was read from."""
    valid_from = optional(sa.Date)
    from_precision = optional(sa.Text)
    valid_to = optional(sa.Date)
    to_precision = optional(sa.Text)
    until = optional(MOMENT)
    """When it stopped holding, as of the last folding; null while it holds."""
    superseded_by = optional(sa.BigInteger)
    """The drawer that says what holds instead."""


class Relation(Base):
    """Subject, predicate and object with the times for which it is valid and believed; folded, never edited."""

    __tablename__ = "relation"
    __table_args__ = (
        reference("subject_id", "entity"),
        reference("object_id", "entity", "SET NULL (object_id)"),
        sa.UniqueConstraint("user_id", "subject_id", "predicate", "ordinal"),
        sa.Index("ix_relation_user_id_begun", "user_id", BEGUN),
        sa.Index("ix_relation_user_id_subject_id_begun", "user_id", "subject_id", BEGUN),
        sa.Index(
            "ix_relation_user_id_object_id", "user_id", "object_id", postgresql_where=sa.text("object_id IS NOT NULL")
        ),
        ExcludeConstraint(
            ("user_id", "="),
            ("subject_id", "="),
            ("predicate", "="),
            ("valid", "&&"),
            name="ex_relation_one_value_at_a_time",
            using="gist",
            where=sa.text("is_single AND superseded_at IS NULL"),
            deferrable=True,
            initially="DEFERRED",
        ),
        sa.CheckConstraint("valid_to IS NULL OR valid_from IS NULL OR valid_from <= valid_to", name="valid"),
        sa.CheckConstraint("superseded_at IS NULL OR recorded_at <= superseded_at", name="believed"),
    )

    user_id = owner_id()
    id = own_id()
    subject_id = column(sa.BigInteger)
    predicate = column(sa.Text)
    ordinal = column(sa.Integer)
    """Index among the relations of its subject and predicate, from 0."""
    object = column(sa.Text)
    object_id = optional(sa.BigInteger)
    is_single = column(sa.Boolean)
    """Whether its predicate has one value at a time."""
    valid_from = optional(MOMENT)
    from_precision = column(sa.Text)
    valid_to = optional(MOMENT)
    to_precision = optional(sa.Text)
    valid = column(TSTZRANGE, sa.Computed(VALID, persisted=True))
    """The range between the two; empty if it never held."""
    recorded_at = column(MOMENT)
    superseded_at = optional(MOMENT)
    """Null while it is believed."""


class Evidence(Base):
    """An assertion that supports or ends a relation."""

    __tablename__ = "evidence"
    __table_args__ = (
        reference("relation_id", "relation"),
        reference("assertion_id", "assertion"),
        sa.Index("ix_evidence_user_id_assertion_id", "user_id", "assertion_id"),
    )

    user_id = owner_id()
    relation_id = column(sa.BigInteger, primary_key=True)
    assertion_id = column(sa.BigInteger, primary_key=True)
    closes = column(sa.Boolean, primary_key=True)
    """Whether it ends the relation instead of supporting it."""


class EntityDecision(Base):
    """A user's decision on entities, by their names; it survives every rebuild."""

    __tablename__ = "entity_decision"
    __table_args__ = (sa.CheckConstraint("verb IN ('merge', 'split', 'rename')", name="verb"),)

    user_id = owner_id()
    id = own_id()
    verb = column(sa.Text)
    decided = column(JSONB)
    """The decision's folded names."""
    decided_at = time_of_insert()
    undone_at = optional(MOMENT)
