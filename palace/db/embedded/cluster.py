"""The data folder: created once and atomically, configured anew at every start."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from palace.config.folders import sync_folder
from palace.db.embedded.binaries import BinaryFolder
from palace.db.embedded.home import DATABASE, OWNER_ROLE, PORT, Account, Layout
from palace.errors import EmbeddedServerError

MEGABYTE = 2**20
LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Linux's limits on a container's memory (cgroup v2 and v1); "max", or a huge number, where there is none."""
CREATE_SECONDS = 180
CHARACTER_TYPES = ("C.UTF-8", "C")
"""Tried in this order. Collation never depends on the machine, but the parser of text search asks the C library what a
letter is, and under plain C it takes every typographic quote and dash for one."""
INITDB_OPTIONS = (
    f"--username={OWNER_ROLE}",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--data-checksums",
    "--no-instructions",
    "--no-sync",
)
"""Without syncing: the folder is synced as a whole at the end, just before it gets its name."""
CONFIGURATION_FILE = "palace.conf"
CONFIGURATION = """\
# Written by Palace at every start; settings of your own belong in postgresql.auto.conf (ALTER SYSTEM).
listen_addresses = ''
port = {port}
unix_socket_directories = '{socket_folder}'
unix_socket_permissions = 0700
cluster_name = '{name}'
max_connections = 100
shared_buffers = {shared_buffers}MB
maintenance_work_mem = {maintenance}MB
dynamic_shared_memory_type = {shared_memory}
wal_level = replica
max_wal_size = 1GB
wal_compression = on
fsync = on
synchronous_commit = on
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
logging_collector = on
log_directory = '../log'
log_filename = 'postgres-%a.log'
log_truncate_on_rotation = on
log_rotation_age = 1d
log_rotation_size = 0
log_min_messages = warning
log_checkpoints = off
"""
ACCESS = """\
# Whoever may enter the socket's folder is trusted; nobody comes over the network.
local all all trust
local replication all trust
"""
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - only its size is read
SHARED_MEMORY_BYTES = 256 << 20
"""Bytes that parallel index builds may need. Containers often have 64 MB: there the server uses mmap instead."""


def ensure_data(layout: Layout, binaries: BinaryFolder, account: Account, *, keep: Sequence[int]) -> None:
    """Create the data folder if there is none, and write this start's configuration into it.

    Call it with the home's lock held and no server running. The programs started here inherit the descriptors ``keep``,
    so that nobody takes the folder for abandoned while one of them outlives a killed client.

    Raises:
        EmbeddedServerError: the folder is another version's, not a data folder, or cannot be created.
    """
    if layout.data.is_dir() and any(layout.data.iterdir()):
        check_data(layout, binaries, account)
    else:
        _create(layout, binaries, account, keep)
    _write(layout.data / CONFIGURATION_FILE, configuration(layout), account)


def check_data(layout: Layout, binaries: BinaryFolder, account: Account) -> None:
    """Check that these binaries can open the data folder.

    Raises:
        EmbeddedServerError: they cannot; the message says why and what to do.
    """
    version = data_version(layout)
    if version is None:
        raise EmbeddedServerError(f"{layout.data} is not a Postgres data folder (no PG_VERSION): move it away")
    if version != binaries.major:
        raise EmbeddedServerError(
            f"{layout.data} was made by Postgres {version}, this is Postgres {binaries.major}: "
            "run `palace db backup FILE` with the Palace version that made it, then `palace db restore FILE` into a "
            "new home (docs/backup.md), or move the folder away"
        )
    owner = layout.data.stat().st_uid
    if owner != account.uid:
        raise EmbeddedServerError(f"{layout.data} belongs to uid {owner}, the server runs as {account.name}")


def data_version(layout: Layout) -> str | None:
    """Return the major version that created the data folder, None where there is no data folder."""
    try:
        return (layout.data / "PG_VERSION").read_text(encoding="utf-8", errors="replace").strip()
    except (FileNotFoundError, NotADirectoryError):
        return None


def configuration(layout: Layout) -> bytes:
    """Return the settings of this home's server, as a file that ``postgresql.conf`` includes."""
    socket_folder = str(layout.socket_folder).replace("\\", "\\\\").replace("'", "''")
    content = CONFIGURATION.format(
        port=PORT,
        socket_folder=socket_folder,
        name=layout.name,
        # Shared memory is allocated as it is used: a small palace stays small.
        shared_buffers=share_of_memory(16, least=128, most=1024),
        maintenance=share_of_memory(64, least=64, most=512),
        shared_memory="posix" if _shared_memory_bytes() >= SHARED_MEMORY_BYTES else "mmap",
    )
    return os.fsencode(content)


