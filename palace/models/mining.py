"""What mining plans, files and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, TypeVar

from palace.models.place import Pointer, Span
from palace.models.source import Kinds, Role


@dataclass(frozen=True, slots=True)
class SourceFailure:
    """A file, or a conversation or message of one, of which nothing was stored, and why."""

    file: str
    message: str


@dataclass(frozen=True, slots=True)
class RehearsedSource:
    """What mining one source would come to."""

    file: str
    new: int
    unchanged: int
    replaced: int
    """Drawers that are no longer what the source says."""


class SecretsFound(NamedTuple):
    """Where secrets were taken out; never what they were."""

    where: str
    """The source, and the message in it, from 1."""
    kinds: Kinds


@dataclass(frozen=True, slots=True)
class MineSummary:
    """What one ``mine`` did."""

    run_id: int | None
    """None for a dry run and for a run that filed nothing."""
    dry_run: bool
    files: int
    conversations: int
    drawers_new: int
    drawers_unchanged: int
    drawers_excluded: int
    drawers_forgotten: int
    """Turns left out because they were forgotten."""
    passages_embedded: int
    """Sentences included."""
    passages_pending: int
    """Passages still without an embedding when the run ended; ``palace embeddings backfill`` does them."""
    closets: int
    cost_usd: Decimal
    seconds: float
    failures: tuple[SourceFailure, ...] = ()
    warnings: tuple[str, ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()
    """What of the sources is no message, by kind, with how many there are; the most first."""
    notices: tuple[str, ...] = ()
    """How a source was read, where a person should know: which number of its dates is the day, say."""
    passed_over: tuple[tuple[str, int], ...] = ()
    """Files of folders and archives that are not for mining ("pictures"), by kind; the most first."""
    sources: tuple[RehearsedSource, ...] = ()
    """Of a dry run: what each source that could be read would come to, in order."""
    pointers: tuple[tuple[Pointer, ...], ...] = ()
    """Of ``Palace.file``: for each message that was given, in order, where it stands, filed now or before: one pointer
    for its text and one for each call of a tool in it; none where it could not be read, says nothing, repeats another
    under the same id, or was forgotten.
    """
    names: int = 0
    """Names that were read in the conversations that came or grew, each once a conversation."""
    claims: int = 0
    """What was read in them that somebody claims of someone or something."""
    secrets: Kinds = ()
    """How many secrets of each kind were taken out of what is new, the most first."""
    secrets_in: tuple[SecretsFound, ...] = ()
    """Where; of very many the first."""


READING = 2
"""The version of the readers. What an older one read is filed anew where this one reads it better."""


class StepVersion(NamedTuple):
    """An index step by name, and the version of it that this program makes."""

    name: str
    version: int
    """From 1. Raised when the step makes something else than before: what an older one made is pending then."""


PASSAGES = StepVersion("passages", 3)
"""Drawers cut into passages and sentences, with keywords in their language, the times they speak of, and what
stands marked; 1 cut no sentences, 2 had English keywords alone.
"""
VECTORS = StepVersion("vectors", 1)
"""Passages and sentences embedded."""


@dataclass(frozen=True, slots=True)
class KnownTurn:
    """A drawer already filed, or forgotten, as the plan of a conversation needs it."""

    identity: bytes
    position: int
    is_forgotten: bool = False
    drawer_id: int | None = None
    """None of one that is forgotten; so are the fields below."""
    digest: bytes | None = None
    """Of what was said, under the palace's key where not all of it is kept; None also where nobody asked for it."""
    role: Role | None = None
    speaker: str | None = None
    said_at: datetime | None = None
    run_id: int | None = None
    """The run that filed it."""
    reading: int = READING
    """Which version of the readers it was read by."""
    replaced_by: int | None = None
    """The drawer that took its place, by id."""
    is_replaced: bool = False
    """It is an old version, or no longer in its source."""
    is_said_anew: bool = False
    """The drawer that took its place says the very same."""
    is_answering: bool = False
    """It is noted which drawer it answers."""

    @property
    def is_older(self) -> bool:
        """Whether a version of the readers before today's read it."""
        return self.reading < READING

    @property
    def is_reread(self) -> bool:
        """Whether it was filed anew already: read better by today's readers, or dated by its source since."""
        return self.is_replaced and self.replaced_by is not None and (self.is_older or self.is_said_anew)


@dataclass(frozen=True, slots=True)
class NoteVersion:
    """A note filed by hand, or one that was and is forgotten."""

    identity: bytes
    conversation_id: int
    is_replaced: bool = False
    is_forgotten: bool = False


class Replacement(NamedTuple):
    """That a filed turn is no longer what its source says."""

    old: bytes
    """Its identity."""
    new: bytes | None
    """That of the turn that took its place; None where nothing did."""
    run_id: int | None = None
    """The run that found it."""
    at: datetime | None = None
    """When; None for now."""


