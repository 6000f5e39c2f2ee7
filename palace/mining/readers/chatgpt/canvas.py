"""Documents of ChatGPT's canvas as exports keep them: a file each in ``textdocs``."""

from __future__ import annotations

from collections.abc import Iterator

from palace.mining.readers.alone import read_each
from palace.mining.readers.chatgpt.conversations import NAME
from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.drafts.messages import time_of
from palace.mining.readers.fields import as_object, id_field, text_field
from palace.mining.readers.json_records import Record
from palace.mining.readers.reading import Reading
from palace.records import Conversation, Role

_FIELDS = {"id", "title", "content", "type"}
_TYPES = ("text/", "code/", "document")


def recognises(value: object) -> bool:
    """Tell a canvas document."""
    record = as_object(value)
    return record.keys() >= _FIELDS and "role" not in record and str(record["type"]).startswith(_TYPES)


def read(records: Iterator[Record], reading: Reading) -> Iterator[Conversation]:
    """Read each document as a note of the assistant's."""
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
