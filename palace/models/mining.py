"""The plans and results of mining."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, TypeVar

from palace.models.memory import MemoryPart
from palace.models.place import Pointer, Span, indexed_text
from palace.models.source import Kinds, Role


@dataclass(frozen=True, slots=True)
class SourceFailure:
    """A file, or a conversation or message in one, that could not be filed, and why."""

    file: str
    message: str


@dataclass(frozen=True, slots=True)
class RehearsedSource:
    """What mining one source would file."""

    file: str
    new: int
    unchanged: int
    replaced: int
    """Drawers whose text in the source has changed or is gone."""


class SecretsFound(NamedTuple):
    """Where secrets were removed; never the secrets themselves."""

    where: str
    """The source, and the number of the message in it, from 1."""
    kinds: Kinds


@dataclass(frozen=True, slots=True)
class MineSummary:
    """The result of one ``mine``."""

    run_id: int | None
    """None for a dry run and for a run that filed nothing."""
    dry_run: bool
    files: int
    conversations: int
    drawers_new: int
    drawers_unchanged: int
    drawers_excluded: int
    drawers_forgotten: int
    """Messages left out because they were forgotten."""
    passages_embedded: int
    """Includes sentences."""
    passages_pending: int
    """Passages without an embedding at the end of the run; ``palace embeddings backfill`` embeds them."""
    closets: int
    cost_usd: Decimal
    seconds: float
    failures: tuple[SourceFailure, ...] = ()
    warnings: tuple[str, ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()
    """Contents of the sources that are no messages, counted by kind, the most frequent first."""
    notices: tuple[str, ...] = ()
    """Remarks on how a source was read, such as which number of its dates was taken as the day."""
    passed_over: tuple[tuple[str, int], ...] = ()
    """Files in folders and archives that cannot be mined ("pictures"), counted by kind, the most frequent first."""
    sources: tuple[RehearsedSource, ...] = ()
    """In a dry run: the expected result of each readable source, in order."""
    pointers: tuple[tuple[Pointer, ...], ...] = ()
    """From ``Palace.file``: the pointers of each message, in order, whether new or filed before: one for its text and
    one for each tool call. Empty for a message that could not be read, is empty, repeats another under the same id, or
    was forgotten."""
    names: int = 0
    """Names found in new or grown conversations, each counted once per conversation."""
    claims: int = 0
    """Claims extracted from new or grown conversations."""
    secrets: Kinds = ()
    """Secrets removed from new drawers, counted by kind, the most frequent first."""
    secrets_in: tuple[SecretsFound, ...] = ()
    """Where they were removed; only the first of very many."""
    wings: tuple[tuple[str, int], ...] = ()
    """The wings with the new drawers, as name and pointer, with how many each."""


READING = 2
"""The version of the readers. Drawers from an older one are filed again where this one reads them better."""


class StepVersion(NamedTuple):
    """An index step by name, with the version of its results that this program makes."""

    name: str
    version: int
    """From 1. Raised when the step's results change: older results are then pending again."""


PASSAGES = StepVersion("passages", 3)
"""Passages and sentences of drawers, with keywords in their language, the times they mention, and standing statements;
1 had no sentences, 2 only English keywords."""
VECTORS = StepVersion("vectors", 1)
"""Embeddings of passages and sentences."""


@dataclass(frozen=True, slots=True)
class KnownTurn:
    """A filed or forgotten drawer, as the plan of a conversation needs it."""

    identity: bytes
    position: int
    is_forgotten: bool = False
    drawer_id: int | None = None
    """None for a forgotten one; so are the fields below."""
    digest: bytes | None = None
    """Hash of the original text, keyed where secrets were removed; None also where it was not requested."""
    role: Role | None = None
    speaker: str | None = None
    said_at: datetime | None = None
    run_id: int | None = None
    """The run that filed it."""
    reading: int = READING
    """The version of the readers that read it."""
    replaced_by: int | None = None
    """Id of the drawer that replaced it."""
    is_replaced: bool = False
    """Whether it is an old version, or deleted from its source."""
    is_said_anew: bool = False
    """Whether the drawer that replaced it has the same text."""
    is_answering: bool = False
    """Whether it has a link to the drawer that it replies to."""

    @property
    def is_older(self) -> bool:
        """Whether an older version of the readers read it."""
        return self.reading < READING

    @property
    def is_reread(self) -> bool:
        """Whether it was filed again already, because newer readers read it better or its source dated it."""
        return self.is_replaced and self.replaced_by is not None and (self.is_older or self.is_said_anew)


@dataclass(frozen=True, slots=True)
class NoteVersion:
    """A note, current or forgotten."""

    identity: bytes
    conversation_id: int
    is_replaced: bool = False
    is_forgotten: bool = False


class Replacement(NamedTuple):
    """A filed turn whose source has changed."""

    old: bytes
    """Identity of the old turn."""
    new: bytes | None
    """Identity of the turn that replaced it; None where it was deleted."""
    run_id: int | None = None
    """The run that found it."""
    at: datetime | None = None
    """When it was found; None for now."""


@dataclass(frozen=True, slots=True)
class NewRoom:
    """A slice of a conversation that needs a room."""

    slice: str
    name: str
    started_at: datetime | None


class PassageKind(StrEnum):
    """What is indexed of a passage."""

    WHOLE = "whole"
    """Its words and its vector."""
    KEYWORDS = "keywords"
    """Its words alone: its sentences have the vectors, or it is beyond the limit of vectors per message."""
    SENTENCE = "sentence"
    """One sentence of a person's message: its vector alone. Its words are indexed with the enclosing passage."""
    TOOL = "tool"
    """Arguments or results of a tool: its words alone, searched only on request and not counted."""

    @property
    def has_vector(self) -> bool:
        """Whether it is embedded."""
        return self in (PassageKind.WHOLE, PassageKind.SENTENCE)


class NewPassage(NamedTuple):
    """A passage to file: a span of a message with its index entries."""

    span: Span
    kind: PassageKind = PassageKind.WHOLE
    is_standing: bool = False
    """Whether it is a standing statement: an instruction, or what the person always, never or preferably does."""
    further: tuple[str, ...] = ()
    """Words that Postgres's parser misses, each once: parts of names, runs of scripts without spaces."""


class Stretch(NamedTuple):
    """A period, without its end; both times are aware."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class MessageIndex:
    """Index entries of one message: derived from its text alone, and made again by a rebuild."""

    passages: tuple[NewPassage, ...]
    """Passages, the sentences last."""
    spoken_of: tuple[Stretch, ...] = ()
    """The times that it mentions; empty if there are none."""
    language: str | None = None
    """Its language or the one assumed, as ISO 639-1; None if unknown."""


@dataclass(frozen=True, slots=True)
class NewDrawer:
    """A turn that is to be filed."""

    identity: bytes
    slice: str
    """The slice of the conversation, which decides about its room."""
    position: int
    role: Role
    speaker: str | None
    said_at: datetime | None
    content: str
    is_revision: bool
    is_repaired: bool
    index: MessageIndex
    said_offset: int | None = None
    """Offset from UTC, in minutes east, of the time in the source."""
    reading: int = READING
    """The version of the readers that read it."""
    redacted: Kinds = ()
    """Secrets removed from it, counted by kind."""
    said: bytes | None = None
    """Keyed hash of the original text; None where no secrets were removed."""
    memory: MemoryPart | None = None
    """What makes it a memory; None for any other drawer."""


@dataclass(frozen=True, slots=True)
class CutDrawer:
    """A filed drawer with its passages."""

    drawer_id: int
    room_id: int
    role: Role
    speaker: str | None
    content: str
    index: MessageIndex

    def text_of(self, passage: NewPassage) -> str:
        """Return the text of a passage as it is indexed."""
        return indexed_text(self.speaker, self.content[slice(*passage.span)])


Indexed = TypeVar("Indexed", NewDrawer, CutDrawer)


def in_usual_language(drawers: Sequence[Indexed], usual: Callable[[Mapping[str, int]], str | None]) -> list[Indexed]:
    """Return drawers of unknown language with the usual one; tool results stay without a language.

    ``usual`` receives the number of drawers by language and returns the usual one; it is called only if needed.
    """
    untold = [drawer.index.language is None and drawer.role is not Role.TOOL for drawer in drawers]
    if not any(untold):
        return list(drawers)
    language = usual(Counter(drawer.index.language for drawer in drawers if drawer.index.language))
    return [
        replace(drawer, index=replace(drawer.index, language=language)) if is_untold else drawer
        for drawer, is_untold in zip(drawers, untold, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class FiledTurn:
    """A filed drawer, as the input of index steps."""

    drawer_id: int
    room_id: int
    content: str
    role: Role
    speaker: str | None
    said_at: datetime | None
    language: str | None = None
    """Its language, as ISO 639-1; None if unknown."""
    is_correction: bool = False
    """Whether it is the person's correction of the graph."""

    @property
    def is_tool(self) -> bool:
        """Whether it is a tool's message, which has no topic."""
        return self.role is Role.TOOL


@dataclass(frozen=True, slots=True)
class RebuildSummary:
    """The result of one ``rebuild``."""

    wing: str | None
    """The wing that it was limited to; None for the whole palace."""
    resumed: bool
    """Whether it continued an interrupted rebuild."""
    conversations: int
    """Rebuilt by this call."""
    conversations_before: int
    """Rebuilt earlier in the same rebuild, before this call."""
    conversations_left: int
    """Not rebuilt, because the model failed; the same command continues with them."""
    drawers: int
    passages: int
    """Includes sentences."""
    passages_embedded: int
    closets: int
    indexes: tuple[str, ...]
    """The vector indexes that were rebuilt."""
    cost_usd: Decimal
    seconds: float
    warnings: tuple[str, ...] = ()
