"""The schema as declared: columns, constraints, policies, functions; no behaviour."""

from __future__ import annotations

from palace.tables.activity import ActivityEvent
from palace.tables.base import Base
from palace.tables.conversation import (
    Conversation,
    ConversationEdge,
    ExtractionReply,
    MiningRun,
    Rebuild,
    RunBasis,
    StepState,
    Tombstone,
)
from palace.tables.drawer import Drawer, Passage
from palace.tables.embedding import EmbeddingGeneration, PassageEmbedding, UserGeneration
from palace.tables.graph import Alias, Assertion, Entity, EntityDecision, Evidence, KnownName, Mention, Relation
from palace.tables.hidden import HiddenDrawer
from palace.tables.injection import Injection, InjectionCitation
from palace.tables.ledger import CostEntry, CountDelta
from palace.tables.place import Closet, Room, RoomAlias, Wing, WingAlias
from palace.tables.project import Project, ProjectWing
from palace.tables.review import ReviewMark
from palace.tables.setting import StoredSetting
from palace.tables.term import TermCount, TermDelta
from palace.tables.user import PalaceUser
from palace.tables.working import WorkingSummary

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
