"""What there is to mine at all that a person names, and what of that is not there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from palace.errors import UnreadableSource
from palace.mining.discovery import list_sources
from palace.mining.files.containers import printable
from palace.mining.files.source import Source
from palace.models.spool import STANDARD_INPUT

LONGEST_NAMED = 1000
"""Characters of what was named that a run keeps."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The sources of one mine."""

    named: str
    """What the person named, in one line."""
    sources: tuple[Source, ...]
    failures: tuple[UnreadableSource, ...]
    """What was named and is not there."""
    passed_over: Mapping[str, int] = field(default_factory=dict)
    """How many files of folders and archives are not for mining, by kind."""


def gather(paths: Sequence[str | Path], *, name: str | None = None) -> Gathered:
    """Find the sources at some paths, each once however often it is named; ``name`` is what "-" goes by.

    Raises:
        UnreadableSource: one path is named, and there is nothing at it.
    """
    found: dict[str, Source] = {}
    failures = []
    passed_over: Counter[str] = Counter()
    distinct = list(dict.fromkeys(str(path) for path in paths))
    for path in distinct:
        try:
            for source in list_sources(path, name=name or STANDARD_INPUT, passed_over=passed_over):
                found.setdefault(source.key, source)
        except UnreadableSource as problem:
            if len(distinct) == 1:
                raise
            failures.append(problem)
    named = ", ".join(name or path if path == "-" else printable(path) for path in distinct)
    shown = named if len(named) <= LONGEST_NAMED else f"{named[: LONGEST_NAMED - 1]}…"
    return Gathered(shown, tuple(found.values()), tuple(failures), +passed_over)
