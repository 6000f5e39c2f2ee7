"""Making the data folder, starting, attaching, stopping."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from palace.db.embedded.home import Layout
from palace.db.embedded.postmaster import stop_processes
from palace.db.embedded.server import EmbeddedServer, leaving_stopped
from palace.errors import EmbeddedServerError

Query = Callable[..., list[tuple[Any, ...]]]
Client = Callable[..., "subprocess.Popen[str]"]


@pytest.mark.process
def test_a_new_server_is_durable_private_and_keeps_its_data_over_a_stop(
    made: EmbeddedServer, layout: Layout, query: Query
) -> None:
    assert not made.stop()
    made.ensure_running()
    status = made.status()
    assert (status.running, status.data_folder, str(status.version)[:3]) == (True, str(layout.data), "18.")
    rows = query(
        made,
        "select current_setting('server_encoding'), current_setting('data_checksums'), datlocale, rolsuper"
        " from pg_database, pg_roles where datname = 'palace' and rolname = 'palace_owner'",
    )
    assert rows == [("UTF8", "on", "C.UTF-8", True)]
    names = ("fsync", "full_page_writes", "synchronous_commit", "listen_addresses", "wal_level", "jit", "TimeZone")
    settings: dict[str, str] = dict(query(made, "select name, setting from pg_settings"))
    assert [settings[name] for name in names] == ["on", "on", "on", "", "replica", "off", "UTC"]
    assert [each for each in psutil.net_connections("inet") if each.pid == status.pid] == []
    for folder in (layout.data, layout.logs, layout.socket_folder):
        assert folder.stat().st_mode & 0o777 == 0o700
    for file in (layout.lock, layout.alive, layout.last_used, layout.start_log):
        assert file.stat().st_mode & 0o777 == 0o600
    query(made, "create table kept_over_a_stop as select 42 as answer")
    assert (made.stop(), made.stop(), made.status().running, made.status().version) == (True, False, False, "18")
    made.ensure_running()
    assert query(made, "select answer from kept_over_a_stop") == [(42,)]


def test_looking_at_a_server_that_never_ran_writes_nothing(server: EmbeddedServer, home: Path) -> None:
    status = server.status()
    assert (status.running, status.pid, status.version, status.data_bytes) == (False, None, None, 0)
    assert not home.exists()


@pytest.mark.nightly
@pytest.mark.process
def test_processes_that_start_at_once_end_with_one_server(home: Path, client: Client) -> None:
    clients = [client(home, "server.ensure_running(); print(server.status().pid)") for _ in range(5)]
    outputs = [process.communicate(timeout=60) for process in clients]
    assert {errors for _, errors in outputs} == {""}
    assert len({pid for pid, _ in outputs}) == 1
    assert outputs[0][0].strip().isdigit()


@pytest.mark.nightly
@pytest.mark.parametrize("reached", ["data.new-*/PG_VERSION", "data/postmaster.pid"])
def test_a_client_killed_during_its_first_start_leaves_nothing_in_the_way(
    home: Path, server: EmbeddedServer, layout: Layout, client: Client, query: Query, reached: str
) -> None:
    process = client(home, "server.ensure_running(); time.sleep(60)")
    while not list(layout.folder.glob(reached)):
        assert process.poll() is None
        time.sleep(0.002)
    process.kill()
    server.ensure_running()
    assert query(server, "select current_database()::text") == [("palace",)]
    assert list(layout.folder.glob("data.new-*")) == []


def test_another_major_version_is_refused_by_name(copied: EmbeddedServer, layout: Layout) -> None:
    (layout.data / "PG_VERSION").write_text("17\n")
    with pytest.raises(
        EmbeddedServerError, match="was made by Postgres 17, this is Postgres 18: run `palace db backup"
    ) as caught:
        copied.ensure_running()
    assert str(layout.data) in str(caught.value)
    assert copied.status().version == "17"


def test_a_folder_with_other_files_is_not_taken_for_data(server: EmbeddedServer, layout: Layout) -> None:
    layout.data.mkdir(parents=True)
    (layout.data / "thesis.txt").write_text("do not touch")
    for folder in (layout.home, layout.folder):
        folder.chmod(0o711)
    with pytest.raises(EmbeddedServerError, match="not a Postgres data folder"):
        server.ensure_running()
    assert (layout.data / "thesis.txt").read_text() == "do not touch"


@pytest.mark.nightly
def test_a_failed_start_can_be_mended(copied: EmbeddedServer, layout: Layout) -> None:
    good = (layout.data / "postgresql.conf").read_bytes()
    (layout.data / "postgresql.conf").write_bytes(good + b"no_such_setting = 1\n")
    with pytest.raises(EmbeddedServerError, match=r"did not start: configuration file .* contains errors") as caught:
        copied.ensure_running()
    assert "\n" not in str(caught.value)
    (layout.data / "postgresql.conf").write_bytes(good)
    copied.ensure_running()
    assert copied.status().running


@pytest.mark.nightly
def test_the_clients_environment_does_not_reach_the_server(
    home: Path, server: EmbeddedServer, client: Client, query: Query
) -> None:
    foreign = {"LANG": "xx_YY.UTF-8", "LC_ALL": "xx_YY.UTF-8", "TZ": "Asia/Tokyo", "PGDATA": "/nowhere"}
    foreign |= {"PGPORT": "9", "PGOPTIONS": "-c jit=on", "PGHOST": "nowhere"}
    process = client(home, "server.ensure_running()", env={**os.environ, **foreign})
    assert process.communicate(timeout=60) == ("", "")
    assert query(server, "select current_setting('TimeZone'), current_setting('jit')") == [("UTC", "off")]
    assert psutil.Process(server.status().pid).environ().keys().isdisjoint(foreign.keys() - {"LC_ALL"})


@pytest.mark.nightly
def test_who_only_looks_again_and_again_leaves_stopped_what_a_person_stopped(made: EmbeddedServer) -> None:
    made.ensure_running()
    made.stop()
    with leaving_stopped():
        with pytest.raises(EmbeddedServerError, match="was stopped"):
            made.ensure_running()
        assert not made.status().running
        with leaving_stopped(leaves=False):
            made.ensure_running()
        stop_processes(made._layout)
        made.ensure_running()