@dataclass(frozen=True, slots=True)
class NewRoom:
    """A slice of a conversation that needs a room."""

    slice: str
    name: str
    started_at: datetime | None


class PassageKind(StrEnum):
    """What of a passage is indexed."""

    WHOLE = "whole"
    """Its words and its vector."""
    KEYWORDS = "keywords"
    """Its words alone: its sentences have the vectors, or so much stands before it that it is not embedded."""
    SENTENCE = "sentence"
    """One sentence of what a person says: its vector alone. The words are those of the passage it stands in."""
    TOOL = "tool"
    """What a tool was told or returned: its words alone, looked for only on request and not counted."""

    @property
    def has_vector(self) -> bool:
        """Whether it is embedded."""
        return self in (PassageKind.WHOLE, PassageKind.SENTENCE)


class NewPassage(NamedTuple):
    """A span of a message that is filed, and what is known of it."""

    span: Span
    kind: PassageKind = PassageKind.WHOLE
    is_standing: bool = False
    """It says what holds from then on: an instruction, or what the person always, never or rather does."""
    further: tuple[str, ...] = ()
    """Words in it that Postgres's parser does not find, each once: parts of names, runs of writing without spaces."""


class Stretch(NamedTuple):
    """Time from a moment up to another, without that one; both aware."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class MessageIndex:
    """What of a message is an index: made from it alone, and made again by a rebuild."""

    passages: tuple[NewPassage, ...]
    """The sentences among them come last."""
    spoken_of: tuple[Stretch, ...] = ()
    """The times it speaks of; empty where it speaks of none."""
    language: str | None = None
    """What it is written in, or taken to be, as ISO 639-1; None where nothing tells."""


@dataclass(frozen=True, slots=True)
class NewDrawer:
    """A turn that is to be filed."""

    identity: bytes
    slice: str
    """Which room of its conversation it goes to."""
    position: int
    role: Role
    speaker: str | None
    said_at: datetime | None
    content: str
    is_revision: bool
    is_repaired: bool
    index: MessageIndex
    said_offset: int | None = None
    """Minutes east of UTC in which the source wrote the time."""
    reading: int = READING
    """Which version of the readers it was read by."""
    redacted: Kinds = ()
    """What was taken out of it."""
    said: bytes | None = None
    """The hash under the palace's key of what was said; None where all of it is kept."""


LONGEST_NAME = 40


def indexed_text(speaker: str | None, said: str) -> str:
    """Give what was said as it is indexed: by whom, where that is known, as questions name people.

    Of a long name its beginning: it must not push out what was said.
    """
    return f"{speaker[:LONGEST_NAME]}: {said}" if speaker else said


@dataclass(frozen=True, slots=True)
class CutDrawer:
    """A drawer with the passages it is cut into, as they are filed."""

    drawer_id: int
    room_id: int
    role: Role
    speaker: str | None
    content: str
    index: MessageIndex

    def text_of(self, passage: NewPassage) -> str:
        """Give a passage as it is indexed."""
        return indexed_text(self.speaker, self.content[slice(*passage.span)])


Indexed = TypeVar("Indexed", NewDrawer, CutDrawer)


def in_usual_language(drawers: Sequence[Indexed], usual: Callable[[Mapping[str, int]], str | None]) -> list[Indexed]:
    """Take drawers that do not tell their language to be in the usual one; what tools say is in none.

    ``usual`` gives it, told how many of the drawers are in which language; it is asked only where it is needed.
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
    """A drawer as what is made from it reads it."""

    drawer_id: int
    room_id: int
    content: str
    role: Role
    speaker: str | None
    said_at: datetime | None
    language: str | None = None
    """What it is written in, as ISO 639-1; None where it was not told."""
    is_correction: bool = False
    """Whether the person puts the graph right with it: no reader of files gives a note any role but theirs."""

    @property
    def is_tool(self) -> bool:
        """Whether it says nothing that has a topic."""
        return self.role is Role.TOOL


@dataclass(frozen=True, slots=True)
class RebuildSummary:
    """What one ``rebuild`` did."""

    wing: str | None
    """The wing it was confined to; None for the whole palace."""
    resumed: bool
    """Whether it went on with a rebuild that had been interrupted."""
    conversations: int
    """Made afresh by this call."""
    conversations_before: int
    """Made afresh since the rebuild began, but not by this call."""
    conversations_left: int
    """Not made afresh, because the model failed; the same command goes on with them."""
    drawers: int
    passages: int
    """Sentences included."""
    passages_embedded: int
    closets: int
    indexes: tuple[str, ...]
    """The vector indexes that were rebuilt."""
    cost_usd: Decimal
    seconds: float
    warnings: tuple[str, ...] = ()
