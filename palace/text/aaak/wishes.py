"""Tags in a query: ``@p Anna`` wishes for what is about Anna."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from palace.records import TagKind

LONGEST = 5
"""Words of a name."""
MOST = 16
"""Tags of a query, and names behind one."""

_SIGN = re.compile(rf"(?<![^\s(])@([{''.join(TagKind)}])\s+(?=\S)", re.IGNORECASE)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"')


class Wish(NamedTuple):
    """A tag that a query wishes for."""

    kind: TagKind
    names: tuple[str, ...]
    """What may be its name, each the beginning of what stands behind the sign: the longest first."""


class Asked(NamedTuple):
    """A query without the signs of its tags."""

    query: str
    wishes: tuple[Wish, ...]


def read_wishes(query: str) -> Asked:
    """Take the signs of tags out of a query, and give what each may wish for.

    A name ends with the query, a comma, the next sign, or wherever the palace knows one; a list of names has commas
    between them. Quotation marks around a name go as well.
    """
    signs = list(_SIGN.finditer(query))[:MOST]
    if not signs:
        return Asked(query, ())
    plain, wishes = query[: signs[0].start()], []
    for place, sign in enumerate(signs):
        end = signs[place + 1].start() if place + 1 < len(signs) else len(query)
        behind = query[sign.end() : end]
        kind = TagKind(sign[1].lower())
        wishes += [Wish(kind, names) for part in list(_parts(behind))[:MOST] if (names := tuple(_beginnings(part)))]
        plain += _QUOTED.sub(lambda found: _unquoted(found[0]), behind)
    return Asked(plain, tuple(wishes))


def _parts(behind: str) -> Iterator[str]:
    """Split a list of names at its commas, those within quotation marks left alone."""
    start = place = 0
    while place < len(behind):
        quoted = _QUOTED.match(behind, place)
        if quoted is None and behind[place] == ",":
            yield behind[start:place]
            start = place + 1
        place = quoted.end() if quoted else place + 1
    yield behind[start:]


def _beginnings(part: str) -> Iterator[str]:
    part = part.strip()
    if quoted := _QUOTED.match(part):
        yield _unquoted(quoted[0])
        return
    words = part.split()
    for length in range(min(len(words), LONGEST), 0, -1):
        yield " ".join(words[:length])


def _unquoted(written: str) -> str:
    try:
        return str(json.loads(written, strict=False))
    except ValueError:
        return written[1:-1]
