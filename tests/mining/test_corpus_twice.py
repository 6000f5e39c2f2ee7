"""The whole corpus of the readers in one palace: every byte is there, and nothing twice, however it is named."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest

from palace import Palace, PalaceError, UnreadableSource
from tests.readers.front import read
from tests.upgrades.readings import CORPUS, cases


def contents_of(path: Path) -> list[str]:
    """Give what the turns of a case say, as a database can hold it; nothing of one that is not read to its end."""
    with suppress(UnreadableSource):
        said = [turn.content for each in read(path) for turn in each.turns]
        return ["".join("\ufffd" if c == "\0" or "\ud800" <= c <= "\udfff" else c for c in text) for text in said]
    return []


def packed(folder: Path, into: Path) -> Path:
    """Pack a folder."""
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    return into


def assert_there_once(palace: Palace, chosen: Iterable[Path]) -> None:
    """Mine cases one by one, and see that all is there byte for byte and that mining them again files nothing."""
    paths = list(chosen)
    for path in paths:
        with suppress(PalaceError):
            palace.mine(path)
    rooms = [room for wing in palace.tree.wings() for room in palace.tree.rooms(wing)]
    there = {drawer.content for room in rooms for drawer in palace.tree.drawers(room, limit=10_000)}
    assert {content for path in paths for content in contents_of(path)} - there == set()
    for path in paths:
        with suppress(PalaceError):
            assert palace.mine(path).drawers_new == 0, path.name


@pytest.mark.nightly
def test_every_case_is_there_byte_for_byte_and_mining_it_again_in_any_wrapping_files_nothing(
    palace: Palace, tmp_path: Path
) -> None:
    assert_there_once(palace, cases().values())
    before = palace.status().drawers
    for folder in ("exports", "text"):
        assert palace.mine(CORPUS / folder).drawers_new == 0, folder
        assert palace.mine(packed(CORPUS / folder, tmp_path / f"{folder}.zip")).drawers_new == 0, folder
    assert palace.status().drawers == before
