"""The schema as declared: columns, constraints, policies, functions; no behaviour."""

from __future__ import annotations

from palace.db.tables.activity import ActivityEvent
from palace.db.tables.base import Base
from palace.db.tables.conversation import (
    Conversation,
    ConversationEdge,
    ExtractionReply,
    MiningRun,
    Rebuild,
    RunBasis,
    StepState,
    Tombstone,
)
from palace.db.tables.drawer import Drawer, Passage
from palace.db.tables.embedding import EmbeddingGeneration, PassageEmbedding, UserGeneration
from palace.db.tables.graph import Alias, Assertion, Entity, EntityDecision, Evidence, KnownName, Mention, Relation
from palace.db.tables.hidden import HiddenDrawer
from palace.db.tables.injection import Injection, InjectionCitation
from palace.db.tables.ledger import CostEntry, CountDelta
from palace.db.tables.place import Closet, Room, RoomAlias, Wing, WingAlias
from palace.db.tables.project import Project, ProjectWing
from palace.db.tables.review import ReviewMark
from palace.db.tables.setting import StoredSetting
from palace.db.tables.term import TermCount, TermDelta
from palace.db.tables.user import PalaceUser
from palace.db.tables.working import WorkingSummary

__all__ = [
    "ActivityEvent",
    "Alias",
    "Assertion",
    "Base",
    "Closet",
    "Conversation",
    "ConversationEdge",
    "CostEntry",
    "CountDelta",
    "Drawer",
    "EmbeddingGeneration",
    "Entity",
    "EntityDecision",
    "Evidence",
    "ExtractionReply",
    "HiddenDrawer",
    "Injection",
    "InjectionCitation",
    "KnownName",
    "Mention",
    "MiningRun",
    "PalaceUser",
    "Passage",
    "PassageEmbedding",
    "Project",
    "ProjectWing",
    "Rebuild",
    "Relation",
    "ReviewMark",
    "Room",
    "RoomAlias",
    "RunBasis",
    "StepState",
    "StoredSetting",
    "TermCount",
    "TermDelta",
    "Tombstone",
    "UserGeneration",
    "Wing",
    "WingAlias",
    "WorkingSummary",
]
