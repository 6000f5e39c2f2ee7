"""ChatGPT's data export: ``conversations.json``, or ``conversations-000.json`` and so on; and documents of its canvas.

Each conversation is a tree (``mapping``) of messages; what was said is the path from ``current_node`` up to
the root, and beside it stand the questions that were edited and the answers that were regenerated. The format is
not documented by its maker; this follows exports of 2023 to 2026.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from palace.mining.drafts.branches import lay_out
from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.messages import time_of
from palace.mining.drafts.parts import enclosed, tool_call
from palace.mining.drafts.times import known_time
from palace.mining.files.fields import as_list, as_object, as_title, id_field, text_field
from palace.mining.files.json_records import read_each
from palace.mining.files.reading import LeftOut, Reading, Record
from palace.models import Conversation, Role

NAME = "chatgpt"

_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_DOCUMENT = {"id", "title", "content", "type"}
_DOCUMENT_TYPES = ("text/", "code/", "document")
_Nodes = dict[str, dict[str, Any]]


def recognises(value: object) -> bool:
    """Tell one conversation of a ChatGPT export."""
    return isinstance(as_object(value).get("mapping"), dict)


def recognises_document(value: object) -> bool:
    """Tell a document of the canvas, which exports keep as a file each in ``textdocs``."""
    record = as_object(value)
    return record.keys() >= _DOCUMENT and "role" not in record and str(record["type"]).startswith(_DOCUMENT_TYPES)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read conversations in the order of the file, and what they show to have been kept of the person.

    An abandoned branch stands before what took its place, all of it replaced by that.
    """
    noted: set[str] = set()
    yield from read_each(records, reading, lambda record: _conversation(record, reading, noted))


def read_documents(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read each document of the canvas as a note of the assistant's."""
    yield from read_each(records, reading, lambda record: _document(record, reading), empty="empty canvas documents")


def _document(record: Record, reading: Reading) -> Iterator[Conversation]:
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
    draft, started_at = Draft(NAME, reading), known_time(conversation.get("create_time"), reading.now, reading.zone)
    nodes = {key: as_object(node) for key, node in conversation["mapping"].items()}
    parents = _parents(nodes)
    laid_out, lost = lay_out(_leaf(conversation, nodes, parents, reading.now), parents)
    if lost is not None:
        first = next(placed.key for placed in laid_out if parents[placed.key] == lost)
        draft.warn(f"what was said before message {first} is missing from the export")
    notes = Notes(started_at)
    for number, (key, replaced_by) in enumerate(laid_out, 1):
        message = nodes[key].get("message")
        if replaced_by is None:
            draft.mark(key)
        if isinstance(message, dict) and not notes.take(message):
            where = f"{place}, message {number}"
            own = id_field(message, "id") or key
            stamp = Stamp(message.get("create_time"), own, replaced_by=replaced_by, place=where)
            with draft.one_message():
                say(draft, message, stamp, reading, where)
    yield from draft.finish(
        source_id=id_field(conversation, "conversation_id", "id"),
        title=title,
        started_at=started_at,
        place=place,
    )
    yield from notes.finish(NAME, reading, place, noted)


def _parents(nodes: _Nodes) -> dict[str, str | None]:
    above = {str(child): key for key, node in nodes.items() for child in as_list(node.get("children"))}
    return {key: id_field(node, "parent") or above.get(key) for key, node in nodes.items()}


def _leaf(conversation: dict[str, Any], nodes: _Nodes, parents: dict[str, str | None], now: datetime) -> str:
    """Return the current node; without a usable one the latest message that nothing follows."""
    current = id_field(conversation, "current_node")
    if current is not None and current in nodes:
        return current
    above = set(parents.values())
    leaves = [key for key in nodes if key not in above] or list(nodes)
    times = {key: known_time(as_object(nodes[key].get("message")).get("create_time"), now) for key in leaves}
    return max(leaves, key=lambda key: times[key] or _LONG_AGO, default="")


WING = "ChatGPT: about you"

_ENTRY = re.compile(r"^\d+\.\s+\[(\d{4}-\d{2}-\d{2})\]\.?\s*(.*(?:\n(?!\d+\.\s+\[).*)*)", re.MULTILINE)
"""One memory of the list that a conversation was given: "3. [2024-05-01]. Lives in Lisbon."."""
_INSTRUCTIONS = (
    ("about_user_message", "user_profile", "Custom instructions: about you"),
    ("about_model_message", "user_instructions", "Custom instructions: how to respond"),
)


class Notes:
    """The notes of one conversation, given only where the conversation could be read."""

    def __init__(self, said_at: datetime | None) -> None:
        self._said_at = said_at
        self._found: list[tuple[str, Role, str, object]] = []

    def take(self, message: dict[str, Any]) -> bool:
        """Take what a message shows of the person; tell whether the conversation is to go without the message."""
        content, metadata = as_object(message.get("content")), as_object(message.get("metadata"))
        kind = content.get("content_type")
        if kind == "user_editable_context" or metadata.get("is_user_system_message"):
            self._take_instructions(message, as_object(metadata.get("user_context_message_data")))
            return True
        if kind == "model_editable_context":
            self._take_memories(text_field(content, "model_set_context") or "")
            return True
        author = as_object(message.get("author"))
        if message.get("recipient") == "bio" and author.get("role") == "assistant":
            self._take("", Role.ASSISTANT, words_of(message), message.get("create_time"))
        return False

    def finish(self, reader: str, reading: Reading, place: str, noted: set[str]) -> Iterator[Conversation]:
        """Yield those that no conversation of the file has given before; ``noted`` holds what they are known by."""
        for title, role, text, said_at in self._found:
            digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
            if digest not in noted:
                noted.add(digest)
                draft = Draft(reader, reading, dated=False)
                draft.say(role, text, Stamp(said_at))
                yield from draft.finish(source_id=f"about:{digest}", title=title, project=WING, place=place)

    def _take_instructions(self, message: dict[str, Any], given: dict[str, Any]) -> None:
        content = as_object(message.get("content"))
        texts = {title: text_field(given, raw) or text_field(content, old) for raw, old, title in _INSTRUCTIONS}
        if not any(texts.values()):
            texts = {"Custom instructions": words_of(message)}
        for title, text in texts.items():
            self._take(title, Role.USER, text or "", self._said_at)

    def _take_memories(self, text: str) -> None:
        entries = _ENTRY.findall(text)
        for said_at, entry in entries:
            self._take("", Role.ASSISTANT, entry.rstrip(), said_at)
        if not entries:
            self._take("Saved memories", Role.ASSISTANT, text, self._said_at)

    def _take(self, title: str, role: Role, text: str, said_at: object) -> None:
        if text.strip():
            self._found.append((title or as_title(text, 60) or "", role, text, said_at))


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
        draft.leave_out(LeftOut.HIDDEN_REASONING)
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
