"""Mining those sources of a watched folder that have changed, as mining the folder would."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath

from palace.mining.files.source import BrokenSource, Source
from palace.mining.pipeline import MineOptions
from palace.mining.sources import Gathered, gather
from palace.opened import OpenPalace
from palace.records import MineSummary
from palace.verbs.mine import mine_gathered
from palace.worker.watch.files import WRITTEN_AHEAD, Stamp

AT_ONCE = 100
"""Sources of a run: what was mined of a large folder is kept when the rest is broken off."""


def gather_changed(path: str, due: Mapping[str, Stamp]) -> Gathered:
    """Find the sources of a folder that the given files belong to.

    The folder as a whole says what they are: which export they are of, and which wing they go to.

    Raises:
        UnreadableSource: there is nothing to mine in it.
    """
    gathered = gather([path])
    due = {
        **due,
        **{file.removesuffix(WRITTEN_AHEAD): stamp for file, stamp in due.items() if file.endswith(WRITTEN_AHEAD)},
    }
    folders = {folder for file in due for folder in _above(file)}
    of_due = tuple(source for source in gathered.sources if _is_of(source, due, folders))
    return replace(gathered, sources=of_due, passed_over={})


def batches(gathered: Gathered) -> Iterator[Gathered]:
    """Cut sources into runs."""
    for start in range(0, len(gathered.sources), AT_ONCE):
        yield replace(gathered, sources=gathered.sources[start : start + AT_ONCE])


def alone(gathered: Gathered) -> Iterator[Gathered]:
    """Give each source as a run of its own."""
    for source in gathered.sources:
        yield replace(gathered, sources=(source,))


def mine_changed(opened: OpenPalace, gathered: Gathered, options: MineOptions) -> MineSummary:
    """File what is new in some sources; workers do the rest."""
    return mine_gathered(opened, gathered, replace(options, background=True))


def files_of(gathered: Gathered, due: Mapping[str, Stamp]) -> dict[str, Stamp]:
    """Give those of the files that are sources themselves; of an export only the whole is one."""
    return {source.key: due[source.key] for source in gathered.sources if source.key in due}


def _is_of(source: Source, due: Mapping[str, Stamp], folders: Collection[str]) -> bool:
    """Tell whether a source is a changed file, a folder of some, or in an archive that is one."""
    if isinstance(source, BrokenSource):
        return os.path.realpath(source.file) in due
    return source.key in due or source.key in folders or any(above in due for above in _above(source.key))


def _above(path: str) -> Iterator[str]:
    """Give the folders that a file lies in, innermost first."""
    return map(str, PurePath(path).parents)
