"""The chat history of aider, ``.aider.chat.history.md``: ``####`` lines are the user's, ``>`` lines the program's."""

from __future__ import annotations

import re
from itertools import groupby, pairwise

from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.times import known_time
from palace.mining.files.containers import AIDER_HISTORY
from palace.mining.files.reading import Reading
from palace.mining.readers.lines import Line, without_outer_breaks
from palace.mining.readers.sessions import folder_name
from palace.models import Conversation, Role

NAME = "transcript"
BEFORE = "lines in front of aider's first session"

_SESSION = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)")
_MARKS = {Role.USER: re.compile(r"#### ?"), Role.TOOL: re.compile(r"> ?"), Role.ASSISTANT: re.compile("")}


def read(text: str, lines: list[Line], reading: Reading) -> list[Conversation]:
    """Read each session as a conversation of the project's folder; return [] for any other text.

    aider records only when a session began, in local time without a zone; it is read in the user's time zone.
    """
    # Lines that aider marks itself end in two blanks; lines of the assistant that begin with a mark do not.
    is_marked = any(line.text.endswith("  ") and line.text.startswith(("#### ", "> ")) for line in lines)

    def role_of(line: Line) -> Role:
        is_plain = line.is_code or (is_marked and not line.text.endswith("  "))
        return Role.ASSISTANT if is_plain else next(role for role, mark in _MARKS.items() if mark.match(line.text))

    begins = [index for index, line in enumerate(lines) if not line.is_code and _SESSION.fullmatch(line.text)]
    reading.leave_out(BEFORE, sum(bool(line.text.strip()) for line in lines[: begins[0]]) if begins else 0)
    lies = reading.where.path if reading.where else None
    folder = str(lies.parent) if lies and lies.name == AIDER_HISTORY else None
    found: list[Conversation] = []
    for begin, end in pairwise([*begins, len(lines)]):
        draft, head = Draft(NAME, reading, dated=False), lines[begin].text
        began = head[-19:]
        for role, block in groupby(lines[begin + 1 : end], key=role_of):
            content = "".join(_MARKS[role].sub("", text[line.start : line.end], count=1) for line in block)
            draft.say(role, without_outer_breaks(content), Stamp(began))
        at = known_time(began, reading.now, reading.zone)
        found += draft.finish(started_at=at, folder=folder, project=folder_name(folder), place=head)
    return found
