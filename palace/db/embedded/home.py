"""The embedded server's folders below the palace's home, and the account that owns them.

``<home>/postgres`` belongs to the account that runs Palace; the data, the log and the socket in it belong to the
account that the server runs as. These differ for root only, as which Postgres refuses to run.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import secrets
import stat
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from palace.errors import EmbeddedServerError

OWNER_ROLE = "palace_owner"
"""The superuser of the server; owns the database and its schema."""
LOGIN_ROLE = "palace_login"
"""The role of everyday logins: a member of the runtime role, which cannot log in itself."""
DATABASE = "palace"
MAINTENANCE_DATABASE = "postgres"
"""The database for checks of the server: a session in the palace's database would prevent cloning it."""
PORT = 5432
"""Part of the socket file's name only; nothing listens on the network."""
SOCKET_PATH_BYTES = 103
"""The longest socket path that every system accepts (``sun_path`` of 104 with its NUL)."""
SHORT_FOLDERS = Path("/tmp")  # noqa: S108 - what is made there is checked for its owner and mode
UNPRIVILEGED_ACCOUNTS = ("postgres", "nobody")
CLEAN_ENVIRONMENT = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
"""The server must not depend on the client's locale, nor on its ``PG…`` variables."""


_FILES = {
    "data": "data",
    "logs": "log",
    "start_log": "start.log",
    "watcher_log": "watcher.log",
    "lock": "lock",
    "stopped": "stopped",
    "alive": "alive",
    "watched": "watched",
    "last_used": "last-used",
    "other_short_name": "socket-folder",
}


class Layout(NamedTuple):
    """The paths of one home's server."""

    home: Path
    """The home, absolute, symbolic links resolved: two spellings of one home are one server."""
    folder: Path
    """The folder that contains all of the following."""
    data: Path
    """The data folder; it exists complete or not at all."""
    logs: Path
    """Log files of the last seven days."""
    start_log: Path
    """Output of the server before it opened its own log, at the last start."""
    watcher_log: Path
    """Empty, unless the idle watcher failed."""
    lock: Path
    """Held exclusively while the server is started or stopped, shared while a client attaches."""
    stopped: Path
    """Exists from when a person stops the server until it is started again."""
    alive: Path
    """Locked by the server's processes for as long as one of them lives."""
    watched: Path
    """Locked by the idle watcher; holds the process id it watches, and the minutes until that counts as idle."""
    last_used: Path
    """Touched by every client that attaches."""
    other_short_name: Path
    """Holds the name of the socket's folder outside the home, where another account has taken the usual name."""

    @classmethod
    def of(cls, home: Path) -> Layout:
        """Return the paths for a home, which need not exist."""
        resolved = Path(os.path.realpath(home.expanduser()))
        folder = resolved / "postgres"
        return cls(resolved, folder, **{name: folder / file for name, file in _FILES.items()})

    @property
    def name(self) -> str:
        """Identifies this home's server: always the same for the same home, 19 characters."""
        return "palace-" + hashlib.sha256(os.fsencode(self.home)).hexdigest()[:12]

    @property
    def socket_folder(self) -> Path:
        """The socket's private folder; outside the home if its path is too long or would read as two hosts."""
        inside = self.folder / "run"
        fits = len(os.fsencode(inside / f".s.PGSQL.{PORT}")) <= SOCKET_PATH_BYTES
        return inside if fits and "," not in str(inside) else SHORT_FOLDERS / self._short_name()

    def _short_name(self) -> str:
        try:
            return self.other_short_name.read_text(encoding="ascii")
        except FileNotFoundError:
            return self.name

    @property
    def socket(self) -> Path:
        """The socket file."""
        return self.socket_folder / f".s.PGSQL.{PORT}"


@dataclass(frozen=True, slots=True)
class Account:
    """The operating-system account that the server runs as."""

    uid: int
    gid: int
    name: str
    foreign: bool
    """Whether it is another account than this process's, which only root can use."""

    def run(
        self,
        command: Sequence[str | Path],
        *,
        seconds: float,
        text: str = "",
        log: Path | None = None,
        keep: Sequence[int] = (),
    ) -> subprocess.CompletedProcess[str]:
        """Run a command as this account in a session of its own, with a clean environment and no open files.

        ``text`` is its standard input. Its output goes to the file ``log``, or is returned. It inherits the descriptors
        ``keep``.

        Raises:
            EmbeddedServerError: it cannot be started, or took longer than ``seconds``.
        """
        with open(log or os.devnull, "wb", opener=_open_private) as file:
            try:
                return subprocess.run(
                    [str(part) for part in command],
                    input=text,
                    stdout=file if log else subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    encoding="utf-8",
                    errors="replace",
                    timeout=seconds,
                    check=False,
                    cwd="/",
                    env=CLEAN_ENVIRONMENT,
                    umask=0o077,
                    start_new_session=True,
                    pass_fds=keep,
                    user=self.uid if self.foreign else None,
                    group=self.gid if self.foreign else None,
                    extra_groups=[] if self.foreign else None,
                )
            except subprocess.TimeoutExpired as problem:
                raise EmbeddedServerError(f"{command[0]} did not end within {seconds:g} s") from problem
            except OSError as problem:
                raise EmbeddedServerError(f"{command[0]} cannot be run as {self.name}: {problem.strerror}") from problem

    def can_enter(self, folder: Path) -> bool:
        """Check whether this account can enter a folder, by trying, so that access lists count."""
        return self.run(["/bin/sh", "-c", 'cd -- "$1"', "sh", folder], seconds=10).returncode == 0


