"""Plain-text and Markdown transcripts, and plain notes.

What is said is kept as it stands; only the labels, and the line breaks between a message and the next label,
go.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from palace.mining.readers import irc, journal, whatsapp
from palace.mining.readers.assistants import aider
from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.fields import as_title
from palace.mining.readers.reading import Reading
from palace.mining.readers.times.dating import Mark, date_marks, decide_order, moment_of
from palace.mining.readers.times.file_dates import day_mark, file_base, heading_mark, own_moment
from palace.mining.readers.times.written import read_written
from palace.mining.readers.transcripts import quoted
from palace.mining.readers.transcripts.hints import hint_at_transcript
from palace.mining.readers.transcripts.labels import EMPHATIC, ZOOM, Label
from palace.mining.readers.transcripts.lines import (
    Line,
    find_title,
    front_matter_end,
    split_lines,
    without_outer_breaks,
)
from palace.mining.readers.transcripts.speakers import find_labels, role_of, speaker_of
from palace.records import Conversation, Role

NAME = "transcript"
NOTE = "note"
RECIPIENTS = "names of those to whom direct messages went"
_TITLE_LENGTH = 60
_KEPT_AS = {NOTE: "one note", journal.NAME: "dated notes"}
_DIRECT = re.compile(r"\bto {1,3}(?!everyone\b|all\b)\S", re.IGNORECASE)


def read(text: str, reading: Reading) -> Iterator[Conversation]:
    """Read a text as the first it can be: a known program's, labelled, dated, quoted, or a note of one turn."""
    lines = split_lines(text)
    readers: tuple[Callable[[str, list[Line], Reading], list[Conversation]], ...]
    readers = (aider.read, whatsapp.read, irc.read, _read_labelled, journal.read, quoted.read, _read_note)
    conversations = next(found for reader in readers if (found := reader(text, lines, reading)))
    kept_as = _KEPT_AS.get(conversations[0].reader)
    if kept_as:
        hint_at_transcript(lines, reading, kept_as)
    for conversation in conversations:
        yield replace(conversation, whole_text=text) if len(conversation.turns) > 1 else conversation


def _read_labelled(text: str, lines: list[Line], reading: Reading) -> list[Conversation]:
    labels = find_labels(lines, front_matter_end(lines))
    if not labels:
        return []
    days = _Days(lines, labels)
    base = file_base(lines, reading)
    is_timed = any(label.time for label in labels)
    told = base if is_timed or (base and base.line) else None
    dated = date_marks(days.marks(), told, reading)
    own = None if any(dated.moments) else own_moment(base, reading)
    draft = Draft(NAME, reading, dated=False)
    above = None if is_timed else own_moment(told, reading)
    draft.say(Role.SYSTEM, _preamble(text[: days.ends[0]], lines), Stamp(above))
    for label, end, moment in zip(labels, [*days.ends[1:], len(text)], dated.moments, strict=True):
        if label.style == ZOOM and _DIRECT.search(text, label.start, label.content):
            draft.leave_out(RECIPIENTS)
        said = text[label.content : end]
        content = said.rstrip("\r\n") if label.has_text else without_outer_breaks(said)
        if label.style == EMPHATIC:
            # The rule between two turns is there only once the second is.
            content = without_outer_breaks(content.removesuffix("---"))
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
        if all(label.time is None or _has_no_date(label.time) for label in labels):
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
