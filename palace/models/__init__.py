"""Values that travel between the parts of Palace, and how they are written as JSON and in an export."""

from __future__ import annotations

from palace.errors import CallRecord
from palace.models.about import About, AboutKind, AboutLine
from palace.models.activity import MINED, UNFINISHED, Activity
from palace.models.changes import (
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
from palace.models.claims import EntityType, Precision
from palace.models.compared import (
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
from palace.models.costs import (
    BackfillSummary,
    CallSubject,
    CostGrouping,
    CostLine,
    DailyBudget,
    FetchedModel,
    Generation,
    GenerationStatus,
    doubts,
)
from palace.models.graph import (
    Entity,
    Link,
    Member,
    Neighbourhood,
    Relation,
    ShownDrawer,
    Standing,
    Timeline,
    TimelineEntry,
)
from palace.models.health import Check, PalaceStatus, ServerStatus, StepStatus, Verdict
from palace.models.jobs import Job, JobCounts, JobState, ServiceFile, WorkSummary
from palace.models.mining import (
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
from palace.models.place import (
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
from palace.models.progress import OnProgress, Phase, Progress
from palace.models.projects import READERS_OF, HookHit, HookReason, Project, ProjectScope, ProjectWing, SourceKind
from palace.models.recall import (
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
from palace.models.recent import Recent, RecentItem, SaidDrawer, Why
from palace.models.review import ChangedFact, ReviewCounts, ReviewKey, ReviewKind
from palace.models.source import Conversation, Kinds, Role, Slicing, Turn
from palace.models.transfer import Backup, ExportSummary, ImportSummary, MovedPlace, PagesSummary, RestoreSummary
