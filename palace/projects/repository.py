"""Which repository a checkout is of: by the address that it is fetched from, or by its first commit.

Both are read from files. Git is not started: it would read configuration that lies in the repository.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from palace.projects.checkout import find_checkout, read_small

MARK = "://"
"""What the key of a repository has, and that of no folder."""
_ADDRESS = re.compile(
    r"(?:https?|ssh|git|git\+ssh)://(?:[^/\s]*@)?(?P<host>[\w-]+(?:\.[\w-]+)+)(?::\d+)?/+(?P<path>[\w.~%+-][\w./~%+-]*?)"
    r"(?:\.git)?/*(?:[?#]\S*)?",
    re.ASCII,
)


def key_of_repository(told: str) -> str:
    """Give the key of a repository by its address or its first commit; "" of a path, or a host known to one machine.

    >>> key_of_repository("git@GitHub.com:mara/efoil.git"), key_of_repository("https://x:y@github.com/mara/efoil")
    ('git://github.com/mara/efoil', 'git://github.com/mara/efoil')
    """
    if re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", told):
        return f"commit{MARK}{told}"
    address = f"ssh{MARK}{told.replace(':', '/', 1)}" if ":" in told and MARK not in told else told
    found = _ADDRESS.fullmatch(address) if len(address) < 900 else None
    return f"git{MARK}{found['host'].lower()}/{found['path']}" if found else ""


def is_same(root: str | Path, told: Collection[str]) -> bool | None:
    """Tell whether a checkout is of the repository that has these keys; None where nothing tells.

    An address decides where both have one: forks share their first commits. Whoever made the checkout may have written
    what is read of it.
    """
    checkout, git = find_checkout(root), Path(root, ".git")
    if checkout is None or not checkout.is_repository or git.is_symlink() or not git.is_dir():
        return None
    addresses, origin = {each for each in told if each.startswith(f"git{MARK}")}, key_of_repository(_origin(git))
    if addresses and origin:
        return origin in addresses
    commits = [each.partition(MARK)[2] for each in told if each.startswith(f"commit{MARK}")]
    return any(_holds(git, each) for each in commits) if commits else None


def _origin(git: Path) -> str:
    section = ""
    for line in read_small(git / "config", 1 << 16).decode(errors="replace").splitlines():
        name, _, value = line.strip().partition("=")
        section = name if name.startswith("[") else section
        if section == '[remote "origin"]' and name.strip().lower() == "url":
            return value.strip().strip('"')
    return ""


def _holds(git: Path, commit: str) -> bool:
    """Tell whether a repository holds a commit, by itself or in a pack, whose index has the bytes of its name."""
    packs = (git / "objects" / "pack").glob("*.idx")
    is_packed = any(bytes.fromhex(commit) in read_small(each, 1 << 26) for each in packs)
    return is_packed or (git / "objects" / commit[:2] / commit[2:]).is_file()
