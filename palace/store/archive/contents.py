"""What is in an archive, read without a server: its schema, its revision, its table of contents.

The format is pg_dump's custom one; the table of contents is what ``pg_restore --list`` writes (PostgreSQL
documentation, pg_restore, option ``--use-list``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from palace.errors import BadRequest, UnreadableSource
from palace.store.archive.programs import ProgramFailure, run_client
from palace.store.schema import HEAD, Schema

REVISION_TABLE = "schema_revision"
TABLES = frozenset({REVISION_TABLE, "palace_user", "conversation", "wing", "room", "drawer", "passage"})
"""Tables of every revision: a schema without one of them is no palace."""
OWNER_POLICY = "owner_maintains"

_ENTRY = re.compile(r"\d+; \d+ \d+ (?P<kind>[A-Z][A-Z ]*) (?P<schema>\S+) (?P<name>.+) \S*")
_REVISION = re.compile(r"^COPY [^\n]* FROM stdin;\n(\w+)\n\\\.$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Archive:
    """A backup file that has been looked into."""

    path: Path
    schema: str
    revision: str
    contents: str
    """What to restore of it, in order: a list for ``pg_restore --use-list``."""


def read_archive(path: Path) -> Archive:
    """Look into a backup.

    Raises:
        UnreadableSource: it is missing, something else than a backup of a palace, or cut off.
    """
    try:
        if not path.is_file():
            raise UnreadableSource(str(path), "is not a file" if path.exists() else "there is no such file")
    except OSError as problem:
        raise UnreadableSource(str(path), f"cannot be read: {problem.strerror}") from problem
    listed = _ask(path, "--list")
    entries = [entry for line in listed.splitlines() if (entry := _ENTRY.fullmatch(line))]
    if "Format: CUSTOM" not in listed:
        raise UnreadableSource(str(path), "is not an archive of pg_dump in its custom format")
    schema = _palace_schema(path, entries)
    kept = (entry[0] for entry in entries if _belongs(entry, schema))
    return Archive(path, schema, _revision(path, schema), "".join(f"{line}\n" for line in kept))


def require_restorable(archive: Archive, schema: Schema) -> None:
    """Make sure that this program can restore an archive into a schema.

    Raises:
        BadRequest: it holds a palace of another schema.
        UnreadableSource: it was made by a newer program.
    """
    if archive.schema != schema.name:
        raise BadRequest(
            f"{archive.path} holds the schema {archive.schema!r}, this palace is {schema.name!r}:"
            f" set PALACE_DATABASE_SCHEMA={archive.schema}; nothing was changed"
        )
    if archive.revision > HEAD:
        raise UnreadableSource(
            str(archive.path),
            f"is at schema revision {archive.revision}, newer than this program ({HEAD}):"
            " update the program; nothing was changed",
        )


def _ask(path: Path, *arguments: str) -> str:
    try:
        return run_client("pg_restore", *arguments, path.absolute())
    except ProgramFailure as problem:
        raise UnreadableSource(str(path), f"is not a backup of Palace, or is cut off ({problem})") from problem


def _palace_schema(path: Path, entries: list[re.Match[str]]) -> str:
    tables: dict[str, set[str]] = {}
    for entry in entries:
        if entry["kind"] == "TABLE":
            tables.setdefault(entry["schema"], set()).add(entry["name"])
    palaces = [schema for schema, names in tables.items() if names >= TABLES]
    if len(palaces) != 1:
        raise UnreadableSource(str(path), f"is not a backup of Palace: it holds {len(palaces)} palaces")
    return palaces[0]


def _belongs(entry: re.Match[str], schema: str) -> bool:
    """Tell what is the palace's own; policies of its former owner are made for its new one instead."""
    schemas = {schema, Schema(schema).queue}
    if entry["schema"] == "-":
        return entry["name"].removeprefix("SCHEMA ") in schemas
    of_former_owner = entry["kind"] == "POLICY" and entry["name"].endswith(f" {OWNER_POLICY}")
    return entry["schema"] in schemas and not of_former_owner and entry["kind"] != "DEFAULT ACL"


def _revision(path: Path, schema: str) -> str:
    rows = _ask(path, "--data-only", f"--schema={schema}", f"--table={REVISION_TABLE}", "--file=-")
    found = _REVISION.search(rows)
    if found is None:
        raise UnreadableSource(str(path), "is not a backup of Palace: it names no schema revision")
    return found[1]
