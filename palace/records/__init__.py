"""The values that travel between packages: what readers give, what the store returns, what front ends show.

Frozen dataclasses without behaviour beyond plain derivations. Times are aware datetimes. Everything that leaves
the store is one of these, never a row object.
"""

from __future__ import annotations

from palace.records.backup import (
    Backup,
    RestoreSummary,
)
from palace.records.changes import (
    ForgetSummary,
    MoveSummary,
    Removal,
    RoomMove,
    Run,
    RunState,
    Target,
    TargetKind,
    UndoSummary,
)
from palace.records.costs import (
    BackfillSummary,
    CallRecord,
    CostLine,
    Generation,
    GenerationStatus,
    doubts,
)
from palace.records.health import (
    Check,
    PalaceStatus,
    ServerStatus,
    Verdict,
)
from palace.records.mining import (
    READING,
    CutDrawer,
    FiledTurn,
    KnownTurn,
    MessageIndex,
    MineProgress,
    MineSummary,
    NewDrawer,
    NewPassage,
    NewRoom,
    NoteVersion,
    RebuildSummary,
    RehearsedSource,
    Replacement,
    SourceFailure,
    Stretch,
    indexed_text,
)
from palace.records.place import (
    LARGEST_NUMBER,
    Closet,
    Drawer,
    PassageKey,
    Pointer,
    Room,
    ShownDrawer,
    Span,
    Wing,
    WingKind,
)
from palace.records.recall import (
    ArmScore,
    Candidate,
    Compared,
    Hit,
    Recollection,
    Scope,
)
from palace.records.source import (
    Conversation,
    Role,
    Slicing,
    Turn,
)
from palace.records.transfer import (
    ExportSummary,
    ImportSummary,
)

__all__ = [
    "LARGEST_NUMBER",
    "READING",
    "ArmScore",
    "BackfillSummary",
    "Backup",
    "CallRecord",
    "Candidate",
    "Check",
    "Closet",
    "Compared",
    "Conversation",
    "CostLine",
    "CutDrawer",
    "Drawer",
    "ExportSummary",
    "FiledTurn",
    "ForgetSummary",
    "Generation",
    "GenerationStatus",
    "Hit",
    "ImportSummary",
    "KnownTurn",
    "MessageIndex",
    "MineProgress",
    "MineSummary",
    "MoveSummary",
    "NewDrawer",
    "NewPassage",
    "NewRoom",
    "NoteVersion",
    "PalaceStatus",
    "PassageKey",
    "Pointer",
    "RebuildSummary",
    "Recollection",
    "RehearsedSource",
    "Removal",
    "Replacement",
    "RestoreSummary",
    "Role",
    "Room",
    "RoomMove",
    "Run",
    "RunState",
    "Scope",
    "ServerStatus",
    "ShownDrawer",
    "Slicing",
    "SourceFailure",
    "Span",
    "Stretch",
    "Target",
    "TargetKind",
    "Turn",
    "UndoSummary",
    "Verdict",
    "Wing",
    "WingKind",
    "doubts",
    "indexed_text",
]
