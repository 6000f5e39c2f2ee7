"""Putting tables and keys into TOML text, and taking them out. Pure.

Places are found by what a line looks like, which may be wrong inside of a text of several lines: what comes of it is
read by the parser, and the next place is tried.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from palace_cli.connect.editing.refusals import Refused

Value = str | bool | list[str] | dict[str, str]

_HEADER = re.compile(r"^[ \t]*\[\[?[ \t]*(?P<name>[^\[\]\r\n]+?)[ \t]*\]\]?[ \t]*(?:#[^\r\n]*)?(?=\r?$)", re.MULTILINE)


def tables_of(text: str) -> dict[str, Any]:
    """Return what a text says.

    Raises:
        Refused: it is no TOML.
    """
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise Refused(str(problem) or "it is nested too deeply") from problem


def add_table(text: str, name: str, values: Mapping[str, Value]) -> str:
    """Put a table behind everything else.

    Raises:
        Refused: what is there leaves no room for it, as where its parent is written on one line.
    """
    newline = _newline(text)
    lines = [f"[{name}]", *(f"{key} = {_written(value)}" for key, value in values.items())]
    gap = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
    changed = text + gap + newline.join(lines) + newline
    expected = deepcopy(tables_of(text))
    *parents, last = name.split(".")
    at = expected
    for parent in parents:
        at = at.setdefault(parent, {})
    at[last] = dict(values)
    if not _says(changed, expected):
        raise Refused(f"it has no room for a table [{name}]")
    return changed


def set_line(text: str, table: str, line: str) -> str:
    """Put a line of a key below the header of a table; where there is no such table, one is put behind the rest.

    Raises:
        Refused: the table is written in a way that cannot be changed without touching the rest.
    """
    expected = deepcopy(tables_of(text))
    newline = _newline(text)
    if table not in expected:
        gap = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
        changed = f"{text}{gap}[{table}]{newline}{line}{newline}"
        expected[table] = tomllib.loads(line)
        if _says(changed, expected):
            return changed
    elif isinstance(expected[table], dict):
        expected[table] |= tomllib.loads(line)
        for header in _headers(text, table):
            changed = f"{text[: header.end()]}{newline}{line}{text[header.end() :]}"
            if _says(changed, expected):
                return changed
    raise Refused(f"[{table}] is written in a way that cannot be changed without touching the rest")


def replace_line(text: str, table: str, key: str, value: Value) -> str:
    """Give a key of a table another value.

    Raises:
        Refused: it is not written on a line of its own.
    """
    expected = deepcopy(tables_of(text))
    at = expected
    for name in table.split("."):
        at = at[name]
    at[key] = value
    for found in re.finditer(
        rf"^([ \t]*{re.escape(key)}[ \t]*=[ \t]*)(.+?)([ \t]*(?:#[^\r\n]*)?)(?=\r?$)", text, re.MULTILINE
    ):
        changed = text[: found.start()] + found[1] + _written(value) + found[3] + text[found.end() :]
        if _says(changed, expected):
            return changed
    raise Refused(f"{key} of [{table}] is written in a way that cannot be changed without touching the rest")


def take_table(text: str, name: str) -> str:
    """Take a table out, and those in it.

    Raises:
        Refused: it is not written as tables of its own.
    """
    before = tables_of(text)
    expected = _without(before, name.split("."))
    if expected is None:
        return text
    changed = text
    for header in reversed(list(_HEADER.finditer(text))):
        if _is_of(header["name"], name) and _is_read(text, header.start()):
            following = _HEADER.search(text, header.end())
            end = following.start() if following else len(text)
            changed = _cut(changed, header.start(), _end_of_body(text, header.end(), end))
    if not _says(changed, expected):
        raise Refused(f"[{name}] cannot be taken out by itself")
    return changed


def take_line(text: str, table: str, line: str, *, with_header: bool | None) -> str:
    """Take a line out that stands so in a table, and the table's header where nothing else is in it and that is wanted.

    If it is not known whether that is wanted, None, the header goes unless comments stand below it. Where no such line
    stands the text stays.
    """
    before = tables_of(text)
    key = next(iter(tomllib.loads(line)))
    expected = _without(before, [table, key])
    if expected is None:
        return text
    for found in re.finditer(rf"^[ \t]*{re.escape(line)}[ \t]*(?:\r?\n|\Z)", text, re.MULTILINE):
        changed = text[: found.start()] + text[found.end() :]
        if _says(changed, expected):
            return (
                _without_header(changed, table, with_comments=with_header is True)
                if with_header is not False
                else changed
            )
    return text


def _without_header(text: str, table: str, *, with_comments: bool) -> str:
    """Take out the header of a table in which nothing is; comments below it stay, if they may be there."""
    tables = tables_of(text)
    if tables.get(table) != {}:
        return text
    expected = {name: value for name, value in tables.items() if name != table}
    for header in _headers(text, table):
        following = _HEADER.search(text, header.end())
        end = following.start() if following else len(text)
        if text[header.end() : end].strip() and not with_comments:
            return text
        changed = _cut(text, header.start(), _end_of_body(text, header.end(), end))
        if _says(changed, expected):
            return changed
    return text


def _cut(text: str, start: int, end: int) -> str:
    """Take a stretch out with the line's end behind it, and the blank line that parted it from what is before."""
    head, tail = text[:start], text[end:]
    tail = re.sub(r"\A[ \t]*\r?\n", "", tail)
    if not head.strip("\ufeff"):
        return head + re.sub(r"\A\r?\n", "", tail)
    return re.sub(r"\r?\n\Z", "", head) + tail if re.search(r"(\r?\n){2}\Z", head) else head + tail


def _end_of_body(text: str, start: int, end: int) -> int:
    """Return where the last key of a table ends; comments behind it are of what follows."""
    lines = list(re.finditer(r"[^\r\n]+", text[start:end]))
    told = [line for line in lines if line[0].strip() and not line[0].lstrip().startswith("#")]
    return start + told[-1].end() if told else start


def _headers(text: str, table: str) -> Iterator[re.Match[str]]:
    return (found for found in _HEADER.finditer(text) if _plain(found["name"]) == table)


def _is_read(text: str, at: int) -> bool:
    """Whether what stands somewhere is read as more than a part of a text: there, nonsense is no fault."""
    try:
        tables_of(f"{text[:at]}= nonsense\n{text[at:]}")
    except Refused:
        return True
    return False


def _is_of(header: str, name: str) -> bool:
    plain = _plain(header)
    return plain == name or plain.startswith(name + ".")


def _plain(header: str) -> str:
    return ".".join(part.strip(" \t\"'") for part in header.split("."))


def _without(tables: dict[str, Any], path: list[str]) -> dict[str, Any] | None:
    """Return the tables without what stands at a path, parents of a table that hold nothing more aside; None if nothing
    stands there."""
    changed = deepcopy(tables)
    at: Any = changed
    for name in path[:-1]:
        at = at.get(name) if isinstance(at, dict) else None
    if not isinstance(at, dict) or path[-1] not in at:
        return None
    del at[path[-1]]
    return changed


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_written(each)}" for key, each in value.items()) + " }"
    # What JSON writes is a basic string of TOML, but for this one.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _says(text: str, expected: dict[str, Any]) -> bool:
    try:
        return _bare(tables_of(text)) == _bare(expected)
    except Refused:
        return False


def _bare(tables: dict[str, Any]) -> dict[str, Any]:
    """Leave out the tables of servers in which nothing is: a header in them makes them, and nothing does without."""
    return {name: value for name, value in tables.items() if name != "mcp_servers" or value}
