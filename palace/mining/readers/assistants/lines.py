"""What transcripts of coding assistants have in common: a JSON object a line, appended while a session goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple

from palace.mining.readers.drafts.draft import Draft
from palace.mining.readers.json_records import CutOffLine, Record
from palace.mining.readers.reading import UNREAD_LINES, Reading

LAST_LINE = "last lines that break off"


class Line(NamedTuple):
    """One line that could be read."""

    value: dict[str, Any]
    place: str


class Lines:
    """The lines of one transcript; what cannot be read of it is told, and the others go on."""

    def __init__(self, records: Iterator[Record], reading: Reading, program: str) -> None:
        self._records, self._reading, self._program = records, reading, program
        self._is_partial = False
        self._cut_off = ""

    def __iter__(self) -> Iterator[Line]:
        try:
            for record in self._records:
                if record.fault is None and isinstance(record.value, dict):
                    yield Line(record.value, record.place("line"))
                    continue
                odd = f"is not a line of a transcript of {self._program}"
                problem = record.fault or self._reading.problem(odd, record.place("line"))
                self._reading.miss(problem, UNREAD_LINES)
                self._is_partial = True
        except CutOffLine as problem:
            self._cut_off = f"{problem.place} is cut off, still being written perhaps, and was left out"
            self._reading.leave_out(LAST_LINE)

    def tell(self, draft: Draft) -> None:
        """Tell the conversation they are of what of it could not be read."""
        if self._is_partial:
            draft.lack()
        if self._cut_off:
            draft.warn(self._cut_off)


def folder_name(folder: str | None) -> str | None:
    """Name a project after the folder that was worked in: its last part."""
    if not folder:
        return None
    is_windows = "\\" in folder and not folder.startswith("/")
    return (PureWindowsPath(folder) if is_windows else PurePosixPath(folder)).name or None
