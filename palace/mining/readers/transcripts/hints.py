"""Whether a text that is kept as a note looks like a transcript, so that nobody believes it was read as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from palace.mining.readers.reading import Reading
from palace.mining.readers.times.written import leading_time, plain_blanks, read_written
from palace.mining.readers.transcripts.labels import LONGEST_LABEL, find_label
from palace.mining.readers.transcripts.lines import Line, front_matter_end
from palace.mining.readers.transcripts.speakers import days_of, is_name, take_turns

_MOST_NAMES = 3
_FEWEST_LINES = 3
_SHARE = 0.4
_OF_CODE = (";", "{", "}", ",", "\\")


def hint_at_transcript(lines: Sequence[Line], reading: Reading, kept_as: str) -> None:
    """Tell the reading, in one line, of a text that is kept as a note and looks like a transcript.

    It does where two lines in five begin with a name and a colon, or with a time and a name; without times it is one of
    the three names that come most often, and one of those comes back.
    """
    said = [line for line in lines[front_matter_end(lines) :] if line.text.strip() and not line.is_code]
    if len(said) < _FEWEST_LINES:
        return
    named = [(line.start, name, is_timed) for line in said for name, is_timed in _names_at(line)]
    counts = Counter(name for _, name, _ in named)
    frequent = dict(counts.most_common(_MOST_NAMES))
    is_back = any(count > 1 for count in frequent.values())
    spoken = [(start, name) for start, name, is_timed in named if is_back and (is_timed or name in frequent)]
    days = days_of(said)
    begun, lines_said = len(spoken), len(said) - len(days)
    if begun < _FEWEST_LINES or begun < _SHARE * lines_said or not take_turns(spoken, days):
        return
    shown = ", ".join(f'"{name}"' for name in frequent)
    notice = (
        f"{reading.file} looks like a transcript ({begun} of {lines_said} lines begin with {shown}) but is written like"
        f" none that is read: kept as {kept_as}"
    )
    if notice not in reading.notices:
        reading.notices.append(notice)


def _names_at(line: Line) -> Iterator[tuple[str, bool]]:
    """Give the name that a line begins with, where it looks like somebody speaking, and whether a time stands by it."""
    label = find_label(line, 0)
    if label and not label.style.startswith(("heading", "bold line")):
        is_code = label.name[:1].islower() and (not label.has_text or line.text.rstrip().endswith(_OF_CODE))
        if is_name(label.name, timed=True) and not is_code:
            yield label.name, label.time is not None
            return
    head = plain_blanks(line.text[:LONGEST_LABEL])
    time = leading_time(head)
    written = read_written(time) if time else None
    if not time or not written or written.clock is None:
        return
    first, _, rest = head[len(time) :].strip(" -–—|>").partition(" ")
    if rest and first.isalpha() and is_name(first, timed=True):
        yield first, True
