"""Putting members into JSON text, and taking them out. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, Final

from palace_cli.connect.editing.refusals import Refused
from palace_cli.connect.editing.scan import Member, Node, scan
from palace_cli.connect.editing.style import Style, indent_of, line_indent, style_of

END: Final = -1
"""The place behind the last in an array."""

Path = Sequence[str | int]

_REST_OF_LINE = re.compile(r"[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/[ \t]*)?(?=\r?\n|\Z)")


def data_of(text: str) -> Any:
    """Return what a text says; nothing in it is an empty object.

    Raises:
        Refused: it is no JSON.
    """
    root = scan(text)
    return {} if root is None else root.data


def put(text: str, path: Path, value: Any) -> str:
    """Put a value at a path, with the objects and arrays that lead there; what stands there is replaced.

    Raises:
        Refused: something on the way is not what the path leads through.
    """
    root = scan(text)
    if root is None:
        return _proved(text, _begun(text, _nested(path, value)), _with(None, path, value))
    node, passed = _way(root, path)
    rest = path[passed:]
    if not rest or (passed and node.data is None):
        style = style_of(text, root)
        written = style.written(_nested(rest, value), line_indent(text, node.start))
        changed = text[: node.start] + written + text[node.end :]
    else:
        _require(node, rest[0], path[:passed])
        changed = _inserted(text, root, node, rest[0], _nested(rest[1:], value))
    return _proved(text, changed, _with(root.data, path, value))


def take(text: str, path: Path) -> str:
    """Take out what stands at a path, and the line with it; where nothing stands the text stays.

    Raises:
        Refused: it cannot be taken out without touching what is around it.
    """
    root = scan(text)
    node, passed = _way(root, path[:-1]) if root else (None, 0)
    member = node.member(path[-1]) if node and passed == len(path) - 1 else None
    if root is None or node is None or member is None:
        return text
    expected = _without(root.data, path)
    for changed in _cuts(text, node, member):
        if _says(changed, expected):
            return changed
    raise Refused(f"{_named(path)} cannot be taken out by itself")


def is_bare(text: str, path: Path) -> bool:
    """Whether what stands at a path has not so much as a comment in it."""
    root = scan(text)
    node, passed = _way(root, path) if root else (None, 0)
    return node is not None and passed == len(path) and not text[node.start + 1 : node.end - 1].strip()


def _way(root: Node, path: Path) -> tuple[Node, int]:
    """Follow a path as far as it is there."""
    node = root
    for passed, name in enumerate(path):
        found = node.find(name)
        if found is None:
            return node, passed
        node = found
    return node, len(path)


def _require(node: Node, name: str | int, passed: Path) -> None:
    wanted = dict if isinstance(name, str) else list
    if not isinstance(node.data, wanted):
        where = _named(passed) if passed else "the whole"
        raise Refused(f"{where} is not {'an object' if wanted is dict else 'an array'}")


def _inserted(text: str, root: Node, node: Node, name: str | int, value: Any) -> str:
    style = style_of(text, root)
    label = "" if isinstance(name, int) else style.written(name, "") + ": "
    if not node.members:
        return _first(text, node, style, label, value)
    last = node.members[-1]
    behind = last.value.end if last.comma is None else last.comma + 1
    indent = indent_of(text, last.start)
    if indent is None or not style.is_spread:
        label = label.rstrip() + style.separators[1][1:] if label else ""
        new = style.separators[0][1:] + label + style.written(value, "", spread=False)
        at = behind
    else:
        new = style.newline + indent + label + style.written(value, indent)
        rest = _REST_OF_LINE.match(text, behind)
        at = rest.end() if rest and rest[0].strip() else behind
    if last.comma is not None:
        return f"{text[:at]}{new},{text[at:]}"
    return f"{text[:behind]},{text[behind:at]}{new}{text[at:]}"


def _first(text: str, node: Node, style: Style, label: str, value: Any) -> str:
    inside = text[node.start + 1 : node.end - 1].rstrip(" \t\r\n")
    head, tail = text[: node.start + 1] + inside, text[node.end - 1 :]
    if not style.is_spread and "\n" not in inside:
        label = label.rstrip() + style.separators[1][1:] if label else ""
        return head + label + style.written(value, "", spread=False) + tail
    base = line_indent(text, node.start)
    inner = base + style.unit
    return f"{head}{style.newline}{inner}{label}{style.written(value, inner)}{style.newline}{base}{tail}"


def _begun(text: str, value: Any) -> str:
    """Begin a text in which nothing stands yet, behind its comments."""
    newline = "\r\n" if "\r\n" in text else "\n"
    head = text if not text.strip("\ufeff \t\r\n") or text.endswith("\n") else text + newline
    return head + Style(newline).written(value, "") + newline


def _cuts(text: str, node: Node, member: Member) -> Iterator[str]:
    """Take a member out with the line's end before it, with the blanks, or alone; most tidily first."""
    place = node.members.index(member)
    end = member.value.end if member.comma is None else member.comma + 1
    blanks = len(text[: member.start].rstrip(" \t"))
    line = blanks - (2 if text[:blanks].endswith("\r\n") else 1 if text[:blanks].endswith("\n") else 0)
    former = node.members[place - 1].comma if place and member.comma is None else None
    between = "" if member.comma is None else text[member.value.end : member.comma]
    kept = between if between.strip() else ""
    for start in (line, blanks, member.start):
        head = text[:start] if former is None else text[:former] + text[former + 1 : start]
        tail = kept + text[end:]
        if len(node.members) == 1 and not (head[node.start + 1 :] + kept + text[end : node.end - 1]).strip():
            head, tail = text[: node.start + 1], text[node.end - 1 :]
        yield head + tail


def _nested(path: Path, value: Any) -> Any:
    for name in reversed(path):
        value = [value] if isinstance(name, int) else {name: value}
    return value


def _with(data: Any, path: Path, value: Any) -> Any:
    changed = deepcopy({} if data is None else data)
    at = changed
    for passed, name in enumerate(path[:-1]):
        if isinstance(name, str) and at.get(name) is None:
            at[name] = [] if isinstance(path[passed + 1], int) else {}
        at = at[name]
    if path[-1] == END:
        at.append(value)
    else:
        at[path[-1]] = value
    return changed


def _without(data: Any, path: Path) -> Any:
    changed = deepcopy(data)
    at = changed
    for name in path[:-1]:
        at = at[name]
    del at[path[-1]]
    return changed


def _proved(text: str, changed: str, expected: Any) -> str:
    if not _says(changed, expected):
        raise Refused("it is written in a way that cannot be changed without touching the rest")
    return changed if changed != text else text


def _says(text: str, expected: Any) -> bool:
    try:
        return bool(data_of(text) == expected)
    except Refused:
        return False


def _named(path: Path) -> str:
    return ".".join(str(name) for name in path)
