"""Paths that the files of a model name: below the folder they are said in, or refused."""

from __future__ import annotations

from pathlib import Path, PurePath

from palace.errors import EmbeddingError

LONGEST = 1000
"""Characters of such a path."""


def file_within(folder: Path, named: object, by: object) -> Path:
    """Give the path below a folder that something (``by``) names.

    What a link there leads to is not looked at: the hub's cache is made of links, and what is read through one counts
    as the file's content.

    Raises:
        EmbeddingError: it is no path, or leads out of the folder.
    """
    if not isinstance(named, str) or "\0" in named or len(named) > LONGEST:
        raise EmbeddingError(f"{by} names a file or folder by what is no path")
    path = PurePath(named)
    if path.is_absolute() or ".." in path.parts:
        raise EmbeddingError(f"{by} names {named[:80]!r}, which leads out of {folder}")
    return folder / path
