"""Parses one chat message, whatever its program calls role, content, time and speaker.

OpenAI's chat and responses APIs, Gemini's, ShareGPT, LangChain, and the keys of all kinds of exports.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.names import keys, role_in, role_of, speaker_of
from palace.mining.drafts.parts import as_text, tool_call
from palace.mining.files.fields import as_list, as_object, id_field, nested_text, object_field, objects, text_field
from palace.mining.files.reading import LeftOut
from palace.models import Role

_AS_TYPE = ("human", "ai", "user", "assistant", "system")
"""Roles that LangChain and others write as the type of a message."""
_BOOKKEEPING = frozenset({"item_reference", "mcp_list_tools", "mcp_approval_request", "compaction"})
_OF_ITEMS = frozenset({"id", "type", "status", "call_id", "name", "result", "output", "created_by"})


def is_message(value: object) -> bool:
    """Check whether a value is a message: a role, or a name with a time, and content or tool calls."""
    message = as_object(value)
    if message.get("type") == "message" and "ts" in message and "role" not in message:
        return False  # Slack messages are read together with their export
    if is_item(message):
        return True
    is_said = any(isinstance(message.get(key), str | list) for key in keys("contents")) or "content" in message
    if isinstance(given_role(message), str):
        return is_said or "tool_calls" in message
    name = _name_of(message)
    is_timed = time_of(message) is not None and not any(message.get(key) for key in keys("answers"))
    return is_said and name is not None and (is_timed or _role_by_name(name) is not None)


def is_item(message: dict[str, Any]) -> bool:
    """Check whether an object is an item of the responses API other than a message: a call, its output, reasoning."""
    kind = message.get("type")
    if "role" in message or not isinstance(kind, str):
        return False
    return kind == "reasoning" or kind in _BOOKKEEPING or kind.endswith(("_call", "_call_output"))


def time_of(record: dict[str, Any]) -> object:
    """Return the time of a message or conversation as it is written, or None."""
    return named_time_of(record)[1]


def named_time_of(record: dict[str, Any]) -> tuple[tuple[str, ...], object]:
    """Return the names of the members that lead to the time of a message or conversation, and it; None without one."""
    for at, each in (((), record), (("meta",), object_field(record, "meta"))):
        for name in keys("times"):
            if (found := each.get(name)) is not None:
                return (*at, name), as_object(found).get("$date", found)
    return (), None


class Messages:
    """A writer of one conversation's messages to its draft."""

    def __init__(self, draft: Draft, replaced: Mapping[str | None, str | None] | None = None) -> None:
        """Add to ``draft``; ``replaced`` maps ids of messages to those of their replacements."""
        self._draft, self._reading, self._replaced = draft, draft.reading, replaced or {}
        self._tools: dict[str, str] = {}
        """Names of called tools, by call id."""

    def say(self, message: dict[str, Any], place: str) -> None:
        """Add a message.

        Raises:
            UnreadableSource: it has no content, or no known role.
        """
        if is_item(message):
            self._say_item(message, place)
            return
        role, speaker = self._who(message, place)
        calls = _tool_calls(message)
        content = _content(message)
        if (
            content is None
            and not calls
            and message.keys().isdisjoint((*keys("contents"), "refusal", "audio", *keys("reasoning")))
        ):
            raise self._reading.problem("the message has no content", place)
        if any(message.get(name) for name in keys("reasoning")):
            self._draft.leave_out(LeftOut.HIDDEN_REASONING)
        if role is Role.TOOL:
            speaker = text_field(message, "name") or self._tools.get(str(message.get("tool_call_id")))
        own = id_field(message, *keys("ids"))
        stamp = Stamp(time_of(message), own, speaker, replaced_by=self._replaced.get(own), place=place)
        self._draft.say_parts(role, content, stamp, place)
        for index, (call_id, call) in enumerate(calls):
            name = text_field(call, "name")
            if call_id and name:
                self._tools[call_id] = name
            text = tool_call(name, call.get("arguments", ""))
            self._draft.say(Role.TOOL, text, stamp._replace(speaker=name), f"call-{index}")

    def _who(self, message: dict[str, Any], place: str) -> tuple[Role, str | None]:
        given, name = given_role(message), _name_of(message)
        if given is None and name:
            return _role_by_name(name) or Role.USER, speaker_of(name)
        if not isinstance(given, str) or not given:
            raise self._reading.problem("the message has no role", place)
        role = role_in(given.lower())
        if role is None:
            raise self._reading.problem(f"the message has an unknown role ({given[:40]!r})", place)
        own = text_field(message, "name") or _name_of(message, None if role is Role.USER else 3)
        return role, speaker_of(own) if own and role_in(own.casefold()) is None else None

    def _say_item(self, item: dict[str, Any], place: str) -> None:
        kind, name = str(item["type"]), text_field(item, "name")
        stamp = Stamp(time_of(item), id_field(item, "id", "call_id"), place=place)
        call_id = str(item.get("call_id"))
        if kind == "reasoning":
            self._draft.leave_out(LeftOut.HIDDEN_REASONING)
        elif kind in _BOOKKEEPING:
            self._draft.leave_out(LeftOut.BOOKKEEPING)
        elif kind.endswith("_output"):
            self._draft.say(Role.TOOL, _text(item.get("output")), stamp._replace(speaker=self._tools.get(call_id)))
        else:
            tool = name or kind.removesuffix("_call")
            self._tools[call_id] = tool
            said: dict[str, Any] = {key: value for key, value in item.items() if key not in _OF_ITEMS}
            given = next((said[key] for key in ("arguments", "input") if key in said), said)
            self._draft.say(Role.TOOL, tool_call(tool, given), stamp._replace(speaker=tool))
            self._draft.say(Role.TOOL, _text(item.get("output")), stamp._replace(speaker=tool), "output")


