"""LongMemEval files: questions with haystacks of chat sessions (github.com/xiaowu0162/LongMemEval)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from palace.mining.drafts.draft import Draft
from palace.mining.drafts.messages import Messages
from palace.mining.drafts.times import known_time
from palace.mining.files.fields import as_list, as_object
from palace.mining.files.json_records import read_each
from palace.mining.files.reading import Reading, Record
from palace.models import Conversation

NAME = "longmemeval"

_DATE = re.compile(r"(\d{4})/(\d\d)/(\d\d) \(\w+\) (\d\d):(\d\d)")
_FIELDS = ("haystack_session_ids", "haystack_dates", "haystack_sessions")


def recognises(value: object) -> bool:
    """Check whether a value is one question with its haystack."""
    return isinstance(as_object(value).get("haystack_sessions"), list)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read every distinct session once, at its first occurrence; its date, taken as UTC, is that of all its turns.

    Questions, answers and evidence marks are not read.
    """
    known: set[str] = set()
    yield from read_each(records, reading, lambda record: _question(record, known, reading))


def _question(record: Record, known: set[str], reading: Reading) -> Iterator[Conversation]:
    place, value = record.place("question"), as_object(record.value)
    if not all(isinstance(value.get(field), list) for field in _FIELDS):
        raise reading.problem(f"the question lacks one of {', '.join(_FIELDS)}", place)
    lists = [as_list(value[field]) for field in _FIELDS]
    if len({len(values) for values in lists}) > 1:
        raise reading.problem(f"{', '.join(_FIELDS)} are not of one length", place)
    for session_id, date, turns in zip(*lists, strict=True):
        if str(session_id) not in known:
            known.add(str(session_id))
            yield from _session(str(session_id), date, turns, reading)


def _session(session_id: str, date: object, turns: Any, reading: Reading) -> Iterator[Conversation]:
    place = f"session {session_id}"
    if not isinstance(turns, list):
        reading.failures.append(reading.problem("the session is not a list of turns", place))
        return
    draft, said_at = Draft(NAME, reading), find_moment(date) or date
    messages = Messages(draft)
    draft.say_each(turns, place, lambda turn, place: messages.say({**turn, "created_at": said_at}, place))
    yield from draft.finish(source_id=session_id, started_at=known_time(said_at, reading.now), place=place)


def find_moment(date: object) -> datetime | None:
    """Parse "2023/04/10 (Mon) 23:07" as UTC; return None for anything else."""
    found = _DATE.fullmatch(date.strip()) if isinstance(date, str) else None
    try:
        return datetime(*map(int, found.groups()), tzinfo=UTC) if found else None  # type: ignore[misc, arg-type]
    except ValueError:
        return None
