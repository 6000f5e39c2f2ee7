"""Entities, relations and the assertions they are made of; views of the graph, and decisions about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from palace.models.claims import SELF, Action, Claim, EntityType, NamedSpan, Precision, Reading, Said, VagueDate
from palace.models.memory import Memory
from palace.models.place import Drawer, Pointer


@dataclass(frozen=True, slots=True)
class Alias:
    """A name as one conversation uses it."""

    conversation_id: int
    folded: str
    """Without case, accents and surplus spaces."""
    name: str
    """Its most frequent spelling there."""
    type: EntityType
    is_named: bool
    """False for a mere noun ("boat", "my sister")."""
    count: int
    """Number of occurrences."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A resolved entity, with the rows of aliases that belong to it."""

    key: str
    """Its folded name; the type is added if other entities have the same name ("austin|place")."""
    name: str
    """Its name as written."""
    type: EntityType
    is_named: bool
    members: tuple[tuple[int, str], ...]
    """Pairs (conversation_id, folded), in order. May be empty for the owner of the palace."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A person or thing that messages name."""

    id: int
    name: str
    type: EntityType
    kinds: tuple[str, ...] = ()
    """General words for it ("musical instrument"), the most specific first."""
    aliases: tuple[str, ...] = ()
    """Its other names, the most frequent first."""
    mention_count: int = 0
    first_said_at: datetime | None = None
    last_said_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Assertion:
    """One dated claim from one drawer, with resolved names; relations are folded from these."""

    id: int
    drawer_id: int
    learned_at: datetime
    """When the drawer was said, else when its conversation began, else when it was filed."""
    ordinal: int
    """Its index among the claims of its drawer."""
    object_key: str
    """Equal for equal objects: the key of an entity, or the words and digits of a value."""
    object: str
    """The object as worded in the drawer."""
    object_id: int | None
    """Id of the entity; None for a value."""
    action: Action
    valid_from: VagueDate | None = None
    valid_to: VagueDate | None = None
    position: int = 0
    """Its drawer's index in its conversation, which orders claims where the whole conversation has one time."""
    filed_at: datetime | None = None
    is_dated: bool = True
    """Whether the time of the drawer is known; False if ``learned_at`` is only the time of filing."""
    is_rejection: bool = False
    """Whether it is a person's correction of a misreading, so that nothing really ended."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Subject, predicate and object, with the time it was true and the time it was believed."""

    id: int
    subject: str
    subject_id: int
    """Id of the subject's entity."""
    predicate: str
    object: str
    """Name of the object's entity, else the value as worded."""
    object_id: int | None
    """None for a value."""
    valid_from: datetime | None
    """None where its beginning is unknown."""
    from_precision: Precision
    valid_to: datetime | None
    """The first moment at which it was no longer true; None while it is."""
    to_precision: Precision | None
    recorded_at: datetime
    """When it became known in this form."""
    superseded_at: datetime | None
    """When this form was replaced by another; None where it is the current one."""
    evidence: tuple[Pointer, ...]
    """Pointers of the drawers that state it, in order of time; never empty."""
    closed_by: tuple[Pointer, ...] = ()
    """Pointers of the drawers that say it ended or what replaced it; empty where the evidence itself does."""


@dataclass(frozen=True, slots=True)
class FoldedRelation:
    """One relation of a subject and a predicate, as it was believed for a while."""

    object_key: str
    object: str
    object_id: int | None
    valid_from: datetime | None
    """None where its beginning is unknown."""
    from_precision: Precision
    valid_to: datetime | None
    """The first moment at which it was no longer true; None while it is. Never before ``valid_from``."""
    to_precision: Precision | None
    recorded_at: datetime
    superseded_at: datetime | None
    """None in the form that is believed now."""
    evidence: tuple[int, ...]
    """Ids of the assertions that state it, in order of time."""
    closed_by: int | None = None
    """Id of the assertion that ended or replaced it."""


@dataclass(frozen=True, slots=True)
class Overtaken:
    """An assertion that is no longer true, and the one that replaced it."""

    assertion_id: int
    until: datetime
    """When it stopped being true; for one that never was, when that became known."""
    successor_id: int | None
    """Id of the assertion that says what is true instead; None where it only ended."""


class Standing(StrEnum):
    """Whether a relation is past, present or future at a given moment."""

    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """A relation with its time in words."""

    relation: Relation
    when: str
    """As precise as is known: "since May 2025", "until about 2019"; "" where nothing is known."""
    standing: Standing


@dataclass(frozen=True, slots=True)
class Timeline:
    """All relations of an entity as they are believed now, in order of time."""

    entity: Entity
    seen_from: datetime
    """The moment that "past" and "future" refer to."""
    entries: tuple[TimelineEntry, ...]
    """Entries without a known beginning are sorted by their end."""
    is_whole: bool = True
    """False where older entries were left out."""


