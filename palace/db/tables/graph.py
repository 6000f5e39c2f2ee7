"""The graph: names and claims read from drawers, entities, and relations folded from the claims."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    Computed,
    Date,
    ForeignKeyConstraint,
    Index,
    Integer,
    SmallInteger,
    UniqueConstraint,
    column,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TSTZRANGE, ExcludeConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Text

from palace.db.tables.base import Base, CreatedAt, OwnId, UserId, reference

TYPES = "type IN ('person', 'place', 'organisation', 'event', 'item', 'project', 'time', 'unknown')"
VALID = "tstzrange(valid_from, valid_to)"
BEGUN = text("(CASE WHEN valid_from IS NULL THEN '-infinity'::timestamptz ELSE valid_from END)")
"""When a relation began, with an unknown beginning before all others. CASE, not coalesce: under row-level security
Postgres uses an index only for leakproof expressions."""


class Entity(Base):
    """A person or thing that drawers name; rebuilt from its names, under the same key."""

    __tablename__ = "entity"
    __table_args__ = (UniqueConstraint("user_id", "key"), CheckConstraint(TYPES, name="type"))

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    key: Mapped[str]
    """Key for rebuilding it: its fullest name, folded."""
    name: Mapped[str]
    type: Mapped[str]
    is_named: Mapped[bool]
    """False if it is only called by a noun."""
    kinds: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    """General words for it, most specific first; null if not determined yet."""


class Alias(Base):
    """A name as one conversation uses it, and the entity it was resolved to."""

    __tablename__ = "alias"
    __table_args__ = (
        reference("conversation_id", "conversation"),
        reference("entity_id", "entity", "SET NULL (entity_id)"),
        Index("ix_alias_user_id_entity_id", "user_id", "entity_id"),
        Index("ix_alias_user_id_folded", "user_id", "folded", "entity_id"),
        Index("ix_alias_user_id_family", "user_id", "family"),
        Index(
            "ix_alias_user_id_conversation_id_unread",
            "user_id",
            "conversation_id",
            postgresql_where=text("kinds IS NULL"),
        ),
        CheckConstraint(TYPES, name="type"),
    )

    user_id: Mapped[UserId]
    conversation_id: Mapped[int] = mapped_column(primary_key=True)
    folded: Mapped[str] = mapped_column(primary_key=True)
    """The name without case, accents and surplus spaces."""
    name: Mapped[str]
    """Its most frequent spelling there."""
    type: Mapped[str]
    is_named: Mapped[bool]
    count: Mapped[int] = mapped_column(Integer)
    family: Mapped[str]
    """Names of one family are resolved together: those with the same first word, folded."""
    entity_id: Mapped[int | None]
    kinds: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    """General words for it in the conversation, most specific first; null if not determined yet."""


class Mention(Base):
    """The span of a name in a drawer."""

    __tablename__ = "mention"
    __table_args__ = (
        reference("drawer_id", "drawer"),
        ForeignKeyConstraint(
            ["user_id", "conversation_id", "folded"],
            ["alias.user_id", "alias.conversation_id", "alias.folded"],
            ondelete="CASCADE",
        ),
        Index("ix_mention_user_id_conversation_id_folded", "user_id", "conversation_id", "folded"),
        CheckConstraint("char_start >= 0 AND char_end > char_start", name="span"),
    )

    user_id: Mapped[UserId]
    drawer_id: Mapped[int] = mapped_column(primary_key=True)
    char_start: Mapped[int] = mapped_column(Integer, primary_key=True)
    char_end: Mapped[int] = mapped_column(Integer, primary_key=True)
    conversation_id: Mapped[int]
    folded: Mapped[str]


class KnownName(Base):
    """A name, known from any conversation, that a drawer contains without having it as a mention."""

    __tablename__ = "known_name"
    __table_args__ = (
        reference("drawer_id", "drawer"),
        Index("ix_known_name_user_id_folded", "user_id", "folded"),
    )

    user_id: Mapped[UserId]
    drawer_id: Mapped[int] = mapped_column(primary_key=True)
    folded: Mapped[str] = mapped_column(primary_key=True)
    """It is tied to no entity: the aliases at the time of reading decide whose name it is."""


class Assertion(Base):
    """One dated claim read from one drawer."""

    __tablename__ = "assertion"
    __table_args__ = (
        reference("drawer_id", "drawer"),
        ForeignKeyConstraint(
            ["user_id", "conversation_id", "subject"],
            ["alias.user_id", "alias.conversation_id", "alias.folded"],
            ondelete="CASCADE",
        ),
        reference("superseded_by", "drawer", "SET NULL (superseded_by)"),
        Index("ix_assertion_user_id_drawer_id", "user_id", "drawer_id"),
        Index("ix_assertion_user_id_conversation_id_subject", "user_id", "conversation_id", "subject", "predicate"),
        Index(
            "ix_assertion_user_id_superseded_by",
            "user_id",
            "superseded_by",
            postgresql_where=text("superseded_by IS NOT NULL"),
        ),
        CheckConstraint("action IN ('holds', 'begins', 'ends', 'was', 'happens', 'corrects', 'denies')", name="action"),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    drawer_id: Mapped[int]
    conversation_id: Mapped[int]
    ordinal: Mapped[int] = mapped_column(SmallInteger)
    """Index among the claims of its drawer, from 0."""
    subject: Mapped[str]
    """The subject's folded name, as in its alias."""
    predicate: Mapped[str]
    object: Mapped[str]
    """As written in the drawer."""
    object_folded: Mapped[str | None]
    """The object's folded name; null for a value."""
    action: Mapped[str]
    char_start: Mapped[int] = mapped_column(Integer)
    char_end: Mapped[int] = mapped_column(Integer)
    """The clause that it was read from."""
    valid_from: Mapped[date | None] = mapped_column(Date)
    from_precision: Mapped[str | None]
    valid_to: Mapped[date | None] = mapped_column(Date)
    to_precision: Mapped[str | None]
    until: Mapped[datetime | None]
    """When it stopped holding, as of the last folding; null while it holds."""
    superseded_by: Mapped[int | None]
    """The drawer that says what holds instead."""


