"""Homes with odd names, long names and the wrong owner."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from palace.db.embedded import cluster
from palace.db.embedded.cluster import configuration
from palace.db.embedded.home import (
    SHORT_FOLDERS,
    SOCKET_PATH_BYTES,
    Layout,
    make_private,
    own_account,  # fmt: skip
)
from palace.db.embedded.server import EmbeddedServer
from palace.errors import EmbeddedServerError

ODD_NAMES = ['100% it\'s "mine"; $HOME\\x für später', "a,b:c@d?e&f#g"]
Client = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(params=ODD_NAMES)
def odd(request: pytest.FixtureRequest, folder: Path, template: Path) -> Iterator[EmbeddedServer]:
    """A server whose home has an odd name."""
    home = folder / request.param
    subprocess.run(["cp", "-a", str(template), str(home)], check=True)
    server = EmbeddedServer(home, idle_minutes=0)
    yield server
    server.stop()
    if not Layout.of(home).socket_folder.is_relative_to(home):
        Layout.of(home).socket_folder.rmdir()


@pytest.mark.nightly
def test_a_home_may_have_any_name(odd: EmbeddedServer) -> None:
    odd.ensure_running()
    with psycopg.connect(odd.url("palace_owner")) as connection:
        assert connection.execute("select current_database()").fetchone() == ("palace",)
    url = sa.make_url(odd.url("palace_owner", "postgres")).set(drivername="postgresql+psycopg")
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.connect() as database:
        assert database.scalar(sa.text("select current_database()")) == "postgres"


@pytest.mark.nightly
@pytest.mark.parametrize("mode", [0o777, 0o700])
def test_a_short_folder_that_somebody_else_made_is_left_for_another(folder: Path, template: Path, mode: int) -> None:
    home = folder / ("long-" * 20) / "home"
    home.parent.mkdir(mode=0o711)
    subprocess.run(["cp", "-a", str(template), str(home)], check=True)
    taken, server = Layout.of(home).socket_folder, EmbeddedServer(home, idle_minutes=0)
    taken.mkdir()
    taken.chmod(mode)
    if mode == 0o700:
        if os.geteuid() != 0:
            pytest.skip("only root can make a folder somebody else's")
        os.chown(taken, 12345, 12345)
    try:
        server.ensure_running()
        place = Layout.of(home).socket_folder
        assert (place != taken, list(taken.iterdir())) == (True, [])
        assert server.stop()
        server.ensure_running()
        assert Layout.of(home).socket_folder == place
    finally:
        server.stop()
        shutil.rmtree(place)
        taken.rmdir()


@pytest.mark.nightly
def test_nobody_talks_to_a_server_in_a_folder_of_somebody_else(folder: Path, template: Path) -> None:
    home = folder / ("long-" * 20) / "home"
    home.parent.mkdir(mode=0o711)
    subprocess.run(["cp", "-a", str(template), str(home)], check=True)
    layout, server = Layout.of(home), EmbeddedServer(home, idle_minutes=0)
    server.ensure_running()
    server.stop()
    shutil.rmtree(layout.socket_folder)
    layout.socket_folder.mkdir()
    layout.socket_folder.chmod(0o755)
    impostor = socket.socket(socket.AF_UNIX)
    impostor.bind(str(layout.socket))
    impostor.listen()
    impostor.settimeout(0.2)
    try:
        with pytest.raises(EmbeddedServerError, match="is not a private folder"):
            server.require_own_socket()
        server.ensure_running()
        assert server.status().running
        assert Layout.of(home).socket_folder != Path(impostor.getsockname()).parent
        with pytest.raises(TimeoutError):
            impostor.accept()
    finally:
        impostor.close()
        server.stop()
        shutil.rmtree(layout.socket_folder)
        shutil.rmtree(SHORT_FOLDERS / layout.name)


def test_a_link_is_not_taken_for_a_private_folder(folder: Path) -> None:
    (folder / "elsewhere").mkdir(mode=0o700)
    (folder / "link").symlink_to(folder / "elsewhere")
    with pytest.raises(EmbeddedServerError, match="is not a private folder"):
        make_private(folder / "link", own_account())


def test_the_socket_path_always_fits_and_is_no_other_homes() -> None:
    for length in range(60, 110, 7):
        layouts = [Layout.of(Path("/srv") / ("ü" * length) / name) for name in ("a", "b")]
        assert all(len(os.fsencode(layout.socket)) <= SOCKET_PATH_BYTES for layout in layouts)
        assert layouts[0].socket_folder != layouts[1].socket_folder


root_only = pytest.mark.skipif(os.geteuid() != 0, reason="needs a second account")
BECOME_NOBODY = "from palace.models import ServerStatus; os.setgroups([]); os.setgid(65534); os.setuid(65534); "
"""Only now: the interpreter itself may lie where that account cannot go."""


@pytest.mark.nightly
@root_only
def test_an_ordinary_user_runs_the_server_as_itself(folder: Path, client: Client) -> None:
    home = folder / "theirs"
    home.mkdir()
    os.chown(home, 65534, 65534)
    code = "server.ensure_running(); pid = server.status().pid; print(os.stat(f'/proc/{pid}').st_uid, server.stop())"
    assert client(home, BECOME_NOBODY + code).communicate(timeout=60) == ("65534 True\n", "")


@pytest.mark.nightly
@root_only
def test_a_home_of_somebody_else_is_refused_in_one_line(made: EmbeddedServer, home: Path, client: Client) -> None:
    made.ensure_running()
    _, errors = client(home, BECOME_NOBODY + "server.ensure_running()").communicate(timeout=60)
    last = errors.strip().splitlines()[-1]
    assert last.startswith("palace.errors.EmbeddedServerError: ")
    assert "run palace as the user it belongs to, or set PALACE_HOME" in last


@root_only
def test_root_does_not_meddle_with_a_users_home(folder: Path) -> None:
    home = folder / "theirs"
    (home / "postgres").mkdir(parents=True)
    os.chown(home / "postgres", 65534, 65534)
    with pytest.raises(EmbeddedServerError, match="belongs to uid 65534: run palace as that user"):
        EmbeddedServer(home, idle_minutes=0).ensure_running()


def test_the_server_takes_its_share_of_what_its_container_may_use_and_its_settings_are_quoted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "LIMITS", (folder / "memory.max", folder / "nowhere"))
    physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // cluster.MEGABYTE
    whole = (max(128, min(physical // 16, 1024)), max(64, min(physical // 64, 512)))
    for limit, wanted in (("268435456", (128, 64)), ("8589934592", (512, 128)), ("max", whole)):
        (folder / "memory.max").write_text(f"{limit}\n")
        written = configuration(Layout.of(folder)).decode()
        assert f"shared_buffers = {wanted[0]}MB\n" in written, limit
        assert f"maintenance_work_mem = {wanted[1]}MB\n" in written, limit
    quoted = configuration(Layout.of(Path("/srv/it's a \\ home"))).decode()
    assert "unix_socket_directories = '/srv/it''s a \\\\ home/postgres/run'\n" in quoted
