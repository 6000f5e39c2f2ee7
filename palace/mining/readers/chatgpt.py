"""ChatGPT's data export: ``conversations.json``, or ``conversations-000.json`` and so on.

Each conversation is a tree (``mapping``) of messages; what was said is the path from ``current_node`` up to
the root. The format is not documented by its maker; this follows exports of 2023 to 2026.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from palace.mining.readers.branches import path_to
from palace.mining.readers.draft import Draft, Stamp
from palace.mining.readers.fields import as_list, as_object, id_field, text_field
from palace.mining.readers.json_records import Record
from palace.mining.readers.parts import tool_call
from palace.mining.readers.reading import Reading
from palace.mining.readers.times import known_time
from palace.records import Conversation, Role

NAME = "chatgpt"

_HIDDEN_KINDS = frozenset({"thoughts", "reasoning_recap", "user_editable_context", "model_editable_context"})
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "tool": Role.TOOL}
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_AUDIO_KINDS = frozenset({"audio_asset_pointer", "real_time_user_audio_video_asset_pointer"})


def recognises(value: object) -> bool:
    """Tell one conversation of a ChatGPT export."""
    return isinstance(as_object(value).get("mapping"), dict)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read conversations in the order of the file."""
    for record in records:
        place = record.place("conversation")
        conversation = as_object(record.value)
        if not recognises(conversation):
            raise reading.problem("the conversation has no messages (mapping)", place)
        yield from _conversation(conversation, reading, place)


def _conversation(conversation: dict[str, Any], reading: Reading, place: str) -> Iterator[Conversation]:
    draft = Draft(NAME, reading)
    nodes = {key: as_object(node) for key, node in conversation["mapping"].items()}
    parents = {key: id_field(node, "parent") for key, node in nodes.items()}
    path, lost = path_to(_leaf(conversation, nodes, reading.now), parents)
    if path and lost is not None:
        draft.warn(f"what was said before message {path[0]} is missing from the export")
    for number, key in enumerate(path, 1):
        message = nodes[key].get("message")
        if isinstance(message, dict):
            _say(draft, message, key, reading, f"{place}, message {number}")
    yield from draft.finish(
        source_id=id_field(conversation, "conversation_id", "id"),
        title=text_field(conversation, "title"),
        started_at=known_time(conversation.get("create_time"), reading.now),
        place=place,
    )


def _leaf(conversation: dict[str, Any], nodes: dict[str, dict[str, Any]], now: datetime) -> str:
    """Give the current node; without a usable one the latest message that nothing follows."""
    current = id_field(conversation, "current_node")
    if current in nodes and current is not None:
        return current
    parents = {id_field(node, "parent") for node in nodes.values()}
    leaves = [key for key in nodes if key not in parents] or list(nodes)
    times = {key: known_time(as_object(nodes[key].get("message")).get("create_time"), now) for key in leaves}
    return max(leaves, key=lambda key: times[key] or _LONG_AGO, default="")


def _say(draft: Draft, message: dict[str, Any], key: str, reading: Reading, place: str) -> None:
    content, author = as_object(message.get("content")), as_object(message.get("author"))
    is_hidden = as_object(message.get("metadata")).get("is_visually_hidden_from_conversation")
    if is_hidden or _kind(content) in _HIDDEN_KINDS:
        return
    role = _ROLES.get(str(author.get("role")))
    if role is None:
        raise reading.problem("the message has no known role (author.role)", place)
    stamp = Stamp(message.get("create_time"), id_field(message, "id") or key, text_field(author, "name"))
    recipient = text_field(message, "recipient") or "all"
    parts = content.get("parts")
    if role is Role.ASSISTANT and recipient != "all":
        draft.say(Role.TOOL, _call(recipient, content), stamp._replace(speaker=recipient))
    elif isinstance(parts, list):
        draft.say_parts(role, _spoken(parts), stamp, place)
    else:
        draft.say(role, _plain(content), stamp)


def _kind(content: object) -> str:
    return str(as_object(content).get("content_type"))


def _call(tool: str, content: dict[str, Any]) -> str:
    text = "\n".join(part for part in as_list(content.get("parts")) if isinstance(part, str)) or _plain(content)
    return tool_call(tool, text) if text else ""


def _spoken(parts: list[Any]) -> list[Any]:
    """Leave out empty parts, and recordings whose words are written beside them."""
    has_words = any(_kind(part) == "audio_transcription" for part in parts)
    shown = [part for part in parts if part not in ("", None)]
    return [p for p in shown if not (has_words and _kind(p) in _AUDIO_KINDS)]


def _plain(content: dict[str, Any]) -> str:
    """Give the text of contents without parts: code, output, quotes, pages, errors."""
    if _kind(content) == "tether_quote":
        return "\n".join(str(content[key]) for key in ("title", "url", "text") if content.get(key))
    values = (content.get(key) for key in ("text", "result", "summary", "content", "name"))
    return next((value for value in values if isinstance(value, str) and value), "")
