"""Converts Slack messages to text: their text or blocks, attachments and files, with Slack's notation resolved.

Blocks: docs.slack.dev/reference/block-kit/blocks; attachments: docs.slack.dev/legacy/legacy-messaging.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

from palace.mining.drafts.parts import placeholder
from palace.mining.files.fields import as_list, nested_text, object_field, objects, text_field
from palace.nlp.rules import Rules

_MARKS = (("code", "`"), ("strike", "~"), ("italic", "_"), ("bold", "*"))
_NOTATION = Rules("readers", "slack.toml")
_MENTION = re.compile(r"<([@#!])([^<>|\n]{1,200})(?:\|([^<>\n]{0,500}))?>")
_LINK = re.compile(r"<((?:https?|ftp|mailto|tel|slack|sip|file):[^<>|\s]{1,4000})(?:\|([^<>\n]{0,4000}))?>")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))
"""The only characters that Slack escapes; ``&amp;`` must be replaced last."""
_CANVASES = frozenset({"quip", "canvas"})


def shown_text(message: dict[str, Any]) -> str:
    """Return everything that a message shows: its text or else its blocks, then attachments, then the names of files.

    White space alone is returned if there is nothing else.
    """
    blocks = _blocks_text(message.get("blocks"))
    # The text that a bot sends beside its blocks is only for notifications, which cannot show blocks.
    is_fallback = blocks != "" and text_field(message, "bot_id") is not None
    said = blocks if is_fallback else text_field(message, "text") or blocks
    lines = [said] if said else []
    lines += (text for part in objects(message.get("attachments")) if (text := _attachment(part)))
    for file in objects(message.get("files")) or objects([message["file"]] if message.get("file") else []):
        names = [name for key in ("title", "name") if (name := text_field(file, key))]
        if not (said and names and all(name in said for name in names)):
            lines.append(_file(file))
    return "\n".join(lines) or str(message.get("text") or "")


def readable(text: str, names: Mapping[str, str]) -> str:
    """Replace Slack's notation by what it shows: names of people and channels, and links with their words.

    ``names`` maps ids of people and channels to names; an id that is not in it stays.
    """
    if "<" in text:
        text = _LINK.sub(_linked, _MENTION.sub(lambda found: _named(found, names), text))
    for entity, sign in _ENTITIES:
        text = text.replace(entity, sign)
    return text


def _named(found: re.Match[str], names: Mapping[str, str]) -> str:
    sign, key, label = found.groups()
    if sign != "!":
        return f"{sign}{(names.get(key) or label or key).removeprefix(sign)}"
    kind = key.partition("^")[0]
    if kind in ("subteam", "date"):
        return label or key.rpartition("^")[2]
    return label if label and kind not in ("here", "channel", "everyone") else f"@{key}"


def _linked(found: re.Match[str]) -> str:
    url, label = found[1], (found[2] or "").strip()
    bare = url.removeprefix("mailto:").removeprefix("tel:")
    if not label or label in (url, bare, url.partition("://")[2].rstrip("/")):
        # Text right after a URL could be taken for the password in it.
        return f"<{bare}>" if found.string.startswith(":", found.end()) else bare
    return f"{label} <{bare}>"


def _blocks_text(blocks: object) -> str:
    return "\n".join(text for block in objects(blocks) if (text := _block(block)))


def _block(block: dict[str, Any]) -> str:
    kind = block.get("type")
    if kind == "rich_text":
        return "\n".join(_rich(part) for part in objects(block.get("elements")))
    if kind in ("image", "video"):
        return placeholder(kind, nested_text(block, "title", "text") or text_field(block, "alt_text"))
    texts = [nested_text(block, "text", "text"), *_fields(block, "fields"), *_fields(block, "elements")]
    if kind == "table":
        texts = [_row(row) for row in as_list(block.get("rows"))]
    return "\n".join(text for text in texts if text)


def _fields(block: dict[str, Any], name: str) -> Iterator[str | None]:
    for item in objects(block.get(name)):
        yield nested_text(item, "text", "text") or text_field(item, "alt_text")


def _row(row: object) -> str:
    return " | ".join(_rich(cell) or text_field(cell, "text") or "" for cell in objects(row))


def _rich(part: dict[str, Any]) -> str:
    """Convert one part of rich text; the items of a list are lines of their own."""
    elements = objects(part.get("elements"))
    kind = part.get("type")
    if kind == "rich_text_list":
        return "\n".join(_items(part, elements))
    if kind == "rich_text":
        return "\n".join(_rich(element) for element in elements)
    text = "".join(_element(element) for element in elements)
    if kind == "rich_text_quote":
        return "\n".join(f"> {line}" for line in text.split("\n"))
    return f"```\n{text}\n```" if kind == "rich_text_preformatted" else text


def _items(part: dict[str, Any], elements: list[dict[str, Any]]) -> Iterator[str]:
    indent, first = part.get("indent"), part.get("offset")
    margin = "    " * indent if isinstance(indent, int) and 0 < indent < 20 else ""
    for number, element in enumerate(elements, first + 1 if isinstance(first, int) else 1):
        mark = f"{number}." if part.get("style") == "ordered" else "•"
        yield f"{margin}{mark} {_rich(element)}"


def _element(element: dict[str, Any]) -> str:
    kind = str(element.get("type"))
    if kind == "text":
        return _styled(_escaped(str(element.get("text") or "")), object_field(element, "style"))
    if kind == "link":
        text, url = text_field(element, "text"), str(element.get("url") or "")
        return f"<{url}|{_escaped(text)}>" if text else f"<{url}>"
    if kind in _NOTATION.table("notation"):
        pattern, field = _NOTATION.table("notation")[kind]
        return str(pattern).format(element.get(field))
    return text_field(element, "fallback", "text", "value", "name", "url") or f"[{kind}]"


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)


def _styled(text: str, style: dict[str, Any]) -> str:
    inner = text.strip()
    marked = inner
    for name, mark in _MARKS:
        marked = f"{mark}{marked}{mark}" if inner and style.get(name) else marked
    return text.replace(inner, marked, 1) if inner else text


def _attachment(part: dict[str, Any]) -> str:
    """Convert an attachment: content added by another program, or the preview of a link."""
    fields = objects(part.get("fields"))
    unfurled = [object_field(item, "message") for item in objects(part.get("message_blocks"))]
    shown = [
        text_field(part, "pretext"),
        text_field(part, "author_name", "author_subname"),
        text_field(part, "title"),
        text_field(part, "text")
        or _blocks_text(part.get("blocks"))
        or "\n".join(text for message in unfurled if (text := _blocks_text(message.get("blocks")))),
        *(": ".join(value for key in ("title", "value") if (value := text_field(field, key))) for field in fields),
        *(_file(file) for file in objects(part.get("files"))),
    ]
    return "\n".join(line for line in shown if line) or text_field(part, "fallback", "from_url") or ""


def _file(file: dict[str, Any]) -> str:
    name, own = text_field(file, "title", "name"), text_field(file, "name")
    label = "canvas" if _CANVASES.intersection((str(file.get("filetype")), str(file.get("mode")))) else "file"
    return placeholder(label, f"{name} ({own})" if own and own != name and label == "file" else name)