class Relation(Base):
    """Subject, predicate and object with the times for which it is valid and believed; folded, never edited."""

    __tablename__ = "relation"
    __table_args__ = (
        reference("subject_id", "entity"),
        reference("object_id", "entity", "SET NULL (object_id)"),
        UniqueConstraint("user_id", "subject_id", "predicate", "ordinal"),
        Index("ix_relation_user_id_begun", "user_id", BEGUN),
        Index("ix_relation_user_id_subject_id_begun", "user_id", "subject_id", BEGUN),
        Index("ix_relation_user_id_object_id", "user_id", "object_id", postgresql_where=text("object_id IS NOT NULL")),
        ExcludeConstraint(
            (column("user_id"), "="),
            (column("subject_id"), "="),
            (column("predicate"), "="),
            (column("valid"), "&&"),
            name="ex_relation_one_value_at_a_time",
            using="gist",
            where=text("is_single AND superseded_at IS NULL"),
            deferrable=True,
            initially="DEFERRED",
        ),
        CheckConstraint("valid_to IS NULL OR valid_from IS NULL OR valid_from <= valid_to", name="valid"),
        CheckConstraint("superseded_at IS NULL OR recorded_at <= superseded_at", name="believed"),
    )

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    subject_id: Mapped[int]
    predicate: Mapped[str]
    ordinal: Mapped[int] = mapped_column(Integer)
    """Index among the relations of its subject and predicate, from 0."""
    object: Mapped[str]
    object_id: Mapped[int | None]
    is_single: Mapped[bool]
    """Whether its predicate has one value at a time."""
    valid_from: Mapped[datetime | None]
    from_precision: Mapped[str]
    valid_to: Mapped[datetime | None]
    to_precision: Mapped[str | None]
    valid: Mapped[Any] = mapped_column(TSTZRANGE, Computed(VALID, persisted=True))
    """The range between the two; empty if it never held."""
    recorded_at: Mapped[datetime]
    superseded_at: Mapped[datetime | None]
    """Null while it is believed."""


class Evidence(Base):
    """An assertion that supports or ends a relation."""

    __tablename__ = "evidence"
    __table_args__ = (
        reference("relation_id", "relation"),
        reference("assertion_id", "assertion"),
        Index("ix_evidence_user_id_assertion_id", "user_id", "assertion_id"),
    )

    user_id: Mapped[UserId]
    relation_id: Mapped[int] = mapped_column(primary_key=True)
    assertion_id: Mapped[int] = mapped_column(primary_key=True)
    closes: Mapped[bool] = mapped_column(primary_key=True)
    """Whether it ends the relation instead of supporting it."""


class EntityDecision(Base):
    """A user's decision on entities, by their names; it survives every rebuild."""

    __tablename__ = "entity_decision"
    __table_args__ = (CheckConstraint("verb IN ('merge', 'split', 'rename')", name="verb"),)

    user_id: Mapped[UserId]
    id: Mapped[OwnId]
    verb: Mapped[str]
    decided: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """The decision's folded names."""
    decided_at: Mapped[CreatedAt]
    undone_at: Mapped[datetime | None]
