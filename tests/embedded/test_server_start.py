"""Making the data folder, starting, attaching, stopping."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from palace.errors import EmbeddedServerError
from palace.store.embedded.binaries import wheel_binaries
from palace.store.embedded.cluster import data_version, initialise
from palace.store.embedded.home import Layout, own_account, server_account
from palace.store.embedded.postmaster import stop_processes
from palace.store.embedded.server import EmbeddedServer, leaving_stopped

Query = Callable[..., list[tuple[Any, ...]]]
Client = Callable[..., "subprocess.Popen[str]"]


def test_a_new_cluster_is_utf8_with_checksums_and_has_the_database(made: EmbeddedServer, query: Query) -> None:
    made.ensure_running()
    rows = query(
        made,
        "select current_setting('server_encoding'), current_setting('data_checksums'), datlocprovider, datlocale,"
        " current_database(), rolsuper from pg_database, pg_roles"
        " where datname = 'palace' and rolname = 'palace_owner'",
    )
    assert rows == [("UTF8", "on", "b", "C.UTF-8", "palace", True)]


def test_text_search_knows_typographic_quotes_from_letters(made: EmbeddedServer, query: Query) -> None:
    made.ensure_running()
    rows = query(made, "select tsvector_to_array(to_tsvector('simple', '“hello”—ÜBER café…'))")
    assert rows == [(["café", "hello", "über"],)]


def test_commits_are_durable_and_nothing_listens_on_the_network(made: EmbeddedServer, query: Query) -> None:
    made.ensure_running()
    names = ("fsync", "full_page_writes", "synchronous_commit", "listen_addresses", "wal_level", "jit", "TimeZone")
    settings: dict[str, str] = dict(query(made, "select name, setting from pg_settings"))
    assert [settings[name] for name in names] == ["on", "on", "on", "", "replica", "off", "UTC"]
    pid = made.status().pid
    assert [c for c in psutil.net_connections("inet") if c.pid == pid] == []


def test_everything_of_the_server_is_closed_to_other_accounts(made: EmbeddedServer, layout: Layout) -> None:
    made.ensure_running()
    for folder in (layout.data, layout.logs, layout.socket_folder):
        assert folder.stat().st_mode & 0o777 == 0o700
    for file in (layout.lock, layout.alive, layout.last_used, layout.start_log):
        assert file.stat().st_mode & 0o777 == 0o600


def test_attaching_to_a_running_server_takes_milliseconds(made: EmbeddedServer) -> None:
    made.ensure_running()
    pid = made.status().pid
    seconds = []
    for _ in range(7):
        begun = time.perf_counter()
        made.ensure_running()
        seconds.append(time.perf_counter() - begun)
    assert min(seconds) < 0.04
    assert made.status().pid == pid


def test_data_outlives_a_stop(made: EmbeddedServer, query: Query) -> None:
    made.ensure_running()
    query(made, "create table kept_over_a_stop as select 42 as answer")
    assert made.stop()
    assert not made.status().running
    made.ensure_running()
    assert query(made, "select answer from kept_over_a_stop") == [(42,)]


def test_stop_says_whether_there_was_a_server(made: EmbeddedServer) -> None:
    assert not made.stop()
    made.ensure_running()
    assert made.stop()
    assert not made.stop()


def test_looking_at_a_server_that_never_ran_writes_nothing(server: EmbeddedServer, home: Path) -> None:
    status = server.status()
    assert (status.running, status.pid, status.version, status.data_bytes) == (False, None, None, 0)
    assert not home.exists()


def test_the_status_names_process_version_and_places(made: EmbeddedServer, layout: Layout) -> None:
    made.ensure_running()
    status = made.status()
    assert status.running
    assert status.pid is not None
    assert psutil.Process(status.pid).name() == "postgres"
    assert status.version is not None
    assert status.version.startswith("18.")
    assert (status.data_folder, status.socket_folder) == (layout.data, layout.socket_folder)
    assert status.data_bytes > 20_000_000


def test_a_stopped_server_still_has_a_version_and_a_size(made: EmbeddedServer) -> None:
    made.ensure_running()
    made.stop()
    status = made.status()
    assert (status.running, status.pid, status.version) == (False, None, "18")
    assert status.data_bytes > 20_000_000


def test_processes_that_start_at_once_end_with_one_server(home: Path, client: Client) -> None:
    clients = [client(home, "server.ensure_running(); print(server.status().pid)") for _ in range(5)]
    outputs = [process.communicate(timeout=60) for process in clients]
    assert {errors for _, errors in outputs} == {""}
    assert len({pid for pid, _ in outputs}) == 1
    assert outputs[0][0].strip().isdigit()


def test_threads_that_start_at_once_end_with_one_server(made: EmbeddedServer, home: Path) -> None:
    def start(_: int) -> int | None:
        own = EmbeddedServer(home, idle_minutes=0)
        own.ensure_running()
        return own.status().pid

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(start, range(4))) == {made.status().pid}


def test_what_an_interrupted_initdb_left_is_removed(server: EmbeddedServer, layout: Layout) -> None:
    half = layout.folder / "data.new-left"
    half.mkdir(parents=True)
    layout.home.chmod(0o711)
    layout.folder.chmod(0o711)
    (half / "PG_VERSION").write_text("18\n")
    (half / "base").mkdir()
    server.ensure_running()
    assert server.status().running
    assert not half.exists()


@pytest.mark.parametrize("reached", ["data.new-*/PG_VERSION", "data/PG_VERSION", "data/postmaster.pid"])
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
    copied.ensure_running()
    copied.stop()
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


def test_a_failed_start_tells_the_last_line_of_the_log(copied: EmbeddedServer, layout: Layout) -> None:
    copied.ensure_running()
    copied.stop()
    with (layout.data / "postgresql.conf").open("a") as file:
        file.write("no_such_setting = 1\n")
    with pytest.raises(EmbeddedServerError, match=r"did not start: configuration file .* contains errors") as caught:
        copied.ensure_running()
    assert "\n" not in str(caught.value)


def test_a_failed_start_can_be_mended(copied: EmbeddedServer, layout: Layout) -> None:
    copied.ensure_running()
    copied.stop()
    good = (layout.data / "postgresql.conf").read_bytes()
    (layout.data / "postgresql.conf").write_bytes(good + b"no_such_setting = 1\n")
    with pytest.raises(EmbeddedServerError):
        copied.ensure_running()
    (layout.data / "postgresql.conf").write_bytes(good)
    copied.ensure_running()
    assert copied.status().running


def test_a_full_disk_is_told_in_one_line(folder: Path) -> None:
    disk = folder / "disk"
    disk.mkdir(mode=0o711)
    command = ["mount", "-t", "tmpfs", "-o", "size=12m,mode=711", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("a small disk can only be mounted by a root that may mount")
    server = EmbeddedServer(disk / "home", idle_minutes=0)
    try:
        with pytest.raises(EmbeddedServerError, match="No space left on device") as caught:
            server.ensure_running()
        assert "\n" not in str(caught.value)
        assert list((disk / "home" / "postgres").glob("data*")) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_the_clients_environment_does_not_reach_the_server(
    home: Path, server: EmbeddedServer, client: Client, query: Query
) -> None:
    foreign = {
        "LANG": "xx_YY.UTF-8",
        "LC_ALL": "xx_YY.UTF-8",
        "TZ": "Asia/Tokyo",
        "PGPORT": "9",
        "PGDATA": "/nowhere",
        "PGOPTIONS": "-c jit=on",
        "PGHOST": "nowhere",
    }
    process = client(home, "server.ensure_running()", env={**os.environ, **foreign})
    assert process.communicate(timeout=60) == ("", "")
    assert query(server, "select current_setting('TimeZone'), current_setting('jit')") == [("UTC", "off")]
    assert psutil.Process(server.status().pid).environ().keys().isdisjoint(foreign.keys() - {"LC_ALL"})


def test_a_machine_without_the_locale_gets_a_cluster_all_the_same(server: EmbeddedServer, layout: Layout) -> None:
    layout.folder.mkdir(parents=True)
    for folder in (layout.home, layout.folder):
        folder.chmod(0o711)
    account = server_account(layout)
    layout.data.mkdir(mode=0o700)
    if account.foreign:
        os.chown(layout.data, account.uid, account.gid)
    initialise(layout.data, wheel_binaries(), account, types=("xx_YY.UTF-8", "C"))
    assert data_version(layout) == "18"


def test_a_dump_of_the_palace_is_one_program_away(made: EmbeddedServer, query: Query) -> None:
    made.ensure_running()
    query(made, "create table dumped as select 'Grüße' as text")
    command = [str(made.binary("pg_dump")), "--dbname", made.url("palace_owner")]
    dump = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    assert "Grüße" in dump.stdout


def test_a_program_that_is_not_there_is_named(made: EmbeddedServer) -> None:
    with pytest.raises(EmbeddedServerError, match="pg_nonsense is missing"):
        made.binary("pg_nonsense")


def test_a_full_server_counts_as_running(made: EmbeddedServer) -> None:
    made.ensure_running()
    with ExitStack() as connections:
        for _ in range(100):
            connections.enter_context(psycopg.connect(made.url("palace_owner")))
        with pytest.raises(psycopg.OperationalError, match="too many clients"):
            psycopg.connect(made.url("palace_owner"))
        made.ensure_running()
        assert made.status().running


def test_the_server_library_loads_no_driver(home: Path) -> None:
    code = (
        "import sys; import palace.store.embedded.server; print('psycopg' in sys.modules, 'sqlalchemy' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert result.stdout == "False False\n"


def test_an_own_account_is_not_foreign() -> None:
    account = own_account()
    assert (account.uid, account.foreign) == (os.geteuid(), False)


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
