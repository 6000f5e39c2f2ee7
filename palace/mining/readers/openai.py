"""Chats as lists of messages, ``{"role": …, "content": …}``, as chat APIs and many programs write them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palace.errors import UnreadableSource
from palace.mining.drafts.draft import Draft
from palace.mining.drafts.links import lay_out
from palace.mining.drafts.messages import Messages, given_role, is_message, time_of
from palace.mining.drafts.names import keys
from palace.mining.drafts.times import known_time
from palace.mining.files.fields import as_object, id_field, nested_text, object_field, objects, text_field
from palace.mining.files.json_records import CutOffLine, read_alone
from palace.mining.files.reading import UNREAD_LINES, Reading, Record
from palace.models import Conversation

NAME = "openai"
BRANCHES = "questions and answers that others took the place of"
"""Messages that Open WebUI stores beside those of the list, if they are not read as a tree."""
_LOOKAHEAD = 10
"""How many messages of a list are checked for a well-formed one."""
_PAIRS = (("prompt", "completion"), ("instruction", "output"), ("prompt", "response"))
"""Fields of training examples, question and answer; an instruction may come with an input."""


def recognises(value: object) -> bool:
    """Check whether a value is a message, an object with a list of messages, or a list of messages."""
    if isinstance(value, list):
        return bool(value) and is_message(value[0])
    messages = _messages(value)[0]
    return is_message(value) if messages is None else any(is_message(message) for message in messages[:_LOOKAHEAD])


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read conversations in the order of the file.

    A file of single messages is one conversation, or one per session that the messages name, in the order in which they
    begin. A message or a line that cannot be read is noted and skipped.
    """
    sessions = _Sessions(reading)
    try:
        for record in records:
            if record.fault is not None:
                sessions.lack(record.fault)
            elif _messages(record.value)[0] is not None:
                yield from read_alone(record, reading, lambda one: _conversation(one, reading))
            else:
                sessions.say(record)
    except CutOffLine as problem:
        sessions.lack(problem)
    yield from sessions.finish()


class _Sessions:
    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._drafts: dict[str | None, tuple[Draft, Messages]] = {}
        self._is_partial = False

    def lack(self, problem: UnreadableSource) -> None:
        """Note an unreadable line; as its session is unknown, every session counts as incomplete."""
        self._reading.miss(problem, UNREAD_LINES)
        self._is_partial = True

    def say(self, record: Record) -> None:
        """Add a message to its session."""
        session = id_field(as_object(record.value), *keys("sessions"))
        if session not in self._drafts:
            draft = Draft(NAME, self._reading, dated=False)
            self._drafts[session] = draft, Messages(draft)
        draft, messages = self._drafts[session]
        with draft.one_message():
            if not isinstance(record.value, dict):
                raise self._reading.problem("the message is not an object", record.place("message"))
            messages.say(record.value, record.place("message"))

    def finish(self) -> Iterator[Conversation]:
        """Yield the conversations in the order in which they began."""
        for session, (draft, _) in self._drafts.items():
            if self._is_partial:
                draft.lack()
            yield from draft.finish(source_id=session, place=f"session {session}" if session else "")


def _conversation(record: Record, reading: Reading) -> Iterator[Conversation]:
    messages, about = _messages(record.value)
    title = text_field(about, "title", "name", "subject")
    place = record.place("conversation", title)
    draft = Draft(NAME, reading, dated=False)
    messages, replaced = _with_branches(messages or [], about)
    draft.say_each(messages, place, Messages(draft, replaced).say)
    kept = object_field(about, "history", "messages").keys()
    others = kept - replaced.keys() - {_id(message) for message in messages}
    if len(others) < len(kept):
        draft.leave_out(BRANCHES, len(others))
    yield from draft.finish(
        source_id=id_field(about, "id", "uuid", *keys("sessions")),
        title=title,
        project=nested_text(about, "project", "name") or text_field(about, "project_name", "projectName"),
        started_at=known_time(time_of(about), reading.now, reading.zone),
        place=place,
    )


