"""Entities and relations, what they are made of, and what is read from them or decided of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from palace.models.claims import SELF, Action, Claim, EntityType, NamedSpan, Precision, Reading, Said, VagueDate
from palace.models.place import Drawer, Pointer


@dataclass(frozen=True, slots=True)
class Alias:
    """A name as one conversation uses it."""

    conversation_id: int
    folded: str
    """Without case, accents and surplus spaces."""
    name: str
    """As it is written there most often."""
    type: EntityType
    is_named: bool
    """False of what is only called by its noun ("boat", "my sister")."""
    count: int
    """How often it stands there."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """An entity, and the rows of aliases that are its."""

    key: str
    """The folded name that it goes by; its sort is added where others go by the same ("austin|place")."""
    name: str
    """As it is written."""
    type: EntityType
    is_named: bool
    members: tuple[tuple[int, str], ...]
    """(conversation_id, folded), in order. Of the person themselves there may be none."""


@dataclass(frozen=True, slots=True)
class Entity:
    """Someone or something that messages name."""

    id: int
    name: str
    type: EntityType
    kinds: tuple[str, ...] = ()
    """General words for it ("musical instrument"), the most special first."""
    aliases: tuple[str, ...] = ()
    """Other names it goes by, the most frequent first."""
    mention_count: int = 0
    first_said_at: datetime | None = None
    last_said_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Assertion:
    """One dated claim read from one drawer, with its names resolved, as relations are folded from it."""

    id: int
    drawer_id: int
    learned_at: datetime
    """When the drawer was said, else when its conversation began; where neither is known, when it was filed."""
    ordinal: int
    """Its place among the claims of its drawer."""
    object_key: str
    """What is the same object is the same key: an entity's, or the words and digits of a value."""
    object: str
    """As it was said."""
    object_id: int | None
    """The entity it is, None for a value."""
    action: Action
    valid_from: VagueDate | None = None
    valid_to: VagueDate | None = None
    position: int = 0
    """Its drawer's place in its conversation, which tells what came first where a whole conversation has one time."""
    filed_at: datetime | None = None
    is_dated: bool = True
    """Whether it is known when it was said, and ``learned_at`` is not only when it was filed."""
    is_rejection: bool = False
    """Whether a person says by it that it was misread, so that nothing ended."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Subject, predicate and object with the time it was true, and the time it was believed."""

    id: int
    subject: str
    subject_id: int
    """The entity it is."""
    predicate: str
    object: str
    """The name of the entity it is, else the value as it was said."""
    object_id: int | None
    """None for a value."""
    valid_from: datetime | None
    """None where its beginning is not known."""
    from_precision: Precision
    valid_to: datetime | None
    """The first moment at which it was no longer so; None while it holds."""
    to_precision: Precision | None
    recorded_at: datetime
    """When it was learned in this form."""
    superseded_at: datetime | None
    """When something else was learned instead; None where it is believed still."""
    evidence: tuple[Pointer, ...]
    """Of the drawers it is read from, in order of telling; never empty."""
    closed_by: tuple[Pointer, ...] = ()
    """Of the drawers that say what came in its place, or that it is over; none where its own say so."""


@dataclass(frozen=True, slots=True)
class FoldedRelation:
    """One relation of a subject and a predicate as it was believed for a while."""

    object_key: str
    object: str
    object_id: int | None
    valid_from: datetime | None
    """None where its beginning is not known."""
    from_precision: Precision
    valid_to: datetime | None
    """The first moment at which it was no longer so; None while it holds. Never before ``valid_from``."""
    to_precision: Precision | None
    recorded_at: datetime
    superseded_at: datetime | None
    """None in what is believed now."""
    evidence: tuple[int, ...]
    """Assertions that say it, by id, in order of telling."""
    closed_by: int | None = None
    """The assertion that ended it: what came in its place, or said that it is over."""


@dataclass(frozen=True, slots=True)
class Overtaken:
    """An assertion that no longer holds, and what came in its place."""

    assertion_id: int
    until: datetime
    """When it stopped being so; of what never was, when that was learned."""
    successor_id: int | None
    """The assertion that says what holds instead; None where it only ended."""


class Standing(StrEnum):
    """Where a relation stands in time, seen from a moment."""

    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """A relation with its time in words."""

    relation: Relation
    when: str
    """As exactly as it is known: "since May 2025", "until about 2019"; "" where nothing of it is."""
    standing: Standing


@dataclass(frozen=True, slots=True)
class Timeline:
    """All relations of an entity as they are believed now, in order of time."""

    entity: Entity
    seen_from: datetime
    """What is past or still to come is so from here."""
    entries: tuple[TimelineEntry, ...]
    """What has no known beginning stands where it ended."""
    is_whole: bool = True
    """False where there are more, older ones."""


