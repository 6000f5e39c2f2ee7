"""Finds the sessions that worked for another one as its sub-agents, and are read within it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePath
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from palace.errors import UnreadableSource
from palace.mining.files.containers import Container, Folder
from palace.mining.files.fields import as_object, parsed
from palace.mining.files.reading import Reading, Whereabouts

_MOST_OF_LINE, _MOST_UP = 1 << 20, 4
"""Bytes of a first line that are read; folders above a file in which ``within`` is sought."""
_Session = TypeVar("_Session")
_Index = dict[str, tuple[str, list[Whereabouts]]]
"""For each file: the file of the session that a person began, and the files of that session's sub-agents."""
_INDEXES: WeakKeyDictionary[Container, dict[tuple[PurePath, str], _Index]] = WeakKeyDictionary()
"""Indexes of the folder or archive that is being mined."""


class Ids(NamedTuple):
    """The id of a session, and of the one that it worked for."""

    key: str | None
    parent: str | None = None
    """None for a session of a person; "" if it is not known."""


def families(sessions: Iterable[_Session], ids: Callable[[_Session], Ids]) -> Iterator[tuple[_Session, list[_Session]]]:
    """Yield sessions, each with those of its sub-agents and theirs; one whose session is missing is yielded alone."""
    below: dict[str | None, list[tuple[_Session, str | None]]] = {}
    for each in sessions:
        key, parent = ids(each)
        below.setdefault(parent, []).append((each, key))
    for each, key in below.pop(None, []):
        others = below.pop(key, [])
        for _, other in others:
            others += below.pop(other, [])
        yield each, [other for other, _ in others]
    yield from ((each, []) for others in below.values() for each, _ in others)


def files_of_subagents(
    reading: Reading, ids: Callable[[Whereabouts], Ids], pattern: str, within: str = ""
) -> list[Whereabouts] | None:
    """Return the files of a session's sub-agents.

    None means that this file is a sub-agent's and is read with its session; [] also that it is a sub-agent's whose
    session is not there. Files are sought by ``pattern`` below the folder ``within`` above the session's file, else in
    its own folder.
    """
    if reading.where is None:
        return []
    container, path = reading.where.container, reading.where.path
    is_folder = isinstance(container, Folder)
    # As ``below`` returns files, because resolving the path of each takes long.
    file = str(path) if is_folder else reading.where.member
    up = next((up for up, each in enumerate(path.parents[:_MOST_UP]) if each.name == within), None)
    if up is None:
        up, pattern = 0, pattern.removeprefix("**/")
    indexes, place = _INDEXES.setdefault(container, {}), (path.parents[up], pattern)
    if place not in indexes:
        found = families(reading.where.below("", up, pattern), ids)
        indexes[place] = {each.member: (own.member, others) for own, others in found for each in (own, *others)}
    session, others = indexes[place].get(file, (file, []))
    if session == file:
        return others
    return None if not is_folder or PurePath(session).is_relative_to(container.key("")) else []


def first_line(where: Whereabouts) -> dict[str, Any]:
    """Return the first line of a file of JSON lines; {} if it cannot be read."""
    try:
        with where.container.open(where.member) as stream:
            return as_object(parsed(stream.readline(_MOST_OF_LINE)))
    except UnreadableSource:
        return {}
