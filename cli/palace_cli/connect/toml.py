"""Edit tables and keys in TOML text, keeping comments, order and layout. Pure.

tomlkit changes the text; the new text must parse to the old data with that change, else it is refused.
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
    """Parse a text.

    Raises:
        Refused: it is not TOML.
    """
    try:
        tables = tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError as problem:
        raise Refused("it is nested too deeply") from problem
    except ValueError as problem:
        # The error about a number with thousands of digits is a plain ValueError.
        raise Refused(str(problem).partition(";")[0]) from problem
    level: list[Any] = [tables]
    for _ in range(DEEPEST):
        inner = (each.values() if isinstance(each, dict) else each for each in level)
        level = [part for parts in inner for part in parts if isinstance(part, (dict, list))]
    if level:
        raise Refused("it is nested too deeply")
    return tables


def put(text: str, path: Path, value: Any, comment: str = "") -> str:
    """Set a value at a path, replacing an existing one; a new key gets the comment.

    A new table goes to the end, a new key directly below the header of its table.

    Raises:
        Refused: it cannot be inserted, for instance because its parent is an inline table.
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
    """Remove a table with its subtables, or a key; without such a one the text is returned unchanged.

    Raises:
        Refused: it cannot be removed by itself.
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
    """Return whether a table has nothing below its header, not even a comment."""
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
    """Insert a key below each line that looks like the header of its table; one may be inside a multi-line string.

    A key that is in no table goes to the top.
    """
    newline, line = _newline(text), _line(str(path[-1]), value, comment)
    if len(path) == 1:
        return [line + newline + text]
    names = r"[ \t]*\.[ \t]*".join(rf"[\"']?{re.escape(str(name))}[\"']?" for name in path[:-1])
    headers = re.finditer(rf"^\ufeff?[ \t]*\[[ \t]*{names}[ \t]*\][^\r\n]*", text, re.MULTILINE)
    return [f"{text[: found.end()]}{newline}{line}{text[found.end() :]}" for found in headers]


def _document(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except TOMLKitError as problem:
        raise Refused(str(problem)) from problem


def _with_comments_behind(before: str, after: str) -> str:
    """Restore comments after a removed part: they belong to what follows, but tomlkit removes them."""
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
        # The blank line that separated it from what is before is removed as well.
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
    """Check the data of a text, ignoring an empty table of servers, which a header may create."""
    try:
        said = data_of(text)
    except Refused:
        return False
    return {name: each for name, each in said.items() if name != "mcp_servers" or each} == {
        name: each for name, each in expected.items() if name != "mcp_servers" or each
    }
