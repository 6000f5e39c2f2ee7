"""Palace: a Postgres-native long-term memory for people and agents.

Everything that a program names is here; docs/python.md says what it is for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from palace.administration import Administration
    from palace.cancellation import Cancellation
    from palace.codec.shapes import json_schema
    from palace.codec.values import json_value, to_json
    from palace.errors import (
        BadRequest,
        Cancelled,
        DatabaseRefused,
        DatabaseUnavailable,
        DataRefused,
        EmbeddedServerError,
        EmbeddingError,
        LanguageModelError,
        ModelError,
        NotFound,
        OutOfTime,
        PalaceError,
        SchemaMismatch,
        UnreadableSource,
        UserNotNamed,
    )
    from palace.palace import Palace
    from palace.palaces import Palaces
    from palace.recall.strategy import Strategy
    from palace.records import (
        ArmScore,
        BackfillSummary,
        Backup,
        CallRecord,
        Check,
        Closet,
        CostLine,
        Drawer,
        ExportSummary,
        FetchedModel,
        ForgetSummary,
        Generation,
        GenerationStatus,
        Hit,
        ImportSummary,
        MineSummary,
        MoveSummary,
        OnProgress,
        PalaceContents,
        PalaceStatus,
        Phase,
        Pointer,
        Progress,
        RebuildSummary,
        Recollection,
        RehearsedSource,
        Removal,
        RestoreSummary,
        Role,
        Room,
        RoomContents,
        RoomMove,
        Run,
        RunState,
        Scope,
        ServerStatus,
        ShownDrawer,
        SourceFailure,
        Span,
        StepStatus,
        Turn,
        UndoSummary,
        Verdict,
        Wing,
        WingContents,
        WingKind,
    )
    from palace.settings import Settings, load_settings

__all__ = [
    "Administration",
    "ArmScore",
    "BackfillSummary",
    "Backup",
    "BadRequest",
    "CallRecord",
    "Cancellation",
    "Cancelled",
    "Check",
    "Closet",
    "CostLine",
    "DataRefused",
    "DatabaseRefused",
    "DatabaseUnavailable",
    "Drawer",
    "EmbeddedServerError",
    "EmbeddingError",
    "ExportSummary",
    "FetchedModel",
    "ForgetSummary",
    "Generation",
    "GenerationStatus",
    "Hit",
    "ImportSummary",
    "LanguageModelError",
    "MineSummary",
    "ModelError",
    "MoveSummary",
    "NotFound",
    "OnProgress",
    "OutOfTime",
    "Palace",
    "PalaceContents",
    "PalaceError",
    "PalaceStatus",
    "Palaces",
    "Phase",
    "Pointer",
    "Progress",
    "RebuildSummary",
    "Recollection",
    "RehearsedSource",
    "Removal",
    "RestoreSummary",
    "Role",
    "Room",
    "RoomContents",
    "RoomMove",
    "Run",
    "RunState",
    "SchemaMismatch",
    "Scope",
    "ServerStatus",
    "Settings",
    "ShownDrawer",
    "SourceFailure",
    "Span",
    "StepStatus",
    "Strategy",
    "Turn",
    "UndoSummary",
    "UnreadableSource",
    "UserNotNamed",
    "Verdict",
    "Wing",
    "WingContents",
    "WingKind",
    "__version__",
    "json_schema",
    "json_value",
    "load_settings",
    "to_json",
]
__version__ = "0.2.0"

_ELSEWHERE = {
    "Administration": "palace.administration",
    "Cancellation": "palace.cancellation",
    "Palace": "palace.palace",
    "Palaces": "palace.palaces",
    "Settings": "palace.settings",
    "Strategy": "palace.recall.strategy",
    "json_schema": "palace.codec.shapes",
    "json_value": "palace.codec.values",
    "load_settings": "palace.settings",
    "to_json": "palace.codec.values",
}
"""Where a name is that is neither a record nor an error."""


def __getattr__(name: str) -> object:
    """Load what is named on first use, so that `import palace` costs nothing."""
    if name in __all__:
        for module in (_ELSEWHERE.get(name), "palace.errors", "palace.records"):
            if module and hasattr(found := import_module(module), name):
                return getattr(found, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
