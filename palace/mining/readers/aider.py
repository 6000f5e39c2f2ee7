"""aider's ``.aider.chat.history.md``: ``####`` lines are the user's, ``>`` lines the program's."""

from __future__ import annotations

import re
from itertools import groupby, pairwise

from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.times import known_time
from palace.mining.files.reading import Reading
from palace.mining.readers.lines import Line, without_outer_breaks
from palace.models import Conversation, Role

NAME = "transcript"
BEFORE = "lines in front of aider's first session"

_SESSION = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)")
_MARKS = {Role.USER: re.compile(r"#### ?"), Role.TOOL: re.compile(r"> ?"), Role.ASSISTANT: re.compile("")}


def read(text: str, lines: list[Line], reading: Reading) -> list[Conversation]:
    """Read every session of the history as one conversation; none where it is not one.

    aider writes local time without a zone; it is taken in the person's zone.
    """
    # Whatever the assistant writes with these marks does not end in two blanks.
    is_marked = any(line.text.endswith("  ") and line.text.startswith(("#### ", "> ")) for line in lines)
    begins = [index for index, line in enumerate(lines) if not line.is_code and _SESSION.fullmatch(line.text)]
    before = sum(bool(line.text.strip()) for line in lines[: begins[0]]) if begins else 0
    if before:
        reading.leave_out(BEFORE, before)
    return [
        conversation
        for begin, end in pairwise([*begins, len(lines)])
        for conversation in _session(text, lines[begin:end], reading, is_marked=is_marked)
    ]


def _session(text: str, lines: list[Line], reading: Reading, *, is_marked: bool) -> list[Conversation]:
    draft = Draft(NAME, reading, dated=False)
    for role, block in groupby(lines[1:], key=lambda line: _role(line, is_marked=is_marked)):
        content = "".join(_MARKS[role].sub("", text[line.start : line.end], count=1) for line in block)
        draft.say(role, without_outer_breaks(content), Stamp())
    started_at = known_time(lines[0].text[-19:], reading.now, reading.zone)
    return list(draft.finish(started_at=started_at, place=lines[0].text))


def _role(line: Line, *, is_marked: bool) -> Role:
    if line.is_code or (is_marked and not line.text.endswith("  ")):
        return Role.ASSISTANT
    return next(role for role, mark in _MARKS.items() if mark.match(line.text))
