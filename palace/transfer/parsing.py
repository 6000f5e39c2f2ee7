"""Reading an export: everything about the file itself is checked while it is read. Pure but for the stream."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from palace.errors import UnreadableSource
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
from palace.transfer.checks import Agreement
from palace.transfer.lines import read_header, read_line

LONGEST_HEADER = 4096
"""Bytes that are looked at to tell whether a file is an export at all."""

LONGEST_LINE = 7 * LARGEST_MESSAGE
"""Bytes of a line: JSON writes some characters in six."""

Part = HeaderLine | RunLine | ActivityLine | WingLine | DecisionLine | SettingLine | ExportedConversation


def read_export(stream: BinaryIO, file: str) -> Iterator[Part]:
    """Read an export from its beginning: header, runs, events, wings, decisions, settings, then each conversation.

    ``file`` names it in messages. What is wrong at its end is known at its end only: read it through before anything
    is done with what it holds.

    Raises:
        UnreadableSource: it is not an export, of another version, cut off, changed, or contradicts itself.
    """
    stream.seek(0)
    reader = _LineReader(stream, file)
    yield reader.read_header()
    conversation: _Conversation | None = None
    for line in reader:
        if isinstance(line, ConversationLine):
            if conversation:
                yield conversation.whole()
            conversation = _Conversation(line)
        elif isinstance(line, (RunLine, ActivityLine, WingLine, DecisionLine, SettingLine)):
            yield line
        elif conversation:
            conversation.add(line)
    if conversation:
        yield conversation.whole()


@dataclass(slots=True)
class _Conversation:
    """A conversation while its lines come in."""

    line: ConversationLine
    rooms: list[RoomLine] = field(default_factory=list)
    drawers: list[DrawerLine] = field(default_factory=list)
    tombstones: list[TombstoneLine] = field(default_factory=list)
    replies: list[ReplyLine] = field(default_factory=list)

    def add(self, line: RoomLine | DrawerLine | TombstoneLine | ReplyLine) -> None:
        match line:
            case RoomLine():
                self.rooms.append(line)
            case DrawerLine():
                self.drawers.append(line)
            case TombstoneLine():
                self.tombstones.append(line)
            case ReplyLine():
                self.replies.append(line)

    def whole(self) -> ExportedConversation:
        return ExportedConversation(
            self.line, tuple(self.rooms), tuple(self.drawers), tuple(self.tombstones), tuple(self.replies)
        )


class _LineReader:
    """Reads line by line up to the last, which must agree with what came before it."""

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
