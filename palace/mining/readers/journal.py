"""Notes that are dated section by section: diaries, logs, minutes, with headings such as ``## 2024-05-01``.

A section is a turn with its heading. The blank lines around it are not its own: they change when the next is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.reading import Reading
from palace.mining.readers.times.dating import Mark, date_marks
from palace.mining.readers.times.file_dates import day_mark, file_base, own_moment, time_in_heading
from palace.mining.readers.times.written import read_written
from palace.mining.readers.transcripts.lines import Line, find_title, front_matter_end, without_outer_breaks
from palace.records import Conversation, Role, Slicing

NAME = "journal"

_LONGEST_HEADING = 160


class _Section(NamedTuple):
    start: int
    """Where in the lines it begins."""
    mark: Mark | None
    """What tells its time; None for what stands in front of the first that tells one."""


def read(text: str, lines: list[Line], reading: Reading) -> list[Conversation]:
    """Read dated sections as turns, cut into rooms by day; none where no heading tells a date.

    What stands before the first is a turn of its own, unless it is nothing but the title. A file whose latest section
    stands first is read from its end.
    """
    sections = _sections(lines)
    if not any(section.mark for section in sections):
        return []
    base = file_base(lines, reading)
    dated = date_marks([section.mark for section in sections if section.mark], base, reading)
    bounds = pairwise([*(lines[section.start].start for section in sections), len(text)])
    contents = [without_outer_breaks(text[begin:end]) for begin, end in bounds]
    draft, title = Draft(NAME, reading, dated=False), _title(lines)
    if sections[0].mark is None and not _is_title(before := contents.pop(0), title):
        draft.say(Role.USER, before, Stamp(None))
    for content, moment in _in_time(list(zip(contents, dated.moments, strict=True))):
        draft.say(Role.USER, content, Stamp(moment))
    for fault in dated.faults:
        draft.warn(fault)
    return list(draft.finish(title=title, started_at=own_moment(base, reading), slicing=Slicing.BY_DAY))


def _sections(lines: Sequence[Line]) -> list[_Section]:
    """Cut the lines where a date or, below one, a time of day is told; a heading without a text stays with the next."""
    front = front_matter_end(lines)
    begins: list[_Section] = []
    loose = _has_bare_days(lines, front)
    for number, line in enumerate(lines[front:], front + 1):
        mark = _mark(line, number, loose=loose, is_below=bool(begins))
        if mark is None:
            continue
        if begins and not any(part.text.strip() for part in lines[begins[-1].start + 1 : number - 1]):
            begins[-1] = _Section(begins[-1].start, _joined(begins[-1].mark, mark))
        else:
            begins.append(_Section(number - 1, mark))
    if not begins or begins[0].start == 0:
        return begins
    return [_Section(0, None), *begins]


def _joined(above: Mark | None, below: Mark) -> Mark:
    """Tell a time by two headings, a date and below it perhaps a time of day."""
    written = read_written(below.text or "")
    if above and written and written.date is None:
        return Mark(below.line, f"{above.text} {below.text}")
    return below


def _mark(line: Line, number: int, *, loose: bool, is_below: bool) -> Mark | None:
    """Find the time that a line tells as a heading."""
    if line.is_code or len(line.text) > _LONGEST_HEADING:
        return None
    if not line.text.startswith("#"):
        day = day_mark(line, number) if loose else None
        return Mark(number, day.text) if day else None
    text = line.text.lstrip("#")
    if text == line.text or not text.startswith((" ", "\t")):
        return None
    told = time_in_heading(text.strip(" \t\r#*_"))
    written = read_written(told) if told else None
    return Mark(number, told) if written and (written.date or is_below) else None


def _has_bare_days(lines: Sequence[Line], front: int) -> bool:
    """Tell a diary whose days stand on lines of their own: its text begins with one, and there are several."""
    said = [(number, line) for number, line in enumerate(lines[front:], front + 1) if line.text.strip()]
    first = next(((number, line) for number, line in said if not line.text.startswith("#")), None)
    if first is None or day_mark(first[1], first[0]) is None:
        return False
    return sum(day_mark(line, number) is not None for number, line in said) > 1


def _in_time(turns: list[tuple[str, object]]) -> list[tuple[str, object]]:
    """Put the oldest turn first, where the file has the latest first: so it grows at its end."""
    moments = [str(moment) for _, moment in turns if moment]
    return turns[::-1] if len(moments) > 1 and moments[0] > moments[-1] else turns


def _is_title(text: str, title: str | None) -> bool:
    """Tell whether a text is nothing but a heading, which the conversation has for its title."""
    return text.startswith("#") and text.strip("# \t\r\n") == title


def _title(lines: Sequence[Line]) -> str | None:
    """Find the title of the whole: a heading that tells no date."""
    title = find_title(lines)
    return title if title and time_in_heading(title) is None else None
