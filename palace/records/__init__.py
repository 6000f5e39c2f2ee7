"""The values that travel between packages: what readers give, what the store returns, what front ends show.

Frozen dataclasses without behaviour beyond plain derivations. Times are aware datetimes. Everything that leaves
the store is one of these, never a row object.
"""

from __future__ import annotations

from palace.records.costs import (
    BackfillSummary,
    CallRecord,
    CostLine,
    Generation,
    GenerationStatus,
)
from palace.records.health import (
    Check,
    PalaceStatus,
    ServerStatus,
    Verdict,
)
from palace.records.mining import (
    FiledTurn,
    KnownTurn,
    MineProgress,
    MineSummary,
    NewDrawer,
    NewRoom,
    SourceFailure,
)
from palace.records.place import (
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

__all__ = [
    "ArmScore",
    "BackfillSummary",
    "CallRecord",
    "Candidate",
    "Check",
    "Closet",
    "Conversation",
    "CostLine",
    "Drawer",
    "FiledTurn",
    "Generation",
    "GenerationStatus",
    "Hit",
    "KnownTurn",
    "MineProgress",
    "MineSummary",
    "NewDrawer",
    "NewRoom",
    "PalaceStatus",
    "PassageKey",
    "Pointer",
    "Recollection",
    "Role",
    "Room",
    "Scope",
    "ServerStatus",
    "ShownDrawer",
    "Slicing",
    "SourceFailure",
    "Span",
    "Turn",
    "Verdict",
    "Wing",
    "WingKind",
]
