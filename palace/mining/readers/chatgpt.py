"""ChatGPT's data export, ``conversations.json`` or ``conversations-000.json`` and so on, and documents of its canvas.

Each conversation is a tree (``mapping``) of messages. The path from ``current_node`` up to the root is the
conversation; its other branches are edited questions and regenerated answers. OpenAI does not document the format; this
follows exports of 2023 to 2026.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.links import lay_out
from palace.mining.drafts.messages import time_of
from palace.mining.drafts.parts import enclosed, tool_call
from palace.mining.drafts.times import known_time
from palace.mining.files.fields import as_list, as_object, as_title, id_field, object_field, objects, parsed, text_field
from palace.mining.files.json_records import read_each
from palace.mining.files.reading import LeftOut, Reading, Record
from palace.models import Conversation, Role

NAME = "chatgpt"

_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_DOCUMENT = {"id", "title", "content", "type"}
_DOCUMENT_TYPES = ("text/", "code/", "document")
_Nodes = dict[str, dict[str, Any]]


def recognises(value: object) -> bool:
    """Check whether a value is one conversation of a ChatGPT export."""
    return isinstance(as_object(value).get("mapping"), dict)


def recognises_document(value: object) -> bool:
    """Check whether a value is a document of the canvas, which exports keep as separate files in ``textdocs``."""
    record = as_object(value)
    return record.keys() >= _DOCUMENT and "role" not in record and str(record["type"]).startswith(_DOCUMENT_TYPES)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read conversations in the order of the file, and the custom instructions and saved memories that they contain.

    An abandoned branch comes before the branch that replaced it, each of its messages marked as replaced.
    """
    noted: set[str] = set()
    yield from read_each(records, reading, lambda record: _conversation(record, reading, noted))


def read_document(record: Record, reading: Reading) -> Iterator[Conversation]:
    """Read a document of the canvas as a note by the assistant."""
    document = as_object(record.value)
    title = text_field(document, "title")
    place = record.place("document", title)
    if not isinstance(document.get("content"), str):
        raise reading.problem("the document has no content", place)
    draft = Draft(NAME, reading)
    draft.say(Role.ASSISTANT, document["content"], Stamp(time_of(document)))
    yield from draft.finish(source_id=f"canvas:{id_field(document, 'id')}", title=title, place=place)


def _conversation(record: Record, reading: Reading, noted: set[str]) -> Iterator[Conversation]:
    conversation = as_object(record.value)
    title = text_field(conversation, "title")
    place = record.place("conversation", title)
    if not recognises(conversation):
        raise reading.problem("the conversation has no messages (mapping)", place)
    draft, began = Draft(NAME, reading), known_time(conversation.get("create_time"), reading.now, reading.zone)
    nodes = {key: as_object(node) for key, node in conversation["mapping"].items()}
    above = {str(child): key for key, node in nodes.items() for child in as_list(node.get("children"))}
    parents = {key: id_field(node, "parent") or above.get(key) for key, node in nodes.items()}
    laid_out, lost = lay_out(_leaf(conversation, nodes, parents, reading.now), parents)
    if lost is not None:
        first = next(placed.key for placed in laid_out if parents[placed.key] == lost)
        draft.warn(f"what was said before message {first} is missing from the export")
    notes: list[_Note] = []
    for number, (key, replaced_by) in enumerate(laid_out, 1):
        message = nodes[key].get("message")
        if replaced_by is None:
            draft.mark(key)
        if not isinstance(message, dict):
            continue
        notes += _notes(message, began)
        if not _is_about_person(message):
            where = f"{place}, message {number}"
            own = id_field(message, "id") or key
            stamp = Stamp(message.get("create_time"), own, replaced_by=replaced_by, place=where)
            with draft.one_message():
                _say(draft, message, stamp)
    source_id = id_field(conversation, "conversation_id", "id")
    yield from draft.finish(source_id=source_id, title=title, started_at=began, place=place)
    for heading, role, text, said_at in notes:
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        if text.strip() and digest not in noted:
            noted.add(digest)
            draft = Draft(NAME, reading, dated=False)
            draft.say(role, text, Stamp(said_at))
            title = heading or as_title(text, 60)
            yield from draft.finish(source_id=f"about:{digest}", title=title, project=WING, place=place)


def _leaf(conversation: dict[str, Any], nodes: _Nodes, parents: dict[str, str | None], now: datetime) -> str:
    """Return the id of the current node, or of the latest message without a successor if there is no valid one."""
    current = id_field(conversation, "current_node")
    if current is not None and current in nodes:
        return current
    above = set(parents.values())
    leaves = [key for key in nodes if key not in above] or list(nodes)
    times = {key: known_time(object_field(nodes[key], "message").get("create_time"), now) for key in leaves}
    return max(leaves, key=lambda key: times[key] or _LONG_AGO, default="")


WING = "ChatGPT: about you"

_ENTRY = re.compile(r"^\d+\.\s+\[(\d{4}-\d{2}-\d{2})\]\.?\s*(.*(?:\n(?!\d+\.\s+\[).*)*)", re.MULTILINE)
"""One memory in the list that a model is sent: "3. [2024-05-01]. Lives in Lisbon."."""
_INSTRUCTIONS = (
    ("about_user_message", "user_profile", "Custom instructions: about you"),
    ("about_model_message", "user_instructions", "Custom instructions: how to respond"),
)
_Note = tuple[str, Role, str, object]
"""Title, role, text and time of a custom instruction or a saved memory."""


