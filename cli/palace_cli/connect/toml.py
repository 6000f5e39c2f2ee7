"""Tables and keys in TOML text: put them in, change them, take them out; comments, order and layout stay. Pure.

tomlkit changes the text; what it says afterwards must be what it said before with that change, else it is refused.
"""

from __future__ import annotations

import re
import tomllib
from difflib import SequenceMatcher
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from palace_cli.connect.jsonc import DEEPEST, Path, Refused, named, value_at, with_value, without_value


def data_of(text: str) -> dict[str, Any]:
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


def put(text: str, path: Path, value: Any, comment: str = "") -> str:
    """Put a value at a path, in the place of what stands there, with a comment behind the line of a new key.

    A new table stands behind everything else, a new key right below the header of its table.

    Raises:
        Refused: what is there leaves no room for it, as where its parent is written on one line.
    """
    data = data_of(text)
    expected = with_value(data, path, value)
    parent = value_at(data, path[:-1])
    is_inline = isinstance(value_at(_document(text), path[:-1]), tomlkit.items.InlineTable)
    if value_at(data, path) is not None or (is_inline and not comment and not isinstance(value, dict)):
        changed = [_changed(text, path, value)]
    elif isinstance(value, dict):
        changed = [_with_table(text, path, value, comment)]
    elif parent is None:
        changed = [_with_table(text, path[:-1], {str(path[-1]): value}, comment)]
    else:
        changed = _below_header(text, path, value, comment)
    for each in changed:
        if _says(each, expected):
            return each
    raise Refused(f"there is no room for {named(path)}, or it cannot be changed without touching the rest")


def take(text: str, path: Path) -> str:
    """Take out a table, and those in it, or a key; where there is none the text stays.

    Raises:
        Refused: it cannot be taken out by itself.
    """
    data = data_of(text)
    if value_at(data, path) is None:
        return text
    document = _document(text)
    try:
        del value_at(document, path[:-1])[path[-1]]
        changed = _with_comments_behind(text, document.as_string())
    except TOMLKitError as problem:
        raise Refused(f"{named(path)} cannot be taken out by itself") from problem
    if not _says(changed, without_value(data, path)):
        raise Refused(f"{named(path)} cannot be taken out by itself")
    return changed


def is_bare(text: str, path: Path) -> bool:
    """Whether a table has not so much as a comment below its header."""
    table = value_at(_document(text), path)
    return table is not None and not table.as_string().strip()


def _changed(text: str, path: Path, value: Any) -> str:
    document = _document(text)
    value_at(document, path[:-1])[path[-1]] = _item(value)
    return _with_comments_behind(text, document.as_string())


def _with_table(text: str, path: Path, lines: dict[str, Any], comment: str) -> str:
    newline = _newline(text)
    gap = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
    written = [f"[{named(path)}]", *(_line(key, value, comment) for key, value in lines.items())]
    return text + gap + newline.join(written) + newline


def _below_header(text: str, path: Path, value: Any, comment: str) -> list[str]:
    """Put a key below what looks like the header of its table; that may stand in a string of several lines."""
    names = r"[ \t]*\.[ \t]*".join(rf"[\"']?{re.escape(str(name))}[\"']?" for name in path[:-1])
    headers = re.finditer(rf"^\ufeff?[ \t]*\[[ \t]*{names}[ \t]*\][^\r\n]*", text, re.MULTILINE)
    line = _newline(text) + _line(str(path[-1]), value, comment)
    return [f"{text[: found.end()]}{line}{text[found.end() :]}" for found in headers]


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
    """Whether a text says this, but for a table of servers that has none: a header in it makes it."""
    try:
        said = data_of(text)
    except Refused:
        return False
    return {name: each for name, each in said.items() if name != "mcp_servers" or each} == {
        name: each for name, each in expected.items() if name != "mcp_servers" or each
    }
