"""JSON with comments and trailing commas, as in settings files: parse it, insert and remove members. Pure.

Changes are made to the text, so that everything else keeps its bytes, and then verified: the new text must parse to the
old data with that change. So a wrong guess about positions does no harm.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NoReturn

END: Final = -1
"""As an index: after the last item of an array."""
DEEPEST = 100
"""Levels of nesting, at most; no settings have as many."""

Path = Sequence[str | int]

_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*[\s\S]*?\*/)*")
_TEXT = re.compile(r'"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"')
_WORD = re.compile(r"[^\s{}\[\],:\"/]+")
_REST_OF_LINE = re.compile(r"[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/[ \t]*)?(?=\r?\n|\Z)")


class Refused(Exception):
    """A text cannot be parsed, or not be changed as requested; the caller adds the name of the file."""


@dataclass(slots=True)
class Node:
    """A value with its position in the text and, as a member of a container, those of its name and comma."""

    start: int
    end: int
    data: Any
    members: list[Node] = field(default_factory=list)
    name: str | int = 0
    name_start: int = 0
    comma: int | None = None

    def find(self, name: str | int) -> Node | None:
        """Return the member of a name or index; of a duplicate name the last, which is the effective one."""
        return next((each for each in reversed(self.members) if each.name == name), None)


def data_of(text: str) -> Any:
    """Parse a text; an empty one is an empty object. The value is cached and must not be modified.

    Raises:
        Refused: it is not JSON.
    """
    root = _parsed(text)
    return {} if root is None else root.data


def value_at(data: Any, path: Path) -> Any:
    """Return the value at a path, or None."""
    for name in path:
        if isinstance(name, str):
            data = data.get(name) if isinstance(data, dict) else None
        else:
            data = data[name] if isinstance(data, list) and name < len(data) else None
    return data


def with_value(data: Any, path: Path, value: Any) -> Any:
    """Return a copy of the data with a value at a path; containers on the way are created."""
    if not path:
        return value
    name, rest = path[0], path[1:]
    if isinstance(name, str):
        known = data if isinstance(data, dict) else {}
        return {**known, name: with_value(known.get(name), rest, value)}
    listed = [*(data or ())]
    if name == END:
        return [*listed, with_value(None, rest, value)]
    return [*listed[:name], with_value(listed[name], rest, value), *listed[name + 1 :]]


def without_value(data: Any, path: Path) -> Any:
    """Return a copy of the data without the value at a path."""
    left, name = data.copy(), path[0]
    if path[1:]:
        left[name] = without_value(data[name], path[1:])
    else:
        del left[name]
    return left


def named(path: Path) -> str:
    """Return a path in dotted notation."""
    return ".".join(map(str, path))


def put(text: str, path: Path, value: Any) -> str:
    """Set a value at a path; containers on the way are created, and an existing value is replaced.

    Raises:
        Refused: a value on the path is of another type.
    """
    root = _parsed(text)
    if root is None:
        newline = "\r\n" if "\r\n" in text else "\n"
        is_complete = not text.strip("\ufeff \t\r\n") or text.endswith("\n")
        written = _Style(newline).written(with_value(None, path, value), "")
        return _proved(text + ("" if is_complete else newline) + written + newline, with_value(None, path, value))
    node, passed = _way(root, path)
    rest = path[passed:]
    style = _style_of(text, root)
    if not rest or (passed and node.data is None):
        written = style.written(with_value(None, rest, value), _line_indent(text, node.start))
        changed = text[: node.start] + written + text[node.end :]
    else:
        kind = dict if isinstance(rest[0], str) else list
        if not isinstance(node.data, kind):
            where = named(path[:passed]) or "the whole"
            raise Refused(f"{where} is not {'an object' if kind is dict else 'an array'}")
        changed = _inserted(text, style, node, rest[0], with_value(None, rest[1:], value))
    return _proved(changed, with_value(root.data, path, value))


def take(text: str, path: Path) -> str:
    """Remove the value at a path with its line; without such a value the text is returned unchanged.

    Raises:
        Refused: it cannot be removed without affecting its surroundings.
    """
    root = _parsed(text)
    node, passed = _way(root, path[:-1]) if root else (None, 0)
    member = node.find(path[-1]) if node and passed == len(path) - 1 else None
    if root is None or node is None or member is None:
        return text
    expected = without_value(root.data, path)
    for changed in _cuts(text, node, member):
        if _says(changed, expected):
            return changed
    raise Refused(f"{named(path)} cannot be taken out by itself")


def is_bare(text: str, path: Path) -> bool:
    """Return whether the container at a path is empty, even of comments."""
    root = _parsed(text)
    node, passed = _way(root, path) if root else (None, 0)
    return node is not None and passed == len(path) and not text[node.start + 1 : node.end - 1].strip()


@lru_cache(maxsize=2)
def _parsed(text: str) -> Node | None:
    """Parse a text; None if it has only blanks and comments.

    Cached, because one change parses the same text repeatedly, and some have megabytes.
    """
    parser = _Parser(text)
    if parser.peek() == "":
        return None
    root = parser.value(0)
    if parser.peek() != "":
        parser.refuse("something stands behind its end")
    return root


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 1 if text.startswith("\ufeff") else 0

    def peek(self) -> str:
        """Skip blanks and comments, and return the next character, or "" at the end."""
        found = _BLANK.match(self._text, self._at)
        self._at = found.end() if found else self._at
        return self._text[self._at : self._at + 1]

    def refuse(self, reason: str) -> NoReturn:
        line = self._text.count("\n", 0, self._at) + 1
        raise Refused(f"line {line}: {reason}")

    def value(self, depth: int) -> Node:
        sign = self.peek()
        if depth > DEEPEST:
            self.refuse("it is nested too deeply")
        return self._container(sign, depth) if sign in ("{", "[") else self._plain()

    def _container(self, opening: str, depth: int) -> Node:
        start, members, closing = self._at, list[Node](), "}" if opening == "{" else "]"
        self._at += 1
        while self.peek() != closing:
            name_start, name = self._at, self._name() if opening == "{" else len(members)
            member = self.value(depth + 1)
            member.name, member.name_start = name, name_start
            if self.peek() != closing:
                member.comma = self._at
                self._step(",", "a comma")
            members.append(member)
        self._at += 1
        data = {each.name: each.data for each in members} if opening == "{" else [each.data for each in members]
        return Node(start, self._at, data, members)

    def _name(self) -> str:
        if self.peek() != '"':
            self.refuse("a name in quotes is expected")
        name = str(self._plain().data)
        self._step(":", "a colon")
        return name

    def _step(self, sign: str, called: str) -> None:
        if self.peek() != sign:
            self.refuse(f"{called} is expected")
        self._at += 1

    def _plain(self) -> Node:
        found = (_TEXT if self.peek() == '"' else _WORD).match(self._text, self._at)
        try:
            data = json.loads(found[0], parse_constant=_no_number) if found else _no_number("")
        except ValueError:
            self.refuse("a value is expected")
        start, self._at = self._at, found.end() if found else self._at
        return Node(start, self._at, data)


def _no_number(_: str) -> NoReturn:
    raise ValueError


@dataclass(frozen=True, slots=True)
class _Style:
    """The layout of a text, which insertions follow."""

    newline: str = "\n"
    unit: str = "  "
    """Indentation of one level."""
    is_spread: bool = True
    """Whether each member has a line of its own; else all are on one line."""
    separators: tuple[str, str] = (", ", ": ")
    """The separators between members and after a name, on one line."""

    def written(self, value: Any, indent: str) -> str:
        """Format a value whose first line has this indentation; an array of plain values stays on one line."""
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        is_plain = not any(isinstance(each, (dict, list)) for each in parts) and not isinstance(value, dict)
        if not self.is_spread or is_plain or not parts:
            return json.dumps(value, ensure_ascii=False, separators=self.separators)
        inner = indent + self.unit
        names = [f"{json.dumps(name, ensure_ascii=False)}: " for name in value] if isinstance(value, dict) else None
        texts = [self.written(each, inner) for each in parts]
        lines = f",{self.newline}{inner}".join(map(str.__add__, names, texts) if names else texts)
        opening, closing = ("{", "}") if names else ("[", "]")
        return f"{opening}{self.newline}{inner}{lines}{self.newline}{indent}{closing}"


def _style_of(text: str, root: Node) -> _Style:
    """Return the layout of a text by its first member, or the default."""
    newline = "\r\n" if "\r\n" in text else "\n"
    if not root.members:
        return _Style(newline)
    indent = _indent_of(text, root.members[0].name_start)
    tight = "" if re.search(r'"\s*:\S', text) and not re.search(r'":\s', text) else " "
    return _Style(newline, indent or "  ", indent is not None or "\n" in text.strip(), (f",{tight}", f":{tight}"))


def _indent_of(text: str, at: int) -> str | None:
    """Return the indentation of the first item on a line; None for any other position."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line if line.strip(" \t") == "" and "\n" in text[:at] else None


