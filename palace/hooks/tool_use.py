"""Read what an agent is about to do with a tool, or what came of it, from an event: files, command, and error. Pure."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from palace_hook.events import BEFORE, TOOL_NAMES, HookEvent
from palace_hook.fast_json import read_json

MOST_FILES = 3
"""Files of one call that are looked up."""
LONGEST_COMMAND = 4000
LONGEST_END = 8000
"""Characters of an output that are kept, of its beginning and of its end."""
SHELLS = frozenset({"bash", "shell", "run_shell_command", "local_shell", "exec_command"})
EDITS = frozenset(
    {"edit", "write", "multiedit", "notebookedit", "strreplace", "delete", "apply_patch", "replace", "write_file"}
)
_PATHS = ("file_path", "notebook_path", "path", "filePath", "target_file")
_PATCHES = ("command", "input", "patch", "patchText")
_OUTPUTS = ("tool_response", "tool_output", "error", "error_message")
_PATCHED = re.compile(r"^\*\*\* (?:Update|Delete|Add) File: (.+)$", re.MULTILINE)
_STATUS = re.compile(
    r"(?i)^[^\w\n]{0,40}(?:process exited with code|exit[ _]?(?:code|status)\"?):?\s*(-?\d+)", re.MULTILINE
)
_READS = re.compile(
    r"\s*(?:\S*/)?(?:cat|less|head|grep|rg|ls|find|echo|sed|awk|wc|git (?:log|show|diff|status|grep))\b"
)


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One use of a tool; what it is not about is empty."""

    files: tuple[str, ...] = ()
    """Absolute paths of the files that it edits."""
    command: str = ""
    error: str = ""
    """The output of a command that failed, or whose end is unknown and that does not just show files."""


def tool_use_of(event: HookEvent) -> ToolUse:
    """Return what an event around a tool is about; a file or command only where it is said before, if the program can.

    A field that is missing or of a wrong type counts as empty.
    """
    tool, given = str(event.fields.get("tool_name", "")).lower(), _object(event.fields.get("tool_input"))
    is_first = event.moment == BEFORE or BEFORE not in TOOL_NAMES[event.harness].values()
    files = tuple(dict.fromkeys(_files(given, event.folder))) if tool in EDITS and is_first else ()
    command = _text(given.get("command"))[:LONGEST_COMMAND] if tool in SHELLS else ""
    error = "" if event.moment == BEFORE or not command else _error(event, command)
    return ToolUse(files[:MOST_FILES], command if is_first else "", error)


def _files(given: dict[str, object], folder: str) -> Iterator[str]:
    named = [_text(given.get(name)) for name in _PATHS]
    patch = next(filter(None, (_text(given.get(name)) for name in _PATCHES)), "")
    for name in [*filter(None, named), *_PATCHED.findall(patch)]:
        path = os.path.normpath(Path(folder, name.strip()))
        if path.startswith("/") and path.isprintable():
            yield path


def _error(event: HookEvent, command: str) -> str:
    output = "\n".join(_shown(event.fields.get(name)) for name in _OUTPUTS).strip()
    output = output if len(output) <= 2 * LONGEST_END else f"{output[:LONGEST_END]}\n{output[-LONGEST_END:]}"
    called = str(event.fields.get("hook_event_name", "")).lower()
    status = _STATUS.search(output)
    has_failed = int(status[1]) != 0 if status else "failure" in called
    is_unknown = not status and not has_failed and not _READS.match(command)
    return output if has_failed or is_unknown else ""


def _shown(value: object) -> str:
    """Return the text in an output, which may be an object, JSON of one, or a list of parts."""
    if isinstance(value, str):
        inner = _object(value)
        return _shown(inner) if inner else value
    if isinstance(value, dict):
        return "\n".join(f"{name}: {each}" if isinstance(each, int) else _shown(each) for name, each in value.items())
    return "\n".join(map(_shown, value)) if isinstance(value, list) else ""


def _object(value: object) -> dict[str, object]:
    try:
        found = read_json(value) if isinstance(value, str) and value.lstrip().startswith("{") else value
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _text(value: object) -> str:
    if isinstance(value, list):  # of words, as Codex's former shell has it
        return " ".join(each for each in value if isinstance(each, str))
    return value if isinstance(value, str) else ""