def _content(message: dict[str, Any]) -> object:
    """Return a message's content, or its refusal or transcript, followed by its files."""
    content = next((message[name] for name in keys("contents") if message.get(name) is not None), None)
    if isinstance(content, dict) and "parts" in content:
        content = content["parts"]
    spoken = text_field(message, "refusal") or nested_text(message, "audio", "transcript")
    shown = [spoken] if spoken and not content else []
    for item in as_list(message.get("attachments")) or as_list(message.get("files")):
        name = item if isinstance(item, str) else text_field(as_object(item), "name", "filename", "file_name")
        shown += [f"[file {name}]"] if name else []
    if not shown:
        return content
    return [*(content if isinstance(content, list) else [content] if content else []), *shown]


def given_role(message: dict[str, Any]) -> object:
    """Return the role as the message writes it, or None if only a name shows it."""
    given = message.get("role", object_field(message, "author").get("role"))
    if given is None and "value" in message:
        given = message.get("from")
    if given is None and isinstance(message.get("isCreatedByUser"), bool):
        given = "user" if message["isCreatedByUser"] else "assistant"
    return message["type"] if given is None and message.get("type") in _AS_TYPE else given


def _role_by_name(name: str) -> Role | None:
    return role_in(name.casefold()) or role_of(name)


def _name_of(message: dict[str, Any], most: int | None = None) -> str | None:
    return next((name for key in keys("who")[:most] if (name := nested_text(message, key, *keys("names")))), None)


def _tool_calls(message: dict[str, Any]) -> list[tuple[str | None, dict[str, Any]]]:
    calls = objects(message.get("tool_calls"))
    found = [(id_field(call, "id"), object_field(call, "function") or call) for call in calls]
    former = object_field(message, "function_call")
    return [*found, (None, former)] if former else found


def _text(value: object) -> str:
    texts = [text_field(item, "text") for item in objects(value)]
    return "\n".join(text for text in texts if text) or as_text(value)
