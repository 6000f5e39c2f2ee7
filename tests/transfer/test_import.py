"""What an import refuses, what it leaves alone, and how it goes on after an interruption."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from palace import Palace, Settings, UnreadableSource
from tests.held import execute
from tests.transfer.conftest import OPEN, export_of, rows_of, sealed, without_events, write_talk

IMPORTER = """
import sys, time
from collections import Counter
from palace import Palace
from palace.config.settings import Settings
from palace.testing import HashingEmbedder

runtime, owner, user, path, step, place = sys.argv[1:]
seen = Counter()
def stop_at_the_place(now):
    seen[now.phase] += 1
    if now.phase == step and seen[step] == int(place):
        print("there", flush=True)
        time.sleep(600)
settings = Settings(database_url=runtime, database_owner_url=owner)
with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
    palace.transfer.load(path, progress=stop_at_the_place)
"""


SPOILED: dict[str, Callable[[bytes], bytes]] = {
    "foreign": lambda export: b"not an export\n",
    "half": lambda export: export[: len(export) // 2],
    "no end": lambda export: export.rsplit(b"\n", 2)[0] + b"\n",
    "edited": lambda export: export.replace(b"Torbole.", b"Malcesine."),
    "newer": lambda export: export.replace(b'"version":6', b'"version":7'),
    "field": lambda export: sealed(export.replace(b'"role":"user"', b'"role":"robot"')),
    "reference": lambda export: sealed(export.replace(b'"slice":"","number":1,"run"', b'"slice":"x","number":1,"run"')),
}


def test_a_file_that_is_not_in_order_leaves_every_table_as_it_was(exported: Path, open_palace: OPEN) -> None:
    whole, other = exported.read_bytes(), open_palace()
    before = rows_of(other)
    for name, spoil in SPOILED.items():
        exported.write_bytes(spoil(whole))
        with pytest.raises(UnreadableSource) as refused:
            other.transfer.load(exported)
        assert str(refused.value).startswith(str(exported)), name
        assert "\n" not in str(refused.value), name
        assert rows_of(other) == before, name


def test_what_cannot_be_opened_is_named(palace: Palace, tmp_path: Path) -> None:
    for name in ("nowhere.jsonl", "."):
        with pytest.raises(UnreadableSource, match="cannot be read"):
            palace.transfer.load(tmp_path / name)


def test_what_was_lost_is_put_back_under_its_old_pointer(full: Palace, exported: Path) -> None:
    lost = full.show("§ W-001/R-01/D-002").drawer
    execute(full, "DELETE FROM drawer WHERE user_id = :user_id AND content = 'A 12 V one.'")
    summary = full.transfer.load(exported)
    assert (summary.drawers_new, summary.drawers_unchanged, summary.drawers_forgotten) == (1, 7, 0)
    found = full.show("§ W-001/R-01/D-002").drawer
    assert (found.content, found.filed_at) == (lost.content, lost.filed_at)
    assert export_of(full) == exported.read_bytes()


def test_what_was_forgotten_stays_forgotten_with_its_places_and_its_title(full: Palace, exported: Path) -> None:
    full.forget("§ W-001/R-01/D-002")
    full.forget("Trips")
    before = rows_of(full)
    summary = full.transfer.load(exported)
    assert (summary.drawers_new, summary.drawers_unchanged, summary.drawers_forgotten) == (0, 5, 3)
    after = rows_of(full)
    for table in ("drawer", "tombstone", "room", "wing", "conversation"):
        assert after[table] == before[table]
    assert b"Torbole" not in export_of(full)
    assert b"On trip" not in export_of(full)


def test_a_tombstone_of_the_file_takes_nothing_away(
    full: Palace, exported: Path, open_palace: OPEN, tmp_path: Path
) -> None:
    copy = open_palace()
    copy.transfer.load(exported)
    full.forget("§ W-002/R-01/D-002")
    full.transfer.export(tmp_path / "later.jsonl")
    before = export_of(copy)
    assert copy.transfer.load(tmp_path / "later.jsonl").drawers_unchanged == 7
    assert copy.show("§ W-002/R-01/D-002").drawer.content == "Torbole."
    assert without_events(export_of(copy)) == without_events(before)


def test_a_copy_takes_up_what_the_palace_has_grown_by(
    full: Palace, exported: Path, open_palace: OPEN, tmp_path: Path
) -> None:
    copy = open_palace()
    copy.transfer.load(exported)
    full.mine(write_talk(tmp_path / "oven.json", "Which oven?"), wing="Kitchen")
    full.mine(write_talk(tmp_path / "trip.json", "Where in September?", "Torbole.", "By train?"), wing="Trips")
    full.transfer.export(tmp_path / "later.jsonl")
    assert copy.transfer.load(tmp_path / "later.jsonl").drawers_new == 2
    assert export_of(copy) == (tmp_path / "later.jsonl").read_bytes()


def _start_importer(settings: Settings, user: str, path: Path, step: str = "", place: int = 0) -> subprocess.Popen[str]:
    """Import in another process, which stops for good at a place of a step."""
    assert settings.database_url is not None
    assert settings.database_owner_url is not None
    urls = [settings.database_url.get_secret_value(), settings.database_owner_url.get_secret_value()]
    command = [sys.executable, "-c", IMPORTER, *urls, user, str(path), step, str(place)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def long(open_palace: OPEN, tmp_path: Path) -> Path:
    """An export of twenty conversations."""
    palace = open_palace()
    (tmp_path / "talks").mkdir()
    for place in range(20):
        write_talk(tmp_path / "talks" / f"{place:02}.json", *(f"Talk {place}, turn {turn}." for turn in range(6)))
    palace.mine(tmp_path / "talks")
    palace.transfer.export(tmp_path / "long.jsonl")
    return tmp_path / "long.jsonl"


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("step", "place", "filed"),
    [
        pytest.param("file", 11, 66, marks=pytest.mark.process),
        *(
            pytest.param(*at, marks=pytest.mark.nightly)
            for at in (("read", 3, 0), ("file", 20, 120), ("embed", 1, 120))
        ),
    ],
)
def test_a_killed_import_is_finished_by_the_next(
    step: str, place: int, filed: int, long: Path, settings: Settings, open_palace: OPEN
) -> None:
    other = open_palace()
    importer = _start_importer(settings, other.user, long, step, place)
    assert importer.stdout is not None
    assert importer.stdout.readline() == "there\n", importer.communicate()
    os.kill(importer.pid, signal.SIGKILL)
    importer.communicate()
    summary = other.transfer.load(long)
    assert (summary.drawers_unchanged, summary.drawers_new) == (filed, 120 - filed)
    assert export_of(other) == long.read_bytes()
    assert (other.status().drawers, other.status().embeddings[0].pending) == (120, 0)
