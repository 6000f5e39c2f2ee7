"""What of a watched folder was mined, kept below the home: a worker that starts again reads only what has changed.

It is a help and no record. Where it is lost, is of another palace, or of one that was brought back from a backup since,
all is read again, and what is known is not filed twice. It holds paths and numbers, and is for its owner alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from palace.errors import BadRequest
from palace.files.whole import written_whole
from palace.folders import make_private
from palace.worker.watch.files import Stamp

FOLDER = "watched"


class Known(NamedTuple):
    """What is kept."""

    files: Mapping[str, Stamp]
    run_id: int = 0
    """The last run that mined some of it; a palace that has not heard of it was put back to an earlier state."""
    mark: str = ""
    """When that run began."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The file that keeps it."""

    path: Path

    @classmethod
    def of(cls, home: Path, *told: str) -> Seen:
        """Give the file for what the arguments tell apart: which palace, which folder, and how it is mined."""
        name = sha256("\n".join(told).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return cls(home / FOLDER / f"{name}.json")

    def load(self) -> Known:
        """Read it; nothing is known where it is missing or makes no sense."""
        try:
            given = json.loads(self.path.read_text(encoding="utf-8"))
            files = {str(path): Stamp(*map(int, stamp)) for path, stamp in given["files"].items()}
            return Known(files, int(given["run"]), str(given["mark"]))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return Known({})

    def save(self, known: Known) -> None:
        """Write it whole, or leave it as it was: then more is read again than need be."""
        written = json.dumps({"run": known.run_id, "mark": known.mark, "files": known.files})
        with suppress(OSError, BadRequest):
            make_private(self.path.parent.parent, FOLDER)
            with written_whole(self.path, force=True) as partial:
                partial.write_text(written, encoding="utf-8")
