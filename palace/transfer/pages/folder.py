"""Writes a folder completely or not at all; files in it that are not ours are never touched."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from palace.config.folders import refused, sync_folder
from palace.errors import BadRequest

LISTING = "palace-pages.json"
"""Lists the written files with their hashes, to distinguish them from other files."""

_FOLDER = re.compile(r"W-[0-9]{3,10}")
_PAGE = re.compile(r"(index|W-[0-9]{3,10}/(index|R-[0-9]{2,10}))\.(html|md)")


@contextmanager
def written_folder(folder: Path, *, force: bool) -> Iterator[Path]:
    """Yield a temporary folder, closed to others, which replaces ``folder`` when the block succeeds.

    Raises:
        BadRequest: something there must not be replaced, or nothing can be written there.
    """
    with refused(folder):
        try:
            target = folder.expanduser().resolve()
        except (ValueError, RuntimeError) as problem:
            raise BadRequest(f"{str(folder)!r} is no name of a folder") from problem
        _require_free(folder, target, force=force)
        partial = Path(tempfile.mkdtemp(prefix=f".{target.name[:100]}.", suffix=".partial", dir=target.parent))
        try:
            yield partial
            _list_own(partial)
            _require_free(folder, target, force=force)
            _take_place(partial, target, str(folder))
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        sync_folder(target.parent)


def _require_free(named: Path, target: Path, *, force: bool) -> None:
    shown = repr(str(named)) if not str(named).isprintable() else str(named)
    if not target.parent.is_dir():
        raise BadRequest(f"{shown}: {str(target.parent)!r} is not a folder")
    if not target.exists():
        return
    if not target.is_dir():
        raise BadRequest(f"{shown} is there and is not a folder: name another")
    if not any(target.iterdir()):
        return
    _require_own(shown, target)
    if not force:
        raise BadRequest(f"{shown} is there already: name another folder, or replace it with --force")


def _require_own(shown: str, folder: Path) -> None:
    """Check that everything in a folder is what Palace wrote there, byte for byte.

    The listing alone is no proof: anybody can write one.
    """
    own = _read_own(folder)
    if own is None:
        raise BadRequest(f"{shown} is there already and is not empty: name another folder")
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if name == LISTING or (path.is_dir() and not path.is_symlink() and _FOLDER.fullmatch(name)):
            continue
        if name not in own or not _PAGE.fullmatch(name):
            raise BadRequest(f"{shown} holds {name!r}, which palace did not write: name another folder")
        if _hash_of(path) != own[name]:
            raise BadRequest(f"{shown} holds {name!r}, which was changed since: name another folder")


def _list_own(folder: Path) -> None:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    files = {str(path.relative_to(folder)): _hash_of(path) for path in found}
    (folder / LISTING).write_text(json.dumps({"format": "palace-pages", "files": files}, indent=1), encoding="utf-8")


def _read_own(folder: Path) -> dict[str, str] | None:
    """Return the hashes of the files in the listing, by path; None without a valid listing."""
    if not _is_plain(folder / LISTING):
        return None
    try:
        listing = json.loads((folder / LISTING).read_text(encoding="utf-8"))
        return dict(listing["files"]) if listing["format"] == "palace-pages" else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _hash_of(path: Path) -> str | None:
    if not _is_plain(path):
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _take_place(partial: Path, target: Path, shown: str) -> None:
    if not target.exists():
        partial.rename(target)
        return
    _dress(partial, target.stat())
    former = Path(tempfile.mkdtemp(prefix=f".{target.name[:100]}.", suffix=".former", dir=target.parent))
    target.replace(former)
    try:
        # Somebody may have put something there since the check.
        if any(former.iterdir()):
            _require_own(shown, former)
        partial.rename(target)
    except (OSError, BadRequest):
        former.replace(target)
        raise
    shutil.rmtree(former)


def _dress(partial: Path, like: os.stat_result) -> None:
    """Give a folder and its contents the owner, group and mode of the folder that it replaces."""
    mode = stat.S_IMODE(like.st_mode)
    for path in (partial, *partial.rglob("*")):
        for owner in (like.st_uid, -1):
            with suppress(PermissionError):
                os.chown(path, owner, like.st_gid)
                break
        if path.stat().st_gid != like.st_gid:
            # The group could not be set: its rights must not go to another one.
            mode &= ~(stat.S_IRWXG | stat.S_ISGID)
        path.chmod(mode if path.is_dir() else mode & 0o666)
