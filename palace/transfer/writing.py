"""Writing an export: the file it goes to, and the sum that its last line gives."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from palace.errors import BadRequest
from palace.lines import EndLine, HeaderLine, Line
from palace.transfer.lines import write_end, write_header, write_line


class ExportWriter:
    """Writes the lines of an export to a stream, the header at once."""

    def __init__(self, stream: BinaryIO, header: HeaderLine) -> None:
        self._stream = stream
        self._sha = hashlib.sha256()
        self._lines = 0
        self.counts: Counter[type[Line]] = Counter()
        """Lines of each kind."""
        self.bytes = 0
        self._write(write_header(header))

    def write(self, line: Line) -> None:
        """Write one line."""
        self._write(write_line(line))
        self.counts[type(line)] += 1

    def finish(self) -> None:
        """Write the last line; without it the file is known to be cut off."""
        self._write(write_end(EndLine(self._lines, self._sha.hexdigest())))
        with _refused("the export"):
            self._stream.flush()

    def _write(self, raw: bytes) -> None:
        with _refused("the export"):
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
    _require_free(path, force=force)
    with _refused(str(path)):
        target = path.resolve()
        # Beside the target: it could not be renamed from another file system.
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".partial", dir=target.parent)
    partial = Path(name)
    try:
        # Closing writes what is left, and fails once more where writing did.
        with _refused(str(path)), os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _require_free(path, force=force)
        with _refused(str(path)):
            partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _require_free(path: Path, *, force: bool) -> None:
    with _refused(str(path)):
        if not path.parent.is_dir():
            raise BadRequest(f"{path.parent} is not a folder")
        # pathlib has an error of its own for this, and from Python 3.13 on none.
        if Path(os.path.realpath(path)).is_symlink():
            raise BadRequest(f"{path} cannot be written: it is a link that leads in a circle")
        if path.exists() and not path.is_file():
            raise BadRequest(f"{path} is there and is not a file: name another, or - for standard output")
        if path.exists() and not force:
            raise BadRequest(f"{path} is there already: name another file, or replace it with --force")


@contextmanager
def _refused(what: str) -> Iterator[None]:
    """Turn what the operating system refuses into one line; a reader who left is for the caller to notice."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise BadRequest(f"{what} cannot be written: {problem.strerror}") from problem
