"""Palace's own folders and files: the home, private folders in it, and files that are replaced as a whole."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from palace.errors import BadRequest

PRIVATE = 0o700


def file_of_user(folder: Path, palace: str, user: str) -> Path:
    """Return the path of a user's file in a folder; its name tells nobody who that is.

    ``palace`` identifies the database, and holds no secret.
    """
    name = sha256(f"{palace}\n{user}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return folder / f"{name}.jsonl"


def make_home(home: Path) -> None:
    """Create a home folder closed to other accounts, and its parents; existing folders are left as they are.

    Root's home can be traversed by others, as the embedded server's account has to.

    Raises:
        OSError: the system refuses.
    """
    mode = 0o711 if os.geteuid() == 0 else PRIVATE
    for folder in (*reversed(home.parents), home):
        if folder.exists():
            continue
        try:
            folder.mkdir(mode)
        except FileExistsError:  # another process has created it meanwhile
            continue
        folder.chmod(mode)


def make_private(home: Path, *names: str) -> Path:
    """Create a folder in a home, and those around it, for this account alone; existing ones are left as they are.

    Raises:
        OSError: the system refuses.
    """
    folder = home.joinpath(*names)
    try:
        folder.mkdir(PRIVATE)
    except FileExistsError:
        return folder
    except FileNotFoundError:
        make_home(home)
        for number in range(len(names)):
            home.joinpath(*names[: number + 1]).mkdir(PRIVATE, exist_ok=True)
    return folder


@contextmanager
def written_whole(path: Path, *, force: bool) -> Iterator[Path]:
    """Yield a temporary file beside ``path``, readable for its owner alone, which replaces it when the block succeeds.

    Errors of the operating system in the block are translated as well, except a broken pipe.

    Raises:
        BadRequest: the file exists and ``force`` is not set, or no file can be written there.
    """
    require_free(path, force=force)
    with refused(path):
        target = path.resolve()
        # Beside the target: a file cannot be renamed across file systems.
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".partial", dir=target.parent)
        os.close(descriptor)
        partial = Path(name)
        try:
            yield partial
            require_free(path, force=force)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
        sync_folder(target.parent)


def require_free(path: Path, *, force: bool) -> None:
    """Check that a file can be created or replaced at a path.

    Raises:
        BadRequest: the file exists and ``force`` is not set, or something there is no file.
    """
    with refused(path):
        if not path.parent.is_dir():
            raise BadRequest(f"{path.parent} is not a folder")
        # pathlib raises an error of its own for this, and from Python 3.13 on none.
        if Path(os.path.realpath(path)).is_symlink():
            raise BadRequest(f"{path} cannot be written: it is a link that leads in a circle")
        if path.exists() and not path.is_file():
            raise BadRequest(f"{path} is there and is not a file: name another")
        if path.exists() and not force:
            raise BadRequest(f"{path} is there already: name another file, or replace it with --force")


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Hold a folder's lock, for which other threads and processes wait that take it by this function.

    Raises:
        OSError: there is no such folder, or the system refuses.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def refused(what: object) -> Iterator[None]:
    """Translate errors of the operating system into one line; a broken pipe is raised unchanged.

    Raises:
        BadRequest: ``what`` could not be written.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise BadRequest(f"{what} cannot be written: {problem.strerror}") from problem


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to disk, so that a rename in it survives a loss of power."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
