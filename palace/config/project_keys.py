"""The key of a project and the names its wing may have, both from its path. Pure.

A key is the path from the home folder on, else from the root, written with ``/``. Characters that a line of text cannot
show are percent-encoded (``%0A``), and so is ``%`` itself, so that two folders never have one key.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from urllib.parse import unquote

LONGEST_KEY = 1_000
"""The most characters in a key: no project has a longer path."""
SHORT = 60
"""The most characters of a name that are shown, and compared, as a whole."""
_HOMES = re.compile(r"^(?:/home/[^/]+|/Users/[^/]+|/root|[A-Za-z]:/Users/[^/]+)(?:/|$)")
"""Patterns of home folders on other machines."""
_POINTER = re.compile(r"\s*+(?:§\s*+)?W-?\d++(?:\s*+/\s*+[CDR]-?\d++)*+\s*+", re.IGNORECASE)
"""Names that mean a wing, or a place in one, by its numbers."""
_UNSEEN = ("C", "Z")
"""Categories of invisible characters: controls, formats, surrogates, separators."""


def key_of(root: str | PurePath, home: str | PurePath) -> str:
    """Return the key of the project at an absolute path; "~" for the home folder, "" for a path that is too long.

    >>> key_of("/home/mara/work/api", "/home/mara"), key_of("/srv/api", "/home/mara")
    ('work/api', '/srv/api')
    """
    path, base = PurePath(root), PurePath(home)
    # Some services have the root as their home: all paths would be below it.
    is_below = base != PurePath(base.anchor) and path.is_relative_to(base)
    shown = _written((path.relative_to(base) if is_below else path).as_posix())
    if is_below:
        shown = {".": "~", "~": "%7E"}.get(shown, shown)
    return shown if len(shown) <= LONGEST_KEY else ""


def folder_of(key: str, home: str | PurePath) -> str:
    """Return the folder on this machine that has a key.

    >>> folder_of("work/api", "/home/mara"), folder_of("/srv/api", "/home/mara"), folder_of("~", "/home/mara")
    ('/home/mara/work/api', '/srv/api', '/home/mara')
    """
    return str(PurePath(home, "" if key == "~" else unquote(key, errors="replace")))


def plain_key(path: str) -> str:
    """Return the key that a folder of another machine has there, whatever home it is in; "" if it is no absolute path.

    >>> plain_key("/Users/mara/work/api"), plain_key("C:\\\\Users\\\\mara\\\\api")
    ('work/api', 'api')
    """
    is_windows = "\\" in path and not path.startswith("/")
    pure = (PureWindowsPath(path) if is_windows else PurePosixPath(path)).as_posix()
    if not pure.startswith("/") and not re.match(r"[A-Za-z]:/", pure):
        return ""
    shown = _written(_HOMES.sub("", pure)) or "~"
    return shown if ".." not in shown.split("/") and len(shown) <= LONGEST_KEY else ""


def path_within(path: str, keys: Iterable[str]) -> str:
    """Return a file's path within the first of some projects that it lies in; the path itself where there is none.

    >>> path_within("/home/mara/work/api/src/app.py", ["work/api"]), path_within("/srv/app.py", ["work/api"])
    ('src/app.py', '/srv/app.py')
    """
    plain, folders = plain_key(path), (each.rpartition("://")[2] for each in keys)
    roots = (f"{plain_key(each) or each}/" for each in folders)
    inside = next((plain.removeprefix(root) for root in roots if plain.startswith(root)), "")
    return unquote(inside, errors="replace") or path


def names_of(key: str, home_name: str = "") -> Iterator[str]:
    """Yield names for a project's wing: its folder's name, then with the folders around it, then with a number.

    Never a name that reads as a pointer: that would mean the place with those numbers.

    >>> [name for name, _ in zip(names_of("work/client-a/api"), range(4))]
    ['api', 'client-a/api', 'work/client-a/api', 'work/client-a/api 2']
    """
    parts = [part for part in key.split("/") if part] or [""]
    parts = [home_name or "home"] if key == "~" else parts
    shown = [_shown(part, is_last=index == len(parts) - 1) for index, part in enumerate(parts)]
    for start in range(len(shown) - 1, -1, -1):
        name = "/".join(shown[start:])
        if _POINTER.fullmatch(name) is None:
            yield name
    yield from numbered("/".join(shown))


def numbered(name: str) -> Iterator[str]:
    """Yield further names, each with a number, from 2 on.

    >>> next(numbered("Efoil"))
    'Efoil 2'
    """
    # Of a long name only the beginning is shown, so the number goes there.
    is_short = name.isascii() and len(name) <= SHORT
    for number in count(2):
        yield f"{name} {number}" if is_short else f"{number} {name}"


def _shown(part: str, *, is_last: bool) -> str:
    """Return the name of a folder; of a bare repository without its ``.git``."""
    name = part.removesuffix(".git") if is_last else part
    return name or part


def _written(path: str) -> str:
    return "".join(map(_sign, path))


def _sign(sign: str) -> str:
    category = unicodedata.category(sign)
    if sign != "%" and (sign == " " or category[0] not in _UNSEEN):
        return sign
    return "".join(f"%{byte:02X}" for byte in sign.encode("utf-8", "surrogatepass"))
