"""The date that a text tells of itself: in its front matter, or in the name of its file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from palace.mining.readers.reading import Reading
from palace.mining.readers.times.dating import Base, Mark, decide_order, moment_of
from palace.mining.readers.times.written import leading_time, plain_blanks, read_written
from palace.mining.readers.transcripts.labels import split_time
from palace.mining.readers.transcripts.lines import Line, front_matter_end

_FIELD = re.compile(r"(date|datetime|created|created_at|day|time):[ \t]{1,8}(.{1,80})", re.IGNORECASE)
_IN_NAME = re.compile(
    r"(?<!\d)(\d{4})([-_.]?)(\d\d)\2(\d\d)(?:[T_ \-]{1,3}(?:at )?(\d\d)[-_.:h]?(\d\d)(?:[-_.:]?(\d\d))?)?(?!\d)"
)
_NUMBERING = re.compile(r"\d{1,2}\.\d\d|\d{1,2}\.\d\.\d\d|\d\.\d{1,2}\.\d\d")
_FIRST_YEAR = 1971
_LONGEST_DAY = 80
_AROUND = "#*-=_~—–[]() \t\r:"


def file_base(lines: Sequence[Line], reading: Reading) -> Base | None:
    """Find the date that a file tells of itself: its front matter's, else its name's; None where it tells none."""
    return _front_matter_date(lines) or _name_date(reading.file)


def _front_matter_date(lines: Sequence[Line]) -> Base | None:
    for number, line in enumerate(lines[: front_matter_end(lines)], 1):
        found = _FIELD.fullmatch(line.text[:100].strip())
        written = read_written(found[2].strip(" \t\"'")) if found else None
        if written and written.date:
            return Base(written, number)
    return None


def _name_date(file: str) -> Base | None:
    name = file.rsplit("/", 1)[-1]
    for found in _IN_NAME.finditer(name):
        year, _, month, day, hour, minute, second = found.groups()
        if int(year) < _FIRST_YEAR:
            continue
        clock = f" {hour}:{minute}:{second or '00'}" if hour else ""
        written = read_written(f"{year}-{month}-{day}{clock}") or read_written(f"{year}-{month}-{day}")
        if written:
            return Base(written)
    return None


def day_mark(line: Line, number: int) -> Mark | None:
    """Read a line that holds a date and nothing else, as a heading or between dashes perhaps; None for any other."""
    if len(line.text) > _LONGEST_DAY or line.is_code:
        return None
    text = line.text.strip(_AROUND).strip()
    written = read_written(text)
    return Mark(number, text, is_day=True) if written and written.date and written.clock is None else None


def heading_mark(line: Line, number: int) -> Mark | None:
    """Read a line at the head of a text that begins or ends with a date; None for any other."""
    if len(line.text) > _LONGEST_DAY or line.is_code:
        return None
    told = time_in_heading(line.text.strip(_AROUND).strip())
    written = read_written(told) if told else None
    return Mark(number, told, is_day=True) if written and written.date else None


def time_in_heading(heading: str) -> str | None:
    """Find the time that a heading is, begins with, or ends with."""
    bare = plain_blanks(heading).lstrip("[(")
    told = leading_time(bare)
    if told and not bare[len(told) : len(told) + 1].isalnum() and _is_meant(told):
        return told
    _, time = split_time(heading)
    written = read_written(time) if time else None
    return time if time and written and written.date and _is_meant(time) else None


def _is_meant(told: str) -> bool:
    """Tell a time from the number of a chapter or a version: 1.10, 1.2.24."""
    return _NUMBERING.fullmatch(told) is None


def own_moment(base: Base | None, reading: Reading) -> datetime | None:
    """Give the moment that a file tells of itself, aware, in the person's zone where it names none."""
    order = decide_order([(base.line, base.written)], reading) if base else None
    moment = moment_of(base.written, order) if base and order else None
    return moment.replace(tzinfo=moment.tzinfo or reading.zone) if moment else None
