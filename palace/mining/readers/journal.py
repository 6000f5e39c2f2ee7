"""Notes dated section by section: diaries, logs, minutes, with headings such as ``## 2024-05-01``.

A section is a turn, heading included. Blank lines around it are left out: they change when the next section is added.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from palace.mining.drafts.dating import Mark, date_marks
from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.written_times import parse_time
from palace.mining.files.reading import Reading
from palace.mining.readers.file_dates import day_mark, file_base, own_moment, time_in_heading
from palace.mining.readers.lines import Line, find_title, front_matter_end, without_outer_breaks
from palace.models import Conversation, Role, Slicing

NAME = "journal"

_LONGEST_HEADING = 160


_Section = tuple[int, Mark | None]
"""Index of the line where a section begins, and its time; None for text before the first dated section."""


def read(text: str, lines: list[Line], reading: Reading) -> list[Conversation]:
    """Read dated sections as turns, cut into rooms by day; return [] if no heading has a date.

    Text before the first section is a turn of its own, unless it is only the title. A file with the newest section
    first is read from its end.
    """
    sections = _sections(lines)
    marks = [mark for _, mark in sections if mark]
    if not marks:
        return []
    base = file_base(lines, reading)
    dated = date_marks(marks, base, reading)
    bounds = pairwise([*(lines[start].start for start, _ in sections), len(text)])
    contents = [without_outer_breaks(text[begin:end]) for begin, end in bounds]
    draft, title = Draft(NAME, reading, dated=False), find_title(lines)
    title = title if title and time_in_heading(title) is None else None
    if sections[0][1] is None:
        before = contents.pop(0)
        if not (before.startswith("#") and before.strip("# \t\r\n") == title):
            draft.say(Role.USER, before, Stamp(None))
    turns = list(zip(contents, dated.moments, strict=True))
    moments = [str(moment) for _, moment in turns if moment]
    if len(moments) > 1 and moments[0] > moments[-1]:
        turns.reverse()
    for content, moment in turns:
        draft.say(Role.USER, content, Stamp(moment))
    draft.warn(*dated.faults)
    return list(draft.finish(title=title, started_at=own_moment(base, reading), slicing=Slicing.BY_DAY))


def _sections(lines: Sequence[Line]) -> list[_Section]:
    """Split the lines at dates and, below a date, at times of day; a heading without text is merged with the next."""
    front = front_matter_end(lines)
    begins: list[_Section] = []
    loose = _has_bare_days(lines, front)
    for number, line in enumerate(lines[front:], front + 1):
        mark = _mark(line, number, loose=loose, is_below=bool(begins))
        if mark is None:
            continue
        start, above = begins[-1] if begins else (number, None)
        if begins and not any(part.text.strip() for part in lines[start + 1 : number - 1]):
            written = parse_time(mark.text or "")
            if above and written and written.date is None:
                # A heading with a date, directly above one with a time of day.
                mark = Mark(number, f"{above.text} {mark.text}")
            begins[-1] = start, mark
        else:
            begins.append((number - 1, mark))
    return begins if not begins or begins[0][0] == 0 else [(0, None), *begins]


def _mark(line: Line, number: int, *, loose: bool, is_below: bool) -> Mark | None:
    if line.is_code or len(line.text) > _LONGEST_HEADING:
        return None
    if not line.text.startswith("#"):
        day = day_mark(line, number) if loose else None
        return Mark(number, day.text) if day else None
    text = line.text.lstrip("#")
    time = time_in_heading(text.strip(" \t\r#*_")) if text.startswith((" ", "\t")) else None
    written = parse_time(time) if time else None
    return Mark(number, time) if written and (written.date or is_below) else None


def _has_bare_days(lines: Sequence[Line], front: int) -> bool:
    """Check whether a text is a diary with days on lines of their own: it begins with one and has several."""
    said = [line for line in lines[front:] if line.text.strip()]
    first = next((line for line in said if not line.text.startswith("#")), None)
    return bool(first and day_mark(first, 0)) and sum(day_mark(line, 0) is not None for line in said) > 1
