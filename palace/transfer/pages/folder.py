"""A folder that is written whole, or not at all; what is not ours in it is never touched."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from palace.errors import BadRequest
from palace.files.whole import refused, sync_folder

LISTING = "palace-pages.json"
"""Lists what was written, so that it can be told from what others put there."""


@contextmanager
def written_folder(folder: Path, *, force: bool) -> Iterator[Path]:
    """Give a folder beside the one that is meant, for its owner alone; it takes the name when all went well.

    Raises:
        BadRequest: something is there that is not to be replaced, or nothing can be written there.
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
            _take_place(partial, target)
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
    there = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_symlink() or not path.is_dir()}
    if not there:
        return
    own = _read_own(target)
    if own is None:
        raise BadRequest(f"{shown} is there already and is not empty: name another folder")
    if strange := sorted(there - own - {LISTING}):
        raise BadRequest(f"{shown} holds {strange[0]!r}, which palace did not write: name another folder")
    if not force:
        raise BadRequest(f"{shown} is there already: name another folder, or replace it with --force")


def _list_own(folder: Path) -> None:
    files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    (folder / LISTING).write_text(json.dumps({"format": "palace-pages", "files": files}, indent=1), encoding="utf-8")


def _read_own(folder: Path) -> set[str] | None:
    try:
        listing = json.loads((folder / LISTING).read_text(encoding="utf-8"))
        return set(listing["files"]) if listing["format"] == "palace-pages" else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _take_place(partial: Path, target: Path) -> None:
    if target.exists():
        former = Path(tempfile.mkdtemp(prefix=f".{target.name[:100]}.", suffix=".former", dir=target.parent))
        target.replace(former)
        try:
            partial.rename(target)
        except OSError:
            former.replace(target)
            raise
        shutil.rmtree(former)
    else:
        partial.rename(target)
