"""Reading what a coding agent sends: one JSON object, whose fields may be missing or anything else. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from palace.hooks.contract.events import NAMES, Harness, HookEvent, moment_of

MOST_BYTES = 8 * 1024 * 1024
"""Of what is sent; a person's message with all that they pasted is less. What is more is not looked at."""
LONGEST_PATH = 4096
LONGEST_NAME = 200
"""Characters of a session's name; one that is longer is known by its digest."""


class Unintelligible(ValueError):
    """What was sent is no event; says why in one line, without a word of it."""


def read(text: str, *, event: str = "", harness: str | None = None) -> HookEvent:
    """Read an event; ``event`` and ``harness`` are what the command line says.

    What the event calls itself goes before what it was called on the command line. A field that is missing, or is not
    of its type, is "".

    Raises:
        Unintelligible: it is no JSON object, or larger than any event.
    """
    fields = _object(text)
    sender = _harness(harness, fields)
    called = _text(fields, "hook_event_name")
    return HookEvent(
        sender,
        moment_of(called or event),
        name=called or event,
        session=_name(fields, "session_id", "conversation_id"),
        folder=_path(fields, "cwd") or _first_root(fields),
        transcript=_path(fields, "transcript_path"),
        prompt=_text(fields, "prompt"),
        source=_text(fields, "source") or _text(fields, "trigger"),
        is_of_agent=bool(_text(fields, "agent_id")),
    )


def harness_of(fields: Mapping[str, Any]) -> Harness:
    """Tell which program has sent these fields: each has some that no other has."""
    called = _text(fields, "hook_event_name")
    if "conversation_id" in fields or "cursor_version" in fields:
        return Harness.CURSOR
    if "turn_id" in fields or "rollout-" in _text(fields, "transcript_path"):
        return Harness.CODEX
    if "timestamp" in fields or (called in NAMES[Harness.GEMINI] and called not in NAMES[Harness.CLAUDE_CODE]):
        return Harness.GEMINI
    return Harness.CURSOR if called[:1].islower() else Harness.CLAUDE_CODE


def _harness(named: str | None, fields: Mapping[str, Any]) -> Harness:
    try:
        return Harness(named) if named else harness_of(fields)
    except ValueError as problem:
        raise Unintelligible("unknown_harness") from problem


def _object(text: str) -> dict[str, Any]:
    if len(text) > MOST_BYTES:
        raise Unintelligible("too_large")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise Unintelligible("not_json") from problem
    if not isinstance(value, dict):
        raise Unintelligible("no_object")
    return value


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return _whole(value) if isinstance(value, str) else ""


def _whole(text: str) -> str:
    """Give a text that can be written anywhere: halves of characters are signs of what is missing."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _name(fields: Mapping[str, Any], *names: str) -> str:
    found = next((found for name in names if (found := _text(fields, name))), "")
    return found if len(found) <= LONGEST_NAME else sha256(found.encode()).hexdigest()


def _path(fields: Mapping[str, Any], name: str) -> str:
    return _usable(fields.get(name))


def _usable(value: object) -> str:
    is_path = isinstance(value, str) and len(value) <= LONGEST_PATH and "\0" not in value
    return value if is_path and isinstance(value, str) else ""


def _first_root(fields: Mapping[str, Any]) -> str:
    roots = fields.get("workspace_roots")
    return _usable(roots[0]) if isinstance(roots, list) and roots else ""
