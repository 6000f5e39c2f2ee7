"""What an earlier version read, and this one reads better, stands once after it is mined again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from palace import Palace
from palace.errors import UnreadableSource
from palace.mining.filing.place import one_line
from palace.mining.readers.discovery.paths import list_sources
from palace.mining.readers.reading import Reading
from palace.mining.readers.registry import read_conversations
from palace.records import Drawer, Role, Turn
from palace.settings import Settings
from palace.text.repair import repair
from tests.archive.places import complaints
from tests.hosts import Host
from tests.upgrades.make import BACKUP, FOLDER, drawers_of
from tests.upgrades.readings import CHATS, NAME, STRANGERS, cases, embedder, write_chats
from tests.upgrades.test_upgrades import restored

Said = tuple[Role, str | None, datetime | None, str]

RELEASE = "0.2.0"
TOO_LITTLE = {"exports/openai-files-and-media.json"}
"""Short conversations without an id of which hardly a word is read as it was: nothing says that they are the same."""
HELD = json.loads((FOLDER / f"{RELEASE}{NAME}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def settings(host: Host, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A database that mined the corpus with the readers of then, migrated."""
    home = tmp_path_factory.mktemp("readings")
    with restored(FOLDER / f"{RELEASE}{NAME}{BACKUP}", host, home) as settings:
        yield settings


def readable(path: Path, palace: Palace) -> list[Turn] | None:
    """Read a case as today; None where it is refused, in part or as a whole: what was filed of it stays as it is."""
    turns: list[Turn] = []
    try:
        for source in list_sources(path):
            reading = Reading(source.file, zone=palace._opened.settings.zone)
            for conversation in read_conversations(source, reading):
                turns += conversation.turns
            if reading.failures:
                return None
    except UnreadableSource:
        return None
    return turns


def said(turn: Turn) -> Said:
    """Give what a drawer of a turn shows."""
    speaker = one_line(turn.speaker) if turn.speaker else None
    return turn.role, speaker, turn.said_at, repair(turn.content)[0]


def shown(drawer: Drawer) -> Said:
    """Give what a drawer shows."""
    return drawer.role, drawer.speaker, drawer.said_at, drawer.content


@pytest.mark.parametrize("name", sorted(HELD.keys() - TOO_LITTLE - {STRANGERS}))
def test_a_source_that_is_read_better_stands_once(name: str, settings: Settings) -> None:
    path = cases()[name]
    with Palace.open(settings, user=name, embedder=embedder()) as palace:
        turns = readable(path, palace)
        if turns is not None:
            palace.mine(path)
        assert {pointer: palace.show(pointer).drawer.content for pointer in HELD[name]} == HELD[name]
        if turns is None:
            return
        standing = Counter(shown(drawer) for drawer in drawers_of(palace) if drawer.replaced_at is None)
        expected = Counter(said(turn) for turn in turns if not turn.replaced_by)
        assert standing == expected
        before = drawers_of(palace)
        assert palace.mine(path).drawers_new == 0
        assert drawers_of(palace) == before


def test_strangers_that_were_merged_are_named_and_taken_apart(settings: Settings, tmp_path: Path) -> None:
    (merged,) = [check for check in complaints(settings, STRANGERS) if check.name == "merged"]
    assert "W-001/R-01" in merged.finding
    with Palace.open(settings, user=STRANGERS, embedder=embedder()) as palace:
        for _ in range(2):
            for path in write_chats(tmp_path):
                palace.mine(path, wing=path.stem)
        assert {pointer: palace.show(pointer).drawer.content for pointer in HELD[STRANGERS]} == HELD[STRANGERS]
        standing = {
            wing.name: [
                drawer.content
                for room in palace.tree.rooms(wing)
                for drawer in palace.tree.drawers(room)
                if drawer.replaced_at is None
            ]
            for wing in palace.tree.wings()
        }
    assert standing == {Path(name).stem: [text for _, text in turns] for name, turns in CHATS.items()}
    assert complaints(settings, STRANGERS) == []


def test_the_doctor_finds_nothing_afterwards(settings: Settings) -> None:
    for name in list(HELD)[:20]:
        with Palace.open(settings, user=name, embedder=embedder()) as palace:
            palace.embeddings.backfill()
        assert complaints(settings, name) == []
