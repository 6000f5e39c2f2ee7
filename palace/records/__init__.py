"""The values that travel between packages: what readers give, what the store returns, what front ends show.

Frozen dataclasses without behaviour beyond plain derivations. Times are aware datetimes. Everything that leaves
the store is one of these, never a row object.
"""

from __future__ import annotations

from palace.records.activity import MINED, UNFINISHED, Activity
from palace.records.changes import (
    ForgetRequest,
    ForgetSummary,
    HiddenPlace,
    MoveSuggestion,
    MoveSummary,
    Removal,
    RoomMove,
    Run,
    RunState,
    ScrubSummary,
    StandingRoom,
    TakenBack,
    Target,
    TargetKind,
    UndoSummary,
)
from palace.records.compared import (
    BARE_QUESTION,
    FARTHEST_ANSWER,
    LONGEST_QUESTION,
    QUESTION_SIGNS,
    WISHES,
    Alike,
    Candidate,
    Compared,
    Scope,
    Statement,
)
from palace.records.costs import (
    BackfillSummary,
    CallRecord,
    CallSubject,
    CostGrouping,
    CostLine,
    DailyBudget,
    FetchedModel,
    Generation,
    GenerationStatus,
    doubts,
)
from palace.records.graph import (
    Entity,
    EntityType,
    Link,
    Member,
    Neighbourhood,
    Precision,
    Relation,
    ShownDrawer,
    Standing,
    Timeline,
    TimelineEntry,
)
from palace.records.health import (
    Check,
    PalaceStatus,
    ServerStatus,
    StepStatus,
    Verdict,
)
from palace.records.jobs import Job, JobCounts, JobState, ServiceFile, WorkSummary
from palace.records.mining import (
    PASSAGES,
    READING,
    VECTORS,
    CutDrawer,
    FiledTurn,
    KnownTurn,
    MessageIndex,
    MineSummary,
    NewDrawer,
    NewPassage,
    NewRoom,
    NoteVersion,
    PassageKind,
    RebuildSummary,
    RehearsedSource,
    Replacement,
    SecretsFound,
    SourceFailure,
    StepVersion,
    Stretch,
    in_usual_language,
    indexed_text,
)
from palace.records.place import (
    LARGEST_NUMBER,
    Calendar,
    CalendarSlot,
    CalendarUnit,
    Citation,
    Closet,
    Drawer,
    Ended,
    PalaceContents,
    PassageKey,
    Pointer,
    Room,
    RoomContents,
    RoomPointer,
    Span,
    Tag,
    TagKind,
    Wing,
    WingContents,
    WingKind,
    WingPointer,
)
from palace.records.progress import OnProgress, Phase, Progress
from palace.records.projects import READERS_OF, HookHit, HookReason, Project, ProjectScope, ProjectWing, SourceKind
from palace.records.recall import (
    ArmScore,
    Calibration,
    Confidence,
    Correction,
    Floor,
    FloorLevel,
    Hit,
    HitOrder,
    KeywordLimits,
    NamedLimits,
    PlaceKind,
    Recollection,
    ScanLimits,
    SignalPart,
    TimeAsked,
)
from palace.records.recent import Recent, RecentItem, SaidDrawer, Why
from palace.records.review import ChangedFact, ReviewCounts, ReviewKey, ReviewKind
from palace.records.source import (
    Conversation,
    Kinds,
    Role,
    Slicing,
    Turn,
)
from palace.records.transfer import Backup, ExportSummary, ImportSummary, MovedPlace, PagesSummary, RestoreSummary
