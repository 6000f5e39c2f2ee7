"""One message of a ChatGPT conversation, whatever kind of content it has."""

from __future__ import annotations

import json
import re
from typing import Any

from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.parts import HIDDEN_REASONING, enclosed, tool_call
from palace.mining.files.fields import as_list, as_object, text_field
from palace.mining.files.reading import Reading
from palace.records import Role

_REASONING = frozenset({"thoughts", "reasoning_recap"})
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "tool": Role.TOOL}
_AUDIO_KINDS = frozenset({"audio_asset_pointer", "real_time_user_audio_video_asset_pointer"})
_CANVAS = "canmore."
_MARK = re.compile("\ue200[^\ue201]*\ue201|【[^】]*†[^】]*】")
"""Where a source is cited: characters of private use, which the program shows as a link, or lenticular brackets."""


def say(draft: Draft, message: dict[str, Any], stamp: Stamp, reading: Reading, place: str) -> None:
    """Add what a message says to its conversation.

    Raises:
        UnreadableSource: the message has no known role, or content of an odd shape.
    """
    content, author = as_object(message.get("content")), as_object(message.get("author"))
    metadata = as_object(message.get("metadata"))
    if _kind(content) in _REASONING:
        draft.leave_out(HIDDEN_REASONING)
        return
    if metadata.get("is_visually_hidden_from_conversation"):
        if _spoken(content, metadata) or _plain(content):
            draft.leave_out("messages hidden from the conversation")
        return
    role = _ROLES.get(str(author.get("role")))
    if role is None:
        raise reading.problem(f"the message has no known role (author.role is {author.get('role')!r:.40})", place)
    recipient = text_field(message, "recipient") or "all"
    stamp = stamp._replace(speaker=text_field(author, "name"))
    if role is Role.ASSISTANT and recipient != "all":
        _say_call(draft, recipient, words_of(message), stamp)
    elif isinstance(content.get("parts"), list):
        draft.say_parts(role, _spoken(content, metadata), stamp, place)
    elif _plain(content) or not _has_substance(content):
        draft.say(role, _plain(content), stamp)
    else:
        draft.leave_out("contents of an unknown kind")


def words_of(message: dict[str, Any]) -> str:
    """Return the words of a message, of parts or plain."""
    content = as_object(message.get("content"))
    return "\n".join(part for part in as_list(content.get("parts")) if isinstance(part, str)) or _plain(content)


def _kind(content: object) -> str:
    return str(as_object(content).get("content_type"))


def _say_call(draft: Draft, tool: str, text: str, stamp: Stamp) -> None:
    canvas = _canvas(tool, text) if tool.startswith(_CANVAS) else ""
    if canvas:
        draft.say(Role.ASSISTANT, canvas, stamp)
    else:
        draft.say(Role.TOOL, tool_call(tool, text) if text else "", stamp._replace(speaker=tool))


def _canvas(tool: str, arguments: str) -> str:
    """Return what the assistant wrote on a canvas; nothing where the call cannot be read as one."""
    try:
        given = as_object(json.loads(arguments))
    except (ValueError, RecursionError):
        return ""
    name = text_field(given, "name")
    label = f"canvas {name}" if name else "canvas"
    if isinstance(given.get("content"), str):
        return enclosed(label, given["content"])
    changes = [as_object(change) for change in (*as_list(given.get("updates")), *as_list(given.get("comments")))]
    texts = [text for change in changes if (text := text_field(change, "replacement", "comment"))]
    return enclosed(f"{label}: {tool.removeprefix(_CANVAS)}", "\n".join(texts)) if texts else ""


def _spoken(content: dict[str, Any], metadata: dict[str, Any]) -> list[Any]:
    """List the parts that say something, then the files that came with them by name.

    Empty parts are left out, and recordings whose words are written beside them.
    """
    parts = [part for part in as_list(content.get("parts")) if part not in ("", None)]
    if any(_kind(part) == "audio_transcription" for part in parts):
        parts = [part for part in parts if _kind(part) not in _AUDIO_KINDS]
    files = [as_object(item) for item in as_list(metadata.get("attachments"))]
    names = {str(file.get("id")): name for file in files if (name := text_field(file, "name"))}
    shown: list[Any] = []
    for part in parts:
        pointer = text_field(as_object(part), "asset_pointer")
        if isinstance(part, str):
            shown.append(_with_sources(part, metadata))
        elif pointer and _kind(part) == "image_asset_pointer":
            asset = pointer.rsplit("/", 1)[-1]
            shown.append({**part, "filename": names.pop(asset, asset)})
        else:
            shown.append(part)
    return [*shown, *(f"[file {name}]" for name in names.values())]


def _with_sources(text: str, metadata: dict[str, Any]) -> str:
    """Write the marks of cited sources as the person saw them: as links, or not at all."""
    if "\ue200" not in text and "†" not in text:
        return text
    references = [as_object(item) for item in as_list(metadata.get("content_references"))]
    shown = {str(item.get("matched_text")): _source(item) for item in references}
    return _MARK.sub(lambda mark: shown.get(mark[0], "" if mark[0].startswith("\ue200") else mark[0]), text)


def _source(reference: dict[str, Any]) -> str:
    if alt := text_field(reference, "alt"):
        return alt
    items = [reference, *(as_object(item) for item in as_list(reference.get("items")))]
    found = next((item for item in items if text_field(item, "title", "name")), {})
    title, url = text_field(found, "title", "name"), text_field(found, "url")
    return f"([{title}]({url}))" if title and url else f"({title})" if title else ""


def _plain(content: dict[str, Any]) -> str:
    if _kind(content) in ("tether_quote", "sonic_webpage"):
        return "\n".join(str(content[key]) for key in ("title", "url", "text") if content.get(key))
    values = (content.get(key) for key in ("text", "result", "summary", "content", "output_str", "name"))
    return next((value for value in values if isinstance(value, str) and value), "")


def _has_substance(content: dict[str, Any]) -> bool:
    fields = (content[key] for key in content.keys() - {"content_type", "language", "response_format_name"})
    return any(field not in (None, "", [], {}) for field in fields)
