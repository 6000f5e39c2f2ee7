"""Finds the checkout that a folder belongs to, from the file system alone.

Git itself is not run: it would read configuration in the repository. A pointer in a repository is believed only if its
target points back, so an unpacked archive cannot pass for a checkout. No function here raises, whatever is in the
folders.
"""

from __future__ import annotations

import os
import re
import stat
import struct
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from palace.config.project_keys import folder_of, key_of, plain_key

LARGEST_POINTER = 8_192
"""The most bytes of a file that names a folder: no path is longer."""
DEEPEST = 200
"""The most folders looked at on the way up."""
MOST_LINKS = 40
"""The most symbolic links followed on the way down, as in Linux."""


def written_out(folder: str) -> str:
    """Return a folder's absolute path, ``~`` expanded; the text itself where it can be no path.

    ``~name`` of an unknown account is taken as a folder's name. An empty text, as of an unset variable, stays empty: it
    does not mean the working folder.
    """
    if not folder or "\0" in folder:
        return folder
    return str(Path(os.path.expanduser(folder)).absolute())  # noqa: PTH111 — pathlib's own raises for such an account


def home_folder() -> Path:
    """Return the home folder, resolved; the root where the account has none."""
    try:
        return Path(os.path.realpath(Path.home()))
    except (OSError, RuntimeError):
        return Path(os.sep)


@dataclass(frozen=True, slots=True)
class Checkout:
    """The root of a project."""

    root: Path
    """Its main checkout; for a folder outside any checkout, the folder itself."""
    is_there: bool
    """Whether the folder that was looked up exists on this machine."""
    is_repository: bool = False


def find_checkout(folder: str | os.PathLike[str], home: str | os.PathLike[str] | None = None) -> Checkout | None:
    """Return the main checkout that a folder belongs to; None where the text is no absolute path.

    Worktrees belong to the checkout they were made from, folders to the nearest checkout around them. A repository in
    the home folder, or above it, holds that folder alone: otherwise everything below would be one project.
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
    """Resolve a path, without following symbolic links inside a checkout, whose author may be a stranger.

    For such a link, return the folder that contains it.
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
    """Return the checkout that contains a resolved path, searching upwards; None without one."""
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
    """Return the main checkout of a folder that is a checkout itself; None if it is none."""
    git = folder / ".git"
    try:
        found = git.lstat()
    except OSError:
        return None
    if not _is_trusted(found, asked):
        return None
    if stat.S_ISDIR(found.st_mode):
        return folder if _is_repository(git) else None
    # A symbolic link or a file that points elsewhere: a checkout, whose main one is believed only for a worktree.
    return (_main_of_worktree(folder, git) if stat.S_ISREG(found.st_mode) else None) or folder


def _main_of_worktree(folder: Path, git: Path) -> Path | None:
    """Return the main checkout of a worktree that its repository lists; None for anything else.

    The repository has a folder for each worktree, ``worktrees/NAME``, in which ``gitdir`` names the worktree's
    ``.git``; a folder that only claims to be a worktree is not named there.
    """
    admin = pointed_to(git, folder, prefix="gitdir:")
    if admin is None or admin.parent.name != "worktrees":
        return None
    common = admin.parent.parent
    back, shared = pointed_to(admin / "gitdir", admin), pointed_to(admin / "commondir", admin)
    if back != Path(os.path.realpath(folder)) / ".git" or shared != common or not _is_repository(common):
        return None
    if common.name == ".git":
        return common.parent
    # A bare repository beside its worktrees, hidden in a folder whose .git points to it.
    holder = common.parent
    return holder if pointed_to(holder / ".git", holder, prefix="gitdir:") == common else common


def pointed_to(file: Path, base: Path, prefix: str = "") -> Path | None:
    """Return the path in a file, resolved relative to a folder; None if the file holds none."""
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
    """Return up to ``size`` bytes of a regular file from ``start``; b"" if it cannot be read or is no regular file."""
    # Do not block on a pipe, and do not follow a link.
    further = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with open(file, "rb", 0, opener=lambda path, flags: os.open(path, flags | further)) as part:
            return part.read(size) if stat.S_ISREG(os.fstat(part.fileno()).st_mode) and part.seek(start) >= 0 else b""
    except OSError:
        return b""


def _is_repository(git: Path) -> bool:
    """Check whether a folder is a Git directory, by Git's own criteria."""
    return _is_folder(git / "objects") and _is_folder(git / "refs") and os.path.lexists(git / "HEAD")


def _is_trusted(found: os.stat_result, asked: Path) -> bool:
    """Check that a ``.git`` belongs to this account, or to the owner of the folder that was looked up.

    Otherwise anybody could turn a shared folder into one project by creating a repository there.
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


SCHEME = "://"
"""Part of the keys of repositories and of folders on other machines; keys of folders on this machine never have it."""
MOST_PACKS, LARGEST_PART = 200, 1 << 22
"""The most packs searched, and the most bytes read of each one's index: enough for fifty million objects."""
_ADDRESS = re.compile(
    r"(?:(?P<scheme>https?|ssh|git|git\+ssh)://)?(?P<user>[^/\s]*@)?(?:(?:alt)?ssh\.(?=[\w-]+\.))?"
    r"(?P<host>[\w-]+(?:\.[\w-]+)+)(?(scheme)(?::\d+)?/|(?(user):/?|:/?(?=[^/\s]+/\S)))"
    r"(?P<path>[\w./~%+-]+?)(?:\.git)?/?(?:[?#]\S*)?",
    re.ASCII | re.IGNORECASE,
)
_SECTION = re.compile(r'\s*\[((?i:remote)\s+"origin"\s*\])?')
_URL = re.compile(r'(?:\s*\[[^]]*\])?\s*url\s*=\s*"?([^\s"#;]+)"?\s*(?:[#;].*)?', re.IGNORECASE)


