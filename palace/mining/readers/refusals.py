"""Recognises files that hold no readable conversation, and says what to do with them.

Otherwise they would be filed as long notes in which nothing can be found. Each text completes a sentence about the
file.
"""

from __future__ import annotations

import re

from palace.mining.files.fields import as_object, as_title, some_of
from palace.mining.readers import irc
from palace.mining.readers.tables import find_header, names_in
from palace.nlp.rules import Rules

_RULES = Rules("readers", "refusals.toml")
_SIGNED = 300
"""Bytes at the beginning of a binary file that are checked for its signature."""
TABLE_NAMES = frozenset({".csv", ".tsv", ".tab"})
_QUOTED = re.compile(r'"(?:[^"]|""){0,5000}+"')
_SEPARATORS = ("\t", ";", ",")
_FEWEST_ROWS = 4
_FEWEST_COLUMNS = 3
_ROWS = 20
_MOST_NAMES = 12


def known_bytes(head: bytes) -> str | None:
    """Return why a file with these first bytes is refused, or None for possible text."""
    return _RULES.meaning("files", head[:_SIGNED].decode("latin-1"))


def known_text(beginning: str, ending: str) -> str | None:
    """Return why a text is refused that is neither conversation nor note; None for any other.

    ``ending`` is the file name's (".csv"). Rows with the same number of columns make a table: at least four rows of
    three columns, to exclude notes with commas. For a table's file name, half of the rows with two columns are enough.
    """
    if reason := _RULES.meaning("texts", beginning):
        return reason
    kind = _kind_of_table(beginning, ending)
    if kind is None:
        return None
    names = names_in(beginning)
    shown = some_of([f'"{as_title(name, 40) or ""}"' for name in names], _MOST_NAMES)
    columns = "without a column of texts (text, message, content, body)"
    return f"is a table ({kind}) {columns}; its first row is {shown}"


def _kind_of_table(beginning: str, ending: str) -> str | None:
    is_named = ending in TABLE_NAMES
    if find_header(beginning, is_named=is_named):
        return None
    whole = beginning[: beginning.rfind("\n") + 1] or (beginning if is_named else "")
    rows = [row for row in _QUOTED.sub('""', whole).split("\n", _ROWS)[:_ROWS] if row.strip()]
    counts = {separator: [row.count(separator) for row in rows] for separator in _SEPARATORS}
    if is_named:
        is_table = any(count and each.count(count) * 2 >= len(each) for each in counts.values() for count in each)
        return ending[1:].upper() if is_table else None
    if len(rows) < _FEWEST_ROWS or irc.is_tabbed(whole.split("\n", _ROWS)[:_ROWS]):
        return None
    for separator, each in counts.items():
        if len(set(each)) == 1 and each[0] >= _FEWEST_COLUMNS - 1 and not _is_prose(rows, separator):
            return "TSV" if separator == "\t" else "CSV"
    return None


def _is_prose(rows: list[str], separator: str) -> bool:
    """Check for prose, lists and chats: a space after a comma, or rows that begin like Markdown tables or lists."""
    return separator != "\t" and any(f"{separator} " in row or row[0] in "|-*#[" for row in rows)


def known_json(value: object) -> str | None:
    """Return why a JSON value is refused, and what to do with it; None for any other."""
    record = as_object(value)
    if record.get("format") == "palace-export":
        return "is an export of a palace: `palace import` takes it up"
    first = as_object(value[0] if isinstance(value, list) and value else value)
    if "ts" in first and first.get("type") in ("say", "ask") and first["type"] in first:
        return "is what Cline showed in its window: mine api_conversation_history.json beside it"
    if "sessionID" in record and ("messageID" in record or isinstance(record.get("time"), dict)):
        return "is one message of opencode's storage: mine the folder that holds `storage`"
    return None
