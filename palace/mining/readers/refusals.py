"""Files that hold no conversation as they are: what each is, and what to do with it.

They would otherwise be one note of many pages, in which nothing is found.
"""

from __future__ import annotations

import re

from palace.mining.readers import irc
from palace.mining.readers.fields import as_title
from palace.mining.readers.tables.headers import find_header, names_in

_SIGNATURES = (
    (b"%PDF-", "is a PDF; save its text as .txt or .md and mine that"),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "is a Word, Excel or Outlook file; save its text as .txt or .md and mine that",
    ),
    (b"SQLite format 3\x00", "is an SQLite database; export the conversations in it as text or JSON"),
    (b"PK\x03\x04", "is an archive inside an archive, or packed twice; unpack it first"),
    (b"{\\rtf", "is rich text (RTF); save it as plain text (.txt) and mine that"),
    (b"7z\xbc\xaf\x27\x1c", "is a 7z archive; unpack it and mine the folder"),
    (b"Rar!\x1a\x07", "is a RAR archive; unpack it and mine the folder"),
    (b"\xfd7zXZ\x00", "is packed with xz; unpack it and mine what comes out"),
    (b"\x28\xb5\x2f\xfd", "is packed with zstd; unpack it and mine what comes out"),
)
_BZIP2 = re.compile(rb"BZh[1-9]1AY&SY")
_TAR = (257, b"ustar")
"""Where a tar archive says what it is, which is where its first file's name and rights end."""
_WEB_PAGE = re.compile(r"(?:<!--.{0,500}?-->\s{0,20})?<(?:!doctype html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_XML = re.compile(
    r"<\?xml\b|<(?:opml|rss|feed|svg|smses|archive|plist|conversation|chat|log)\b[^<>]{0,1000}>\s{0,100}<"
)
_PIM = re.compile(r"BEGIN:(VCALENDAR|VCARD)\b", re.IGNORECASE)
TABLE_NAMES = frozenset({".csv", ".tsv", ".tab"})
_QUOTED = re.compile(r'"(?:[^"]|""){0,5000}+"')
_FEWEST_ROWS = 4
_FEWEST_COLUMNS = 3
_ROWS = 20
_MOST_NAMES = 12


def known_bytes(head: bytes) -> str | None:
    """Say what a file that begins so is, and what to do with it; None for anything that may be text.

    The text is the rest of a sentence about the file.
    """
    if head.startswith(_TAR[1], _TAR[0]):
        return "is a tar archive; unpack it and mine the folder"
    if _BZIP2.match(head):
        return "is packed with bzip2; unpack it and mine what comes out"
    return next((reason for signature, reason in _SIGNATURES if head.startswith(signature)), None)


def known_text(beginning: str, ending: str) -> str | None:
    """Say what a text is that is no conversation and no note, and what to do with it; None for any other.

    ``ending`` is that of the file's name (".csv"). A table is told by rows that have the same number of columns: four
    rows of three columns or more, for a note with commas has not. Where the name is a table's, half of its rows do, of
    two columns.
    """
    if _WEB_PAGE.match(beginning):
        return _web_page(beginning)
    if _XML.match(beginning):
        return "is XML; export the conversation as text or JSON and mine that"
    found = _PIM.match(beginning)
    if found:
        return f"is {'a calendar' if found[1].upper() == 'VCALENDAR' else 'contacts (vCard)'}, not a conversation"
    return _table(beginning, ending)


def _web_page(beginning: str) -> str:
    if "tgme_" in beginning or "Exported Data" in beginning:
        return "is Telegram's export as web pages; export the chat again as machine-readable JSON and mine result.json"
    return "is a web page; export or save the conversation as text or JSON"


def _table(beginning: str, ending: str) -> str | None:
    named = ending in TABLE_NAMES
    if find_header(beginning, is_named=named):
        return None
    whole = beginning[: beginning.rfind("\n") + 1] or (beginning if named else "")
    rows = [row for row in _QUOTED.sub('""', whole).split("\n", _ROWS)[:_ROWS] if row.strip()]
    if named:
        is_table = any(_most_agree([row.count(separator) for row in rows]) for separator in ("\t", ";", ","))
        return f"is a table ({ending[1:].upper()}){_no_text(beginning)}" if is_table else None
    if len(rows) < _FEWEST_ROWS or irc.is_tabbed(whole.split("\n", _ROWS)[:_ROWS]):
        return None
    for separator in ("\t", ";", ","):
        counts = {row.count(separator) for row in rows}
        if len(counts) == 1 and min(counts) >= _FEWEST_COLUMNS - 1 and not _is_prose(rows, separator):
            return f"is a table ({'TSV' if separator == chr(9) else 'CSV'}){_no_text(beginning)}"
    return None


def _no_text(beginning: str) -> str:
    """Say what a table's columns are called, and what one would have to be called for its messages to be read."""
    names = names_in(beginning)
    shown = ", ".join(f'"{as_title(name, 40) or ""}"' for name in names[:_MOST_NAMES])
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f" without a column of texts (text, message, content, body); its first row is {shown}{more}"


def _most_agree(counts: list[int]) -> bool:
    """Tell whether half of the rows or more have the same number of columns, two or more."""
    return any(count and counts.count(count) * 2 >= len(counts) for count in set(counts))


def _is_prose(rows: list[str], separator: str) -> bool:
    """Tell sentences, lists and chats: a blank behind every comma, or rows that begin like a Markdown table or list."""
    return separator != "\t" and (
        any(f"{separator} " in row for row in rows) or any(row.startswith(("|", "-", "*", "#", "[")) for row in rows)
    )
