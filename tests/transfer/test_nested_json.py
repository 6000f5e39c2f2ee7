"""JSON that is nested without end: no file brings it in, and what a palace has of it can be written."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from palace import BadRequest, Palace, UnreadableSource
from palace.files.nesting import LEFT_OUT, MOST_LEVELS
from tests.transfer.conftest import OPEN, execute, export_of, lines_of
from tests.transfer.test_format import EVENT, LINES, REPLY, RUN, Line, file_of, read, read_line, resealed, write_line


def nested(levels: int) -> dict[str, Any]:
    """Objects within each other, the outermost counted."""
    written = '{"a":' * (levels - 1) + "{}" + "}" * (levels - 1)
    return {"a": json.loads(written)["a"]} if levels > 1 else {}


def test_what_is_nested_without_end_is_refused_by_its_line() -> None:
    for levels in (MOST_LEVELS + 1, 900):
        event, reply = nested(levels), {"entities": [nested(levels - 2)], "assertions": []}
        for named, place, line in (
            ("'details'", 3, {**_line(EVENT), "details": event}),
            ("'reply'", 11, {**_line(REPLY), "reply": reply}),
        ):
            lines = [write_line(each) for each in LINES]
            lines[place - 2] = json.dumps(line).encode() + b"\n"
            whole = resealed(file_of().splitlines(keepends=True)[0] + b"".join(lines) + b'{"end":"palace-export"}\n')
            with pytest.raises(UnreadableSource, match=f"line {place}: of this .*, {named} is nested deeper than"):
                read(whole)


def test_a_line_of_nothing_but_brackets_is_refused() -> None:
    whole = file_of(RUN).splitlines(keepends=True)
    with pytest.raises(UnreadableSource, match="is not JSON"):
        read(whole[0] + b'{"a":' + b"[" * 200_000 + b"\n" + whole[-1])


def test_what_is_nested_as_deep_as_may_be_is_read_and_written() -> None:
    event = dataclasses.replace(EVENT, details=nested(MOST_LEVELS))
    assert read_line(write_line(event)) == event


def test_what_a_palace_has_of_it_is_exported_as_far_as_it_can_be_imported(
    full: Palace, open_palace: OPEN, tmp_path: Path
) -> None:
    for levels in (300, 900, 5000):
        plant(full, levels)
    path = tmp_path / "palace.jsonl"
    summary = full.transfer.export(path)
    assert summary.warnings == (
        "left out of events: what is nested deeper than 32 levels, in 3",
        "left out of replies: what is nested deeper than 32 levels, in 1",
    )
    assert path.read_text().count(LEFT_OUT) == 4
    copy = open_palace()
    copy.transfer.load(path)
    assert lines_of(export_of(copy))[:-1] == lines_of(path.read_bytes())[:-1]
    full.transfer.load(path)
    assert export_of(full) == path.read_bytes()


def test_a_setting_of_nothing_but_brackets_is_refused(palace: Palace) -> None:
    for name in ("secrets_patterns", "secrets_allowed", "gate"):
        with pytest.raises(BadRequest):
            palace.settings.set(name, "[" * 20_000)


def plant(palace: Palace, levels: int) -> None:
    """Put it into a palace as earlier versions took it from a file."""
    deep = json.dumps("[" * levels + "]" * levels)[1:-1]
    execute(
        palace,
        "INSERT INTO activity (user_id, kind, happened_at, details) SELECT id, 'turn_deep', '2026-01-05 10:00:02+00',"
        f" jsonb_build_object('deep', CAST('{deep}' AS jsonb)) FROM palace_user WHERE id = :user_id",
        f"UPDATE extraction_reply SET reply = jsonb_set(reply, '{{entities}}', CAST('{deep}' AS jsonb))"
        " WHERE user_id = :user_id",
    )


def _line(line: Line) -> dict[str, Any]:
    return dict(json.loads(write_line(line)))
