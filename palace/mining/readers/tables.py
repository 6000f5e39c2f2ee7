"""Tables with a header (CSV, TSV): a row is a message or a note, what its columns are is told by their names.

What was read as what is said in the reading's notices, so that no table is taken for a conversation unnoticed.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from palace.intake.limits import LARGEST_MESSAGE
from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.drafts.messages import ROLES
from palace.mining.readers.fields import as_title
from palace.mining.readers.files.containers import printable
from palace.mining.readers.files.whole_file import WholeText
from palace.mining.readers.reading import UNREAD_LINES, Reading
from palace.mining.readers.times.dating import Mark, date_marks
from palace.mining.readers.times.file_dates import file_base
from palace.mining.readers.times.formats import known_time
from palace.mining.readers.transcripts.speakers import role_of, speaker_of
from palace.records import Conversation, Role, Slicing
from palace.records.source import WholeFile

NAME = "table"
EMPTY_ROWS = "rows of a table without a text"
COLUMNS = "columns of tables that are not read"

DELIMITERS = (",", ";", "\t", "|")
_KINDS = {
    "text": "text message content contents body msg message_text message_body text_content nachricht mensaje texte "
    "messaggio mensagem bericht utterance",
    "note": "note notes comment comments entry notiz notizen remark transcript",
    "who": "author speaker from sender user username user_name name who by from_name sender_name author_name "
    "display_name nickname member participant autor absender von",
    "role": "role sender_type author_role",
    "at": "timestamp datetime date_time created_at created sent_at sent when at ts createdat creation_date posted_at "
    "updated_at sent_date message_date zeitpunkt time_stamp date_created utc_time",
    "date": "date day datum fecha data giorno",
    "time": "time clock uhrzeit hora heure",
    "talk": "conversation conversation_id thread thread_id channel channel_name channel_id chat chat_id "
    "chat_name session session_id room group conversationid threadid sessionid",
    "title": "title subject topic titel betreff",
    "id": "id message_id uuid messageid msg_id",
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}
_READ_AS = {
    "text": "what is said",
    "note": "what is said",
    "who": "who says it",
    "role": "who says it",
    "at": "when",
    "date": "when",
    "time": "when",
    "talk": "which conversation",
    "title": "the title",
    "id": "the id",
}
_LONGEST_NAME = 60
_SAMPLE = 20
_UNIQUE_ID = 8
"""Characters of an id that is no mere number of its row."""
_UNIQUE_TALK = 16
"""Characters of one that no other table has for another conversation."""
_SHOWN = 12


class Found(NamedTuple):
    """A table as its beginning tells it."""

    delimiter: str
    header: tuple[str, ...]
    kinds: dict[str, int]
    """The place of the column of each kind that there is."""
    joint: str = ""
    """What stands between two cells: the delimiter, and a blank where it has one behind it throughout."""

    @property
    def text(self) -> int | None:
        """The column with what is said."""
        return self.kinds.get("text", self.kinds.get("note"))


def find(beginning: str, *, is_named: bool = False) -> Found | None:
    """Find a table with a header that names a text, and rows like it; ``is_named``: the file's name says it is one.

    A column of notes or comments is a text only where all other columns are known.
    """
    beginning = beginning.lstrip("\ufeff")
    head, end, _ = beginning.partition("\n")
    end_of_head = len(head)
    if not end or len(head) > 4000:
        return None
    for delimiter in sorted(DELIMITERS, key=lambda each: -head.count(each)):
        if delimiter not in head and not is_named:
            continue
        rows = list(_sample(beginning, delimiter))
        found = _header(rows[0], delimiter) if rows else None
        # The first row may go on behind the beginning.
        is_begun = len(rows) > 1 or (is_named and bool(beginning[end_of_head:].strip()))
        if found is None or found.text is None or not is_begun:
            continue
        is_known = len(found.kinds) == len(found.header)
        if "text" not in found.kinds and not is_known:
            continue
        if len(found.header) < 2 and not (is_named and is_known):
            continue
        alike = sum(len(row) == len(found.header) for row in rows[1:])
        if alike * 2 >= len(rows) - 1 and (is_named or len(found.kinds) > 1):
            return found._replace(joint=delimiter + " " * _is_spaced(beginning, delimiter))
    return None


def recognises(beginning: str) -> bool:
    """Tell a table of messages or notes by its header."""
    return find(beginning) is not None


def header_of(beginning: str) -> tuple[str, ...]:
    """Give the names in the first row of a table, for a message; as the delimiter that stands in it most has them."""
    head = beginning.lstrip("\ufeff").partition("\n")[0][:4000]
    delimiter = max(DELIMITERS, key=head.count)
    row = next(iter(_sample(head, delimiter)), [])
    return tuple(printable(cell.strip()) for cell in row)


def read(text: str, reading: Reading) -> Iterator[Conversation]:
    """Read the rows of a table: one conversation, or one for each that a column names; rows with a title and nobody
    who speaks are notes of their own.
    """
    found = find(text, is_named=True)
    if found is None:
        raise reading.problem("is a table in which no column is named as a text")
    rows = list(_rows(text, found, reading))
    _tell(found, reading)
    moments = _moments(rows, reading)
    files: tuple[WholeFile, ...] = (WholeText(text.removeprefix("\ufeff")),)
    for talk in _talks(rows, moments, found):
        for conversation in _conversation(talk, reading):
            yield replace(conversation, files=files)
            files = ()


class _Row(NamedTuple):
    line: int
    cells: dict[str, str]
    """By kind; those that are not read are not kept, of which there may be hundreds."""

    def get(self, *kinds: str) -> str:
        """Give what stands in the first of these columns that there is, without blanks around it."""
        return next((self.cells[kind].strip() for kind in kinds if kind in self.cells), "")

    @property
    def text(self) -> str:
        return self.cells["text" if "text" in self.cells else "note"]


@dataclass(slots=True)
class _Talk:
    """The rows of one conversation."""

    name: str = ""
    is_note: bool = False
    rows: list[tuple[_Row, object]] = field(default_factory=list)
    """With their times."""


def _sample(text: str, delimiter: str) -> Iterator[list[str]]:
    """Give the first rows of a text, without the last, which may break off."""
    lines = text[: text.rfind("\n") + 1] if "\n" in text else text
    try:
        for number, row in enumerate(
            csv.reader(_Lines(lines), delimiter=delimiter, skipinitialspace=_is_spaced(text, delimiter))
        ):
            if number == _SAMPLE:
                return
            if row:
                yield row
    except csv.Error:
        return


def _is_spaced(text: str, delimiter: str) -> bool:
    """Tell a table with a blank behind every delimiter of its header, which is no part of a cell."""
    head = text.partition("\n")[0]
    return delimiter in head and head.count(delimiter) == head.count(f"{delimiter} ")


def _header(row: Sequence[str], delimiter: str) -> Found | None:
    names = tuple(cell.strip() for cell in row)
    if not all(0 < len(name) <= _LONGEST_NAME for name in names) or len(set(names)) < len(names):
        return None
    kinds: dict[str, int] = {}
    for place, name in enumerate(names):
        kind = _KIND_OF.get(re.sub(r"[\s\-.]+", "_", name.casefold()).strip("_"))
        if kind and (kind not in kinds or _is_better(kind, name, names[kinds[kind]])):
            kinds[kind] = place
    return Found(delimiter, names, kinds)


def _is_better(kind: str, name: str, other: str) -> bool:
    """Tell the name of a column that stands earlier among those of its kind."""
    order = _KINDS[kind].split()
    folded = [re.sub(r"[\s\-.]+", "_", each.casefold()) for each in (name, other)]
    return order.index(folded[0]) < order.index(folded[1])


def _rows(text: str, found: Found, reading: Reading) -> Iterator[_Row]:
    width = len(found.header)
    for line, given in _records(text.removeprefix("\ufeff"), found, reading):
        if line == 1 or not any(cell.strip() for cell in given):
            continue
        cells = _fitted(given, found)
        if cells is None:
            reason = f"the row has {len(given)} cells where the header has {width}"
            reading.miss(reading.problem(reason, f"line {line}"), UNREAD_LINES)
            continue
        row = _Row(line, {kind: cells[place] for kind, place in found.kinds.items()})
        if row.text.strip():
            yield row
        else:
            reading.leave_out(EMPTY_ROWS)


def _records(text: str, found: Found, reading: Reading) -> Iterator[tuple[int, list[str]]]:
    """Give the rows of a table with the lines that they begin in; one that is too large is missing alone.

    Behind a quotation mark that is never closed, the others are signs like any other.
    """
    csv.field_size_limit(LARGEST_MESSAGE)
    lines = _Lines(text)
    reader = csv.reader(lines, delimiter=found.delimiter, skipinitialspace=_is_spaced(text, found.delimiter))
    while True:
        line, start = reader.line_num + 1, lines.at
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as problem:
            reading.miss(reading.problem(f"the row cannot be read: {problem}", f"line {line}"), UNREAD_LINES)
            continue
        if lines.is_over and reader.line_num > line and _is_open(text[start:], found):
            break
        yield line, cells
    reading.notices.append(
        f"{reading.file}, line {line}: a quotation mark that opens here is never closed;"
        " from here on quotation marks are read as they stand"
    )
    rest = csv.reader(_Lines(text, start), delimiter=found.delimiter, quoting=csv.QUOTE_NONE)
    for number, cells in enumerate(rest, line):
        yield number, cells


class _Lines(Iterator[str]):
    """The lines of a text with their ends; a carriage return alone ends none."""

    def __init__(self, text: str, at: int = 0) -> None:
        self._text, self.at = text, at

    @property
    def is_over(self) -> bool:
        """Whether the last of them was given."""
        return self.at >= len(self._text)

    def __next__(self) -> str:
        if self.is_over:
            raise StopIteration
        start, self.at = self.at, self._text.find("\n", self.at) + 1 or len(self._text)
        return self._text[start : self.at]


def _is_open(rest: str, found: Found) -> bool:
    """Tell whether the last row of a table ends within quotation marks."""
    try:
        is_spaced = found.joint.endswith(" ")
        list(csv.reader(_Lines(rest), delimiter=found.delimiter, skipinitialspace=is_spaced, strict=True))
    except csv.Error as problem:
        return "end of data" in str(problem)
    return False


def _fitted(cells: Sequence[str], found: Found) -> tuple[str, ...] | None:
    """Give the cells of a row as many as the header has; None where nobody can tell which is the text."""
    width, text = len(found.header), found.text
    if len(cells) > width and text == width - 1:
        # Delimiters in a text that stands last and is in no quotation marks.
        return (*cells[: width - 1], found.joint.join(cells[width - 1 :]))
    if text is None or len(cells) > width or len(cells) <= text:
        return None
    return (*cells, *[""] * (width - len(cells)))


def _tell(found: Found, reading: Reading) -> None:
    """Say which column was read as what, and which are not read."""
    told = [
        f'"{printable(found.header[place])}" as {_READ_AS[kind]}'
        for kind, place in found.kinds.items()
        if _is_used(kind, found)
    ]
    others = [name for place, name in enumerate(found.header) if place not in _used(found)]
    if others:
        reading.leave_out(COLUMNS, len(others))
    shown = ", ".join(printable(as_title(name, 40) or "") for name in others[:_SHOWN])
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    rest = f"; not read: {shown}{more}" if others else ""
    reading.notices.append(f"{reading.file} is read as a table of messages: {', '.join(told)}{rest}")


def _is_used(kind: str, found: Found) -> bool:
    if kind == "note":
        return "text" not in found.kinds
    return not (kind in ("date", "time") and "at" in found.kinds)


def _used(found: Found) -> set[int]:
    return {place for kind, place in found.kinds.items() if _is_used(kind, found)}


def _moments(rows: Sequence[_Row], reading: Reading) -> list[object]:
    """Date the rows: by times as programs write them, else as people do, which are read together."""
    told = [row.get("at") or " ".join(part for part in (row.get("date"), row.get("time")) if part) for row in rows]
    exact = [known_time(text, reading.now, reading.zone) if text else None for text in told]
    marks = [Mark(row.line, text or None) for row, text, known in zip(rows, told, exact, strict=True) if known is None]
    if not any(mark.text for mark in marks):
        return [text if known else None for text, known in zip(told, exact, strict=True)]
    dated = iter(date_marks(marks, file_base([], reading), reading).moments)
    return [text if known else next(dated) for text, known in zip(told, exact, strict=True)]


def _talks(rows: Sequence[_Row], moments: Iterable[object], found: Found) -> list[_Talk]:
    has_speakers = "who" in found.kinds or "role" in found.kinds
    kind = "talk" if "talk" in found.kinds else "title" if has_speakers and "title" in found.kinds else None
    are_notes = kind is None and "title" in found.kinds
    talks: dict[object, _Talk] = {}
    for number, (row, moment) in enumerate(zip(rows, moments, strict=True)):
        name = row.get(kind) if kind else row.get("title") if are_notes else ""
        talk = talks.setdefault(number if are_notes else name, _Talk(name, are_notes))
        talk.rows.append((row, moment))
    return list(talks.values())


def _conversation(talk: _Talk, reading: Reading) -> Iterator[Conversation]:
    draft = Draft(NAME, reading, dated=False)
    ids = Counter(row.get("id") for row, _ in talk.rows)
    for row, moment in talk.rows:
        own = row.get("id")
        role, speaker = _who(row)
        is_own = len(own) >= _UNIQUE_ID and ids[own] == 1
        stamp = Stamp(moment, own if is_own else None, speaker, place=f"line {row.line}")
        with draft.one_message():
            draft.say(role, row.text, stamp)
    first = talk.rows[0][0]
    is_unique = len(talk.name) >= _UNIQUE_TALK and any(map(str.isdigit, talk.name)) and not talk.is_note
    yield from draft.finish(
        source_id=talk.name if is_unique else None,
        title=first.get("title") or talk.name or None,
        place=f"line {first.line}" if talk.name or talk.is_note else "",
        slicing=Slicing.WHOLE if talk.is_note else Slicing.BY_DAY,
    )


def _who(row: _Row) -> tuple[Role, str | None]:
    given, name = row.get("role").casefold(), row.get("who")
    role = ROLES.get(given) or role_of(name) or Role.USER
    return role, speaker_of(name) if name else None