def _with_branches(messages: list[Any], about: dict[str, Any]) -> tuple[list[Any], dict[str | None, str | None]]:
    """Return messages in conversation order, and a map from replaced messages to their replacements.

    Handles the trees of Open WebUI and LibreChat. In a tree, all answers to a message have the same role, and another
    one than that message; otherwise the messages are threads between people and keep their order.
    """
    messages = list(_flat(messages))
    kept, known = object_field(about, "history", "messages"), {_id(message): message for message in messages}
    known.pop(None, None)
    front = [message for message in messages if _id(message) is None]
    is_whole = len(front) + len(known) == len(messages)
    tree = {key: as_object(message) for key, message in (kept if known.keys() <= kept.keys() else known).items()}
    parents = {str(key): id_field(message, *keys("parents")) or "" for key, message in tree.items()}
    roles = {key: text_field({"role": given_role(message)}, "role") for key, message in tree.items()}
    behind = {(parent, roles[key]) for key, parent in parents.items()}
    is_tree = len({parent for parent, _ in behind}) == len(behind) < len(parents) and any(parents.values())
    if not is_whole or not is_tree or any(roles.get(parent) == role for parent, role in behind):
        return messages, {}
    leaf = text_field(object_field(about, "history"), "currentId")
    placed, _ = lay_out(leaf if leaf and leaf in tree else [*parents][-1], parents)
    return [*front, *(tree[each.key] for each in placed)], {each.key: each.replaced_by for each in placed}


def _id(message: object) -> str | None:
    return id_field(as_object(message), *keys("ids"))


def _flat(messages: list[Any]) -> Iterator[Any]:
    """Yield messages together with those nested in them as children."""
    waiting = messages[::-1]
    while waiting:
        message = waiting.pop()
        yield message
        waiting += [each for each in objects(as_object(message).get("children"))[::-1] if "isCreatedByUser" in each]


def _messages(value: object) -> tuple[list[Any] | None, dict[str, Any]]:
    """Return the messages of a conversation, or None if the value is none, and the record with its metadata."""
    if isinstance(value, list):
        return value, {}
    record = as_object(value)
    if is_message(record) and not isinstance(record.get("messages"), list):
        return None, record
    for holder in (record, *(object_field(record, name) for name in keys("holders"))):
        messages = _listed(holder)
        if messages is not None:
            return [*_system(holder), *_asked(holder, messages), *messages], {**holder, **record}
    return _pair(record), record


def _listed(record: dict[str, Any]) -> list[Any] | None:
    choices = [choice.get("message") for choice in objects(record.get("choices"))]
    if choices and is_message(choices[0]):
        return choices
    for name in keys("lists"):
        messages = record.get(name)
        if not isinstance(messages, list):
            continue
        if name == "messages" or any(is_message(message) for message in messages[:_LOOKAHEAD]):
            return messages
    return None


def _system(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the system prompt that is stored beside the messages, as a message."""
    given = next((record[name] for name in keys("system") if record.get(name)), None)
    content = given if isinstance(given, str | list) else as_object(given).get("parts")
    return [{"role": "system", "content": content}] if content else []


def _asked(record: dict[str, Any], messages: list[Any]) -> list[Any]:
    """Return the input of a responses API result, if it is stored beside its output."""
    given = record.get("input")
    if messages is not record.get("output") or not isinstance(given, str | list):
        return []
    items = given if isinstance(given, list) else [given]
    return [{"role": "user", "content": item} if isinstance(item, str) else item for item in items if item]


def _pair(record: dict[str, Any]) -> list[Any] | None:
    for asked, answered in _PAIRS:
        question, answer = record.get(asked), record.get(answered)
        if isinstance(question, str) and isinstance(answer, str):
            given = text_field(record, "input") if asked == "instruction" else None
            said = [("user", f"{question}\n{given}" if given else question), ("assistant", answer)]
            return [*_system(record), *({"role": role, "content": text} for role, text in said)]
    return None
