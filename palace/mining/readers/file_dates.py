"""Dates on lines of their own, in headings, in a file's front matter and in its name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from palace.mining.drafts.dating import Base, Mark, base_moment
from palace.mining.drafts.written_times import leading_time, parse_time, plain_blanks
from palace.mining.files.reading import Reading
from palace.mining.readers.labels import split_time
from palace.mining.readers.lines import Line, front_matter_end

_FIELD = re.compile(r"(date|datetime|created|created_at|day|time):[ \t]{1,8}(.{1,80})", re.IGNORECASE)
_IN_NAME = re.compile(
    r"(?<!\d)(\d{4})([-_.]?)(\d\d)\2(\d\d)(?:([T_ \-]{0,3})(?:at )?(\d\d)[-_.:h]?(\d\d)(?:[-_.:]?(\d\d))?)?(?!\d)"
)
_NOT_IN_WORDS = re.compile(r"^@|(?: [0-9a-f]{32})?(?:\.(?:md|markdown|txt|text))+$", re.IGNORECASE)
"""The parts around the date in the name of a daily note: ``@May 1, 2024 191bb5….md``."""
_NUMBERING = re.compile(r"\d{1,2}\.\d\d|\d{1,2}\.\d\.\d\d|\d\.\d{1,2}\.\d\d")
"""Chapter or version numbers that look like times: 1.10, 1.2.24."""
_YEAR = re.compile(r"\d{4}")
_FIRST_YEAR = 1971
_LONGEST_DAY = 80
_AROUND = "#*-=_~—–[]() \t\r:"


def file_base(lines: Sequence[Line], reading: Reading) -> Base | None:
    """Return the date of a file from its front matter, else from its name; None if it has none."""
    for number, line in enumerate(lines[: front_matter_end(lines)], 1):
        found = _FIELD.fullmatch(line.text[:100].strip())
        written = parse_time(found[2].strip(" \t\"'")) if found else None
        if written and written.date:
            return Base(written, number)
    name = reading.file.rsplit("/", 1)[-1]
    for found in _IN_NAME.finditer(name):
        year, _, month, day, gap, hour, minute, second = found.groups()
        date, clock = f"{year}-{month}-{day}", f" {hour}:{minute}:{second or '00'}" if hour else ""
        written = parse_time(f"{date}{clock}") or (None if gap == "" else parse_time(date))
        if written and int(year) >= _FIRST_YEAR:
            return Base(written)
    return title_base(_NOT_IN_WORDS.sub("", name))


def title_base(title: str | None) -> Base | None:
    """Parse a title or file name that is, begins or ends with a date; return None for any other."""
    time = time_in_heading((title or "").strip().lstrip("@"))
    written = parse_time(time) if time and _YEAR.search(time) else None
    return Base(written) if written and written.date else None


def own_moment(base: Base | None, reading: Reading) -> datetime | None:
    """Return a file's date as an aware datetime, in the user's time zone unless it names one."""
    moment = base_moment(base, reading)
    return moment.replace(tzinfo=moment.tzinfo or reading.zone) if moment else None


def day_mark(line: Line, number: int) -> Mark | None:
    """Parse a line that holds only a date, possibly as a heading or between dashes; return None for any other."""
    if len(line.text) > _LONGEST_DAY or line.is_code:
        return None
    text = line.text.strip(_AROUND).strip()
    written = parse_time(text)
    return Mark(number, text, is_day=True) if written and written.date and written.clock is None else None


def heading_mark(line: Line, number: int) -> Mark | None:
    """Parse a line at the top of a text that begins or ends with a date; return None for any other."""
    if len(line.text) > _LONGEST_DAY or line.is_code:
        return None
    time = time_in_heading(line.text.strip(_AROUND).strip())
    written = parse_time(time) if time else None
    return Mark(number, time, is_day=True) if written and written.date else None


def time_in_heading(heading: str) -> str | None:
    """Return the time that a heading consists of, begins with or ends with; None if there is none."""
    bare = plain_blanks(heading).lstrip("[(")
    time = leading_time(bare)
    if time and not bare[len(time) : len(time) + 1].isalnum() and not _NUMBERING.fullmatch(time):
        return time
    time = split_time(heading)[1]
    written = parse_time(time) if time else None
    return time if time and written and written.date and not _NUMBERING.fullmatch(time) else None