@dataclass(frozen=True, slots=True)
class Member:
    """An entity, or a value of one, in the neighbourhood of another."""

    name: str
    type: EntityType | None
    """None for a value ("24V20Ah")."""
    hops: int
    """Distance in relations."""
    entity_id: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A relation between two members, which are given by their indices."""

    subject: int
    object: int
    relation: Relation
    when: str
    """Its time in words, as in a timeline."""
    standing: Standing = Standing.PRESENT
    """Relative to the requested moment."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The surroundings of an entity at a moment, up to so many relations away."""

    as_of: datetime
    hops: int
    members: tuple[Member, ...]
    """The entity itself, then the others by distance; at the same distance, in the order they were reached."""
    links: tuple[Link, ...]
    """Relations between the members, in the order they were reached."""
    left_out: int = 0
    """Number of further members that were reached but left out, at least."""


@dataclass(frozen=True, slots=True)
class ShownDrawer:
    """A drawer with its neighbours in the room, in order, and its relations as they are believed now."""

    drawer: Drawer
    before: tuple[Drawer, ...] = ()
    after: tuple[Drawer, ...] = ()
    says: tuple[TimelineEntry, ...] = ()
    """Relations that it states, in order of time."""
    ends: tuple[TimelineEntry, ...] = ()
    """Relations of other drawers that it ends."""
    memory: Memory | None = None
    """The memory that it states, with what it stands on; None for a message or a plain note."""


MOST_DECISIONS = 5_000
"""Decisions of one palace, at most: each is checked whenever its names are resolved."""


class DecisionVerb(StrEnum):
    """The kinds of decisions."""

    MERGE = "merge"
    """``name`` is the same entity as ``other``."""
    SPLIT = "split"
    """``name`` is not ``other``; with conversations, ``name`` in these is a separate entity called ``other``."""
    RENAME = "rename"
    """``name`` is shown as ``other``."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's decision about entities, which mining and rebuilding respect until it is undone."""

    id: int
    """Its number among the user's decisions, from 1."""
    verb: DecisionVerb
    name: str
    """The entity's name at the time; the entity is found by the folded name and the type."""
    type: EntityType
    other: str
    other_type: EntityType
    decided_at: datetime
    undone_at: datetime | None = None
    conversations: tuple[int, ...] = ()
    """Ids of the existing conversations of a split; empty where it applies to a name everywhere."""
    is_partial: bool = False
    """Whether it applies to some conversations only, even if none of them exists any more."""


@dataclass(frozen=True, slots=True)
class DecisionSummary:
    """The result of making or undoing a decision."""

    decision: Decision
    entities: tuple[Entity, ...]
    """The entities that it is about, as they are now."""


class Likeness(StrEnum):
    """Why two entities may be the same."""

    SHORT = "short"
    """One name may be short for the other, or is its last word."""
    SPELLING = "spelling"
    INITIALS = "initials"
    """One name consists of the other's initials."""
    MEANING = "meaning"
    """Their names are similar in meaning, by the embedding model."""


@dataclass(frozen=True, slots=True)
class Naming:
    """A message that names an entity."""

    pointer: Pointer
    text: str
    """Its text, cut around the name."""


@dataclass(frozen=True, slots=True)
class Doubtful:
    """Two entities that may be the same; only a person can decide."""

    one: Entity
    other: Entity
    likeness: Likeness
    one_said: Naming | None = None
    """The latest message that names the first; None if there is none."""
    other_said: Naming | None = None


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A stored reply of a language model, so that the same request is not sent again."""

    digest: bytes
    """Digest of the model's name and of the drawers as they were sent."""
    model: str
    prompt: int
    """Version of the prompt."""
    drawers: tuple[int, ...]
    """Ids of the drawers that were sent, in order."""
    reply: dict[str, Any]
    """The part of it that the drawers support."""
    is_imported: bool = False
    """Whether an import brought it: nothing was sent from here."""


@dataclass(frozen=True, slots=True)
class ExtractionEstimate:
    """The cost of extraction by a language model of all drawers that it has not read yet."""

    model: str
    wing: str | None
    """The wing that it is limited to; None for the whole palace."""
    conversations: int
    """Conversations with drawers to send."""
    calls: int
    drawers: int
    """Drawers to send."""
    tokens: int
    """Upper bound of tokens sent and received, estimated from the length of the requests."""
    cost_usd: Decimal
    """Upper bound, by litellm's prices; 0 where they do not list the model."""
    is_priced: bool
    """Whether litellm lists the price of the model."""
    tokens_left: int
    """Rest of today's budget in tokens; calls beyond it wait for another day."""
    cost_left_usd: Decimal
    """Rest of today's budget in money."""


@dataclass(frozen=True, slots=True)
class ExtractionSummary:
    """The result of extraction by a language model."""

    model: str
    wing: str | None
    """The wing that it was limited to; None for the whole palace."""
    conversations: int
    """Conversations that had drawers to send."""
    read: int
    """Batches of turns that the model read."""
    unread: int
    """Batches that were not read; calling again continues with them."""
    dropped: int
    """Names and claims in replies that do not occur in the turns they cite."""
    tokens: int
    cost_usd: Decimal
    seconds: float
    warnings: tuple[str, ...] = ()
