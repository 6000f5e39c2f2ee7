"""Notes that are dated section by section: diaries, logs, minutes, with headings such as ``## 2024-05-01``.

A section is a turn with its heading, so that no character of the file is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from palace.mining.readers.dating import Mark, date_marks
from palace.mining.readers.draft import Draft, Stamp
from palace.mining.readers.file_dates import day_mark, file_base, own_moment, time_in_heading
from palace.mining.readers.lines import Line, find_title, front_matter_end
from palace.mining.readers.reading import Reading
from palace.mining.readers.written import read_written
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

    What stands before the first is a turn of its own, unless it is a title or front matter and the first section
    follows in time. A file whose latest section stands first is read from its end.
    """
    sections = _sections(lines)
    if not any(section.mark for section in sections):
        return []
    base = file_base(lines, reading)
    dated = date_marks([section.mark for section in sections if section.mark], base, reading)
    moments = iter(dated.moments)
    said = [(section, next(moments) if section.mark else None) for section in sections]
    draft = Draft(NAME, reading, dated=False)
    bounds = pairwise([*(lines[section.start].start for section in sections), len(text)])
    turns = [(text[begin:end], moment) for (begin, end), (_, moment) in zip(bounds, said, strict=True)]
    for content, moment in _in_time(turns, is_titled=sections[0].mark is None and not _has_prose(lines, sections)):
        draft.say(Role.USER, content, Stamp(moment))
    for fault in dated.faults:
        draft.warn(fault)
    return list(draft.finish(title=_title(lines), started_at=own_moment(base, reading), slicing=Slicing.BY_DAY))


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


def _has_prose(lines: Sequence[Line], sections: Sequence[_Section]) -> bool:
    """Tell whether more than front matter, headings and blank lines stand before the first dated section."""
    before = lines[front_matter_end(lines) : sections[1].start]
    return any(line.text.strip() and not line.text.startswith("#") for line in before)


def _in_time(turns: list[tuple[str, object]], *, is_titled: bool) -> list[tuple[str, object]]:
    """Put the oldest turn first, where the file has the latest first: so it grows at its end."""
    moments = [str(moment) for _, moment in turns if moment]
    if len(moments) > 1 and moments[0] > moments[-1]:
        return turns[::-1]
    if is_titled:
        return [(turns[0][0] + turns[1][0], turns[1][1]), *turns[2:]]
    return turns


def _title(lines: Sequence[Line]) -> str | None:
    """Find the title of the whole: a heading that tells no date."""
    title = find_title(lines)
    return title if title and time_in_heading(title) is None else None
