"""The three APIs: read the messages of a request, put memory into them, read the reply. Pure.

Messages are converted to those of the chat API, with their position in the request as ``AT``. Only messages that memory
is put into are changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from palace_server.proxy import replies

AT = "palace_at"
"""The member of a converted message with its position in the request."""
BETWEEN = "\n\n"
TEXTS = ("text", "input_text", "output_text")
ENDS = (b"\ndata: [DONE]", b"\nevent: message_stop", b"\nevent: response.completed")
"""How the last event of a stream begins, as a line of its own; clients need not read beyond."""
LONGEST_END = 1 << 20
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """A provider's answer."""

    messages: list[Json]
    """Its messages, converted to those of the chat API."""
    id: str | None
    """The provider's id of it."""
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Dialect:
    """The names and shapes of one API."""

    path: str
    messages: str
    """The member of a request that has the messages."""
    text_type: str
    """The type of a text part in a user's message."""
    read: Callable[[Json, int], Iterator[Json]]
    """Converts a message of this API to those of the chat API."""
    reply: Callable[[Json], list[Json]]
    """Returns the messages of a complete answer."""
    streamed: Callable[[Sequence[Json]], list[Json]]
    """Returns the messages of an answer that was streamed, as far as it came."""
    has_key_header: bool = False
    """Whether the provider's key is in ``x-api-key`` instead of ``Authorization``."""

    def list_messages(self, body: Json) -> list[Json]:
        """Return the messages of a request as those of the chat API; anything else is left out."""
        given = body.get(self.messages)
        if isinstance(given, str):
            return [{"role": "user", "content": given, AT: 0}]
        if not isinstance(given, list):
            return []
        return [
            each for at, message in enumerate(given) if isinstance(message, dict) for each in self.read(message, at)
        ]

    def put_into(self, body: Json, blocks: Mapping[int, str]) -> Json:
        """Return a request with a block before the last text of each of these messages."""
        given = body[self.messages]
        if isinstance(given, str):
            return {**body, self.messages: blocks[0] + BETWEEN + given}
        messages = list(given)
        for at, block in blocks.items():
            messages[at] = {**messages[at], "content": self._with(messages[at]["content"], block)}
        return {**body, self.messages: messages}

    def read_reply(self, content: bytes, *, is_stream: bool, is_whole: bool) -> Reply:
        """Read an answer, as far as it came; without messages where it cannot be read."""
        try:
            if not is_stream:
                answer = json.loads(content)
                return Reply(self.reply(answer), _id_of(answer), is_whole=is_whole)
            events = list(replies.events_of(content))
            is_broken = any(event.get("error") or event.get("type") in ("error", "response.failed") for event in events)
            is_ended = is_whole or any(end in content[-LONGEST_END:] for end in ENDS)
            first: Json = next((event["response"] for event in events if "response" in event), {})
            return Reply(self.streamed(events), _id_of(first), is_whole=is_ended and not is_broken)
        except (ValueError, LookupError, TypeError, AttributeError):
            return Reply([], None, is_whole=False)

    def _with(self, content: Any, block: str) -> Any:
        if isinstance(content, str):
            return block + BETWEEN + content
        last = max(number for number, part in enumerate(content) if _text(part))
        return [*content[:last], {"type": self.text_type, "text": block}, *content[last:]]


def _id_of(answer: Json) -> str | None:
    found = answer.get("id")
    return found if isinstance(found, str) else None


def _text(part: Any) -> str:
    """Return the text of a part of a message; "" if it has none."""
    if isinstance(part, dict) and part.get("type") in TEXTS and isinstance(part.get("text"), str):
        return str(part["text"])
    return ""


def _parts(content: Any) -> list[Json]:
    """Return a message's parts with their texts; other parts become their type and a digest."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    parts = [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []
    return [{"type": "text", "text": _text(part)} if _text(part) else _other(part) for part in parts]


def _other(part: Json) -> Json:
    written = json.dumps(part, sort_keys=True).encode()
    return {"type": str(part.get("type")), "digest": blake2b(written, digest_size=16).hexdigest()}


def _of_chat(message: Json, at: int) -> Iterator[Json]:
    named = {name: message[name] for name in ("tool_calls", "tool_call_id", "name") if message.get(name)}
    yield {"role": message.get("role"), "content": _parts(message.get("content")), **named, AT: at}


def _of_responses(item: Json, at: int) -> Iterator[Json]:
    kind = item.get("type", "message")
    if kind == "message":
        yield {"role": item.get("role"), "content": _parts(item.get("content")), AT: at}
    elif kind == "function_call":
        yield replies.calling("", [replies.call(item.get("call_id"), item.get("name"), item.get("arguments"))])
    elif kind == "function_call_output":
        output = item.get("output")
        content = output if isinstance(output, str) else _parts(output)
        yield {"role": "tool", "tool_call_id": item.get("call_id"), "content": content}


def _of_messages(message: Json, at: int) -> Iterator[Json]:
    content = message.get("content")
    if message.get("role") == "assistant":
        for each in replies.of_content(content if isinstance(content, list) else _parts(content)):
            yield {**each, AT: at}
        return
    said = []
    for part in content if isinstance(content, list) else _parts(content):
        if isinstance(part, dict) and part.get("type") == "tool_result":
            yield {"role": "tool", "tool_call_id": part.get("tool_use_id"), "content": _parts(part.get("content"))}
        else:
            said.append(part)
    if said:
        yield {"role": message.get("role"), "content": _parts(said), AT: at}


CHAT = Dialect("/v1/chat/completions", "messages", "text", _of_chat, replies.of_chat, replies.chat_streamed)
RESPONSES = Dialect(
    "/v1/responses", "input", "input_text", _of_responses, replies.of_response, replies.response_streamed
)
MESSAGES = Dialect(
    "/v1/messages", "messages", "text", _of_messages, replies.of_message, replies.message_streamed, has_key_header=True
)
DIALECTS = (CHAT, RESPONSES, MESSAGES)
ERROR_TYPES = {401: "authentication_error", 403: "permission_error", 404: "not_found_error"} | {
    413: "request_too_large", 429: "rate_limit_error", 503: "overloaded_error", 504: "timeout_error"
}  # fmt: skip
"""The types of errors in Anthropic's API, which OpenAI's clients do not interpret."""


def error_members(path: str, headers: Mapping[str, str], status: int, detail: str, code: str) -> Json:
    """Return the members of a problem that show it to the clients of OpenAI's or Anthropic's API."""
    usual = "invalid_request_error" if status < 500 else "api_error"
    error = {"type": ERROR_TYPES.get(status, usual), "message": detail}
    if path.startswith(MESSAGES.path) or "anthropic-version" in headers:
        return {"type": "error", "error": error}
    return {"error": {**error, "code": code, "param": None}}
