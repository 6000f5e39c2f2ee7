"""Finding the checkout that a folder belongs to, by looking at the file system alone.

Git itself is not asked: it would read configuration that lies in the repository. Nothing that stands in a repository
is believed unless what it points to points back, so an unpacked archive cannot pass for a checkout of somebody's.
Nothing here raises, whatever lies there.
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


SCHEME = "://"
"""What the key of a repository has, and that of a folder that is not here; that of a folder here never has it."""
MOST_PACKS, LARGEST_PART = 200, 1 << 22
"""Packs that are looked at, and bytes of the index of each: names that begin alike, of fifty million objects."""
_ADDRESS = re.compile(
    r"(?:(?P<scheme>https?|ssh|git|git\+ssh)://)?(?P<user>[^/\s]*@)?(?:(?:alt)?ssh\.(?=[\w-]+\.))?"
    r"(?P<host>[\w-]+(?:\.[\w-]+)+)(?(scheme)(?::\d+)?/|(?(user):/?|:/?(?=[^/\s]+/\S)))"
    r"(?P<path>[\w./~%+-]+?)(?:\.git)?/?(?:[?#]\S*)?",
    re.ASCII | re.IGNORECASE,
)
_SECTION = re.compile(r'\s*\[((?i:remote)\s+"origin"\s*\])?')
_URL = re.compile(r'(?:\s*\[[^]]*\])?\s*url\s*=\s*"?([^\s"#;]+)"?\s*(?:[#;].*)?', re.IGNORECASE)


def key_of_repository(told: str) -> str:
    """Return a repository's key, in lower case, by its address or first commit; "" of a path, or a host of one machine.

    >>> key_of_repository("git@GitHub.com:mara/Efoil.git"), key_of_repository("https://x:y@github.com/mara/efoil")
    ('git://github.com/mara/efoil', 'git://github.com/mara/efoil')
    """
    if re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", told):
        return f"commit{SCHEME}{told}"
    found = _ADDRESS.fullmatch(told) if len(told) < 900 else None
    is_whole = found and all(part.strip(".") for part in found["path"].split("/"))
    return f"git{SCHEME}{found['host']}/{found['path']}".lower() if found and is_whole else ""


def matches_checkout(key: str, told: Collection[str]) -> bool | None:
    """Check whether the checkout in the folder of a key is of the repository that has the keys told; None if unknown.

    An address decides where both have one: forks share their first commits. Whoever made the checkout may have written
    what is read of it.
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
    """Return the address that a checkout is fetched from: of several the first, as git does; "" if there is none."""
    is_origin = False
    for line in read_small(git / "config", 1 << 16).decode("utf-8-sig", "replace").split("\n"):
        section, url = _SECTION.match(line), _URL.fullmatch(line)
        is_origin = bool(section[1]) if section else is_origin
        if is_origin and url:
            return url[1]
    return ""


def _holds(git: Path, commit: str) -> bool:
    """Check whether a repository holds a commit, by itself or in a pack, whose index says where its name would be."""
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
"""Folders of the root in which programs lie, and what they keep: none of it is a project, unless it is a checkout."""
TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 — nothing is written there


def is_workplace(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder is, or lies in, one that somebody works in: a checkout, or a folder of a person's own.

    The home folder and those above it are none, nor are the temporary folder itself, hidden folders, and those of the
    system.
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
    """Return the key of the project that a folder belongs to, on this machine or on another; "" where it can have none.

    A folder that is not here has the key that it would have where it was, whosever home that lay in.
    """
    home = home_folder()
    checkout = find_checkout(folder, home)
    if checkout is None or not (checkout.is_there or checkout.is_repository or checkout.root.is_relative_to(home)):
        return plain_key(folder) if isinstance(folder, str) else ""
    return key_of(checkout.root, home)
