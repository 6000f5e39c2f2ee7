"""Plain-text and Markdown transcripts, and plain notes.

What is said is kept as it stands; only the labels, and the line breaks between a message and the next label,
go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from palace.mining.readers import aider, journal, quoted, whatsapp
from palace.mining.readers.dating import Mark, date_marks, decide_order, moment_of
from palace.mining.readers.draft import Draft, Stamp
from palace.mining.readers.fields import as_title
from palace.mining.readers.file_dates import day_mark, file_base, heading_mark, own_moment
from palace.mining.readers.labels import Label
from palace.mining.readers.lines import Line, find_title, front_matter_end, split_lines, without_outer_breaks
from palace.mining.readers.reading import Reading
from palace.mining.readers.speakers import find_labels, role_of, speaker_of
from palace.mining.readers.written import read_written
from palace.records import Conversation, Role

NAME = "transcript"
NOTE = "note"
_TITLE_LENGTH = 60


def read(text: str, reading: Reading) -> Iterator[Conversation]:
    """Read a text as the first it can be: a known program's, labelled, dated, quoted, or a note of one turn."""
    lines = split_lines(text)
    readers: tuple[Callable[[str, list[Line], Reading], list[Conversation]], ...]
    readers = (aider.read, whatsapp.read, _read_labelled, journal.read, quoted.read, _read_note)
    for conversation in next(found for reader in readers if (found := reader(text, lines, reading))):
        yield replace(conversation, whole_text=text) if len(conversation.turns) > 1 else conversation


def _read_labelled(text: str, lines: list[Line], reading: Reading) -> list[Conversation]:
    labels = find_labels(lines, front_matter_end(lines))
    if not labels:
        return []
    days = _Days(lines, labels)
    base = file_base(lines, reading)
    dated = date_marks(days.marks(), base, reading)
    own = None if any(dated.moments) else own_moment(base, reading)
    draft = Draft(NAME, reading, dated=False)
    draft.say(Role.SYSTEM, _preamble(text[: days.ends[0]], lines), Stamp())
    for label, end, moment in zip(labels, [*days.ends[1:], len(text)], dated.moments, strict=True):
        said = text[label.content : end]
        content = said.rstrip("\r\n") if label.has_text else without_outer_breaks(said)
        draft.say(role_of(label.name) or Role.USER, content, Stamp(moment, None, speaker_of(label.name)))
    for fault in dated.faults:
        draft.warn(fault)
    return list(draft.finish(title=find_title(lines[: labels[0].line - 1]), started_at=own))


class _Days:
    """The lines between labels that tell the day of what follows, where labels tell but the time of day."""

    def __init__(self, lines: list[Line], labels: list[Label]) -> None:
        self._labels = labels
        self._days: dict[int, Mark] = {}
        self.ends = [label.start for label in labels]
        """Where what stands before each label ends: in front of the lines that tell its day."""
        if any(label.time and _has_no_date(label.time) for label in labels):
            front = front_matter_end(lines)
            for index, label in enumerate(labels):
                first = labels[index - 1].line if index else front
                self._look(lines, first, label, index)

    def marks(self) -> list[Mark]:
        """List what tells a time, in the order of the text."""
        said = [Mark(label.line, label.time) for label in self._labels]
        return sorted([*said, *self._days.values()])

    def _look(self, lines: list[Line], first: int, label: Label, index: int) -> None:
        """Look for days between a label and what stands before it; those right above it are its own."""
        is_above = True
        for number in range(label.line - 1, first, -1):
            line = lines[number - 1]
            if not line.text.strip():
                continue
            day = day_mark(line, number) if is_above or line.text.startswith("#") else None
            mark = day or (heading_mark(line, number) if index == 0 else None)
            is_above = is_above and day is not None
            if mark:
                self._days[number] = mark
            if is_above:
                self.ends[index] = line.start


def _has_no_date(text: str) -> bool:
    written = read_written(text)
    return written is not None and written.date is None


def _preamble(before: str, lines: list[Line]) -> str:
    """Give what stands before the first label, unless that is front matter, headings and rules only."""
    front = front_matter_end(lines)
    begin = lines[front].start if front < len(lines) else len(before)
    inner = [line.text.strip() for line in lines[front:] if line.start < len(before)]
    is_said = any(line and not line.startswith("#") and set(line) - set("-*_= ") for line in inner)
    return without_outer_breaks(before[begin:]) if is_said else ""


def _read_note(text: str, lines: list[Line], reading: Reading) -> list[Conversation]:
    base = file_base(lines, reading)
    draft = Draft(NOTE, reading, dated=False)
    moment = moment_of(base.written, decide_order([(base.line, base.written)], reading)) if base else None
    draft.say(Role.USER, text, Stamp(moment))
    said = lines[front_matter_end(lines) :]
    title = find_title(lines) or next((line.text for line in said if line.text.strip()), None)
    return list(draft.finish(title=as_title(title, _TITLE_LENGTH)))
