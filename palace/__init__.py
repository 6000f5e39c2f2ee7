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
    from palace.embedding.protocol import EmbeddedTexts, Embedder
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
    from palace.mining.readers.alone import read_each
    from palace.mining.readers.draft import Draft, Stamp
    from palace.mining.readers.reader import JsonReader, Readers, TextReader
    from palace.mining.readers.reading import Reading
    from palace.mining.steps.conversation_step import ConversationStep
    from palace.mining.steps.step import IndexStep, Work
    from palace.palace import Palace
    from palace.palaces import Palaces
    from palace.recall.arms.protocol import Arm, ArmRequest, Proposal
    from palace.recall.strategy import Strategy
    from palace.records import (
        ArmScore,
        BackfillSummary,
        Backup,
        CallRecord,
        Candidate,
        Check,
        Closet,
        Conversation,
        Correction,
        CostLine,
        Drawer,
        ExportSummary,
        FetchedModel,
        FiledTurn,
        ForgetSummary,
        Generation,
        GenerationStatus,
        Hit,
        HitOrder,
        ImportSummary,
        MineSummary,
        MoveSummary,
        OnProgress,
        PalaceContents,
        PalaceStatus,
        PassageKey,
        Phase,
        PlaceKind,
        Pointer,
        Progress,
        RebuildSummary,
        Recent,
        RecentItem,
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
        StepVersion,
        Stretch,
        Turn,
        UndoSummary,
        Verdict,
        Why,
        Wing,
        WingContents,
        WingKind,
    )
    from palace.settings import Settings, load_settings
    from palace.store.database import UserSession

__all__ = [
    "Administration",
    "Arm",
    "ArmRequest",
    "ArmScore",
    "BackfillSummary",
    "Backup",
    "BadRequest",
    "CallRecord",
    "Cancellation",
    "Cancelled",
    "Candidate",
    "Check",
    "Closet",
    "Conversation",
    "ConversationStep",
    "Correction",
    "CostLine",
    "DataRefused",
    "DatabaseRefused",
    "DatabaseUnavailable",
    "Draft",
    "Drawer",
    "EmbeddedServerError",
    "EmbeddedTexts",
    "Embedder",
    "EmbeddingError",
    "ExportSummary",
    "FetchedModel",
    "FiledTurn",
    "ForgetSummary",
    "Generation",
    "GenerationStatus",
    "Hit",
    "HitOrder",
    "ImportSummary",
    "IndexStep",
    "JsonReader",
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
    "PassageKey",
    "Phase",
    "PlaceKind",
    "Pointer",
    "Progress",
    "Proposal",
    "Readers",
    "Reading",
    "RebuildSummary",
    "Recent",
    "RecentItem",
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
    "Stamp",
    "StepStatus",
    "StepVersion",
    "Strategy",
    "Stretch",
    "TextReader",
    "Turn",
    "UndoSummary",
    "UnreadableSource",
    "UserNotNamed",
    "UserSession",
    "Verdict",
    "Why",
    "Wing",
    "WingContents",
    "WingKind",
    "Work",
    "__version__",
    "json_schema",
    "json_value",
    "load_settings",
    "read_each",
    "to_json",
]
__version__ = "0.2.0"

_ELSEWHERE = {
    "Administration": "palace.administration",
    "Arm": "palace.recall.arms.protocol",
    "ArmRequest": "palace.recall.arms.protocol",
    "Cancellation": "palace.cancellation",
    "ConversationStep": "palace.mining.steps.conversation_step",
    "Draft": "palace.mining.readers.draft",
    "EmbeddedTexts": "palace.embedding.protocol",
    "Embedder": "palace.embedding.protocol",
    "IndexStep": "palace.mining.steps.step",
    "JsonReader": "palace.mining.readers.reader",
    "Palace": "palace.palace",
    "Palaces": "palace.palaces",
    "Proposal": "palace.recall.arms.protocol",
    "Readers": "palace.mining.readers.reader",
    "Reading": "palace.mining.readers.reading",
    "Settings": "palace.settings",
    "Stamp": "palace.mining.readers.draft",
    "Strategy": "palace.recall.strategy",
    "TextReader": "palace.mining.readers.reader",
    "UserSession": "palace.store.database",
    "Work": "palace.mining.steps.step",
    "json_schema": "palace.codec.shapes",
    "json_value": "palace.codec.values",
    "load_settings": "palace.settings",
    "read_each": "palace.mining.readers.alone",
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
