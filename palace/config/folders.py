"""Folders of Palace's own: a home where there is none, and what is closed to all others in it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from palace.errors import BadRequest

PRIVATE = 0o700


def make_home(home: Path) -> None:
    """Make a home where there is none, closed to others; what exists is left as it is.

    Root's can be passed through, as the account that the embedded server runs under has to.

    Raises:
        OSError: the system refuses.
    """
    mode = 0o711 if os.geteuid() == 0 else PRIVATE
    for folder in (*reversed(home.parents), home):
        if folder.exists():
            continue
        try:
            folder.mkdir(mode)
        except FileExistsError:  # somebody else has made it meanwhile
            continue
        folder.chmod(mode)


def make_private(home: Path, *names: str) -> Path:
    """Make a folder in a home, and those around it, for this account alone; what exists is left as it is.

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
    """Yield a file beside the one that is meant, readable for its owner alone; it takes the name when all went well.

    What the operating system refuses inside of the block is told as well, but for a reader who left.

    Raises:
        BadRequest: there is a file already and nobody said ``force``, or no file can be written there.
    """
    require_free(path, force=force)
    with refused(path):
        target = path.resolve()
        # Beside the target: it could not be renamed from another file system.
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
    """Make sure that a file can be written here.

    Raises:
        BadRequest: there is a file already and nobody said ``force``, or something that is none.
    """
    with refused(path):
        if not path.parent.is_dir():
            raise BadRequest(f"{path.parent} is not a folder")
        # pathlib has an error of its own for this, and from Python 3.13 on none.
        if Path(os.path.realpath(path)).is_symlink():
            raise BadRequest(f"{path} cannot be written: it is a link that leads in a circle")
        if path.exists() and not path.is_file():
            raise BadRequest(f"{path} is there and is not a file: name another")
        if path.exists() and not force:
            raise BadRequest(f"{path} is there already: name another file, or replace it with --force")


@contextmanager
def refused(what: object) -> Iterator[None]:
    """Turn what the operating system refuses into one line; a reader who left is for the caller to notice.

    Raises:
        BadRequest: something was refused; ``what`` is what could not be written.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise BadRequest(f"{what} cannot be written: {problem.strerror}") from problem


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk: what was renamed there outlasts a loss of power."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
