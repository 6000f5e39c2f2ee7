"""Codex's sessions: ``rollout-*.jsonl`` below ``~/.codex/sessions``.

A line is ``{timestamp, type, payload}`` (``RolloutItem`` of codex-rs/protocol): ``session_meta`` begins the file, what
was said stands twice, as an event for people and as an item that the model is sent. The items also hold what the
program tells the model in the person's name, so the events say what the person said. Until September 2025 the items
stood alone, without times, behind a line of ``{id, timestamp, instructions}``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from palace.mining.readers.assistants.codex.session import Session, is_said
from palace.mining.readers.assistants.injected import SUBAGENTS
from palace.mining.readers.assistants.lines import Line, Lines
from palace.mining.readers.fields import as_object, id_field, text_field
from palace.mining.readers.json_records import Record
from palace.mining.readers.reading import Reading
from palace.mining.readers.times.formats import read_time
from palace.records import Conversation

NAME = "codex"

_LINES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_HEADER = frozenset({"id", "timestamp", "instructions", "git"})
_VERSION_7 = "7"
_INDEX = "session_index.jsonl"
_UP_TO_INDEX = 4
"""From ``sessions/2026/01/02`` to where Codex keeps the names that people gave."""


def recognises(value: object) -> bool:
    """Tell one line of a rollout."""
    line = as_object(value)
    if str(line.get("type")) in _LINES:
        return isinstance(line.get("payload"), dict)
    return line.get("record_type") == "state" or _is_header(line)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read the session; work of subagents, what the program attached, and bookkeeping are counted.

    A fork repeats the session that it was forked from in front of its own: that is read as what it is, a part of the
    other session. What was taken back is replaced by what was said instead.
    """
    lines, rollout = Lines(records, reading, "Codex"), _Rollout(reading)
    for line in lines:
        rollout.add(line)
    yield from rollout.finish(lines)


class _Rollout:
    """One file while it is read: the session's own lines, and those of the session that it was forked from."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._meta: dict[str, Any] = {}
        self._own: list[Line] = []
        self._repeated: list[Line] = []

    def add(self, line: Line) -> None:
        """Take up a line; a fork repeats the other session's first line too."""
        payload = as_object(line.value.get("payload"))
        if line.value.get("type") == "session_meta" or _is_header(line.value):
            self._meta = self._meta or payload or line.value
        elif self._forked_from and not self._own and not self._is_own(payload):
            self._repeated.append(line)
        else:
            self._own.append(line)

    @property
    def _forked_from(self) -> str | None:
        return id_field(self._meta, "forked_from_id")

    def _is_own(self, payload: dict[str, Any]) -> bool:
        """Tell the first turn of a fork's own: turns have ids that tell when they were made, as sessions have."""
        turn = _made_at(id_field(payload, "turn_id"))
        began = _made_at(id_field(self._meta, "id")) or _milliseconds(text_field(self._meta, "timestamp"))
        return turn is not None and began is not None and turn >= began

    def finish(self, lines: Lines) -> Iterator[Conversation]:
        """Give the conversations."""
        if _is_subagent(self._meta):
            self._reading.leave_out(SUBAGENTS, max(1, sum(is_said(line.value) for line in self._repeated + self._own)))
            return
        if not any(id_field(as_object(line.value.get("payload")), "turn_id") for line in self._repeated):
            # Without ids of turns nobody can tell where the fork begins.
            self._own, self._repeated = self._repeated + self._own, []
        key = id_field(self._meta, "id", "session_id") or _id_in_name(self._reading)
        for source_id, part in ((self._forked_from, self._repeated), (key, self._own)):
            session = Session(NAME, self._reading, part, is_copy=part is self._repeated)
            session.repository = text_field(as_object(self._meta.get("git")), "repository_url")
            lines.tell(session.draft)
            began = None if part is self._repeated else self._began()
            title = _title(self._reading, source_id)
            yield from session.finish(source_id, title, text_field(self._meta, "cwd"), began)

    def _began(self) -> datetime | None:
        began = read_time(self._meta.get("timestamp"), self._reading.now, self._reading.zone)
        return began if isinstance(began, datetime) else None


def _is_header(line: dict[str, Any]) -> bool:
    return {"id", "timestamp", "instructions"} <= line.keys() <= _HEADER


def _is_subagent(meta: dict[str, Any]) -> bool:
    source = meta.get("source")
    return "subagent" in (meta.get("thread_source"), source) or "subagent" in as_object(source)


def _made_at(key: str | None) -> int | None:
    """Give the milliseconds since 1970 that a UUID of version 7 begins with (RFC 9562)."""
    digits = (key or "").replace("-", "")
    if len(digits) != 32 or digits[12] != _VERSION_7:
        return None
    try:
        return int(digits[:12], 16)
    except ValueError:
        return None


def _milliseconds(moment: str | None) -> int | None:
    try:
        at = datetime.fromisoformat(moment or "")
        return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


def _id_in_name(reading: Reading) -> str | None:
    """Give the id that the file's name ends with: ``rollout-2026-01-02T03-04-05-UUID.jsonl``."""
    name = reading.where.path.name if reading.where else ""
    key = name.removesuffix(".gz").removesuffix(".jsonl")[-36:]
    return key if name.startswith("rollout-") and key.count("-") == 4 and len(key) == 36 else None


def _title(reading: Reading, key: str | None) -> str | None:
    """Find the name that the person gave the session, in the list beside ``sessions``; the latest holds."""
    index = reading.where.beside(_INDEX, _UP_TO_INDEX) if reading.where and key else None
    named = [line for line in (index or "").splitlines() if key and key in line]
    for line in reversed(named):
        try:
            entry = as_object(json.loads(line))
        except (ValueError, RecursionError):
            continue
        if entry.get("id") == key and (title := text_field(entry, "thread_name")):
            return title
    return None
