"""Reads tool calls and their results from the texts that the readers file: a tool's name, then its arguments.

Tools are told by their arguments and their names, so agents that are not known yet are read as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import islice
from typing import Any, NamedTuple

from palace.models import Span
from palace.nlp.rules import rules
from palace.nlp.work.commands import LONGEST_READ, moved_files

LONGEST_PATH = 400
MOST_FILES, MOST_SYMBOLS = 50, 30
"""The most of one call."""
LEAST_LINE, MOST_LINES = 6, 2000
"""Characters of a line that is known again, at least; and the lines of a text that are read."""
_TOOLS = rules("work", "tools")
_WRAPPED = '{"output":'
"""Begins a result of an older Codex."""
PATCH = "*** Begin Patch"
"""Begins a patch of Codex."""
_PATCHED = {"Add": "create", "Update": "edit", "Delete": "delete"}


class Operation(StrEnum):
    """What a call does to a file."""

    READ = "read"
    EDIT = "edit"
    CREATE = "create"
    DELETE = "delete"
    MOVE = "move"


class FileTouched(NamedTuple):
    """A file that a call reads or changes."""

    operation: Operation
    path: str
    moved_from: str | None = None


class ToolCall(NamedTuple):
    """A tool call, as far as files and commands are concerned."""

    tool: str
    command: str | None = None
    files: tuple[FileTouched, ...] = ()
    symbols: tuple[str, ...] = ()
    """Functions, classes and the like that are defined in the text that it writes or replaces."""
    added: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    """Lines of at least ``LEAST_LINE`` characters that it puts into files, and those that it takes out."""


class ToolResult(NamedTuple):
    """What is said about a call in its result."""

    exit_status: int | None
    duration_ms: int | None
    is_refused: bool
    """Whether the tool says that it did not do it."""
    output: str
    """What was printed."""
    begins: int | None = None
    """Where the output begins in a result that has it as JSON; None where the result is the output."""

    def span(self, start: int, end: int) -> Span:
        """Return where a part of the output stands in the result."""
        if self.begins is None:
            return Span(start, end)
        return Span(*(self.begins + len(_escaped(self.output[:place])) for place in (start, end)))


def read_call(text: str, tool: str | None) -> ToolCall | None:
    """Return the call of a tool that a text is; None for a result, or where it cannot be told."""
    if not tool or not text.startswith(f"{tool} "):
        return None
    given = _arguments(text[len(tool) + 1 :])
    if given is None:
        return None
    command = _command(tool, given)
    files = [*_patched(given, command), *_named(tool, given, command), *_moved(command)]
    is_written = any(each.operation is not Operation.READ for each in files)
    symbols = dict.fromkeys(_TOOLS["names.defined"].findall("\n".join(_written(given)))) if is_written else {}
    removed, added = _replaced(given) if is_written else (set(), set())
    named = tuple(dict.fromkeys(files))[:MOST_FILES], tuple(symbols)[:MOST_SYMBOLS]
    return ToolCall(tool, command, *named, frozenset(added), frozenset(removed))


def read_prose(text: str) -> ToolCall | None:
    """Return what a program says that it did: aider, which writes no calls."""
    files = [FileTouched(Operation.EDIT, path) for path in _TOOLS["prose.edited"].findall(text) if _is_path(path)]
    ran = _TOOLS["prose.ran"].search(text)
    return ToolCall("", ran[1] if ran else None, tuple(files)[:MOST_FILES]) if files or ran else None


def read_result(text: str) -> ToolResult:
    """Return what a result says about its call."""
    ends = text if len(text) <= 4000 else f"{text[:2000]}\n{text[-2000:]}"
    exited = _TOOLS["results.exit"].search(ends)
    took = _TOOLS["results.seconds"].search(ends)
    status = next((int(each) for each in exited.groups() if each), None) if exited else None
    seconds = next((each for each in took.groups() if each), None) if took else None
    return ToolResult(
        status if status is None or abs(status) < 2**31 else None,
        round(float(seconds) * 1000) if seconds and seconds.count(".") < 2 and seconds != "." else None,
        _TOOLS.finds("results.refused", ends),
        *_output(text),
    )


def _output(text: str) -> tuple[str, int | None]:
    """Return the output in a result and, if it stands there as JSON, where it begins."""
    given = _arguments(text) if text.startswith(_WRAPPED) else None
    output = given and given["output"]
    begins = text.find(_escaped(output), len(_WRAPPED)) if isinstance(output, str) else -1
    return (str(output), begins) if begins >= 0 else (text, None)


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _arguments(rest: str) -> dict[str, Any] | None:
    if rest.startswith(PATCH):
        return {"patch": rest}
    if not rest.startswith("{"):
        return None
    try:
        given = json.loads(rest)
    except (ValueError, RecursionError):
        return None
    return given if isinstance(given, dict) else None


def _command(name: str, given: dict[str, Any]) -> str | None:
    if not _TOOLS.finds("shell", name):
        return None
    value = next((given[key] for key in _TOOLS.text("commands_of").split() if given.get(key)), None)
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        value = value[-1] if len(value) == 3 and value[1] in ("-c", "-lc") else " ".join(value)
    return value if isinstance(value, str) and value.strip() else None


def _named(name: str, given: dict[str, Any], command: str | None) -> Iterator[FileTouched]:
    paths = [given[key] for key in _TOOLS.text("paths").split() if isinstance(given.get(key), str)]
    if command or not paths or not _is_path(paths[0]):
        return
    # One tool with several commands: str_replace_editor {"command": "view", "path": …}.
    said = str(given.get("command") or "")
    done = _TOOLS.meaning("operations", said) if said else None
    if done := done or _TOOLS.meaning("operations", name):
        yield FileTouched(Operation(done), paths[0].removeprefix("file://"))


def _patched(given: dict[str, Any], command: str | None) -> Iterator[FileTouched]:
    texts = [command] if command else [each for each in given.values() if isinstance(each, str)]
    for text in texts:
        if PATCH not in text:
            continue
        heads = [*_TOOLS["patch.file"].finditer(text)]
        for head, end in zip(heads, [*(each.start() for each in heads[1:]), len(text)], strict=True):
            moved = _TOOLS["patch.moved"].search(text, head.end(), end)
            if moved:
                yield FileTouched(Operation.MOVE, moved[1], head[2])
            else:
                yield FileTouched(Operation(_PATCHED[head[1]]), head[2])


def _moved(command: str | None) -> Iterator[FileTouched]:
    for old, new in moved_files((command or "")[:LONGEST_READ]):
        if _is_path(old) and _is_path(new):
            yield FileTouched(Operation.MOVE, new, old)


def _written(given: dict[str, Any]) -> Iterator[str]:
    keys = {*_TOOLS.text("written").split()}
    for key, value in given.items():
        if key in keys and isinstance(value, str):
            yield value
        elif key in keys and isinstance(value, list):
            yield from (text for each in value if isinstance(each, dict) for text in _written(each))


def _replaced(given: dict[str, Any]) -> tuple[set[str], set[str]]:
    """Return the lines that a call takes out of files, and those that it puts in; of a patch, those it marks so."""
    out, put = set[str](), set[str]()
    keys = {*_TOOLS.text("written").split()}
    for key, value in given.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                nested = _replaced(each)
                out |= nested[0]
                put |= nested[1]
            elif isinstance(each, str) and PATCH in each:
                out |= _lines(line[1:] for line in each.splitlines() if line[:1] == "-")
                put |= _lines(line[1:] for line in each.splitlines() if line[:1] == "+")
            elif isinstance(each, str) and key in keys:
                (out if key.startswith("old") else put).update(_lines(each.splitlines()))
    return out - put, put - out


def _lines(lines: Iterable[str]) -> set[str]:
    return {line.strip() for line in islice(lines, MOST_LINES) if len(line.strip()) >= LEAST_LINE}


def _is_path(path: str) -> bool:
    return 0 < len(path) <= LONGEST_PATH and "\n" not in path and "://" not in path.removeprefix("file://")
