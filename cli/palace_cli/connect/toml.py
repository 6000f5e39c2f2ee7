"""Tables and keys in TOML text: put them in, change them, take them out; comments, order and layout stay. Pure.

tomlkit changes the text; what it says afterwards must be what it said before with that change, else it is refused.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from difflib import SequenceMatcher
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from palace_cli.connect.jsonc import DEEPEST, Refused

Path = tuple[str, ...]


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
    level: list[Any] = [tables]
    for _ in range(DEEPEST):
        inner = (each.values() if isinstance(each, dict) else each for each in level)
        level = [part for parts in inner for part in parts if isinstance(part, (dict, list))]
    if level:
        raise Refused("it is nested too deeply")
    return tables


def add_table(text: str, path: Path, lines: Mapping[str, Any], comment: str = "") -> str:
    """Put a table behind everything else, with a comment behind its first line.

    Raises:
        Refused: what is there leaves no room for it, as where its parent is written on one line.
    """
    newline = _newline(text)
    written = [f"[{'.'.join(path)}]", *(_line(key, value, comment) for key, value in lines.items())]
    gap = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
    changed = text + gap + newline.join(written) + newline
    expected = deepcopy(tables_of(text))
    parent: Any = expected
    for name in path[:-1]:
        parent = parent.setdefault(name, {}) if isinstance(parent, dict) else None
    if isinstance(parent, dict):
        parent[path[-1]] = dict(lines)
    if not isinstance(parent, dict) or not _says(changed, expected):
        raise Refused(f"it has no room for a table [{'.'.join(path)}]")
    return changed


def add_line(text: str, path: Path, key: str, value: Any, comment: str = "") -> str:
    """Put a key below the header of a table.

    Raises:
        Refused: the table is written without one.
    """
    expected = deepcopy(tables_of(text))
    table = value_at(expected, path)
    names = r"[ \t]*\.[ \t]*".join(rf"[\"']?{re.escape(name)}[\"']?" for name in path)
    if isinstance(table, dict):
        table[key] = value
        # What looks like the header may stand in a string of several lines: then the text does not say what it should.
        for found in re.finditer(rf"^\ufeff?[ \t]*\[[ \t]*{names}[ \t]*\][^\r\n]*", text, re.MULTILINE):
            line = f"{_newline(text)}{_line(key, value, comment)}"
            changed = f"{text[: found.end()]}{line}{text[found.end() :]}"
            if _says(changed, expected):
                return changed
    raise Refused(f"[{'.'.join(path)}] is written in a way that cannot be changed without touching the rest")


def change_table(text: str, path: Path, values: Mapping[str, Any]) -> str:
    """Give a table these values: keys that have another one are changed where they stand, comments around them stay.

    Raises:
        Refused: it cannot be changed without touching the rest.
    """
    expected = deepcopy(tables_of(text))
    table = value_at(expected, path)
    for key, value in values.items():
        if isinstance(value, dict) and isinstance(table.get(key), dict) and table[key] != value:
            text = change_table(text, (*path, key), value)
    document = _document(text)
    written = value_at(document, path)
    for key in table.keys() - values.keys():
        del written[key]
    for key, value in values.items():
        is_table = isinstance(value, dict) and isinstance(table.get(key), dict)
        if key in table and not is_table and table[key] != value:
            written[key] = _item(value)
    is_inline = isinstance(written, tomlkit.items.InlineTable)
    for key in values.keys() - table.keys() if is_inline else ():
        written[key] = _item(values[key])
    text = _with_comments_behind(text, document.as_string())
    for key in () if is_inline else reversed([key for key in values if key not in table]):
        text = add_line(text, path, key, values[key])
    table.clear()
    table.update(values)
    if not _says(text, expected):
        raise Refused(f"[{'.'.join(path)}] is written in a way that cannot be changed without touching the rest")
    return text


def take(text: str, path: Path) -> str:
    """Take out a table, and those in it, or a key; where there is none the text stays.

    Raises:
        Refused: it cannot be taken out by itself.
    """
    expected = deepcopy(tables_of(text))
    parent = value_at(expected, path[:-1])
    if not isinstance(parent, dict) or path[-1] not in parent:
        return text
    del parent[path[-1]]
    document = _document(text)
    try:
        del value_at(document, path[:-1])[path[-1]]
        changed = _with_comments_behind(text, document.as_string())
    except TOMLKitError as problem:
        raise Refused(f"[{'.'.join(path)}] cannot be taken out by itself") from problem
    if not _says(changed, expected):
        raise Refused(f"[{'.'.join(path)}] cannot be taken out by itself")
    return changed


def is_bare(text: str, path: Path) -> bool:
    """Whether a table has not so much as a comment below its header."""
    table = value_at(_document(text), path)
    return table is not None and not table.as_string().strip()


def value_at(tables: Any, path: Sequence[str]) -> Any:
    """Return what stands at a path, None where nothing does."""
    for name in path:
        tables = tables.get(name) if isinstance(tables, dict) else None
    return tables


def _document(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except TOMLKitError as problem:
        raise Refused(str(problem)) from problem


def _with_comments_behind(before: str, after: str) -> str:
    """Put back comments that stood behind what was taken out: they are about what follows, and tomlkit takes them."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    lines = list[str]()
    for action, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        lines += new[first:last]
        if action != "delete":
            continue
        behind = end
        while behind > start and (not old[behind - 1].strip() or old[behind - 1].lstrip().startswith("#")):
            behind -= 1
        kept = old[behind:end]
        # The blank line that parted it from what is before goes with it.
        while kept and not kept[0].strip() and (not lines or not lines[-1].strip("\ufeff \t\r\n")):
            kept = kept[1:]
        lines += kept
    while len(lines) > 1 and not lines[-1].strip() and old[-1].strip():
        lines.pop()
    return "".join(lines)


def _item(value: Any) -> Any:
    if not isinstance(value, dict):
        return tomlkit.item(value)
    table = tomlkit.inline_table()
    table.update(value)
    return table


def _line(key: str, value: Any, comment: str) -> str:
    table = tomlkit.document()
    table.add(key, _item(value))
    return table.as_string().strip() + (f"  # {comment}" if comment else "")


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _says(text: str, expected: dict[str, Any]) -> bool:
    try:
        return _bare(tables_of(text)) == _bare(expected)
    except Refused:
        return False


def _bare(tables: dict[str, Any]) -> dict[str, Any]:
    """Leave out tables in which nothing but empty ones is: a header in them makes them, and nothing does without."""
    return {name: value for name, value in tables.items() if name != "mcp_servers" or value}
