"""Transcripts of programs that are not read yet, so that they are refused by name."""

from __future__ import annotations

from typing import Any

from palace.mining.readers.fields import as_list, as_object


def name_of(value: object) -> str | None:
    """Name the program whose transcript a JSON value begins or is, None where it is of none of these."""
    record = as_object(value[0] if isinstance(value, list) and value else value)
    return next((name for name, looks_like in _PROGRAMS.items() if looks_like(record)), None)


def _is_cline(record: dict[str, Any]) -> bool:
    return "ts" in record and record.get("type") in ("say", "ask") and record["type"] in record


def _is_copilot(record: dict[str, Any]) -> bool:
    return "requests" in record and "responderUsername" in record


def _is_continue(record: dict[str, Any]) -> bool:
    steps = [as_object(step) for step in as_list(record.get("history"))[:1]]
    return "sessionId" in record and any(isinstance(step.get("message"), dict) for step in steps)


def is_opencode_file(value: object) -> bool:
    """Tell one message or part of opencode's storage, which says nothing alone."""
    record = as_object(value)
    return "sessionID" in record and ("messageID" in record or isinstance(record.get("time"), dict))


def _is_openclaw(record: dict[str, Any]) -> bool:
    is_head = record.get("type") == "session" and {"id", "timestamp", "version"} <= record.keys()
    return is_head or (record.get("type") == "message" and {"parentId", "message"} <= record.keys())


_PROGRAMS = {
    "Cline": _is_cline,
    "GitHub Copilot in an editor": _is_copilot,
    "Continue": _is_continue,
    "OpenClaw": _is_openclaw,
}
