"""The schema as declared: columns, constraints, policies, functions; no behaviour."""

from __future__ import annotations

from palace.db.tables.access import ApiKey, AuditEntry, OAuthGrant, StoredAnswer, WebSession
from palace.db.tables.base import Base, aliased
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
from palace.db.tables.drawer import Drawer, HiddenDrawer, Passage
from palace.db.tables.embedding import EmbeddingGeneration, PassageEmbedding, UserGeneration
from palace.db.tables.graph import Alias, Assertion, Entity, EntityDecision, Evidence, KnownName, Mention, Relation
from palace.db.tables.memory import DrawerUse, Memory
from palace.db.tables.place import Closet, Project, ProjectWing, Room, RoomAlias, Wing, WingAlias
from palace.db.tables.user import (
    ActivityEvent,
    CostEntry,
    CountDelta,
    PalaceUser,
    ReviewMark,
    StoredSetting,
    SyncMark,
    SyncPeer,
    TermCount,
    TermDelta,
)
from palace.db.tables.work import WorkAction
from palace.db.tables.working import Injection, InjectionCitation, WorkingSummary