@dataclass(frozen=True, slots=True)
class Member:
    """An entity, or a value that one has, in the neighbourhood of another."""

    name: str
    type: EntityType | None
    """None of a value ("24V20Ah")."""
    hops: int
    """How many relations away it is."""
    entity_id: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A relation between two members, who are given by their places among these."""

    subject: int
    object: int
    relation: Relation
    when: str
    """In words, as in a timeline."""
    standing: Standing = Standing.PRESENT
    """Seen from the moment that is asked about."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What stands around an entity at a moment, so many relations far."""

    as_of: datetime
    hops: int
    members: tuple[Member, ...]
    """The entity itself, then the nearest first; of the same distance, in the order in which they were reached."""
    links: tuple[Link, ...]
    """Relations between them, in the order in which they were reached."""
    left_out: int = 0
    """How many more members were reached than are given, at least."""


@dataclass(frozen=True, slots=True)
class ShownDrawer:
    """A drawer with its neighbours in the room, in order, and what it says as it is believed now."""

    drawer: Drawer
    before: tuple[Drawer, ...] = ()
    after: tuple[Drawer, ...] = ()
    says: tuple[TimelineEntry, ...] = ()
    """Relations that it is evidence of, in order of time."""
    ends: tuple[TimelineEntry, ...] = ()
    """Relations of other drawers that it ends."""


MOST_DECISIONS = 5_000
"""Of one palace: each is looked at whenever the names it is about are resolved."""


class DecisionVerb(StrEnum):
    """What was decided."""

    MERGE = "merge"
    """``name`` is ``other``."""
    SPLIT = "split"
    """``name`` is not ``other``; where conversations are given, what ``name`` means in these is called ``other``."""
    RENAME = "rename"
    """``name`` is to be called ``other``."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision, which mining and rebuilding respect until it is undone."""

    id: int
    """Its number among the person's own, from 1."""
    verb: DecisionVerb
    name: str
    """As the entity was called when it was decided; which it is, is told by the name folded, and by the type."""
    type: EntityType
    other: str
    other_type: EntityType
    decided_at: datetime
    undone_at: datetime | None = None
    conversations: tuple[int, ...] = ()
    """Ids of those that a split is about, as far as they are there; empty where it is about a name everywhere."""
    is_partial: bool = False
    """Whether it is about some conversations only, or was, where none of them is there any more."""


@dataclass(frozen=True, slots=True)
class DecisionSummary:
    """What a decision, or taking it back, came to."""

    decision: Decision
    entities: tuple[Entity, ...]
    """Those that it is about, as they are now."""


class Likeness(StrEnum):
    """Why two entities may be one."""

    SHORT = "short"
    """The one's name may be short for the other's, or is its last word."""
    SPELLING = "spelling"
    INITIALS = "initials"
    """The one's name is made of the other's first letters."""
    MEANING = "meaning"
    """Their names mean something alike, by the embedding model."""


@dataclass(frozen=True, slots=True)
class Naming:
    """A message that names an entity."""

    pointer: Pointer
    text: str
    """What it says, cut around the name."""


@dataclass(frozen=True, slots=True)
class Doubtful:
    """Two entities that may be one; only a person can tell."""

    one: Entity
    other: Entity
    likeness: Likeness
    one_said: Naming | None = None
    """The latest message that names the one; None where none does."""
    other_said: Naming | None = None


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A reply that is kept, so that it need not be asked for again."""

    digest: bytes
    """Of the model and the turns as it was shown them."""
    model: str
    prompt: int
    """The version of what it was told to do."""
    drawers: tuple[int, ...]
    """What it was shown, in order."""
    reply: dict[str, Any]
    """What of it stood up to the drawers."""
    is_imported: bool = False
    """Whether a file brought it: nothing was sent from here."""


@dataclass(frozen=True, slots=True)
class ExtractionEstimate:
    """What it would take to have a language model read what it has not read yet."""

    model: str
    wing: str | None
    """The wing it is confined to; None for the whole palace."""
    conversations: int
    """Of which something would be sent."""
    calls: int
    drawers: int
    """That would be sent."""
    tokens: int
    """At most, sent and received together; reckoned from the length of what would be sent."""
    cost_usd: Decimal
    """At most, by litellm's prices; 0 where they do not list the model."""
    is_priced: bool
    """Whether they do."""
    tokens_left: int
    """Of today's budget; what goes beyond is for another day."""
    cost_left_usd: Decimal
    """The same in money."""


@dataclass(frozen=True, slots=True)
class ExtractionSummary:
    """What came of having a language model read what is filed."""

    model: str
    wing: str | None
    """The wing it was confined to; None for the whole palace."""
    conversations: int
    """Of which something was to be sent."""
    read: int
    """Stretches of turns that the model read."""
    unread: int
    """Stretches that it was to read and did not; the same call goes on with them."""
    dropped: int
    """Names and claims of its replies that do not stand in the turns they cite."""
    tokens: int
    cost_usd: Decimal
    seconds: float
    warnings: tuple[str, ...] = ()
