"""Splits message content as providers write it: text, or a list of typed parts.

The types are those of the OpenAI chat and responses APIs, the Anthropic messages API and Gemini's.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from palace.mining.drafts.names import keys, meanings
from palace.mining.files.fields import as_object, text_field
from palace.mining.files.reading import LeftOut
from palace.nlp.blocks import without_blocks

_BOOKKEEPING = frozenset({"token_budget"})

LeaveOut = Callable[[str], None]


class OddContent(ValueError):
    """Content of a form that no provider writes; the text says what is wrong."""


class Piece(NamedTuple):
    """Consecutive text of a message, or one tool call or result."""

    text: str
    is_tool: bool
    part: int
    """Index of its first part in the message, from 0."""
    tool: str | None = None
    """Name of the tool that is called or that returned."""


def split_content(content: object, leave_out: LeaveOut) -> list[Piece]:
    """Split a message's content into text and tool pieces, in order; adjacent texts are joined by a line break.

    Plain text is returned unchanged; a single part is treated as a list of one. Hidden reasoning is left out, media
    become placeholders; ``leave_out`` is called with the category of what is left out. Parts that hold only a memory
    block are dropped.

    Raises:
        OddContent: the content is neither text nor a list of parts.
    """
    if content is None:
        return []
    if isinstance(content, str):
        return [Piece(content, False, 0)]
    if isinstance(content, dict) and _says_something(content):
        content = content["parts"] if isinstance(content.get("parts"), list) else [content]
    if not isinstance(content, list):
        raise OddContent("content is neither text nor a list of parts")
    pieces: list[Piece] = []
    for index, part in enumerate(content):
        piece = _piece(part, index, leave_out)
        if piece is None or (piece.text != "" and without_blocks(piece.text) == ""):
            continue
        if pieces and not piece.is_tool and not pieces[-1].is_tool:
            pieces[-1] = pieces[-1]._replace(text=f"{pieces[-1].text}\n{piece.text}")
        else:
            pieces.append(piece)
    return pieces


def tool_call(name: str | None, arguments: object) -> str:
    """Format a tool call as text: its name, then its arguments unchanged or as JSON."""
    written = arguments if isinstance(arguments, str) else as_json(arguments)
    return f"{name} {written}" if name else written


def as_json(value: object) -> str:
    """Format a JSON value on one line."""
    return json.dumps(value, ensure_ascii=False)


def as_text(value: object) -> str:
    """Return text unchanged, "" for None, and any other JSON value on one line."""
    return value if isinstance(value, str) else "" if value is None else as_json(value)


def enclosed(label: str, text: str) -> str:
    """Enclose a separate text, such as an attachment, between a line that names it and one that ends it."""
    return f"[{label}]\n{text}\n[end of {label}]"


def placeholder(kind: str, name: str | None) -> str:
    """Return the placeholder of an image, file or the like: ``[image NAME]``."""
    return f"[{kind} {name}]" if name else f"[{kind}]"


def content_texts(content: object) -> list[str]:
    """Return the texts in a message's content."""
    parts = content if isinstance(content, list) else [content]
    texts = (part if isinstance(part, str) else as_object(part).get("text") for part in parts)
    return [text for text in texts if isinstance(text, str)]


def result_text(given: object, leave_out: LeaveOut = lambda _: None) -> str:
    """Format a tool's result: the text of its parts, else JSON."""
    if given is None or isinstance(given, str):
        return given or ""
    try:
        return "\n".join(piece.text for piece in split_content(given, leave_out))
    except OddContent:
        return as_json(given)


def _says_something(content: dict[str, Any]) -> bool:
    """Check whether a dict is a single part given without a list: it has text or is of a known kind."""
    kind, part = _typed(content)
    kind = str(content.get("type") or content.get("content_type") or kind)
    known = (*keys("hidden"), *_BOOKKEEPING, *keys("tool_calls"), *meanings("placeholders"), "tool_result")
    return isinstance(content.get("parts"), list) or _text_of(part) is not None or kind in known


def _piece(part: object, index: int, leave_out: LeaveOut) -> Piece | None:
    if isinstance(part, str):
        return Piece(part, False, index)
    if not isinstance(part, dict):
        raise OddContent(f"part {index + 1} of the content is neither text nor an object")
    kind = str(part.get("type") or part.get("content_type") or "")
    if not kind:
        kind, part = _typed(part)
    if kind in keys("hidden") or part.get("thought") is True:
        leave_out(LeftOut.HIDDEN_REASONING)
        return None
    if kind in _BOOKKEEPING:
        leave_out(LeftOut.BOOKKEEPING)
        return None
    name = text_field(part, "name")
    if kind in keys("tool_calls"):
        arguments: object = next((part[key] for key in ("input", "args", "arguments", "code") if key in part), {})
        return Piece(tool_call(name, arguments), True, index, name)
    if kind.endswith("tool_result"):
        results = {**as_object(part.get("run")), **part}
        content = next((results[key] for key in ("content", "response", "output", "result") if key in results), None)
        return Piece(_returned(content), True, index, name)
    return Piece(_shown(part, kind, leave_out), False, index)


def _typed(part: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the kind of a Gemini part and the object inside it."""
    field = next((name for name in meanings("gemini") if isinstance(part.get(name), dict)), None)
    if field is None:
        return "", part
    inner = part[field]
    media = str(inner.get("mimeType") or inner.get("mime_type") or "").partition("/")[0]
    kind = meanings("gemini")[field]
    return media if kind == "file" and media in meanings("placeholders") else kind, inner


def _shown(part: dict[str, Any], kind: str, leave_out: LeaveOut) -> str:
    inner = as_object(part.get(kind))
    text = _text_of(part, inner.get("transcript"))
    if text is not None:
        return text
    name = text_field(part, *keys("files")) or text_field(inner, *keys("files"))
    source = as_object(part.get("source"))
    label = meanings("placeholders").get(kind, kind or "unknown part")
    if label == "file" and source.get("type") == "text" and isinstance(source.get("data"), str):
        return enclosed(f"file {name}" if name else "file", source["data"])
    if kind not in meanings("placeholders"):
        leave_out("parts of an unknown kind")
        return f"[{label}]"
    return placeholder(label, name)


def _text_of(part: dict[str, Any], *others: object) -> str | None:
    values = (part.get("text"), part.get("refusal"), part.get("transcript"), *others)
    texts = (value.get("value") if isinstance(value, dict) else value for value in values)
    return next((text for text in texts if isinstance(text, str)), None)


def _returned(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(map(_returned, content))
    item = as_object(content)
    kind = str(item.get("type", ""))
    is_shown = isinstance(item.get("text"), str) or kind in meanings("placeholders")
    return _shown(item, kind, lambda _: None) if is_shown else as_text(content)
