"""ChatGPT's data export: ``conversations.json``, or ``conversations-000.json`` and so on.

Each conversation is a tree (``mapping``) of messages; what was said is the path from ``current_node`` up to
the root, and beside it stand the questions that were edited and the answers that were regenerated. The format is
not documented by its maker; this follows exports of 2023 to 2026.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from palace.mining.readers.alone import read_each
from palace.mining.readers.chatgpt.about import AboutYou
from palace.mining.readers.chatgpt.messages import say
from palace.mining.readers.drafts.branches import lay_out
from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.fields import as_list, as_object, id_field, text_field
from palace.mining.readers.json_records import Record
from palace.mining.readers.reading import Reading
from palace.mining.readers.times.formats import known_time
from palace.records import Conversation

NAME = "chatgpt"

_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_Nodes = dict[str, dict[str, Any]]


def recognises(value: object) -> bool:
    """Tell one conversation of a ChatGPT export."""
    return isinstance(as_object(value).get("mapping"), dict)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read conversations in the order of the file, and what they show to have been kept of the person.

    An abandoned branch stands before what took its place, all of it replaced by that.
    """
    about = AboutYou(NAME, reading)
    yield from read_each(records, reading, lambda record: _conversation(record, reading, about))


def _conversation(record: Record, reading: Reading, about: AboutYou) -> Iterator[Conversation]:
    conversation = as_object(record.value)
    title = text_field(conversation, "title")
    place = record.place("conversation", title)
    if not recognises(conversation):
        raise reading.problem("the conversation has no messages (mapping)", place)
    draft, started_at = Draft(NAME, reading), known_time(conversation.get("create_time"), reading.now, reading.zone)
    nodes = {key: as_object(node) for key, node in conversation["mapping"].items()}
    parents = _parents(nodes)
    laid_out, lost = lay_out(_leaf(conversation, nodes, reading.now), parents)
    if lost is not None:
        first = next(placed.key for placed in laid_out if parents[placed.key] == lost)
        draft.warn(f"what was said before message {first} is missing from the export")
    notes = about.of_conversation(started_at)
    for number, (key, replaced_by) in enumerate(laid_out, 1):
        message = nodes[key].get("message")
        if replaced_by is None:
            draft.mark(key)
        if isinstance(message, dict) and not notes.take(message):
            source_id = id_field(message, "id") or key
            where = f"{place}, message {number}"
            stamp = Stamp(message.get("create_time"), source_id, replaced_by=replaced_by, place=where)
            with draft.one_message():
                say(draft, message, stamp, reading, where)
    yield from draft.finish(
        source_id=id_field(conversation, "conversation_id", "id"),
        title=title,
        started_at=started_at,
        place=place,
    )
    yield from notes.finish(place)


def _parents(nodes: _Nodes) -> dict[str, str | None]:
    """Give each node's parent: as it names it, else as the node does that names it as a child."""
    above = {str(child): key for key, node in nodes.items() for child in as_list(node.get("children"))}
    return {key: id_field(node, "parent") or above.get(key) for key, node in nodes.items()}


def _leaf(conversation: dict[str, Any], nodes: _Nodes, now: datetime) -> str:
    """Give the current node; without a usable one the latest message that nothing follows."""
    current = id_field(conversation, "current_node")
    if current in nodes and current is not None:
        return current
    parents = set(_parents(nodes).values())
    leaves = [key for key in nodes if key not in parents] or list(nodes)
    times = {key: known_time(as_object(nodes[key].get("message")).get("create_time"), now) for key in leaves}
    return max(leaves, key=lambda key: times[key] or _LONG_AGO, default="")