def _is_about_person(message: dict[str, Any]) -> bool:
    """Check whether a message only passes custom instructions or saved memories to the model."""
    kind = object_field(message, "content").get("content_type")
    is_instruction = object_field(message, "metadata").get("is_user_system_message")
    return kind in ("user_editable_context", "model_editable_context") or bool(is_instruction)


def _notes(message: dict[str, Any], began: datetime | None) -> Iterator[_Note]:
    """Yield the custom instructions and saved memories that a message contains."""
    content, author = object_field(message, "content"), object_field(message, "author")
    if not _is_about_person(message):
        if message.get("recipient") == "bio" and author.get("role") == "assistant":
            yield "", Role.ASSISTANT, _words_of(message), message.get("create_time")
    elif content.get("content_type") == "model_editable_context":
        text = text_field(content, "model_set_context") or ""
        entries = _ENTRY.findall(text)
        yield from (("", Role.ASSISTANT, entry.rstrip(), said_at) for said_at, entry in entries)
        if not entries:
            yield "Saved memories", Role.ASSISTANT, text, began
    else:
        given = object_field(message, "metadata", "user_context_message_data")
        texts = {title: text_field(given, raw) or text_field(content, old) for raw, old, title in _INSTRUCTIONS}
        if not any(texts.values()):
            texts = {"Custom instructions": _words_of(message)}
        yield from ((title, Role.USER, text or "", began) for title, text in texts.items())


_REASONING = frozenset({"thoughts", "reasoning_recap"})
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "tool": Role.TOOL}
_AUDIO_KINDS = frozenset({"audio_asset_pointer", "real_time_user_audio_video_asset_pointer"})
_CANVAS = "canmore."
_MARK = re.compile("\ue200[^\ue201]*\ue201|【[^】]*†[^】]*】")
"""A citation mark: private-use characters, which the program shows as a link, or lenticular brackets."""


def _say(draft: Draft, message: dict[str, Any], stamp: Stamp) -> None:
    """Add a message to its conversation.

    Raises:
        UnreadableSource: the message has no known role, or malformed content.
    """
    content, author = object_field(message, "content"), object_field(message, "author")
    metadata = object_field(message, "metadata")
    if _kind(content) in _REASONING:
        draft.leave_out(LeftOut.HIDDEN_REASONING)
        return
    if metadata.get("is_visually_hidden_from_conversation"):
        if _spoken(content, metadata) or _plain(content):
            draft.leave_out("messages hidden from the conversation")
        return
    role = _ROLES.get(str(author.get("role")))
    if role is None:
        odd = f"the message has no known role (author.role is {author.get('role')!r:.40})"
        raise draft.reading.problem(odd, stamp.place)
    recipient = text_field(message, "recipient") or "all"
    stamp = stamp._replace(speaker=text_field(author, "name"))
    if role is Role.ASSISTANT and recipient != "all":
        _say_call(draft, recipient, _words_of(message), stamp)
    elif isinstance(content.get("parts"), list):
        draft.say_parts(role, _spoken(content, metadata), stamp, stamp.place)
    elif _plain(content) or not _has_substance(content):
        draft.say(role, _plain(content), stamp)
    else:
        draft.leave_out("contents of an unknown kind")


def _words_of(message: dict[str, Any]) -> str:
    """Return the text of a message, from its parts or its plain content."""
    content = object_field(message, "content")
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
    """Return what the assistant wrote on a canvas, or "" if the call cannot be parsed."""
    given = as_object(parsed(arguments))
    name = text_field(given, "name")
    label = f"canvas {name}" if name else "canvas"
    if isinstance(given.get("content"), str):
        return enclosed(label, given["content"])
    changes = objects(given.get("updates")) + objects(given.get("comments"))
    texts = [text for change in changes if (text := text_field(change, "replacement", "comment"))]
    return enclosed(f"{label}: {tool.removeprefix(_CANVAS)}", "\n".join(texts)) if texts else ""


def _spoken(content: dict[str, Any], metadata: dict[str, Any]) -> list[Any]:
    """List the parts of a message with content, followed by the names of its attached files.

    Empty parts are left out, and so are recordings that come with a transcription.
    """
    parts = [part for part in as_list(content.get("parts")) if part not in ("", None)]
    if any(_kind(part) == "audio_transcription" for part in parts):
        parts = [part for part in parts if _kind(part) not in _AUDIO_KINDS]
    files = objects(metadata.get("attachments"))
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
    """Replace citation marks by the links that the program showed, or remove them."""
    if "\ue200" not in text and "†" not in text:
        return text
    references = objects(metadata.get("content_references"))
    shown = {str(item.get("matched_text")): _source(item) for item in references}
    return _MARK.sub(lambda mark: shown.get(mark[0], "" if mark[0].startswith("\ue200") else mark[0]), text)


def _source(reference: dict[str, Any]) -> str:
    if alt := text_field(reference, "alt"):
        return alt
    items = [reference, *objects(reference.get("items"))]
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