def own_account() -> Account:
    """Return the account of this process."""
    return Account(os.geteuid(), os.getegid(), f"uid {os.geteuid()}", foreign=False)


def server_account(layout: Layout) -> Account:
    """Return the account for this home's server: this process's; for root the data's owner or a system account.

    Raises:
        EmbeddedServerError: root finds no unprivileged account to use.
    """
    if os.geteuid() != 0:
        return own_account()
    try:
        owner = layout.data.stat()
    except FileNotFoundError:
        return _unprivileged()
    if owner.st_uid == 0:
        return _unprivileged()
    return Account(owner.st_uid, owner.st_gid, f"uid {owner.st_uid}", foreign=True)


def make_folder(layout: Layout) -> None:
    """Create the home and the server's folder in it where they are missing.

    Folders created here are closed to others; root's can be traversed, because the server's account has to. Existing
    folders are left as they are.

    Raises:
        EmbeddedServerError: the folder belongs to another account.
    """
    mode = 0o711 if os.geteuid() == 0 else 0o700
    for folder in [each for each in (*reversed(layout.folder.parents), layout.folder) if not each.exists()]:
        try:
            folder.mkdir(mode=mode)
        except FileExistsError:
            continue
        folder.chmod(mode)
    owner = layout.folder.stat().st_uid
    if owner != os.geteuid():
        raise EmbeddedServerError(
            f"{layout.folder} belongs to uid {owner}: run palace as that user, "
            "or set PALACE_HOME to a folder of your own"
        )


def give_folders(layout: Layout, account: Account) -> None:
    """Create the log and socket folders, private to the server's account, and check that it can reach them.

    Raises:
        EmbeddedServerError: a folder on the way is closed to the account, or one of the two is not private.
    """
    if account.foreign and not account.can_enter(layout.folder):
        closed = next(path for path in (*reversed(layout.folder.parents), layout.folder) if not account.can_enter(path))
        raise EmbeddedServerError(
            f"{closed} is closed to the account {account.name}, which runs the server for root: "
            "set PALACE_HOME to a folder it can reach, such as /var/lib/palace"
        )
    make_private(layout.logs, account)
    try:
        make_private(layout.socket_folder, account)
    except EmbeddedServerError:
        if layout.socket_folder.parent != SHORT_FOLDERS:
            raise
        # Any account may have taken that name in /tmp.
        _rename_socket_folder(layout)
        make_private(layout.socket_folder, account)


def make_private(folder: Path, account: Account) -> None:
    """Create a folder that only the account can enter; an existing one must be private already.

    Raises:
        EmbeddedServerError: something else is in its place.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if stat.S_ISDIR(found.st_mode) and account.foreign and found.st_uid == os.geteuid():
        os.chown(folder, account.uid, account.gid, follow_symlinks=False)
        found = folder.lstat()
    private = stat.S_ISDIR(found.st_mode) and found.st_uid == account.uid and not found.st_mode & 0o077
    if not private:
        raise EmbeddedServerError(f"{folder} is not a private folder (mode 0700) of {account.name}: move it away")


def require_private_socket(layout: Layout) -> None:
    """Check that the socket's folder, if it exists, belongs to this home's server and is closed to others.

    Raises:
        EmbeddedServerError: another account may have put its own server there.
    """
    folder = layout.socket_folder
    try:
        found, owners = folder.lstat(), {os.geteuid(), layout.data.stat().st_uid}
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in owners or found.st_mode & 0o077:
        raise EmbeddedServerError(f"{folder} is not a private folder (mode 0700) of this palace's server")


def _rename_socket_folder(layout: Layout) -> None:
    written = layout.other_short_name.with_suffix(".partial")
    with open(written, "w", encoding="ascii", opener=_open_private) as file:
        file.write(f"{layout.name}-{secrets.token_hex(4)}")
    written.replace(layout.other_short_name)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _unprivileged() -> Account:
    for name in UNPRIVILEGED_ACCOUNTS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if entry.pw_uid != 0:
            return Account(entry.pw_uid, entry.pw_gid, name, foreign=True)
    raise EmbeddedServerError(
        "Postgres does not run as root, and there is no account postgres or nobody to run it as: "
        "add one (useradd --system postgres), or run palace as an ordinary user"
    )
