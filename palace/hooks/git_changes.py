"""Say what became of a file since a day, by the history of its repository, of which no configuration is read.

git gets an empty repository of ours with the objects of theirs: no hook, monitor, pager, alias, filter or driver of a
stranger's repository can run, and nothing is fetched.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from palace.config.checkout import pointed_to, read_part, read_small
from palace_hook.notes import HOOKS, make_private

SECONDS = 0.15
"""Seconds that git may take."""
MOST_COMMITS = 100
LONGEST_NAME = 80
LARGEST_REFS = 1 << 22
_PROGRAMS = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin"
"""Folders in which git is looked for: those of the worker may be a project's."""
_OURS = {"config": "[core]\n\trepositoryformatversion = 0\n\tbare = true\n", "HEAD": "ref: refs/heads/none\n"}
_NOTHING = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "protocol.allow=never", "log.showSignature=false")
_COMMIT, _REF, _NAME = re.compile("[0-9a-f]{40}"), re.compile(r"refs/[\w./@+-]+", re.ASCII), re.compile(r"[\w./@+-]+")


def changed_since(path: str, since: datetime, home: Path) -> str:
    """Return "edited 3 times since", "renamed to NAME since" or "gone since"; "" if unchanged, unknown or never in git.

    A new name that is no ordinary path is not repeated. ``home`` is Palace's, in which an empty repository is made.
    """
    top = next((each for each in Path(path).parents if os.path.lexists(each / ".git")), None)
    if top is None:
        return ""
    name, is_there = str(Path(path).relative_to(top)), os.path.lexists(path)
    at = f"--since={since.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    if is_there:
        lines = _log(top, home, name, at, "--format=%h").split()
        count = f"{MOST_COMMITS} times or more" if len(lines) == MOST_COMMITS else f"{len(lines)} times"
        return f"edited {'once' if len(lines) == 1 else count} since" if lines else ""
    moved = _log(top, home, "", at, "--format=", "--diff-filter=R", "-M", "--name-status", "-z").split("\0")
    new = next((moved[place + 2] for place in range(0, len(moved) - 2, 3) if moved[place + 1] == name), "")
    if not new or not os.path.lexists(top / new):
        return "gone since" if _log(top, home, name, "-n1", "--format=%h") else ""
    is_shown = len(new) <= LONGEST_NAME and _NAME.fullmatch(new) and ".." not in new
    return f"renamed to {new} since" if is_shown else "renamed since"


def _log(top: Path, home: Path, path: str, *words: str) -> str:
    """Return what `git log` prints, of a path if one is named; "" if it fails or takes too long."""
    git, admin, common = shutil.which("git", path=_PROGRAMS), *_folders_of(top)
    head = _head(admin, common)
    if not git or not head:
        return ""
    variables = {
        "GIT_DIR": str(_empty_repository(home)),
        "GIT_OBJECT_DIRECTORY": str(common / "objects"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        **{"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": ""},
        **{"GIT_PAGER": "cat", "HOME": os.devnull, "LC_ALL": "C", "PATH": _PROGRAMS},
    }
    settings = [word for each in _NOTHING for word in ("-c", each)]
    command = [git, "--no-pager", "--literal-pathspecs", *settings, "log", f"-n{MOST_COMMITS}"]
    safe = ["--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--no-show-signature"]
    try:
        done = subprocess.run(
            [*command, *safe, *words, head, *(("--", path) if path else ())],
            cwd="/",
            env=variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return os.fsdecode(done.stdout) if done.returncode == 0 else ""


def _folders_of(top: Path) -> Iterator[Path]:
    """Yield the git folder of a checkout, which has its HEAD, and the one with its objects."""
    git = top / ".git"
    admin = git if git.is_dir() else pointed_to(git, top, prefix="gitdir:") or git
    yield admin
    yield pointed_to(admin / "commondir", admin) or admin


def _head(admin: Path, common: Path) -> str:
    """Return the commit that is checked out; "" if unknown."""
    text = read_small(admin / "HEAD").decode("ascii", "replace").strip()
    name = text.removeprefix("ref: ")
    if name != text:
        if not _REF.fullmatch(name) or ".." in name:
            return ""
        text = read_small(common / name).decode("ascii", "replace").strip()
        if not text:
            packed = read_part(common / "packed-refs", LARGEST_REFS).decode("utf-8", "replace")
            found = re.search(rf"^([0-9a-f]{{40}}) {re.escape(name)}$", packed, re.MULTILINE)
            text = found[1] if found else ""
    return text if _COMMIT.fullmatch(text) else ""


def _empty_repository(home: Path) -> Path:
    folder = Path(make_private(str(home), HOOKS, "git"))
    if not (folder / "HEAD").exists():
        for part in ("objects", "refs"):
            (folder / part).mkdir(exist_ok=True)
        for name, text in _OURS.items():
            (folder / name).write_text(text, encoding="ascii")
    return folder
