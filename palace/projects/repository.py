"""Which repository a checkout is of: by the address that it is fetched from, or by its first commit.

Both are read from files. Git is not started: it would read configuration that lies in the repository.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Collection
from itertools import islice
from pathlib import Path

from palace.projects.checkout import find_checkout, home_folder, read_part, read_small
from palace.projects.keys import folder_of

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
