"""Transcripts in which one side is quoted (``> …``) and the other answers below."""

from __future__ import annotations

import re
from itertools import groupby

from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.reading import Reading
from palace.mining.readers.transcripts.lines import Line, find_title, front_matter_end, without_outer_breaks
from palace.records import Conversation, Role

NAME = "transcript"

_QUOTE = re.compile(r"> ?")
_ATTRIBUTION = re.compile(r"(>[ \t]*+)?(—|–|--)[ \t]*+\w")


def read(text: str, lines: list[Line], reading: Reading) -> list[Conversation]:
    """Read a text that begins with a quoted block and goes on in turns: the quoted side is the user.

    It takes two quoted blocks with an answer after the first; a text whose quotations name their author is
    none.
    """
    first = _first_said(lines)
    if first == len(lines) or not _is_quoted(lines[first]):
        return []
    said = lines[first:]
    blocks = [(quoted, list(block)) for quoted, block in groupby(said, key=_is_quoted)]
    if sum(quoted for quoted, _ in blocks) < 2 or _cites(said):
        return []
    if not all(any(line.text.strip() for line in block) for quoted, block in blocks if not quoted):
        return []
    draft = Draft(NAME, reading, dated=False)
    for quoted, block in blocks:
        whole = text[block[0].start : block[-1].end]
        content = "".join(_QUOTE.sub("", text[line.start : line.end], count=1) for line in block) if quoted else whole
        draft.say(Role.USER if quoted else Role.ASSISTANT, without_outer_breaks(content), Stamp())
    return list(draft.finish(title=find_title(lines[:first])))


def _first_said(lines: list[Line]) -> int:
    """Give the index of the first line below front matter, headings and blank lines."""
    said = (
        index
        for index in range(front_matter_end(lines), len(lines))
        if lines[index].text.strip() and not lines[index].text.startswith("#")
    )
    return next(said, len(lines))


def _is_quoted(line: Line) -> bool:
    return line.text.startswith(">") and not line.is_code


def _cites(lines: list[Line]) -> bool:
    return any(_ATTRIBUTION.match(line.text) for line in lines if not line.is_code)
