"""Killed, cut off, restarted, without space: one line, nothing half filed, and the next run finishes the job."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import uuid
from collections import Counter
from pathlib import Path

import pytest
import sqlalchemy as sa

from bench.endurance.canonical import canonical_form, difference
from bench.endurance.kills import endure_kills
from bench.scale.corpus import read_export, synthetic_conversations, write_export
from palace import Administration, DatabaseUnavailable, Palace, PalaceError, Settings
from palace.testing import HashingEmbedder
from tests.crash.conftest import fill_disk


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Sixty turns in several conversations."""
    folder = tmp_path / "conversations"
    folder.mkdir()
    write_export(folder / "export.jsonl", synthetic_conversations(), drawers=60)
    return folder


@pytest.mark.nightly
@pytest.mark.parametrize("of_server", [False, True], ids=["miner", "server"])
def test_mining_again_after_a_kill_gives_the_undisturbed_palace(home: Path, source: Path, of_server: bool) -> None:
    outcome = endure_kills(home, source, count=2, seed=int(time.time()), of_server=of_server)
    assert (outcome.different, outcome.unclear) == ([], [])


@pytest.mark.nightly
@pytest.mark.slow
def test_a_connection_lost_in_the_middle_is_one_line_and_the_next_run_finishes(
    settings: Settings, source: Path
) -> None:
    wanted = _mined_undisturbed(settings, source)
    user = f"cut-{uuid.uuid4()}"
    with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
        cutter = threading.Thread(target=_cut_connections, args=(settings, stop := threading.Event()))
        cutter.start()
        told: list[PalaceError] = []
        try:
            for _ in range(20):
                try:
                    palace.mine(source, wing="Shared")
                except PalaceError as problem:
                    told.append(problem)
                    break
        finally:
            stop.set()
            cutter.join()
        assert all("\n" not in str(problem) and isinstance(problem, DatabaseUnavailable) for problem in told)
        palace.mine(source, wing="Shared")
        assert difference(wanted, canonical_form(palace)) == []


def _mined_undisturbed(settings: Settings, source: Path) -> dict[str, list[str]]:
    with Palace.open(settings, user=f"whole-{uuid.uuid4()}", embedder=HashingEmbedder()) as palace:
        palace.mine(source, wing="Shared")
        return canonical_form(palace)


def _cut_connections(settings: Settings, stop: threading.Event) -> None:
    """End the worker's connections that are in a transaction, again and again."""
    assert settings.database_owner_url is not None
    url = settings.database_owner_url.get_secret_value().replace("postgresql://", "postgresql+psycopg://")
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    cut = sa.text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid() AND state LIKE '%transaction%'"
    )
    with engine.connect() as connection:
        while not stop.wait(0.02):
            connection.execute(cut)
    engine.dispose()


@pytest.mark.nightly
def test_a_palace_that_stays_open_outlives_a_restart_of_the_server(home: Path, source: Path) -> None:
    settings = Settings(home=home, server_idle_minutes=0)
    with Palace.open(settings, embedder=HashingEmbedder()) as palace:
        palace.mine(source)
        before = palace.recall("anything that was said", top_k=3)
        for _ in range(2):
            Administration(settings).stop()
            assert palace.recall("anything that was said", top_k=3).hits == before.hits
            Administration(settings).stop()
            assert palace.note(f"Filed after restart {uuid.uuid4()}.").content


FILLER = """
import sys
from pathlib import Path
from palace import Palace
from palace.errors import PalaceError
from palace.config.settings import Settings
from palace.testing import HashingEmbedder

home, source = map(Path, sys.argv[1:])
try:
    with Palace.open(Settings(home=home, server_idle_minutes=0), embedder=HashingEmbedder()) as palace:
        print(palace.mine(source, wing="Shared").drawers_new)
except PalaceError as told:
    print(f"{type(told).__name__}: {told}")
"""


@pytest.mark.nightly
def test_a_full_disk_is_told_in_a_line_and_mining_goes_on_when_there_is_space(small_disk: Path, tmp_path: Path) -> None:
    source = tmp_path / "large"
    source.mkdir()
    write_export(source / "export.jsonl", synthetic_conversations(), drawers=1500)
    home = small_disk / "home"
    home.mkdir(mode=0o711)
    with Palace.open(Settings(home=home, server_idle_minutes=0), embedder=HashingEmbedder()) as palace:
        palace.note("The first note.")
    ballast = fill_disk(small_disk, but=6 << 20)
    told = _fill(home, source)
    assert told.count("\n") == 1
    assert "disk is full" in told
    ballast.unlink()
    assert int(_fill(home, source)) > 0
    with Palace.open(Settings(home=home, server_idle_minutes=0), embedder=HashingEmbedder()) as palace:
        palace.embeddings.backfill()
        counts = Counter(_said(palace))
    said = [message["content"] for messages in read_export(source / "export.jsonl") for message in messages]
    assert counts == Counter([*said, "The first note."])


def _said(palace: Palace) -> list[str]:
    """Everything said in a palace."""
    with palace._opened.session() as session:
        return list(session.connection.execute(sa.text("SELECT content FROM drawer")).scalars())


def _fill(home: Path, source: Path) -> str:
    command = [sys.executable, "-c", FILLER, str(home), str(source)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout
