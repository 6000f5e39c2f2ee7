"""The lines of an export: records to bytes and back. Pure; docs/export.md describes the format field by field."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from palace.intake.limits import LONGEST_NAME
from palace.records import (
    AliasPart,
    ConversationLine,
    DrawerLine,
    EndLine,
    FormerPlace,
    HeaderLine,
    Line,
    Role,
    RoomLine,
    RunLine,
    TombstoneLine,
    WingKind,
    WingLine,
)
from palace.transfer.fields import (
    Malformed,
    Read,
    at_most,
    count,
    flag,
    hashed,
    identity,
    indexed,
    key,
    message,
    moment,
    name,
    number,
    offset,
    one_of,
    optional,
    pair,
    record,
    sequence,
    several,
    small,
    text,
    written,
)

FORMAT = "palace-export"
VERSION = 2
"""What is written; version 1, of Palace 0.2, is read too."""
FIRST_VERSION = 1
NO_EXPORT = "is not an export of a palace"

# JSON takes these as they are, but some programs end a line at them.
_LINE_ENDS = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}

_SLUG = at_most(200, name)
_SLICE = at_most(200, text)
_NAME = at_most(LONGEST_NAME, text)
_ALIAS = record(AliasPart, {"slug": _SLUG, "name": _NAME, "number": optional(number)})
_READS: dict[str, Read[Line]] = {
    "run": record(
        RunLine,
        {
            "source": text,
            "started_at": moment,
            "finished_at": optional(moment),
            "drawer_count": count,
            "undone_at": optional(moment),
            "basis": several(number),
        },
    ),
    "wing": record(
        WingLine,
        {
            "number": number,
            "slug": _SLUG,
            "name": _NAME,
            "kind": one_of(WingKind),
            "room_seq": sequence,
            "created_at": moment,
            "aliases": several(_ALIAS),
        },
    ),
    "conversation": record(
        ConversationLine,
        {
            "identity": indexed,
            "reader": _NAME,
            "title": optional(_NAME),
            "run": number,
            "filed_at": moment,
            "edges": several(hashed),
        },
    ),
    "room": record(
        RoomLine,
        {
            "slice": _SLICE,
            "wing": number,
            "number": number,
            "name": _NAME,
            "started_at": optional(moment),
            "drawer_seq": sequence,
            "created_at": moment,
            "former": several(pair(FormerPlace)),
        },
    ),
    "drawer": record(
        DrawerLine,
        {
            "slice": _SLICE,
            "number": number,
            "run": number,
            "identity": identity,
            "position": count,
            "role": one_of(Role),
            "speaker": optional(_NAME),
            "said_at": optional(moment),
            "filed_at": moment,
            "is_revision": flag,
            "is_repaired": flag,
            "content": message,
            "said_offset": optional(offset),
            "reading": small,
            "replaced_at": optional(moment),
            "replaced_by": optional(identity),
            "replaced_run": optional(number),
            "answers": optional(identity),
        },
    ),
    "tombstone": record(
        TombstoneLine,
        {"identity": identity, "position": count, "forgotten_at": moment, "restored_by": optional(number)},
    ),
}
_ADDED: dict[str, dict[str, Any]] = {
    "conversation": {"edges": []},
    "drawer": {
        "said_offset": None,
        "reading": 1,
        "replaced_at": None,
        "replaced_by": None,
        "replaced_run": None,
        "answers": None,
    },
}
"""What lines of version 1 lack, and what it is there."""
_KINDS: dict[type[Line], str] = {
    RunLine: "run",
    WingLine: "wing",
    ConversationLine: "conversation",
    RoomLine: "room",
    DrawerLine: "drawer",
    TombstoneLine: "tombstone",
}
_HEADER = record(HeaderLine, {"palace": key, "wing_seq": sequence})
_END = record(EndLine, {"lines": count, "sha256": text})


def write_header(header: HeaderLine) -> bytes:
    """Write the first line."""
    return _line({"format": FORMAT, "version": VERSION, "palace": str(header.palace), "wing_seq": header.wing_seq})


def write_line(line: Line) -> bytes:
    """Write a line between the first and the last."""
    members = {field.name: written(getattr(line, field.name)) for field in fields(line)}
    return _line({"line": _KINDS[type(line)], **members})


def write_end(end: EndLine) -> bytes:
    """Write the last line."""
    return _line({"end": FORMAT, "lines": end.lines, "sha256": end.sha256})


def read_header(raw: bytes) -> tuple[HeaderLine, int]:
    """Read the first line; give the version of the file with it.

    Raises:
        Malformed: it is not the first line of an export, or of one of a later version.
    """
    try:
        members = _members(raw)
    except Malformed as problem:
        raise Malformed(NO_EXPORT) from problem
    if members.pop("format", None) != FORMAT:
        raise Malformed(NO_EXPORT)
    version = members.pop("version", None)
    if isinstance(version, bool) or not isinstance(version, int) or not FIRST_VERSION <= version <= VERSION:
        known = f"versions {FIRST_VERSION} to {VERSION}"
        raise Malformed(f"is an export of version {version!r}, this program reads {known}: update Palace")
    return _HEADER(members), version


def read_line(raw: bytes, version: int = VERSION, *, is_cut: bool = False) -> Line | EndLine:
    """Read any line but the first, of a file of that version; ``is_cut`` where only its beginning was read.

    Raises:
        Malformed: it is not what the format says.
    """
    if is_cut:
        raise Malformed("is longer than a line can be")
    members = _members(raw)
    if members.get("end") == FORMAT:
        del members["end"]
        return _END(members)
    kind = members.pop("line", None)
    if not isinstance(kind, str) or kind not in _READS:
        raise Malformed("is of no known kind")
    try:
        return _READS[kind](_of_first_version(kind, members) if version == FIRST_VERSION else members)
    except Malformed as problem:
        raise Malformed(f"of this {kind}, {problem}") from problem


def _of_first_version(kind: str, members: dict[str, Any]) -> dict[str, Any]:
    added = _ADDED.get(kind, {})
    for member in members:
        if member in added:
            raise Malformed(f"has {member!r}, which it cannot have")
    return members | added


def _line(members: dict[str, object]) -> bytes:
    line = json.dumps(members, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for end, escaped in _LINE_ENDS.items():
        line = line.replace(end, escaped)
    return line.encode("utf-8") + b"\n"


def _members(raw: bytes) -> dict[str, Any]:
    if not raw.endswith(b"\n"):
        raise Malformed("is cut off")
    try:
        members = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as problem:
        raise Malformed("is not JSON in UTF-8") from problem
    if not isinstance(members, dict):
        raise Malformed("is not a JSON object")
    return members
