"""IRC logs: ``10:32 <ann> hi``, ``10:33 * ann waves``, ``10:34 -!- bob has joined``, with or without times.

WeeChat puts tabs after the time and the name: ``2024-05-01 10:32:05→ann→hi``, ``… →-->→bob has joined``. Messages and
actions (``/me``) become turns; notices of server and client (joins, modes, topics) are only counted. Lines with a day
date the lines below them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from palace.mining.drafts.dating import Mark, date_marks
from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.names import role_of, speaker_of
from palace.mining.drafts.written_times import plain_blanks
from palace.mining.files.reading import Reading
from palace.mining.readers.file_dates import day_mark, file_base, own_moment
from palace.mining.readers.labels import time_at
from palace.mining.readers.lines import Line, find_title, front_matter_end, without_outer_breaks
from palace.models import Conversation, Role
from palace.nlp.rules import Rules

NAME = "transcript"
NOTICES = "notices of IRC (joins, departures, modes)"

_HEAD = 180
_SAID = re.compile(r"<[@+%~& ]?(?P<nick>[^<>\s]{1,40})>(?: |$)")
_DEED = re.compile(r"\* (?P<nick>[^\s*]{1,40}) (?=\S)")
_NOTICE = re.compile(r"(?:-!-|\*\*\*|-->|<--|<->|==|[→←⇒⇐]) |<?-+>?\|")
_RULES = Rules("readers", "transcripts.toml")
_LOG = re.compile(r"--- (?:Log (?:opened|closed)|Day changed) (?P<when>.{6,40})$")
_ENGLISH = re.compile(r"(?:\w{3} )?(?P<day>\w{3} {1,2}\d{1,2})(?: \d\d:\d\d(?::\d\d)?)? (?P<year>\d{4})")
_TABBED = re.compile(
    r"\t(?:(?P<notice>-->|<--|--|=!=|)|(?P<deed> ?\*)|[@+%~& ]?(?P<nick>[^\s:<>]{1,40}))\t(?P<text>.*)"
)
_ROWS = 20
_TABS = 2
"""Tabs in front of a message, which may contain more itself."""
_GAP = re.compile(r"[ |-]{0,4}?(?=[<*→←⇒⇐=-])")


_Kind = Enum("_Kind", ["SAID", "DEED", "NOTICE", "DAY"])


class _Entry(NamedTuple):
    kind: _Kind
    nick: str
    mark: Mark
    """The time, or the day of a day line."""
    line: Line
    content: int
    """Offset of the content in the whole text."""


def read(text: str, lines: list[Line], reading: Reading) -> list[Conversation]:
    """Read a log as one conversation; return [] for a text that does not begin like a log.

    Required are two messages with times, or two speakers of whom one speaks again. Actions are kept as they are
    written.
    """
    front = front_matter_end(lines)
    entries = _entries(lines, front)
    said = [entry for entry in entries if entry.kind is _Kind.SAID]
    begin = next((line for line in lines[front:] if line.text.strip() and not line.text.startswith("#")), None)
    if len(said) < 2 or begin is not entries[0].line or not (said[0].mark.text or _take_turns(text, said)):
        return []
    base = file_base(lines, reading)
    dated = date_marks([entry.mark for entry in entries if entry.kind is not _Kind.NOTICE], base, reading)
    moments = iter(dated.moments)
    draft = Draft(NAME, reading, dated=False)
    for entry, end in zip(entries, [*(entry.line.start for entry in entries[1:]), len(text)], strict=True):
        content = without_outer_breaks(text[entry.content : end])
        if entry.nick:
            role = role_of(entry.nick) or Role.USER
            draft.say(role, content, Stamp(next(moments), None, speaker_of(entry.nick)))
        else:
            draft.leave_out(NOTICES, int(entry.kind is _Kind.NOTICE))
            draft.say(Role.SYSTEM, content, Stamp())
    draft.warn(*dated.faults)
    own = None if any(dated.moments) else own_moment(base, reading)
    return list(draft.finish(title=find_title(lines[: lines.index(entries[0].line)]), started_at=own))


def is_tabbed(rows: Sequence[str]) -> bool:
    """Check by its first rows whether a text is a WeeChat log rather than a table: each row is a time, a name and text.

    Some names must be arrows or stars, or half of the messages must have more than one word.
    """
    said = [row for row in rows[:_ROWS] if row.strip()]
    found = [match for row in said if (match := _tabbed(row)[1])]
    if not found or len(found) < len(said) or min(row.count("\t") for row in said) > _TABS:
        return False
    spoken = sum(" " in row["text"].strip() for row in found if row["nick"])
    return any(row["notice"] or row["deed"] for row in found) or spoken * 2 >= len(found)


def _tabbed(row: str) -> tuple[str | None, re.Match[str] | None]:
    time, end = time_at(plain_blanks(row[:_HEAD]))
    found = _TABBED.match(row, end) if time else None
    return time, None if found is None or (found["nick"] or "").isdecimal() else found


def _entries(lines: Sequence[Line], front: int) -> list[_Entry]:
    """Return the entries of a log: those with a time if messages have times, else actions only of people who speak."""
    is_tab = is_tabbed([line.text for line in lines[front : front + _ROWS]])
    read_line = _tabbed_entry if is_tab else _entry
    found = [entry for number, line in enumerate(lines[front:], front + 1) if (entry := read_line(line, number))]
    said = [entry for entry in found if entry.kind is _Kind.SAID]
    if any(entry.mark.text for entry in said):
        return [entry for entry in found if entry.mark.text or entry.kind is _Kind.DAY]
    nicks = {entry.nick for entry in said}
    return [entry for entry in found if entry.kind is not _Kind.DEED or entry.nick in nicks]


def _entry(line: Line, number: int) -> _Entry | None:
    if line.is_code or not line.text.strip():
        return None
    if day := _day(line, number):
        return _Entry(_Kind.DAY, "", day, line, line.end)
    head = plain_blanks(line.text[:_HEAD])
    time, begin = time_at(head)
    mark, gap = Mark(number, time), _GAP.match(head, begin)
    begin = gap.end() if gap else begin
    if _NOTICE.match(head, begin) or _RULES["passing"].match(head, begin):
        return _Entry(_Kind.NOTICE, "", mark, line, line.end)
    said = _SAID.match(head, begin)
    if said:
        content = line.start + said.end() if said.end() < len(line.text) else line.end
        return _Entry(_Kind.SAID, said["nick"], mark, line, content)
    deed = _DEED.match(head, begin)
    return _Entry(_Kind.DEED, deed["nick"], mark, line, line.start + begin) if deed else None


def _tabbed_entry(line: Line, number: int) -> _Entry | None:
    time, found = _tabbed(line.text)
    if found is None:
        return None
    mark = Mark(number, time)
    if found["nick"]:
        return _Entry(_Kind.SAID, found["nick"], mark, line, line.start + found.start("text"))
    if found["deed"]:
        return _Entry(_Kind.DEED, found["text"].split(" ")[0], mark, line, line.start + found.end("deed") - 1)
    return _Entry(_Kind.NOTICE, "", mark, line, line.end)


def _day(line: Line, number: int) -> Mark | None:
    """Parse a line that holds a day: ``--- Day changed Thu May 02 2024``, or a date alone."""
    log = _LOG.match(line.text.rstrip()[:_HEAD])
    if log is None:
        return day_mark(line, number)
    english = _ENGLISH.fullmatch(log["when"].strip(" -"))
    return Mark(number, f"{english['day']} {english['year']}" if english else log["when"], is_day=True)


def _take_turns(text: str, said: Sequence[_Entry]) -> bool:
    """Check that several people speak and one speaks again, as opposed to the tags of a web page."""
    counts = Counter(entry.nick for entry in said)
    return len(counts) > 1 and max(counts.values()) > 1 and "</" not in text
