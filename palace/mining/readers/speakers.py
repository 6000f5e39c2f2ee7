"""Decides which labels at the beginning of lines make a text a transcript, and who speaks."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from palace.mining.drafts.names import role_of
from palace.mining.drafts.written_times import plain_blanks
from palace.mining.files.reading import Reading
from palace.mining.readers.file_dates import day_mark
from palace.mining.readers.labels import (
    BELOW_TIME,
    BULLET,
    LONGEST_LABEL,
    OWN_LINE,
    WHOLE_LINES,
    ZOOM,
    Label,
    find_label,
    find_label_below,
    time_at,
)
from palace.mining.readers.lines import Line, front_matter_end
from palace.models import Role
from palace.nlp.rules import Rules

_ABOVE = frozenset({"line", OWN_LINE, BELOW_TIME})
"""Styles whose label stands on a line above the text."""
_RECURRING = _ABOVE | {"clock"}
"""Styles that timetables have as well; a name must occur twice."""
_HALF_DAY = re.compile(r"\d ?[ap]\.? ?m\b", re.IGNORECASE)
_WORDS = Rules("readers", "transcripts.toml")


def find_labels(lines: list[Line], first: int = 0) -> list[Label]:
    """Return the labels that make the lines from ``first`` on a transcript, in order; [] if it is none.

    Code is ignored, and a text has a single style of labels, the first that qualifies: a user and an assistant speak,
    or two labels have times, or, if the text begins with a label, two names alternate without a heading between them.
    """
    candidates: dict[str, list[Label]] = {}
    for number, line in enumerate(lines[first:], first + 1):
        label = None if line.is_code else find_label(line, number)
        if label is None and not line.is_code and number < len(lines):
            label = find_label_below(line, lines[number], number)
        if label and not (label.style.startswith(WHOLE_LINES) and role_of(label.name) is None):
            candidates.setdefault(label.style, []).append(label)
    said = lines[first:]
    begin = _chat_begin(said)
    for found in candidates.values():
        labels = _speaking(found, begin)
        if any(label.time for label in labels) or (labels and _fits_days(labels, said)):
            return labels
    return []


def is_name(name: str, *, timed: bool = False) -> bool:
    """Check whether words before a colon are a name; with a time beside it, a single lower-case word may be one."""
    words = [word.strip("()") for word in name.split()]
    not_names = _WORDS.pattern("not_names")
    if not words or any(not_names.fullmatch(word.casefold()) for word in (words[:1] if timed else words)):
        return False
    if name.startswith("@") or "@" in words[0]:
        return True
    if timed and len(words) == 1:
        return any(character.isalpha() for character in name)
    particles = _WORDS.words("particles")
    return not words[0][:1].islower() and all(not word[:1].islower() or word in particles for word in words[1:])


def days_of(lines: list[Line]) -> list[int]:
    """Return the offsets of lines that hold only a day."""
    return [line.start for line in lines if day_mark(line, 0)]


def take_turns(names: Sequence[tuple[int, str]], days: list[int]) -> bool:
    """Check that names alternate like speakers, unlike the fields of a diary, which repeat once a day in one order.

    ``names`` come with the offsets of their lines; ``days`` are offsets of lines.
    """
    ranks = {name: rank for rank, name in enumerate(dict.fromkeys(name for _, name in names))}
    placed = [(bisect(days, start), ranks[name]) for start, name in names]
    return any(day == other and after <= before for (day, before), (other, after) in pairwise(placed))


def _chat_begin(lines: list[Line]) -> int | None:
    """Return the offset where the text begins below its headings; None if headings follow, as in no chat."""
    said = [line for line in lines if line.text.strip() and not day_mark(line, 0)]
    headings = {line.start for line in said if line.text.startswith("#") and not line.is_code}
    begin = next((line.start for line in said if line.start not in headings), 0)
    return begin if max(headings, default=0) <= begin else None


def _fits_days(labels: list[Label], lines: list[Line]) -> bool:
    """Check that labels without times make a conversation rather than dated notes with fields (``Weather: …``).

    If the text begins with a day, a label must follow every day, and a speaker must recur within a day or the order of
    speakers differ between days.
    """
    said = [line for line in lines if line.text.strip()]
    days = days_of(said)
    if not days or days[0] > labels[0].start or any(role_of(label.name) is Role.ASSISTANT for label in labels):
        return True
    above, speaking = set(days), {*(label.start for label in labels), *days}
    if any(below.start not in speaking for line, below in pairwise(said) if line.start in above):
        return False
    return take_turns([(label.start, label.name) for label in labels], days)


def _speaking(labels: list[Label], chat_begin: int | None) -> list[Label]:
    style = labels[0].style
    known = [label for label in labels if role_of(label.name)]
    if not style.startswith(BULLET) and {Role.USER, Role.ASSISTANT} <= {role_of(label.name) for label in known}:
        return known
    if style == ZOOM:
        return labels if len(labels) > 1 else []
    named = [
        label
        for label in labels
        if role_of(label.name) or is_name(label.name, timed=label.time is not None and style != OWN_LINE)
    ]
    timed = _timed(labels, named)
    if timed or not named or named[0].start != chat_begin:
        return timed
    counts = Counter(label.name for label in named)
    if len(counts) > 2:
        named = [label for label in named if role_of(label.name) or counts[label.name] > 1]
    return named if len({label.name for label in named}) > 1 and max(counts.values()) > 1 else []


def _timed(labels: list[Label], named: list[Label]) -> list[Label]:
    """Return the labels with a time, and those with the same names, if there are enough of them."""
    timed = [label for label in named if label.time]
    counts = Counter(label.name for label in timed)
    style = labels[0].style
    is_item = style.startswith(BULLET)
    is_above = style in _ABOVE and all(below.line - label.line > 1 for label, below in pairwise(timed))
    is_sure = is_above and style != BELOW_TIME and all(_HALF_DAY.search(label.time or "") for label in timed)
    needed = 1 + ((style in _RECURRING and not is_sure) or is_item)
    is_alone = (style in (OWN_LINE, BELOW_TIME) or is_item) and len(counts) < 2
    if len(timed) < 2 or max(counts.values()) < needed or is_alone:
        return []
    if style in (OWN_LINE, BELOW_TIME):
        return timed if is_above else []
    if style == "plain":
        return [label for label in named if label.time or label.name in counts]
    return [label for label in labels if label.time]


_MOST_NAMES = 3
_FEWEST_LINES = 3
_SHARE = 0.4
_OF_CODE = (";", "{", "}", ",", "\\")


def hint_at_transcript(text: str, lines: Sequence[Line], reading: Reading, kept_as: str) -> None:
    """Add a notice if a text that is filed as a note looks like a transcript.

    It does if its layout is known by name, or if two in five lines begin with a name and a colon or with a time and a
    name. Names without times must be among the three most frequent, one of which must recur.
    """
    if layout := _WORDS.meaning("layouts", text):
        reading.notice(
            f"{reading.file} looks like a transcript ({layout}), of a layout that is not read: kept as {kept_as}"
        )
        return
    said = [line for line in lines[front_matter_end(lines) :] if line.text.strip() and not line.is_code]
    if len(said) < _FEWEST_LINES:
        return
    named = [(line.start, name, is_timed) for line in said for name, is_timed in _names_at(line)]
    frequent = dict(Counter(name for _, name, _ in named).most_common(_MOST_NAMES))
    is_back = any(count > 1 for count in frequent.values())
    spoken = [(start, name) for start, name, is_timed in named if is_back and (is_timed or name in frequent)]
    days = days_of(said)
    begun, lines_said = len(spoken), len(said) - len(days)
    if begun < max(_FEWEST_LINES, _SHARE * lines_said) or not take_turns(spoken, days):
        return
    shown = ", ".join(f'"{name}"' for name in frequent)
    reading.notice(
        f"{reading.file} looks like a transcript ({begun} of {lines_said} lines begin with {shown}) but is written like"
        f" none that is read: kept as {kept_as}"
    )


def _names_at(line: Line) -> Iterator[tuple[str, bool]]:
    """Yield the name at the beginning of a line of speech, and whether it has a time."""
    label = find_label(line, 0)
    if label and not label.style.startswith(WHOLE_LINES):
        is_code = label.name[:1].islower() and (not label.has_text or line.text.rstrip().endswith(_OF_CODE))
        if is_name(label.name, timed=True) and not is_code:
            yield label.name, label.time is not None
            return
    head = plain_blanks(line.text[:LONGEST_LABEL])
    time, end = time_at(head)
    first, _, rest = head[end:].strip(" -–—|>").partition(" ")
    if time and rest and first.isalpha() and is_name(first, timed=True):
        yield first, True
