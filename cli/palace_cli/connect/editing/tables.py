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
from datetime import date, time
from typing import Any

from palace_cli.connect.editing.headers import Header, headers, is_table, table_end
from palace_cli.connect.editing.refusals import Refused

DEEPEST = 100
"""Levels that are followed, as in JSON; no settings have as many."""

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def tables_of(text: str) -> dict[str, Any]:
    """Return what a text says.

    Raises:
        Refused: it is no TOML.
    """
    try:
        tables = tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError as problem:
        raise Refused("it is nested too deeply") from problem
    except ValueError as problem:
        # That of a number with thousands of digits is none of the parser's own.
        raise Refused(str(problem).partition(";")[0]) from problem
    if _is_deep(tables):
        raise Refused("it is nested too deeply")
    return tables


def add_table(text: str, name: str, values: Mapping[str, Any]) -> str:
    """Put a table behind everything else.

    Raises:
        Refused: what is there leaves no room for it, as where its parent is written on one line.
    """
    newline = _newline(text)
    lines = [f"[{name}]", *(_line(key, value) for key, value in values.items())]
    gap = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
    changed = text + gap + newline.join(lines) + newline
    expected = deepcopy(tables_of(text))
    *parents, last = name.split(".")
    at: Any = expected
    for parent in parents:
        at = at.setdefault(parent, {}) if isinstance(at, dict) else None
    if isinstance(at, dict):
        at[last] = dict(values)
    if not isinstance(at, dict) or not _says(changed, expected):
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
    else:
        return _with_line(text, (table,), line)
    raise Refused(f"[{table}] is written in a way that cannot be changed without touching the rest")


def change_table(text: str, name: str, values: Mapping[str, Any]) -> str:
    """Give a table these values: keys that have another one are changed where they stand, comments around them stay.

    What is not written so that it can be is written anew, behind everything else.

    Raises:
        Refused: the table is not written as one of its own.
    """
    path = tuple(name.split("."))
    try:
        changed = _changed(text, path, values)
        if _at(tables_of(changed), path) == dict(values):
            return changed
    except Refused:
        pass
    return add_table(take_table(text, name), name, values)


def _changed(text: str, path: tuple[str, ...], values: Mapping[str, Any]) -> str:
    for key, value in values.items():
        there = (_at(tables_of(text), path) or {}).get(key)
        if there is None:
            text = _with_line(text, path, _line(key, value))
        elif isinstance(value, dict) and isinstance(there, dict) and any(_standing(text, (*path, key))):
            text = _changed(text, (*path, key), value)
        elif there != value:
            text = replace_line(text, ".".join(path), key, value)
    return text


def _with_line(text: str, path: tuple[str, ...], line: str) -> str:
    """Put a line of a key below the header of a table.

    Raises:
        Refused: the table is written without one.
    """
    expected = deepcopy(tables_of(text))
    table = _at(expected, path)
    if isinstance(table, dict):
        table |= tomllib.loads(line)
        for header in _standing(text, path):
            changed = f"{text[: header.end]}{_newline(text)}{line}{text[header.end :]}"
            if _says(changed, expected):
                return changed
    raise Refused(f"[{'.'.join(path)}] is written in a way that cannot be changed without touching the rest")


def replace_line(text: str, table: str, key: str, value: Any) -> str:
    """Give a key of a table another value.

    Raises:
        Refused: it is not written on a line of its own.
    """
    expected = deepcopy(tables_of(text))
    at = expected
    for name in table.split("."):
        at = at[name]
    at[key] = value
    # A sign of a comment in quotes is none.
    former = r"(\"(?:[^\"\\\r\n]|\\.)*\"|'[^'\r\n]*'|.+?)"
    pattern = rf"^([ \t]*{re.escape(key)}[ \t]*=[ \t]*){former}([ \t]*(?:#[^\r\n]*)?)(?=\r?$)"
    for found in re.finditer(pattern, text, re.MULTILINE):
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
    path = tuple(name.split("."))
    expected = _without(before, list(path))
    if expected is None:
        return text
    changed = text
    for header in reversed([each for each in headers(text) if each.names[: len(path)] == path]):
        if is_table(text, header):
            changed = _cut(changed, header.start, _end_of_body(text, header.end, table_end(text, header)))
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
    for header in _standing(text, (table,)):
        end = table_end(text, header)
        if text[header.end : end].strip() and not with_comments:
            return text
        changed = _cut(text, header.start, _end_of_body(text, header.end, end))
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


def _standing(text: str, path: tuple[str, ...]) -> Iterator[Header]:
    return (each for each in headers(text) if each.names == path and is_table(text, each))


def _without(tables: dict[str, Any], path: list[str]) -> dict[str, Any] | None:
    """Return the tables without the entry at a path, and without emptied parents; None if there is no such entry."""
    changed = deepcopy(tables)
    at: Any = changed
    for name in path[:-1]:
        at = at.get(name) if isinstance(at, dict) else None
    if not isinstance(at, dict) or path[-1] not in at:
        return None
    del at[path[-1]]
    return changed


def _at(tables: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        tables = tables.get(name) if isinstance(tables, dict) else None
    return tables


def _line(key: str, value: Any) -> str:
    return f"{key if _BARE_KEY.fullmatch(key) else _written(key)} = {_written(value)}"


def _written(value: Any) -> str:
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(_line(key, each) for key, each in value.items()) + " }" if value else "{}"
    # What JSON writes is a basic string of TOML, but for this one; whole numbers, true and false are alike.
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


def _is_deep(tables: object) -> bool:
    """Whether more levels stand in each other than are followed: what copies and compares goes down a call a level."""
    level: list[Any] = [tables]
    for _ in range(DEEPEST):
        lists = (each.values() if isinstance(each, dict) else each for each in level)
        level = [part for parts in lists for part in parts if isinstance(part, (dict, list))]
        if not level:
            return False
    return True
