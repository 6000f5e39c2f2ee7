"""Several miners at once, each a process of its own, and miners that are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from palace import Palace, Settings
from palace.testing import HashingEmbedder
from tests.archive.places import owner_url
from tests.held import contents, rows

MINER = """
import json, sys, time
from palace import Palace
from palace.config.settings import Settings
from palace.testing import HashingEmbedder

runtime, owner, user, delay, *sources = sys.argv[1:]
class Slow(HashingEmbedder):
    def embed_passages(self, texts):
        time.sleep(float(delay))
        return super().embed_passages(texts)
with Palace.open(Settings(database_url=runtime, database_owner_url=owner), user=user, embedder=Slow()) as palace:
    print("ready", flush=True)
    summaries = [palace.mine(source, wing="Shared") for source in sources]
    print(json.dumps([(s.drawers_new, s.drawers_unchanged, list(map(str, s.failures))) for s in summaries]))
"""


def start_miner(settings: Settings, user: str, sources: Sequence[Path], *, delay: float = 0) -> subprocess.Popen[str]:
    assert settings.database_url is not None
    assert settings.database_owner_url is not None
    urls = [settings.database_url.get_secret_value(), settings.database_owner_url.get_secret_value()]
    command = [sys.executable, "-c", MINER, *urls, user, str(delay), *map(str, sources)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def write_conversations(folder: Path, count: int) -> list[Path]:
    paths = []
    for number in range(count):
        messages = [
            {"role": "user" if turn % 2 == 0 else "assistant", "content": f"Conversation {number}, turn {turn}."}
            for turn in range(10)
        ]
        path = folder / f"c{number:02}.json"
        path.write_text(json.dumps({"id": f"c{number}", "messages": messages}), encoding="utf-8")
        paths.append(path)
    return paths


def palace_shape(palace: Palace) -> list[tuple[Any, ...]]:
    """Everything of a palace but internal ids, runs and clock times."""
    return rows(
        palace,
        "SELECT c.identity, w.name, r.slice, r.name, d.position, d.content, d.is_revision, k.name,"
        " (SELECT count(*) FROM passage_embedding e WHERE e.drawer_id = d.id AND e.embedding IS NOT NULL)"
        " FROM drawer d JOIN conversation c ON c.id = d.conversation_id JOIN room r ON r.id = d.room_id"
        " JOIN wing w ON w.id = r.wing_id LEFT JOIN closet k ON k.id = d.closet_id ORDER BY 1, 5, 6",
    )


def wait_until_blocked(holder: psycopg.Connection, running: Future[Any]) -> None:
    """Return once another session waits for what ``holder`` has locked; fail where ``running`` ends without waiting."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    deadline = time.monotonic() + 60
    while holder.execute(waiting).fetchone() == (0,):
        assert not running.done(), "it did not wait"
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_miner_waits_for_the_one_that_files_the_same_conversation(settings: Settings, tmp_path: Path) -> None:
    messages = [{"role": "user", "content": f"Turn {number} of a conversation."} for number in range(4)]
    path = tmp_path / "grown.json"

    def write(count: int) -> None:
        path.write_text(json.dumps({"id": "grown", "messages": messages[:count]}), encoding="utf-8")

    user = f"user-{uuid.uuid4()}"
    with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
        write(2)
        palace.mine(path, wing="Shared")
        write(4)
        with psycopg.connect(owner_url(settings)) as other, ThreadPoolExecutor(1) as pool:
            lock = (
                "SELECT c.id FROM palace.conversation c JOIN palace.palace_user u ON u.id = c.user_id"
                " WHERE u.name = %s FOR NO KEY UPDATE OF c"
            )
            assert len(other.execute(lock, [user]).fetchall()) == 1
            mining = pool.submit(palace.mine, path, wing="Shared")
            wait_until_blocked(other, mining)
            assert palace.status().drawers == 2
            other.rollback()
            assert mining.result(timeout=60).drawers_new == 2
        assert palace.status().drawers == 4


@pytest.mark.nightly
def test_four_miners_over_forty_conversations_three_of_them_twice(settings: Settings, tmp_path: Path) -> None:
    paths = write_conversations(tmp_path, 40)
    user = f"user-{uuid.uuid4()}"
    shares = [paths[0:10] + paths[38:40], paths[10:20] + paths[0:1], paths[20:30], paths[30:40]]
    miners = [start_miner(settings, user, share) for share in shares]
    results = [miner.communicate(timeout=120) for miner in miners]
    assert [miner.returncode for miner in miners] == [0, 0, 0, 0], results
    assert sum(new for out, _ in results for new, _, _ in json.loads(out.splitlines()[-1])) == 400
    with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
        shape = palace_shape(palace)
        assert len(shape) == len({row[5] for row in shape}) == 400
        assert all(row[8] == 1 for row in shape)
        assert len(set(contents(palace).values())) == 400
        assert palace.status().drawers == 400
        (wing,) = palace.tree.wings()
        assert wing.room_count == 40


def assert_mended_after_kills(settings: Settings, folder: Path, waits: Sequence[float]) -> None:
    """Kill a miner after each of some seconds, and see that mining again makes the palace as one undisturbed is."""
    write_conversations(folder, 12)
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as undisturbed:
        undisturbed.mine(folder, wing="Shared")
        wanted, wanted_pointers = palace_shape(undisturbed), contents(undisturbed)
    for wait in waits:
        user = f"user-{uuid.uuid4()}"
        miner = start_miner(settings, user, [folder], delay=0.02)
        assert miner.stdout is not None
        assert miner.stdout.readline() == "ready\n", miner.communicate()
        time.sleep(wait)
        os.kill(miner.pid, signal.SIGKILL)
        miner.communicate()
        with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
            assert all(row[5] in {other[5] for other in wanted} for row in palace_shape(palace))
            palace.mine(folder, wing="Shared")
            assert palace_shape(palace) == wanted
            assert contents(palace) == wanted_pointers
            assert palace.status().embeddings[0].pending == 0


@pytest.mark.nightly
def test_a_miner_killed_at_any_moment_leaves_a_palace_that_mining_again_makes_whole(
    settings: Settings, tmp_path: Path
) -> None:
    assert_mended_after_kills(settings, tmp_path, [0.0, 0.05, 0.1, 0.2, 0.35])
