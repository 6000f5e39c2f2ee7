"""Parts of names and codes that the parser keeps whole: files, hosts, addresses, identifiers, numbers of tickets."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST = 120
"""Characters beyond which something is data, not a name."""
MOST_PARTS = 12
"""Parts beyond which it is data as well: what is encoded changes its case at every third letter."""

_RUN = re.compile(r"[\w./@:\\#+-]+")
_LEVEL = re.compile(r"[/@:\\]+")
_JOINT = re.compile(r"[._#+-]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORDLIKE = re.compile(r"[^\W\d_]{2}")
_HYPHENED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_EDGES = "._#+-"


def parts_of(text: str) -> Iterator[str]:
    """Give the parts of the compound words of a text, in lower case, in order and as often as they stand there.

    ``src/app/main.py`` gives src, app, main.py, main and py; ``getUserName`` get, user and name; ``PROJ-4412`` proj
    and 4412. Parts of one character are left out, and numbers of fewer than three digits; so are words that are
    hyphened alone, which the parser takes apart, and what has more than 12 parts. Takes time linear in the length.
    """
    for run in _RUN.finditer(text):
        if run.end() - run.start() <= LONGEST:
            yield from _parts(run[0].strip("./@:\\#+-"))


def _parts(run: str) -> Iterator[str]:
    if not _WORDLIKE.search(run) or (_HYPHENED.fullmatch(run) and not _HUMP.search(run)):
        return
    parts = [part.lower() for part in _split(run) if len(part) > 1 and not (part.isdigit() and len(part) < 3)]
    if len(parts) <= MOST_PARTS:
        yield from (part for part in parts if part != run.lower())


def _split(run: str) -> Iterator[str]:
    levels = [level.strip(_EDGES) for level in _LEVEL.split(run)]
    for level in levels:
        if len(levels) > 1 and "." in level:
            yield level
        for piece in _JOINT.split(level):
            humps = _HUMP.split(piece)
            if len(humps) > 1:
                yield piece
            yield from humps