def _line_indent(text: str, at: int) -> str:
    """Return the indentation of the line with a position."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _inserted(text: str, style: _Style, node: Node, name: str | int, value: Any) -> str:
    """Insert a member after the last one of a container, on a line of its own if the others have one."""
    label = "" if isinstance(name, int) else json.dumps(name, ensure_ascii=False)
    tight = _Style(style.newline, style.unit, is_spread=False, separators=style.separators)
    last = node.members[-1] if node.members else None
    if last is None:
        inside = text[node.start + 1 : node.end - 1].rstrip(" \t\r\n")
        head, tail = text[: node.start + 1] + inside, text[node.end - 1 :]
        if not style.is_spread and "\n" not in inside:
            return head + (label and label + style.separators[1]) + tight.written(value, "") + tail
        base = _line_indent(text, node.start)
        inner = base + style.unit
        new = (label and f"{label}: ") + style.written(value, inner)
        return f"{head}{style.newline}{inner}{new}{style.newline}{base}{tail}"
    behind = last.end if last.comma is None else last.comma + 1
    indent = _indent_of(text, last.name_start)
    at = behind
    if indent is None or not style.is_spread:
        new = style.separators[0][1:] + (label and label + style.separators[1]) + tight.written(value, "")
    else:
        new = style.newline + indent + (label and f"{label}: ") + style.written(value, indent)
        rest = _REST_OF_LINE.match(text, behind)
        at = rest.end() if rest and rest[0].strip() else behind
    if last.comma is not None:
        return f"{text[:at]}{new},{text[at:]}"
    return f"{text[:behind]},{text[behind:at]}{new}{text[at:]}"


def _cuts(text: str, node: Node, member: Node) -> Iterator[str]:
    """Yield the text without a member, cut in several ways, the tidiest first."""
    index = node.members.index(member)
    end = member.end if member.comma is None else member.comma + 1
    blanks = len(text[: member.name_start].rstrip(" \t"))
    line = blanks - (2 if text[:blanks].endswith("\r\n") else 1 if text[:blanks].endswith("\n") else 0)
    former = node.members[index - 1].comma if index and member.comma is None else None
    between = "" if member.comma is None else text[member.end : member.comma]
    kept = between if between.strip() else ""
    for start in (line, blanks, member.name_start):
        head = text[:start] if former is None else text[:former] + text[former + 1 : start]
        tail = kept + text[end:]
        if len(node.members) == 1 and not (head[node.start + 1 :] + kept + text[end : node.end - 1]).strip():
            head, tail = text[: node.start + 1], text[node.end - 1 :]
        yield head + tail


def _way(root: Node, path: Path) -> tuple[Node, int]:
    node = root
    for passed, name in enumerate(path):
        found = node.find(name)
        if found is None:
            return node, passed
        node = found
    return node, len(path)


def _proved(changed: str, expected: Any) -> str:
    if not _says(changed, expected):
        raise Refused("it is written in a way that cannot be changed without touching the rest")
    return changed


def _says(text: str, expected: Any) -> bool:
    try:
        return bool(data_of(text) == expected)
    except Refused:
        return False
