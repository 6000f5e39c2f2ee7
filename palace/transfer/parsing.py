"""Reading an export: the file is checked completely before anything in it is used."""

from __future__ import annotations

import hashlib
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

from palace.cancellation import go_on
from palace.errors import UnreadableSource
from palace.models import OnProgress, Phase, Progress
from palace.models.intake import LARGEST_MESSAGE
from palace.models.json_values import Malformed
from palace.models.lines import (
    ActivityLine,
    ConversationLine,
    DecisionLine,
    DrawerLine,
    EndLine,
    ExportedConversation,
    HeaderLine,
    Line,
    ReplyLine,
    RoomLine,
    RunLine,
    SettingLine,
    TombstoneLine,
    WingLine,
)
from palace.models.spool import STANDARD_INPUT, odd_kind, own_input, spool
from palace.transfer.checks import Agreement
from palace.transfer.lines import read_header, read_line

LONGEST_HEADER = 4096
"""The most bytes read to decide whether a file is an export at all."""

LONGEST_LINE = 7 * LARGEST_MESSAGE
"""The most bytes of a line: JSON writes some characters in six."""

Part = HeaderLine | RunLine | ActivityLine | WingLine | DecisionLine | SettingLine | ExportedConversation


def read_export(stream: BinaryIO, file: str) -> Iterator[Part]:
    """Read an export from its beginning: header, runs, events, wings, decisions, settings, then each conversation.

    ``file`` names it in messages. Errors at its end are found only there: read it through before using anything in it.

    Raises:
        UnreadableSource: it is not an export, of another version, truncated, changed, or contradicts itself.
    """
    stream.seek(0)
    reader = _LineReader(stream, file)
    yield reader.read_header()
    conversation: ConversationLine | None = None
    parts: dict[type[Line], list[Any]] = defaultdict(list)
    for line in reader:
        if isinstance(line, (RoomLine, DrawerLine, TombstoneLine, ReplyLine)):
            parts[type(line)].append(line)
        elif isinstance(line, ConversationLine):
            if conversation:
                yield _whole(conversation, parts)
            conversation = line
            parts.clear()
        else:
            yield line
    if conversation:
        yield _whole(conversation, parts)


def _whole(line: ConversationLine, parts: Mapping[type[Line], list[Any]]) -> ExportedConversation:
    return ExportedConversation(
        line, *(tuple(parts[kind]) for kind in (RoomLine, DrawerLine, TombstoneLine, ReplyLine))
    )


class _LineReader:
    """Reads lines up to the last one, which must match what came before it."""

    def __init__(self, stream: BinaryIO, file: str) -> None:
        self._stream = stream
        self._file = file
        self._lines = 0
        self._version = 0
        self._sha = hashlib.sha256()
        self._agreement: Agreement | None = None

    def read_header(self) -> HeaderLine:
        raw = self._read(LONGEST_HEADER)
        try:
            header, self._version = read_header(raw)
        except Malformed as problem:
            raise UnreadableSource(self._file, str(problem)) from problem
        self._agreement = Agreement(header)
        self._take(raw)
        return header

    def __iter__(self) -> Iterator[Line]:
        assert self._agreement is not None
        while raw := self._read(LONGEST_LINE):
            try:
                line = read_line(raw, self._version, is_cut=len(raw) == LONGEST_LINE)
                if isinstance(line, EndLine):
                    self._agreement.finish()
                    self._finish(line)
                    return
                self._agreement.check(line)
            except Malformed as problem:
                place = f"line {self._lines + 1}"
                raise UnreadableSource(self._file, str(problem), place=place) from problem
            self._take(raw)
            yield line
        raise UnreadableSource(self._file, "is cut off: its last line is missing")

    def _finish(self, end: EndLine) -> None:
        if (end.lines, end.sha256) != (self._lines, self._sha.hexdigest()):
            raise Malformed("does not agree with what stands before it: the file was changed or damaged")
        if self._read(1):
            raise Malformed("should be the last, but the file goes on")

    def _read(self, limit: int) -> bytes:
        try:
            return self._stream.readline(limit)
        except OSError as problem:
            raise UnreadableSource(self._file, f"cannot be read: {problem.strerror}") from problem

    def _take(self, raw: bytes) -> None:
        self._lines += 1
        self._sha.update(raw)


@dataclass(slots=True)
class Contents:
    """The contents of a file, with conversations, drawers and tombstones only counted."""

    file: str
    stream: BinaryIO
    header: HeaderLine
    runs: list[RunLine] = field(default_factory=list)
    events: list[ActivityLine] = field(default_factory=list)
    wings: list[WingLine] = field(default_factory=list)
    decisions: list[DecisionLine] = field(default_factory=list)
    settings: list[SettingLine] = field(default_factory=list)
    conversations: int = 0
    drawers: int = 0
    tombstones: int = 0
    citing: dict[bytes, tuple[bytes, ...]] = field(default_factory=dict)
    """The evidence of the memories, by identity."""
    left_out: set[bytes] = field(default_factory=set)
    """Drawers that are not read again."""

    def conversations_again(self) -> Iterator[ExportedConversation]:
        """Read the conversations again, one at a time."""
        for part in read_export(self.stream, self.file):
            if isinstance(part, ExportedConversation):
                kept = tuple(each for each in part.drawers if each.identity not in self.left_out)
                if kept or not part.drawers or part.tombstones:
                    yield replace(part, drawers=kept)


@contextmanager
def opened_export(path: Path | str) -> Iterator[tuple[BinaryIO, str]]:
    """Open a file that can be read twice; yield it with its name for messages. "-" is standard input, copied first.

    Raises:
        UnreadableSource: it cannot be opened.
    """
    is_standard = str(path) == "-"
    name = STANDARD_INPUT if is_standard else str(path)
    with ExitStack() as stack:
        try:
            if not is_standard and (odd := odd_kind(Path(path))):
                raise UnreadableSource(name, odd)
            stream = own_input() if is_standard else stack.enter_context(Path(path).open("rb"))
            if is_standard or not stream.seekable():
                kept = stack.enter_context(tempfile.TemporaryFile())
                spool(stream, kept, name)
                stream = kept
        except OSError as problem:
            raise UnreadableSource(name, f"cannot be read: {problem.strerror}") from problem
        except ValueError as problem:
            raise UnreadableSource(name, "is no name of a file") from problem
        yield stream, name


_LISTS: dict[type[Any], str] = {
    RunLine: "runs",
    ActivityLine: "events",
    WingLine: "wings",
    DecisionLine: "decisions",
    SettingLine: "settings",
}


def survey(stream: BinaryIO, file: str, progress: OnProgress | None = None) -> Contents:
    """Check a file to its end without filing anything.

    Raises:
        UnreadableSource: anything in it is wrong.
    """
    parts = read_export(stream, file)
    header = next(parts)
    assert isinstance(header, HeaderLine)
    contents = Contents(file, stream, header)
    for part in parts:
        go_on()
        if isinstance(part, ExportedConversation):
            contents.conversations += 1
            contents.drawers += len(part.drawers)
            contents.tombstones += len(part.tombstones)
            contents.citing |= {line.identity: line.memory.evidence for line in part.drawers if line.memory}
        else:
            getattr(contents, _LISTS[type(part)]).append(part)
        if progress:
            progress(Progress(Phase.READ, contents.drawers, None, "drawers", file))
    return contents
