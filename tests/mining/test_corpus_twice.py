"""The whole corpus of the readers in one palace: every byte is there, and nothing twice, however it is named."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from palace import Palace
from palace.errors import PalaceError, UnreadableSource
from palace.mining.readers.discovery.paths import list_sources
from palace.mining.readers.reading import Reading
from palace.mining.readers.registry import read_conversations
from palace.text.repair import repair
from tests.upgrades.readings import CORPUS, cases


def contents_of(path: Path) -> Iterator[str]:
    """Give what the turns of a case say, up to where it breaks."""
    with suppress(UnreadableSource):
        sources = list_sources(path)
        for source in sources:
            for conversation in read_conversations(source, Reading(source.file)):
                for turn in conversation.turns:
                    yield repair(turn.content)[0]


def is_whole(path: Path) -> bool:
    """Tell whether a case is read to its end."""
    try:
        for source in list_sources(path):
            for _ in read_conversations(source, Reading(source.file)):
                pass
    except UnreadableSource:
        return False
    return True


def packed(folder: Path, into: Path) -> Path:
    """Pack a folder."""
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    return into


@pytest.fixture
def mined(palace: Palace) -> Palace:
    """A palace into which each case was mined by itself."""
    for path in cases().values():
        with suppress(PalaceError):
            palace.mine(path)
    return palace


def test_every_case_is_there_byte_for_byte_and_mining_it_again_in_any_wrapping_files_nothing(
    mined: Palace, tmp_path: Path
) -> None:
    rooms = [room for wing in mined.tree.wings() for room in mined.tree.rooms(wing)]
    there = {drawer.content for room in rooms for drawer in mined.tree.drawers(room, limit=10_000)}
    wanted = {content for path in cases().values() if is_whole(path) for content in contents_of(path)}
    assert wanted - there == set()
    before = mined.status().drawers
    for path in cases().values():
        with suppress(PalaceError):
            assert mined.mine(path).drawers_new == 0, path.name
    for folder in ("exports", "text"):
        assert mined.mine(CORPUS / folder).drawers_new == 0, folder
        assert mined.mine(packed(CORPUS / folder, tmp_path / f"{folder}.zip")).drawers_new == 0, folder
    assert mined.status().drawers == before
