"""Rebuilding beside others: a kill, recall all along, another rebuild."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from palace import Palace, Settings
from palace.testing import HashingEmbedder
from tests.held import rows

REBUILDER = """
import sys
from palace import Palace
from palace.config.settings import Settings
from palace.testing import HashingEmbedder

runtime, owner, user = sys.argv[1:]
def told(progress):
    print(progress.phase, progress.done, flush=True)
    if progress.done >= 400:
        sys.stdin.read()
with Palace.open(Settings(database_url=runtime, database_owner_url=owner), user=user, embedder=HashingEmbedder()) as palace:
    palace.rebuild(progress=told)
"""  # noqa: E501

TURNS = 100
CONTENTS = [f"Note {number}: the boat in berth {number} is called Vessel{number}." for number in range(6 * TURNS)]
SHAPE = (
    "SELECT d.content, d.number, p.ordinal, p.char_start, p.char_end, p.tsv::text, k.name, e.embedding::text"
    " FROM drawer d JOIN passage p ON p.drawer_id = d.id JOIN closet k ON k.id = d.closet_id"
    " JOIN passage_embedding e ON e.drawer_id = d.id AND e.ordinal = p.ordinal ORDER BY 1, 3"
)


@pytest.fixture
def noted(palace: Palace, tmp_path: Path) -> Palace:
    """A palace of six conversations of a hundred turns each."""
    messages = [{"role": "user", "content": content} for content in CONTENTS]
    starts = range(0, len(messages), TURNS)
    talks = [{"id": str(start), "messages": messages[start : start + TURNS]} for start in starts]
    (tmp_path / "talks.json").write_text(json.dumps(talks), encoding="utf-8")
    palace.mine(tmp_path / "talks.json")
    return palace


@pytest.mark.nightly
def test_a_killed_rebuild_leaves_nothing_amiss_and_the_next_one_goes_on(settings: Settings, noted: Palace) -> None:
    before = rows(noted, SHAPE)
    assert settings.database_url is not None
    assert settings.database_owner_url is not None
    urls = [settings.database_url.get_secret_value(), settings.database_owner_url.get_secret_value()]
    command = [sys.executable, "-c", REBUILDER, *urls, noted.user]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        assert any(line.split() == ["cut", "400"] for line in killed.stdout)
        killed.kill()
    assert rows(noted, SHAPE) == before
    summary = noted.rebuild()
    assert (summary.resumed, summary.conversations_left) == (True, 0)
    assert (summary.conversations_before, summary.conversations) == (4, 2)
    assert rows(noted, SHAPE) == before
    assert rows(noted, "SELECT count(*) FROM rebuild WHERE finished_at IS NULL") == [(0,)]
    assert noted.rebuild().conversations == 6


@pytest.mark.nightly
def test_recall_finds_every_drawer_all_along(noted: Palace) -> None:
    wanted, over = CONTENTS[::120], Event()

    def look() -> int:
        looks = 0
        while not over.is_set():
            for content in wanted:
                assert noted.recall(content, top_k=1).hits[0].drawer.content == content
                looks += 1
        return looks

    with ThreadPoolExecutor(1) as pool:
        looking = pool.submit(look)
        try:
            noted.rebuild()
        finally:
            over.set()
        assert looking.result() > 0


@pytest.mark.nightly
def test_two_rebuilds_at_once_end_with_one_index(settings: Settings, noted: Palace) -> None:
    before = rows(noted, SHAPE)
    with Palace.open(settings, user=noted.user, embedder=HashingEmbedder()) as other, ThreadPoolExecutor(2) as pool:
        both = [pool.submit(palace.rebuild) for palace in (noted, other)]
        assert [rebuilding.result().conversations_left for rebuilding in both] == [0, 0]
    assert rows(noted, SHAPE) == before
    assert noted.status().passages == len(CONTENTS)
