"""Writing an export: the file it goes to, and the sum that its last line gives."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from palace.config.folders import refused, written_whole
from palace.models.json_values import is_deeper, shallow_object
from palace.models.lines import ActivityLine, EndLine, HeaderLine, Line, ReplyLine
from palace.transfer.lines import write_end, write_header, write_line


class ExportWriter:
    """Writes the lines of an export to a stream, the header at once."""

    def __init__(self, stream: BinaryIO, header: HeaderLine) -> None:
        self._stream = stream
        self._sha = hashlib.sha256()
        self._lines = 0
        self.counts: Counter[type[Line]] = Counter()
        """Lines of each kind."""
        self.cut: Counter[type[Line]] = Counter()
        """Those of which something was left out, because it is nested deeper than an import takes."""
        self.bytes = 0
        self._write(write_header(header))

    def write(self, line: Line) -> None:
        """Write one line."""
        self._write(write_line(self._not_too_deep(line)))
        self.counts[type(line)] += 1

    def finish(self) -> None:
        """Write the last line; without it the file is known to be cut off."""
        self._write(write_end(EndLine(self._lines, self._sha.hexdigest())))
        with refused("the export"):
            self._stream.flush()

    def _not_too_deep(self, line: Line) -> Line:
        """Give a line that can be written and read: earlier versions took JSON of any depth from a file."""
        cut: Line = line
        if isinstance(line, ActivityLine) and is_deeper(line.details):
            cut = replace(line, details=shallow_object(line.details))
        elif isinstance(line, ReplyLine) and is_deeper(line.reply):
            cut = replace(line, reply=shallow_object(line.reply))
        self.cut[type(line)] += cut is not line
        return cut

    def _write(self, raw: bytes) -> None:
        with refused("the export"):
            self._stream.write(raw)
        self._sha.update(raw)
        self._lines += 1
        self.bytes += len(raw)


@contextmanager
def replacing(path: Path, *, force: bool) -> Iterator[BinaryIO]:
    """Give a file to write, readable for its owner alone; it takes the name when the block is left in order.

    Raises:
        BadRequest: there is a file already and nobody said ``force``, or no file can be written there.
    """
    # Closing writes what is left, and fails once more where writing did.
    with written_whole(path, force=force) as partial, partial.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
