"""The header of a table: which column holds what, by its name, and what of them is told and left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from palace.mining.readers.fields import as_title
from palace.mining.readers.files.containers import printable
from palace.mining.readers.reading import Reading
from palace.mining.readers.tables.cells import DELIMITERS, first_rows, is_spaced

COLUMNS = "columns of tables that are not read"

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
_SHOWN = 12


class Header(NamedTuple):
    """A table as its beginning tells it."""

    delimiter: str
    names: tuple[str, ...]
    kinds: dict[str, int]
    """The place of the column of each kind that there is."""
    joint: str = ""
    """What stands between two cells: the delimiter, and a blank where it has one behind it throughout."""

    @property
    def text(self) -> int | None:
        """The column with what is said."""
        return self.kinds.get("text", self.kinds.get("note"))


def find_header(beginning: str, *, is_named: bool = False) -> Header | None:
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
        rows = list(first_rows(beginning, delimiter))
        found = _header_in(rows[0], delimiter) if rows else None
        # The first row may go on behind the beginning.
        is_begun = len(rows) > 1 or (is_named and bool(beginning[end_of_head:].strip()))
        if found is None or found.text is None or not is_begun:
            continue
        is_known = len(found.kinds) == len(found.names)
        if "text" not in found.kinds and not is_known:
            continue
        if len(found.names) < 2 and not (is_named and is_known):
            continue
        alike = sum(len(row) == len(found.names) for row in rows[1:])
        if alike * 2 >= len(rows) - 1 and (is_named or len(found.kinds) > 1):
            return found._replace(joint=delimiter + " " * is_spaced(beginning, delimiter))
    return None


def recognises(beginning: str) -> bool:
    """Tell a table of messages or notes by its header."""
    return find_header(beginning) is not None


def names_in(beginning: str) -> tuple[str, ...]:
    """Give the names in the first row of a table, for a message; as the delimiter that stands in it most has them."""
    head = beginning.lstrip("\ufeff").partition("\n")[0][:4000]
    delimiter = max(DELIMITERS, key=head.count)
    row = next(iter(first_rows(head, delimiter)), [])
    return tuple(printable(cell.strip()) for cell in row)


def _header_in(row: Sequence[str], delimiter: str) -> Header | None:
    names = tuple(cell.strip() for cell in row)
    if not all(0 < len(name) <= _LONGEST_NAME for name in names) or len(set(names)) < len(names):
        return None
    kinds: dict[str, int] = {}
    for place, name in enumerate(names):
        kind = _KIND_OF.get(re.sub(r"[\s\-.]+", "_", name.casefold()).strip("_"))
        if kind and (kind not in kinds or _is_better(kind, name, names[kinds[kind]])):
            kinds[kind] = place
    return Header(delimiter, names, kinds)


def _is_better(kind: str, name: str, other: str) -> bool:
    """Tell the name of a column that stands earlier among those of its kind."""
    order = _KINDS[kind].split()
    folded = [re.sub(r"[\s\-.]+", "_", each.casefold()) for each in (name, other)]
    return order.index(folded[0]) < order.index(folded[1])


def tell_columns(found: Header, reading: Reading) -> None:
    """Say which column was read as what, and which are not read."""
    told = [
        f'"{printable(found.names[place])}" as {_READ_AS[kind]}'
        for kind, place in found.kinds.items()
        if _is_used(kind, found)
    ]
    others = [name for place, name in enumerate(found.names) if place not in _used(found)]
    if others:
        reading.leave_out(COLUMNS, len(others))
    shown = ", ".join(printable(as_title(name, 40) or "") for name in others[:_SHOWN])
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    rest = f"; not read: {shown}{more}" if others else ""
    reading.notices.append(f"{reading.file} is read as a table of messages: {', '.join(told)}{rest}")


def _is_used(kind: str, found: Header) -> bool:
    if kind == "note":
        return "text" not in found.kinds
    return not (kind in ("date", "time") and "at" in found.kinds)


def _used(found: Header) -> set[int]:
    return {place for kind, place in found.kinds.items() if _is_used(kind, found)}
