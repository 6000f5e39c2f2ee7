"""OpenAI-style messages, ``{"role": …, "content": …}``, as chat APIs and fine-tuning files have them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.mining.readers.draft import Draft, Stamp
from palace.mining.readers.fields import as_list, as_object, id_field, text_field
from palace.mining.readers.json_records import Record
from palace.mining.readers.parts import tool_call
from palace.mining.readers.reading import Reading
from palace.mining.readers.times import known_time
from palace.records import Conversation, Role

NAME = "openai"

_ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
_SESSION_FIELDS = ("conversation_id", "session_id", "thread_id")
_TIME_FIELDS = ("created_at", "timestamp", "created", "create_time", "date")


def recognises(value: object) -> bool:
    """Tell a message, an object that holds a list of messages, or a list of messages."""
    if isinstance(value, list):
        return bool(value) and _is_message(value[0])
    record = as_object(value)
    messages = as_list(record.get("messages"))
    return _is_message(record) or any(_is_message(message) for message in messages[:3])


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read conversations in the order of the file.

    A file of single messages is one conversation, or one for each session its messages name, in the order
    they begin.
    """
    sessions: dict[str | None, Draft] = {}
    for record in records:
        messages, about = _messages(record.value)
        if messages is not None:
            yield from _conversation(messages, about, reading, record.place("conversation"))
            continue
        session = id_field(as_object(record.value), *_SESSION_FIELDS)
        if session not in sessions:
            sessions[session] = Draft(NAME, reading, dated=False)
        _say(sessions[session], record.value, reading, record.place("message"))
    for session, draft in sessions.items():
        yield from draft.finish(source_id=session, place=f"session {session}" if session else "")


def _is_message(value: object) -> bool:
    message = as_object(value)
    return isinstance(message.get("role"), str) and ("content" in message or "tool_calls" in message)


def _messages(value: object) -> tuple[list[Any] | None, dict[str, Any]]:
    if isinstance(value, list):
        return value, {}
    record = as_object(value)
    messages = record.get("messages")
    return (messages, record) if isinstance(messages, list) else (None, record)


def _conversation(messages: list[Any], about: dict[str, Any], reading: Reading, place: str) -> Iterator[Conversation]:
    draft = Draft(NAME, reading, dated=False)
    for number, message in enumerate(messages, 1):
        _say(draft, message, reading, f"{place}, message {number}")
    project = about.get("project")
    yield from draft.finish(
        source_id=id_field(about, "id", "uuid", *_SESSION_FIELDS),
        title=text_field(about, "title", "name"),
        project=project if isinstance(project, str) else text_field(as_object(project), "name"),
        started_at=known_time(_time(about), reading.now),
        place=place,
    )


def _say(draft: Draft, message: object, reading: Reading, place: str) -> None:
    if not isinstance(message, dict):
        raise reading.problem("the message is not an object", place)
    given = message.get("role")
    if not isinstance(given, str) or not given:
        raise reading.problem("the message has no role", place)
    role = _ROLES.get(given.lower())
    if role is None:
        raise reading.problem(f"the message has an unknown role ({given[:40]!r})", place)
    calls = _tool_calls(message)
    if "content" not in message and not calls:
        raise reading.problem("the message has no content", place)
    stamp = Stamp(_time(message), id_field(message, "id", "message_id", "uuid"), text_field(message, "name"))
    draft.say_parts(role, message.get("content"), stamp, place)
    for index, call in enumerate(calls):
        name, call_id = text_field(call, "name"), f"{stamp.source_id}:call-{index}"
        text = tool_call(name, call.get("arguments", ""))
        draft.say(Role.TOOL, text, Stamp(stamp.at, call_id if stamp.source_id else None, name))


def _tool_calls(message: dict[str, Any]) -> list[dict[str, Any]]:
    """List the calls a message makes, in today's notation and the one before it."""
    calls = [
        as_object(as_object(call).get("function")) or as_object(call) for call in as_list(message.get("tool_calls"))
    ]
    former = as_object(message.get("function_call"))
    return [*calls, former] if former else calls


def _time(record: dict[str, Any]) -> object:
    return next((record[name] for name in _TIME_FIELDS if record.get(name) is not None), None)
