"""The embedded server's folders below the palace's home, and the account they belong to.

``<home>/postgres`` belongs to whoever runs Palace; the data, the log and the socket in it belong to the
account the server runs as. These differ for root only, whom Postgres refuses.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import secrets
import stat
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from palace.errors import EmbeddedServerError

OWNER_ROLE = "palace_owner"
"""The superuser of the server; owns the database and its schema."""
LOGIN_ROLE = "palace_login"
"""As which everyday work logs in: a member of the runtime role, which cannot log in itself."""
DATABASE = "palace"
MAINTENANCE_DATABASE = "postgres"
"""Where the server is asked how it is: a session in the palace's database would keep it from being cloned."""
PORT = 5432
"""Only names the socket file; nothing listens on the network."""
SOCKET_PATH_BYTES = 103
"""The longest socket path every system takes (``sun_path`` of 104 with its NUL)."""
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
    """Where everything of one home's server lies."""

    home: Path
    """Absolute, symbolic links resolved: two spellings of one home are one server."""
    folder: Path
    """What holds all of the rest."""
    data: Path
    """The data folder; it exists complete or not at all."""
    logs: Path
    """Log files of the last seven days."""
    start_log: Path
    """What the server said before it opened its own log, at the last start."""
    watcher_log: Path
    """Empty, unless the idle watcher failed."""
    lock: Path
    """Held exclusively while the server is started or stopped, shared by whoever attaches."""
    stopped: Path
    """There from when a person stopped the server until it is started again."""
    alive: Path
    """Held by the server's processes for as long as one of them lives."""
    watched: Path
    """Held by the idle watcher; says which process it watches, and after how many minutes that is idle."""
    last_used: Path
    """Touched by every client that attaches."""
    other_short_name: Path
    """Names the socket's folder outside of the home, where somebody else has taken the usual name."""

    @classmethod
    def of(cls, home: Path) -> Layout:
        """Resolve the home a person named; it need not exist."""
        resolved = Path(os.path.realpath(home.expanduser()))
        folder = resolved / "postgres"
        return cls(resolved, folder, **{name: folder / file for name, file in _FILES.items()})

    @property
    def name(self) -> str:
        """Tells this home's server from others: the same for the same home, 19 characters."""
        return "palace-" + hashlib.sha256(os.fsencode(self.home)).hexdigest()[:12]

    @property
    def socket_folder(self) -> Path:
        """A private folder; outside the home if the home's path does not fit or would read as two hosts."""
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
        """The socket itself."""
        return self.socket_folder / f".s.PGSQL.{PORT}"


@dataclass(frozen=True, slots=True)
class Account:
    """The operating-system account the server runs as."""

    uid: int
    gid: int
    name: str
    foreign: bool
    """Not the account of this process; only root can have that."""

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

        ``text`` is its standard input. Its output goes to the file ``log``, or is collected. ``keep`` are the
        descriptors it inherits.

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
        """Whether this account can reach a folder; asked of the system, so access lists count."""
        return self.run(["/bin/sh", "-c", 'cd -- "$1"', "sh", folder], seconds=10).returncode == 0


def own_account() -> Account:
    """The account of this process."""
    return Account(os.geteuid(), os.getegid(), f"uid {os.geteuid()}", foreign=False)


def server_account(layout: Layout) -> Account:
    """The account for this home's server: this process's own; for root the data's owner or a system account.

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
    """Make the home and the server's folder in it where they are missing.

    Folders made here are closed to others; root's can be passed through, since the server's account has to.
    Folders that exist are left as they are.

    Raises:
        EmbeddedServerError: the folder belongs to another account.
    """
    mode = 0o711 if os.geteuid() == 0 else 0o700
    for folder in _missing((*reversed(layout.folder.parents), layout.folder)):
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
    """Make the log and socket folders, private to the server's account, and see that it can reach them.

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
        # Anybody can take a name there.
        _rename_socket_folder(layout)
        make_private(layout.socket_folder, account)


def make_private(folder: Path, account: Account) -> None:
    """Make a folder that only the account can enter; one that exists must be that already.

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
    """Make sure that the folder of the socket, if it is there, is this home's server's and nobody else's.

    Raises:
        EmbeddedServerError: somebody may have put another server in its place.
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


def _missing(folders: Iterable[Path]) -> list[Path]:
    return [folder for folder in folders if not folder.exists()]


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
