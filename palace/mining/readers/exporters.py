"""What exporters of assistants' sessions write beside what was said: above the first turn, and between the words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.files.reading import LeftOut
from palace.mining.readers.lines import Line, split_lines, without_outer_breaks
from palace.models import Role
from palace.nlp.rules import Rules

WORDS = Rules("readers", "transcripts.toml")
_THINKING = "thinking"


class _Call(NamedTuple):
    program: str
    goes_on: re.Pattern[str]
    tool: str | None


@cache
def _calls() -> list[tuple[str, re.Pattern[str], re.Pattern[str]]]:
    return [(program, *map(re.compile, each)) for program, each in WORDS.table("calls").items()]


def about_session(lines: Sequence[Line]) -> tuple[int, str | None]:
    """Count the lines above the first turn that say something of the session as a whole, and find its id in them."""
    about = [line.text for line in lines if WORDS["about"].fullmatch(line.text.strip())]
    found = WORDS["session"].search("\n".join(about))
    return len(about), found[1] if found else None


def say_parts(draft: Draft, role: Role, content: str, stamp: Stamp) -> None:
    """Add the words of a turn and the calls of tools between them; what a model thought is left out."""
    for call, lines in _parts(content):
        said = without_outer_breaks("".join(content[line.start : line.end] for line in lines))
        if call is None:
            draft.say(role, said, stamp)
        elif call.program == _THINKING:
            draft.leave_out(LeftOut.HIDDEN_REASONING)
        else:
            draft.say(Role.TOOL, said, stamp._replace(speaker=call.tool))


def _parts(content: str) -> list[tuple[_Call | None, list[Line]]]:
    """Group the lines of a turn by the call that they belong to, None for words."""
    groups: list[tuple[_Call | None, list[Line]]] = []
    call: _Call | None = None
    above = ""
    for line in split_lines(content):
        shown = "```" if line.is_code else line.text
        if call is None or not call.goes_on.fullmatch(f"{above}\n{shown}"):
            call = _call_at(shown)
        if not groups or groups[-1][0] is not call:
            groups.append((call, []))
        groups[-1][1].append(line)
        above = shown
    return groups


def _call_at(line: str) -> _Call | None:
    for program, begin, goes_on in _calls():
        if found := begin.match(line):
            return _Call(program, goes_on, found.groupdict().get("name"))
    return None
