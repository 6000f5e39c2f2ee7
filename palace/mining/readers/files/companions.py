"""What a file of an export needs to know of those that lie beside it."""

from __future__ import annotations

import json

from palace.errors import UnreadableSource
from palace.mining.readers.fields import as_object, id_field, text_field
from palace.mining.readers.files.source import StoredFile
from palace.mining.readers.reading import Reading


def note_companions(source: StoredFile, reading: Reading) -> None:
    """Count what of the export is not read, and learn the names of its projects."""
    for kind, count in source.beside.left_out.items():
        reading.leave_out(kind, count)
    for member in source.beside.projects:
        reading.projects.update(_project_names(source, member))


def _project_names(source: StoredFile, member: str) -> dict[str, str]:
    try:
        with source.container.open(member) as stream:
            value = json.loads(stream.read())
    except (UnreadableSource, ValueError, RecursionError):
        return {}  # the file is a source of its own, and says so when it is read
    projects = [as_object(item) for item in (value if isinstance(value, list) else [value])]
    return {uuid: name for one in projects if (uuid := id_field(one, "uuid")) and (name := text_field(one, "name"))}
