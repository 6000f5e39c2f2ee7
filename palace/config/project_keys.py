"""The key of a project and what its wing may be called, both from where it lies. Pure.

A key is the path from the home folder on, else from the root, written with ``/``. What a line of text cannot hold is
written as its bytes (``%0A``), and so is ``%`` itself, so that two folders never have one key.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import count
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from urllib.parse import unquote

LONGEST_KEY = 1_000
"""Characters: a longer path is no project's."""
SHORT = 60
"""Characters of a name that is shown, and folded, as a whole."""
_HOMES = re.compile(r"^(?:/home/[^/]+|/Users/[^/]+|/root|[A-Za-z]:/Users/[^/]+)(?:/|$)")
"""How the home folders of other machines begin."""
_POINTER = re.compile(r"\s*+(?:§\s*+)?W-?\d++(?:\s*+/\s*+[CDR]-?\d++)*+\s*+", re.IGNORECASE)
"""What means a wing, or a place in one, by its numbers."""
_UNSEEN = ("C", "Z")
"""Categories of characters that a line does not show: controls, formats, surrogates, separators."""


def key_of(root: str | PurePath, home: str | PurePath) -> str:
    """Return the key of the project that lies at an absolute path; "~" of the home folder, "" of a path too long.

    >>> key_of("/home/mara/work/api", "/home/mara"), key_of("/srv/api", "/home/mara")
    ('work/api', '/srv/api')
    """
    path, base = PurePath(root), PurePath(home)
    # A home folder that is the root, as of some services, would make every path one below it.
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
    """Return the key that a folder of another machine would have, whosever home it lay in; "" where it is no path.

    >>> plain_key("/Users/mara/work/api"), plain_key("C:\\\\Users\\\\mara\\\\api")
    ('work/api', 'api')
    """
    is_windows = "\\" in path and not path.startswith("/")
    pure = (PureWindowsPath(path) if is_windows else PurePosixPath(path)).as_posix()
    if not pure.startswith("/") and not re.match(r"[A-Za-z]:/", pure):
        return ""
    shown = _written(_HOMES.sub("", pure)) or "~"
    return shown if ".." not in shown.split("/") and len(shown) <= LONGEST_KEY else ""


def names_of(key: str, home_name: str = "") -> Iterator[str]:
    """Yield what the wing of a project may be called: its folder's name, then with those around it, then with a number.

    Never what is written as a pointer: that would mean whatever has the number.

    >>> [name for name, _ in zip(names_of("work/client-a/api"), range(4))]
    ['api', 'client-a/api', 'work/client-a/api', 'work/client-a/api 2']
    """
    parts = [part for part in key.split("/") if part] or [""]
    parts = [home_name or "home"] if key == "~" else parts
    shown = [_shown(part, is_last=place == len(parts) - 1) for place, part in enumerate(parts)]
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
    # What is shown of a long name is its beginning, where another number has to stand.
    is_short = name.isascii() and len(name) <= SHORT
    for number in count(2):
        yield f"{name} {number}" if is_short else f"{number} {name}"


def _shown(part: str, *, is_last: bool) -> str:
    """Name a folder; a bare repository (``api.git``) by what is in it."""
    name = part.removesuffix(".git") if is_last else part
    return name or part


def _written(path: str) -> str:
    return "".join(map(_sign, path))


def _sign(sign: str) -> str:
    category = unicodedata.category(sign)
    if sign != "%" and (sign == " " or category[0] not in _UNSEEN):
        return sign
    return "".join(f"%{byte:02X}" for byte in sign.encode("utf-8", "surrogatepass"))
