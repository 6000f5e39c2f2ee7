"""Homes whose servers are ended in every way."""

from __future__ import annotations

import os
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from palace import Administration, Settings


@pytest.fixture
def home(folder: Path) -> Iterator[Path]:
    """A home of the test's own; its server is stopped at the end."""
    yield folder
    Administration(Settings(home=folder, server_idle_minutes=0)).stop()


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A file system of 160 MB; only the system's administrator can mount one."""
    path = Path("/tmp") / f"palace-disk-{uuid.uuid4().hex[:8]}"
    path.mkdir(mode=0o711)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=160m,mode=0711", "tmpfs", path], check=False, capture_output=True
    )
    if mounted.returncode:
        path.rmdir()
        pytest.skip("mounting a small file system takes an administrator")
    yield path
    Administration(Settings(home=path / "home", server_idle_minutes=0)).stop()
    subprocess.run(["umount", "-l", path], check=True)
    path.rmdir()


def fill_disk(disk: Path, *, but: int) -> Path:
    """Fill a file system but for some bytes; give the file that takes the place."""
    ballast = disk / "ballast"
    with ballast.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(disk).free - but)
    return ballast
