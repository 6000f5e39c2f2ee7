"""What is remembered of a configuration that was written to: how it was before, so that it can be so again.

It lies in the palace's home, readable for its owner alone: a configuration may hold what nobody else should read.
"""

from __future__ import annotations

import base64
import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from palace.files.whole import written_whole
from palace.folders import make_private

FOLDER = "connections"


@dataclass(frozen=True, slots=True)
class Record:
    """How a configuration was before, what it was made, and what was put around what is ours."""

    file: str
    before: bytes | None
    """None where there was no file."""
    after: str
    """The digest of what was written."""
    made: frozenset[tuple[str, ...]]
    folders: tuple[str, ...] = ()
    """Folders that were made for it, innermost first."""

    def is_of(self, data: bytes | None) -> bool:
        """Whether a file is still just as it was written."""
        return data is not None and digest(data) == self.after


class Records:
    """The records of one palace's home."""

    def __init__(self, home: Path) -> None:
        self.folder = home / FOLDER

    def find(self, target: Path) -> Record | None:
        """Return what is remembered of a file; what cannot be read is not remembered."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(self.path(target).read_text(encoding="utf-8"))
            before = None if kept["before"] is None else base64.b64decode(kept["before"], validate=True)
            made = frozenset(tuple(map(str, path)) for path in kept["made"])
            folders = tuple(map(str, kept["folders"]))
            return Record(str(kept["file"]), before, str(kept["after"]), made, folders)
        return None

    def keep(self, target: Path, record: Record) -> None:
        """Remember a file, in place of what was remembered of it.

        Raises:
            BadRequest: the home cannot be written to.
        """
        from palace.files.whole import refused

        with refused(self.folder):
            make_private(self.folder.parent, FOLDER)
        kept = {
            "file": record.file,
            "before": None if record.before is None else base64.b64encode(record.before).decode("ascii"),
            "after": record.after,
            "made": sorted(map(list, record.made)),
            "folders": list(record.folders),
        }
        with written_whole(self.path(target), force=True) as partial:
            partial.write_text(json.dumps(kept), encoding="utf-8")

    def drop(self, target: Path) -> None:
        """Remember nothing of a file any more."""
        with suppress(OSError):
            self.path(target).unlink()

    def path(self, target: Path) -> Path:
        """Return where a file is remembered."""
        return self.folder / f"{digest(str(target).encode('utf-8', 'surrogateescape'))[:32]}.json"


def digest(data: bytes) -> str:
    """Return what tells two files apart."""
    return hashlib.sha256(data).hexdigest()
