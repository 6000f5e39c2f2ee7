"""Postgres refuses root: which account runs the server then, and what it can reach."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from palace.db.embedded.binaries import BinaryFolder, wheel_binaries
from palace.db.embedded.home import Layout
from palace.db.embedded.server import EmbeddedServer
from palace.errors import EmbeddedServerError

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root has another account run the server")
Client = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def closed_binaries(folder: Path) -> BinaryFolder:
    """The installation as seen through a folder that only root can enter."""
    original, closed = wheel_binaries(), folder / "closed"
    closed.mkdir(mode=0o700)
    for part in {original.install.parts[0], *(part.parts[0] for part in original.libraries)}:
        (closed / part).symlink_to(original.root / part)
    return BinaryFolder(closed, original.install, original.libraries)


def user_of(server: EmbeddedServer) -> int:
    """Who runs the server."""
    pid = server.status().pid
    assert pid is not None
    return Path(f"/proc/{pid}").stat().st_uid


@pytest.mark.nightly
def test_an_unprivileged_account_runs_the_server_and_owns_the_data(made: EmbeddedServer, layout: Layout) -> None:
    made.ensure_running()
    assert user_of(made) != 0
    assert layout.data.stat().st_uid == user_of(made)
    assert layout.folder.stat().st_uid == 0


@pytest.mark.nightly
def test_folders_made_on_the_way_can_be_passed_through(folder: Path, client: Client) -> None:
    home = folder / "var" / "lib" / "palace"
    code = "os.umask(0o077); server.ensure_running(); print(server.stop())"
    assert client(home, code).communicate(timeout=60) == ("True\n", "")
    assert [path.stat().st_mode & 0o777 for path in (home, home.parent, home.parent.parent)] == [0o711] * 3


def test_a_home_in_a_closed_folder_is_refused_and_left_as_it_is(folder: Path) -> None:
    closed = folder / "private"
    closed.mkdir(mode=0o700)
    with pytest.raises(EmbeddedServerError, match=r"set PALACE_HOME .* such as /var/lib/palace") as caught:
        EmbeddedServer(closed / "home", idle_minutes=0).ensure_running()
    assert str(caught.value).startswith(f"{closed} is closed to the account")
    assert closed.stat().st_mode & 0o777 == 0o700


@pytest.mark.nightly
def test_binaries_the_account_cannot_reach_are_copied_once(
    copied: EmbeddedServer, home: Path, layout: Layout, closed_binaries: BinaryFolder
) -> None:
    server = EmbeddedServer(home, idle_minutes=0, binaries=closed_binaries)
    server.ensure_running()
    (copy,) = layout.folder.glob("binaries*")
    made_at = (copy / closed_binaries.install / "bin" / "postgres").stat().st_ctime_ns
    server.stop()
    server.ensure_running()
    assert server.status().running
    assert (copy / closed_binaries.install / "bin" / "postgres").stat().st_ctime_ns == made_at