def key_of_repository(told: str) -> str:
    """Return a repository's key, lower-case, from its address or first commit; "" of a path, or a host of one machine.

    >>> key_of_repository("git@GitHub.com:mara/Efoil.git"), key_of_repository("https://x:y@github.com/mara/efoil")
    ('git://github.com/mara/efoil', 'git://github.com/mara/efoil')
    """
    if re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", told):
        return f"commit{SCHEME}{told}"
    found = _ADDRESS.fullmatch(told) if len(told) < 900 else None
    is_whole = found and all(part.strip(".") for part in found["path"].split("/"))
    return f"git{SCHEME}{found['host']}/{found['path']}".lower() if found and is_whole else ""


def matches_checkout(key: str, told: Collection[str]) -> bool | None:
    """Check whether the checkout in a key's folder is of the repository with the keys ``told``; None if unknown.

    An address decides where both have one: forks share their first commits. The checkout's files are not trusted:
    whoever made it may have written them.
    """
    addresses = {each for each in told if each.startswith(f"git{SCHEME}")}
    commits = [each.partition(SCHEME)[2] for each in told if each.startswith(f"commit{SCHEME}")]
    if SCHEME in key or not (addresses or commits):
        return None
    git = Path(folder_of(key, home_folder()), ".git")
    checkout = find_checkout(git.parent)
    try:
        if checkout is None or not checkout.is_repository or git.is_symlink() or not git.is_dir():
            return None
        origin = key_of_repository(_origin(git)) if addresses else ""
        if origin:
            return origin in addresses
        return any(_holds(git, each) for each in commits) if commits else None
    except OSError:
        return None


def _origin(git: Path) -> str:
    """Return the URL of a checkout's remote "origin", the first of several as in Git; "" if there is none."""
    is_origin = False
    for line in read_small(git / "config", 1 << 16).decode("utf-8-sig", "replace").split("\n"):
        section, url = _SECTION.match(line), _URL.fullmatch(line)
        is_origin = bool(section[1]) if section else is_origin
        if is_origin and url:
            return url[1]
    return ""


def _holds(git: Path, commit: str) -> bool:
    if (git / "objects" / commit[:2] / commit[2:]).is_file():
        return True
    name = bytes.fromhex(commit)
    for index in islice((git / "objects" / "pack").glob("*.idx"), MOST_PACKS):
        head = read_part(index, 1032)
        if len(head) == 1032 and head.startswith(b"\xfftOc\0\0\0\2"):
            ends = struct.unpack(">256I", head[8:])
            first = ends[name[0] - 1] if name[0] else 0
            size = min(max(ends[name[0]] - first, 0) * len(name), LARGEST_PART)
            if name in read_part(index, size, 1032 + first * len(name)):
                return True
    return False


SYSTEM = frozenset(
    ("bin", "boot", "dev", "etc", "lib", "lib64", "nix", "opt", "proc", "run", "sbin", "snap", "sys", "usr", "var")
)
"""System folders in the root: nothing in them is a project, unless it is a checkout."""
TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 — nothing is written there


def is_workplace(folder: str | os.PathLike[str]) -> bool:
    """Check whether a folder is in a place where people work: a checkout, or a folder of one's own.

    The home folder and those above it do not count, nor do the temporary folder itself, hidden folders, and system
    folders.
    """
    home = home_folder()
    checkout = find_checkout(folder, home)
    if checkout is None or not checkout.is_there:
        return False
    root = checkout.root
    if root in (home, *home.parents) or root in _temporary():
        return False
    if checkout.is_repository:
        return True
    parts = root.relative_to(home).parts if root.is_relative_to(home) else root.parts[1:]
    is_theirs = root.is_relative_to(home) or any(root.is_relative_to(each) for each in _temporary())
    return not any(part.startswith(".") for part in parts) and (is_theirs or parts[0] not in SYSTEM)


def _temporary() -> set[Path]:
    return {Path(os.path.realpath(each)) for each in (*TEMPORARY, tempfile.gettempdir())}


def key_of_folder(folder: str | os.PathLike[str]) -> str:
    """Return the key of the project that a folder belongs to, on this machine or another; "" where it can have none.

    A folder that is not here gets the key that it has on its own machine, whatever home it is in.
    """
    home = home_folder()
    checkout = find_checkout(folder, home)
    if checkout is None or not (checkout.is_there or checkout.is_repository or checkout.root.is_relative_to(home)):
        return plain_key(folder) if isinstance(folder, str) else ""
    return key_of(checkout.root, home)
