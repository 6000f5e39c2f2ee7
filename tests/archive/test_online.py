"""A backup while a miner writes: one moment of the palace, whole."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from palace import Palace
from palace.administration import Administration
from palace.records import Progress
from palace.settings import Settings
from palace.testing import HashingEmbedder
from tests.archive.places import MakeSettings, complaints

CONVERSATIONS, TURNS = 30, 6


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Conversations to mine."""
    made = tmp_path / "talks"
    made.mkdir()
    for number in range(CONVERSATIONS):
        turns = [{"role": "user", "content": f"Turn {turn} of talk {number}"} for turn in range(TURNS)]
        (made / f"{number:03}.json").write_text(json.dumps({"id": f"t{number}", "messages": turns}))
    return made


@pytest.mark.nightly
@pytest.mark.slow
def test_a_backup_during_a_mine_holds_whole_conversations_and_the_rest_can_be_mined(
    new_database: MakeSettings, folder: Path, tmp_path: Path
) -> None:
    busy, quiet = new_database(), new_database()
    Administration(busy).upgrade()
    begun = Event()

    def notice(progress: Progress) -> None:
        if progress.phase == "file" and progress.done >= 5 * TURNS:
            begun.set()

    with Palace.open(busy, user="mara", embedder=HashingEmbedder()) as palace, ThreadPoolExecutor(1) as pool:
        mining = pool.submit(palace.mine, folder, progress=notice)
        assert begun.wait(60)
        file = Administration(busy).backup(tmp_path / "busy.backup").file
        assert mining.result().drawers_new == CONVERSATIONS * TURNS
    Administration(quiet).restore(file)
    assert_whole(quiet, folder)


def assert_whole(settings: Settings, folder: Path) -> None:
    """See that what was filed by then is consistent, and that the rest follows."""
    assert {check.name for check in complaints(settings, "mara")} <= {"pending", "topics", "conversations", "unqueued"}
    with Palace.open(settings, user="mara", embedder=HashingEmbedder()) as palace:
        rooms = [room for wing in palace.tree.wings() for room in palace.tree.rooms(wing)]
        assert len(rooms) >= 5
        assert Counter(room.drawer_count for room in rooms) == {TURNS: len(rooms)}
        again = palace.mine(folder)
        assert (again.drawers_new, again.drawers_unchanged) == (
            (CONVERSATIONS - len(rooms)) * TURNS,
            len(rooms) * TURNS,
        )
        palace.embeddings.backfill()
    assert complaints(settings, "mara") == []
