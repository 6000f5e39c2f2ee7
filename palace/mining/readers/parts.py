"""Message content as providers write it: text, or a list of typed parts.

The types are those of the OpenAI chat and responses APIs and of the Anthropic messages API.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from palace.mining.readers.fields import as_list, text_field

_HIDDEN = frozenset({"thinking", "redacted_thinking", "reasoning", "token_budget"})
_TOOL_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_PLACEHOLDERS = {
    "image": "image",
    "image_url": "image",
    "image_file": "image",
    "input_image": "image",
    "image_asset_pointer": "image",
    "audio": "audio",
    "input_audio": "audio",
    "audio_asset_pointer": "audio",
    "real_time_user_audio_video_asset_pointer": "audio",
    "video": "video",
    "video_url": "video",
    "video_container_asset_pointer": "video",
    "file": "file",
    "input_file": "file",
    "document": "file",
}


class OddContent(ValueError):
    """Content of a shape that no provider writes; the text says what is odd."""


class Piece(NamedTuple):
    """Consecutive text of a message, or one tool call or result in it."""

    text: str
    is_tool: bool
    part: int
    """Place of its (first) part in the message, from 0."""
    tool: str | None = None
    """Name of the tool that is called."""


def split_content(content: object) -> list[Piece]:
    """Cut a message's content into text and tool pieces, in order; neighbouring texts are joined by a line
    break.

    A text as the whole content comes back unchanged. Hidden reasoning is left out, images and other media
    leave a placeholder.

    Raises:
        OddContent: the content is neither text nor a list of parts.
    """
    if content is None:
        return []
    if isinstance(content, str):
        return [Piece(content, False, 0)]
    if not isinstance(content, list):
        raise OddContent("content is neither text nor a list of parts")
    pieces: list[Piece] = []
    for index, part in enumerate(content):
        piece = _piece(part, index)
        if piece is None:
            continue
        if pieces and not piece.is_tool and not pieces[-1].is_tool:
            pieces[-1] = pieces[-1]._replace(text=f"{pieces[-1].text}\n{piece.text}")
        else:
            pieces.append(piece)
    return pieces


def tool_call(name: str | None, arguments: object) -> str:
    """Write a call to a tool as text: its name, then its arguments as they were given, or as JSON."""
    given = arguments if isinstance(arguments, str) else as_json(arguments)
    return f"{name} {given}" if name else given


def as_json(value: object) -> str:
    """Write a JSON value on one line."""
    return json.dumps(value, ensure_ascii=False)


def _piece(part: object, index: int) -> Piece | None:
    if isinstance(part, str):
        return Piece(part, False, index)
    if not isinstance(part, dict):
        raise OddContent(f"part {index + 1} of the content is neither text nor an object")
    kind = str(part.get("type") or part.get("content_type") or "")
    if kind in _HIDDEN:
        return None
    if kind in _TOOL_CALLS:
        name = text_field(part, "name")
        return Piece(tool_call(name, part.get("input", {})), True, index, name)
    if kind.endswith("tool_result"):
        return Piece(_result_text(part.get("content")), True, index)
    return Piece(_shown(part, kind), False, index)


def _shown(part: dict[str, Any], kind: str) -> str:
    for value in (part.get("text"), part.get("refusal")):
        text = value.get("value") if isinstance(value, dict) else value
        if isinstance(text, str):
            return text
    name = text_field(part, "filename", "file_name", "title", "name")
    label = _PLACEHOLDERS.get(kind, kind or "unknown part")
    return f"[{label} {name}]" if name and label == "file" else f"[{label}]"


def _result_text(content: object) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, dict):
        return as_json(content)
    return "\n".join(_result_item(item) for item in as_list(content))


def _result_item(item: object) -> str:
    if isinstance(item, str):
        return item
    if not isinstance(item, dict):
        return as_json(item)
    kind = str(item.get("type", ""))
    return _shown(item, kind) if isinstance(item.get("text"), str) or kind in _PLACEHOLDERS else as_json(item)