def initialise(
    folder: Path,
    binaries: BinaryFolder,
    account: Account,
    *,
    keep: Sequence[int] = (),
    types: Sequence[str] = CHARACTER_TYPES,
) -> None:
    """Create a new cluster, owned by the role ``palace_owner``, in an empty folder of the account.

    ``types`` are locale names to try for the C library's character types.

    Raises:
        EmbeddedServerError: initdb failed; the message ends with its last line.
    """
    command: list[str | Path] = [binaries.binary("initdb"), *INITDB_OPTIONS, f"--pgdata={folder}"]
    for kind in types:
        result = account.run([*command, f"--lc-ctype={kind}"], seconds=CREATE_SECONDS, keep=keep)
        if "invalid locale name" not in result.stdout:
            break
    _require(result, f"initdb failed in {folder.parent}")


def _create(layout: Layout, binaries: BinaryFolder, account: Account, keep: Sequence[int]) -> None:
    for abandoned in layout.folder.glob("data.new-*"):
        shutil.rmtree(abandoned, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix="data.new-", dir=layout.folder))
    try:
        if account.foreign:
            os.chown(folder, account.uid, account.gid)
        initialise(folder, binaries, account, keep=keep)
        _include_configuration(folder, account)
        _write(folder / "pg_hba.conf", ACCESS.encode(), account)
        _write(folder / CONFIGURATION_FILE, configuration(layout), account)
        _create_database(folder, binaries, account, keep)
        synced = account.run(
            [binaries.binary("initdb"), "--sync-only", "-D", folder], seconds=CREATE_SECONDS, keep=keep
        )
        _require(synced, f"writing {folder.parent} to disk failed")
        folder.rename(layout.data)
        sync_folder(layout.folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _include_configuration(folder: Path, account: Account) -> None:
    """Append the include as the server's account: root must not follow links in another account's folder."""
    line = f"include '{CONFIGURATION_FILE}'\n"
    result = account.run(["/bin/sh", "-c", 'cat >>"$1"', "sh", folder / "postgresql.conf"], seconds=10, text=line)
    _require(result, f"configuring {folder.parent} failed")


def _create_database(folder: Path, binaries: BinaryFolder, account: Account, keep: Sequence[int]) -> None:
    """Create the database before the folder gets its name, so that a data folder always has one."""
    command: list[str | Path] = [
        binaries.binary("postgres"),
        "--single",
        "-F",
        "-D",
        folder,
        "-c",
        "logging_collector=off",
        "postgres",
    ]
    statement = f"CREATE DATABASE {DATABASE}\n"
    result = account.run(command, seconds=CREATE_SECONDS, text=statement, keep=keep)
    _require(result, f"creating the database {DATABASE} failed")


def _require(result: subprocess.CompletedProcess[str], what: str) -> None:
    """Raise unless a program succeeded; the single-user server exits with 0 even after an ERROR."""
    lines = [line.strip() for line in result.stdout.splitlines() if line.strip()]
    complaints = [line for line in lines if re.search("error:|ERROR:|FATAL:|PANIC:", line)]
    if result.returncode != 0 or complaints:
        raise EmbeddedServerError(f"{what}: {(complaints or lines or [f'exit status {result.returncode}'])[-1]}")


def _write(path: Path, content: bytes, account: Account) -> None:
    """Replace a file as a whole, never through a link that the server's account might have created."""
    if path.is_file() and not path.is_symlink() and path.read_bytes() == content:
        return
    descriptor, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            if account.foreign:
                os.fchown(file.fileno(), account.uid, account.gid)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _shared_memory_bytes() -> int:
    return shutil.disk_usage(SHARED_MEMORY).total if SHARED_MEMORY.is_dir() else SHARED_MEMORY_BYTES


def usable_memory() -> int:
    """Return the bytes of memory that this process and its server may use together."""
    physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min((physical, *(limit for limit in map(_limit, LIMITS) if limit is not None)))


def share_of_memory(part: int, *, least: int, most: int) -> int:
    """Return one ``part``-th of the usable memory in megabytes, at least ``least`` and at most ``most``."""
    return max(least, min(usable_memory() // MEGABYTE // part, most))


def _limit(file: Path) -> int | None:
    try:
        written = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return int(written) if written.isdecimal() else None
