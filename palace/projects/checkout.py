"""Finding the checkout that a folder belongs to, by looking at the file system alone.

Git itself is not asked: it would read configuration that lies in the repository. Nothing that stands in a repository
is believed unless what it points to points back, so an unpacked archive cannot pass for a checkout of somebody's.
Nothing here raises, whatever lies there.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LARGEST_POINTER = 8_192
"""Bytes of a file that names a folder: no path is longer."""
DEEPEST = 200
"""Folders that are looked at on the way up."""
MOST_LINKS = 40
"""Symbolic links that are followed on the way down, as the system does."""


def written_out(folder: str) -> str:
    """Return the whole path of a folder as a person names it; the text itself where none can have that name.

    ``~name`` of an account that is not there is a name like any other. An empty text, as of a variable that was never
    set, is none: it does not mean the working folder.
    """
    if not folder or "\0" in folder:
        return folder
    return str(Path(os.path.expanduser(folder)).absolute())  # noqa: PTH111 — pathlib's own raises for such an account


def home_folder() -> Path:
    """Return the home folder, resolved; the root where the person has none."""
    try:
        return Path(os.path.realpath(Path.home()))
    except (OSError, RuntimeError):
        return Path(os.sep)


@dataclass(frozen=True, slots=True)
class Checkout:
    """Where a project lies."""

    root: Path
    """Its main checkout; of a folder that is in none, the folder itself."""
    is_there: bool
    """Whether the folder that was asked about is on this machine."""
    is_repository: bool = False


def find_checkout(folder: str | os.PathLike[str], home: str | os.PathLike[str] | None = None) -> Checkout | None:
    """Find the main checkout that a folder belongs to; None where the text is no absolute path.

    Worktrees belong to the checkout they were made from, folders to the nearest checkout around them. A repository in
    the home folder, or above it, holds that folder alone: else whatever lies there would be one project.
    """
    text = os.fspath(folder)
    if not isinstance(text, str) or "\0" in text or not Path(text).is_absolute():
        return None
    try:
        base = home_folder() if home is None else Path(os.path.realpath(home))
        place = _real(Path(text), base)
        there = _is_folder(place)
        found = _enclosing(place, base)
    except (OSError, ValueError, RuntimeError):
        return Checkout(Path(text), is_there=False)
    return Checkout(place, there) if found is None else Checkout(found, there, is_repository=True)


def _real(path: Path, home: Path) -> Path:
    """Resolve a path; a symbolic link that lies in a checkout leads nowhere, for whoever made that may have made it.

    Then it is the folder in which the link lies.
    """
    place, rest, links = Path(path.anchor), list(path.parts[1:]), 0
    while rest:
        part = rest.pop(0)
        step = place.parent if part == ".." else place / part
        if not _is_link(step):
            place = step
            continue
        links += 1
        is_own = place == home or _enclosing(place, home) is None
        if links > MOST_LINKS or not is_own:
            return place
        target = step.readlink()
        rest = [*(target.parts[1:] if target.is_absolute() else target.parts), *rest]
        place = Path(target.anchor) if target.is_absolute() else place
    return place


def _enclosing(place: Path, home: Path) -> Path | None:
    """Find the checkout that a real path lies in, going up from it."""
    for above in _upward(place):
        if above != place and (above == home or above in home.parents):
            return None
        main = _main_of(above, place)
        if main is not None:
            return main
    return None


def _upward(place: Path) -> Iterator[Path]:
    for _ in range(DEEPEST):
        yield place
        if place.parent == place:
            return
        place = place.parent


def _main_of(folder: Path, asked: Path) -> Path | None:
    """Return the main checkout where a folder is a checkout itself; None where it is none."""
    git = folder / ".git"
    try:
        found = git.lstat()
    except OSError:
        return None
    if not _is_trusted(found, asked):
        return None
    if stat.S_ISDIR(found.st_mode):
        return folder if _is_repository(git) else None
    # A link, or a file that points elsewhere: it is a checkout, and what it is one of is believed only of a worktree.
    return (_main_of_worktree(folder, git) if stat.S_ISREG(found.st_mode) else None) or folder


def _main_of_worktree(folder: Path, git: Path) -> Path | None:
    """Return the main checkout of a worktree that its repository knows; None of anything else.

    The repository keeps a folder for each worktree, ``worktrees/NAME``, in which ``gitdir`` names the worktree's
    ``.git``; who only claims to be one is not named there.
    """
    admin = _pointed_to(git, folder, prefix="gitdir:")
    if admin is None or admin.parent.name != "worktrees":
        return None
    common = admin.parent.parent
    back, shared = _pointed_to(admin / "gitdir", admin), _pointed_to(admin / "commondir", admin)
    if back != Path(os.path.realpath(folder)) / ".git" or shared != common or not _is_repository(common):
        return None
    if common.name == ".git":
        return common.parent
    # A bare repository beside its worktrees, hidden in a folder whose .git points to it.
    holder = common.parent
    return holder if _pointed_to(holder / ".git", holder, prefix="gitdir:") == common else common


def _pointed_to(file: Path, base: Path, prefix: str = "") -> Path | None:
    """Read the path that a file names, resolved from a folder on; None where it names none."""
    text = os.fsdecode(read_small(file))
    if not text.startswith(prefix):
        return None
    named = text[len(prefix) :].removesuffix("\n").removesuffix("\r").strip(" " if prefix else "")
    if not named or "\0" in named or "\n" in named:
        return None
    try:
        return Path(os.path.realpath(base / named))
    except (OSError, ValueError):
        return None


def read_small(file: Path, largest: int = LARGEST_POINTER) -> bytes:
    """Return a regular file's bytes; b"" if it is missing, too large or no regular file."""
    text = read_part(file, largest + 1)
    return text if len(text) <= largest else b""


def read_part(file: Path, size: int, start: int = 0) -> bytes:
    """Return so many bytes of a regular file, or what there is of them; b"" if it cannot be read or is none."""
    # Without waiting for a pipe's other end, and without following a link.
    further = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with open(file, "rb", 0, opener=lambda path, flags: os.open(path, flags | further)) as part:
            return part.read(size) if stat.S_ISREG(os.fstat(part.fileno()).st_mode) and part.seek(start) >= 0 else b""
    except OSError:
        return b""


def _is_repository(git: Path) -> bool:
    """Tell a folder of git's as git does."""
    return _is_folder(git / "objects") and _is_folder(git / "refs") and os.path.lexists(git / "HEAD")


def _is_trusted(found: os.stat_result, asked: Path) -> bool:
    """Whether a ``.git`` counts: it is the person's own, or whoever's the folder is that is asked about.

    Else anybody could make all that lies in a shared folder one project, by a repository there.
    """
    if not hasattr(os, "geteuid") or found.st_uid == os.geteuid():
        return True
    try:
        return asked.stat().st_uid == found.st_uid
    except OSError:
        return False


def _is_link(path: Path) -> bool:
    try:
        return stat.S_ISLNK(path.lstat().st_mode)
    except OSError:
        return False


def _is_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError):
        return False
