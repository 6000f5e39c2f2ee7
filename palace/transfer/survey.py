"""Reading an export through before anything is done with it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from palace.cancellation import go_on
from palace.errors import UnreadableSource
from palace.models import OnProgress, Phase, Progress
from palace.models.lines import (
    ActivityLine,
    DecisionLine,
    ExportedConversation,
    HeaderLine,
    RunLine,
    SettingLine,
    WingLine,
)
from palace.models.spool import STANDARD_INPUT, odd_kind, own_input, spool
from palace.transfer.parsing import Part, read_export


@dataclass(slots=True)
class Contents:
    """What a file holds, its drawers and tombstones only counted."""

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

    def conversations_again(self) -> Iterator[ExportedConversation]:
        """Read the conversations once more, one at a time."""
        for part in read_export(self.stream, self.file):
            if isinstance(part, ExportedConversation):
                yield part


@contextmanager
def opened_export(path: Path | str) -> Iterator[tuple[BinaryIO, str]]:
    """Open a file to be read twice, with its name for messages; "-" is standard input, read to its end at once.

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


def survey(stream: BinaryIO, file: str, progress: OnProgress | None = None) -> Contents:
    """Read a file to its end without filing anything.

    Raises:
        UnreadableSource: anything about it is not as it should be.
    """
    parts = read_export(stream, file)
    header = next(parts)
    assert isinstance(header, HeaderLine)
    contents = Contents(file, stream, header)
    for part in parts:
        go_on()
        _count(contents, part)
        if progress:
            progress(Progress(Phase.READ, contents.drawers, None, "drawers", file))
    return contents


def _count(contents: Contents, part: Part) -> None:
    match part:
        case RunLine():
            contents.runs.append(part)
        case ActivityLine():
            contents.events.append(part)
        case WingLine():
            contents.wings.append(part)
        case DecisionLine():
            contents.decisions.append(part)
        case SettingLine():
            contents.settings.append(part)
        case ExportedConversation():
            contents.conversations += 1
            contents.drawers += len(part.drawers)
            contents.tombstones += len(part.tombstones)
