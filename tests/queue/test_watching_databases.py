"""A watched database is mined as it grows, though what is new stands in a file beside it."""

from __future__ import annotations

from pathlib import Path

from palace import Palace, Settings
from palace.worker.runner import Until
from tests.queue.test_watching import drawers, folder, mine, watching
from tests.readers.opencodes import begin, make, say

__all__ = ["folder", "mine"]


def test_what_a_running_program_adds_is_mined_once(palace: Palace, mine: Settings, folder: Path) -> None:
    database = make(folder / "opencode.db")
    begin(database, "ses_1")
    say(database, "ses_1", 1, "user", "Which fuse does the battery need?")
    assert watching(mine, folder).run(Until.DONE).filed == 1
    before = (folder / "opencode.db").stat()
    say(database, "ses_1", 2, "assistant", "A slow fuse of 80 amps.")
    assert (folder / "opencode.db").stat().st_mtime_ns == before.st_mtime_ns
    assert watching(mine, folder).run(Until.DONE).filed == 1
    assert watching(mine, folder).run(Until.DONE).filed == 0
    assert drawers(palace) == 2
    database.close()
