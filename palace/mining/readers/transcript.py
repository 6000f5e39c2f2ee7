"""Plain-text and Markdown transcripts, and plain notes.

What is said is kept as it stands; only the labels, and the line breaks between a message and the next label,
go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from palace.mining.readers import aider, quoted
from palace.mining.readers.draft import Draft, Stamp
from palace.mining.readers.fields import as_title
from palace.mining.readers.lines import Line, find_title, front_matter_end, split_lines, without_outer_breaks
from palace.mining.readers.reading import Reading
from palace.mining.readers.speakers import find_labels, role_of, speaker_of
from palace.mining.readers.times import known_time
from palace.records import Conversation, Role

NAME = "transcript"
NOTE = "note"
_TITLE_LENGTH = 60


def read(text: str, reading: Reading) -> Iterator[Conversation]:
    """Read a text as the first it can be: an aider history, labelled, quoted, or a note of one turn."""
    lines = split_lines(text)
    readers: tuple[Callable[[str, list[Line], Reading], list[Conversation]], ...]
    readers = (aider.read, _read_labelled, quoted.read, _read_note)
    yield from next(found for reader in readers if (found := reader(text, lines, reading)))


def _read_labelled(text: str, lines: list[Line], reading: Reading) -> list[Conversation]:
    labels = find_labels(lines[front_matter_end(lines) :])
    if not labels:
        return []
    draft = Draft(NAME, reading, dated=False)
    draft.say(Role.SYSTEM, _preamble(text[: labels[0].start], lines), Stamp())
    ends = [following.start for _, following in pairwise(labels)] + [len(text)]
    for label, end in zip(labels, ends, strict=True):
        said = text[label.content : end]
        content = said.rstrip("\r\n") if label.has_text else without_outer_breaks(said)
        # A time of day without a date says nothing that could be stored.
        said_at = known_time(label.time, reading.now)
        draft.say(role_of(label.name) or Role.USER, content, Stamp(said_at, None, speaker_of(label.name)))
    return list(draft.finish(title=find_title([line for line in lines if line.start < labels[0].start])))


def _preamble(before: str, lines: list[Line]) -> str:
    """Give what stands before the first label, unless that is front matter, headings and rules only."""
    front = front_matter_end(lines)
    begin = lines[front].start if front < len(lines) else len(before)
    inner = [line.text.strip() for line in lines[front:] if line.start < len(before)]
    is_said = any(line and not line.startswith("#") and set(line) - set("-*_= ") for line in inner)
    return without_outer_breaks(before[begin:]) if is_said else ""


def _read_note(text: str, lines: list[Line], reading: Reading) -> list[Conversation]:
    draft = Draft(NOTE, reading, dated=False)
    draft.say(Role.USER, text, Stamp())
    title = find_title(lines) or next((line.text for line in lines if line.text.strip()), None)
    return list(draft.finish(title=as_title(title, _TITLE_LENGTH)))
