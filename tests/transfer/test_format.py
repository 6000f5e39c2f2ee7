"""The format alone: what is written is read again, and what is not an export is refused."""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.errors import UnreadableSource
from palace.files.lines import (
    LARGEST,
    AliasPart,
    ConversationLine,
    DrawerLine,
    ExportedConversation,
    FormerPlace,
    HeaderLine,
    Line,
    Malformed,
    RoomLine,
    RunLine,
    TombstoneLine,
    WingLine,
)
from palace.intake import limits
from palace.intake.limits import bounded_id
from palace.records import Role, WingKind
from palace.transfer import parsing
from palace.transfer.lines import read_line, write_line
from palace.transfer.parsing import Part, read_export
from palace.transfer.writing import ExportWriter

MOMENT = datetime(2026, 4, 30, 18, 20, 0, 123456, tzinfo=UTC)
HEADER = HeaderLine(UUID("6a1a2f0e-3d0c-4a57-9f60-0f4f5a1d2b3c"), 2)
RUN = RunLine("a.json", MOMENT, MOMENT, 2, None, ())
WING = WingLine(1, "boats", "Boats", WingKind.TOPIC, 2, MOMENT, ())
CONVERSATION = ConversationLine("openai:a", "openai", "On boats", 1, MOMENT)
ROOM = RoomLine("", 1, 1, "On boats", None, 8, MOMENT, ())
DRAWER = DrawerLine("", 1, 1, b"\x01" * 16, 0, Role.USER, None, None, MOMENT, False, False, "Which battery?")
TOMBSTONE = TombstoneLine(b"\x02" * 16, 1, MOMENT, None)
LINES: tuple[Line, ...] = (RUN, WING, CONVERSATION, ROOM, DRAWER, TOMBSTONE)

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
names = texts.filter(bool)
numbers = st.integers(1, LARGEST)
sequences = st.integers(0, LARGEST)
counts = st.integers(0, 2**31 - 1)
moments = st.datetimes(
    datetime(1, 1, 2),  # noqa: DTZ001 — hypothesis wants naive bounds
    datetime(9999, 12, 30),  # noqa: DTZ001
    timezones=st.sampled_from([UTC, timezone(timedelta(hours=-7))]),
)
lines = st.one_of(
    st.builds(RunLine, texts, moments, st.none() | moments, counts, st.none() | moments, st.lists(numbers).map(tuple)),
    st.builds(
        WingLine,
        numbers,
        names,
        texts,
        st.sampled_from(WingKind),
        sequences,
        moments,
        st.lists(st.builds(AliasPart, names, texts, st.none() | numbers)).map(tuple),
    ),
    st.builds(ConversationLine, names, texts, st.none() | texts, numbers, moments),
    st.builds(
        RoomLine,
        texts,
        numbers,
        numbers,
        texts,
        st.none() | moments,
        sequences,
        moments,
        st.lists(st.builds(FormerPlace, numbers, numbers)).map(tuple),
    ),
    st.builds(
        DrawerLine,
        texts,
        numbers,
        numbers,
        st.binary(min_size=1, max_size=20),
        counts,
        st.sampled_from(Role),
        st.none() | texts,
        st.none() | moments,
        moments,
        st.booleans(),
        st.booleans(),
        texts,
    ),
    st.builds(TombstoneLine, st.binary(min_size=1, max_size=20), counts, moments, st.none() | numbers),
)


def file_of(*lines: Line, header: HeaderLine = HEADER) -> bytes:
    """Write a whole export."""
    stream = io.BytesIO()
    writer = ExportWriter(stream, header)
    for line in lines:
        writer.write(line)
    writer.finish()
    return stream.getvalue()


def read(export: bytes) -> list[Part]:
    """Read a whole export."""
    return list(read_export(io.BytesIO(export), "palace.jsonl"))


def resealed(export: bytes) -> bytes:
    """Give a changed export the last line that its writer would have given it."""
    lines = export.splitlines(keepends=True)[:-1]
    stream = io.BytesIO()
    writer = ExportWriter(stream, HEADER)
    for line in lines[1:]:
        writer._write(line)
    writer.finish()
    return stream.getvalue()


@given(lines)
def test_a_line_is_read_as_it_was_written(line: Line) -> None:
    written = write_line(line)
    assert read_line(written) == line
    assert write_line(read_line(written)) == written  # type: ignore[arg-type]


@given(lines)
def test_a_line_is_one_line_to_every_program(line: Line) -> None:
    assert len(write_line(line).decode("utf-8").splitlines()) == 1


@given(st.lists(texts, max_size=8))
def test_a_file_is_read_as_it_was_written(contents: list[str]) -> None:
    numbered = zip(count(1), contents, strict=False)
    drawers = tuple(
        dataclasses.replace(DRAWER, number=place, identity=place.to_bytes(16, "big"), content=content)
        for place, content in numbered
    )
    found = read(file_of(RUN, WING, CONVERSATION, ROOM, *drawers, TOMBSTONE))
    assert found == [HEADER, RUN, WING, ExportedConversation(CONVERSATION, (ROOM,), drawers, (TOMBSTONE,))]


@given(st.data())
def test_a_file_that_is_cut_off_anywhere_is_refused(data: st.DataObject) -> None:
    export = file_of(*LINES)
    length = data.draw(st.integers(0, len(export) - 1))
    with pytest.raises(UnreadableSource):
        read(export[:length])


@given(st.data())
def test_a_file_with_a_changed_byte_is_refused(data: st.DataObject) -> None:
    export = bytearray(file_of(*LINES))
    place = data.draw(st.integers(0, len(export) - 1))
    export[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(UnreadableSource):
        read(bytes(export))


@given(st.binary(max_size=300))
def test_anything_else_is_refused_without_a_traceback(junk: bytes) -> None:
    with pytest.raises(UnreadableSource):
        read(junk)
    with pytest.raises(UnreadableSource):
        read(file_of(*LINES[:4]).rsplit(b"\n", 2)[0] + b"\n" + junk + b"\n")


def _without(member: str) -> Callable[[dict[str, Any]], None]:
    return lambda line: line.pop(member)


def _with(**members: Any) -> Callable[[dict[str, Any]], None]:
    return lambda line: line.update(members)


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        ("run", _with(started_at="2026-04-30T18:20:00"), "of this run, 'started_at' is a time without an offset"),
        ("run", _with(started_at="yesterday"), "'started_at' is not an ISO 8601 time"),
        ("run", _with(started_at="0001-01-01T00:00:00+10:00"), "'started_at' is not in the years 1 to 9999"),
        ("run", _with(started_at="9999-12-31T23:00:00+00:00"), "'started_at' is not in the years 1 to 9999"),
        ("run", _with(drawer_count=-1), "'drawer_count' is not between 0 and 2,147,483,647"),
        ("run", _with(drawer_count=2**31), "'drawer_count' is not between"),
        ("run", _with(drawer_count=True), "'drawer_count' is not an integer"),
        ("run", _with(drawer_count=1.0), "'drawer_count' is not an integer"),
        ("run", _with(basis=1), "'basis' is not an array"),
        ("run", _with(line="batch"), "is of no known kind"),
        ("wing", _with(kind="category"), "'kind' is none of person, project, topic, agent"),
        ("wing", _with(number=0), "'number' is not 1 or more"),
        ("wing", _with(number=2**31 - 1), "has the wing number 2147483647, though the last given out is 2"),
        ("wing", _with(room_seq=2**31), "'room_seq' is not between 0 and 2,147,483,647"),
        ("conversation", _with(edges=[0] * 101), "'edges' has more than 100 values"),
        ("wing", _with(number=9), "has the wing number 9, though the last given out is 2"),
        ("wing", _with(slug=""), "'slug' is empty"),
        ("wing", _with(slug="s" * 201), "'slug' is longer than 200 characters"),
        ("wing", _with(name="n" * 1001), "'name' is longer than 1,000 characters"),
        ("wing", _with(aliases=[{"slug": "a"}]), "'aliases' lacks 'name'"),
        ("conversation", _with(run=2), "cites run 2, but there are 1"),
        ("conversation", _with(title=3), "'title' is not a text"),
        ("room", _with(wing=9), "cites wing 9, which is not among the wings"),
        ("room", _with(slice="d" * 201), "'slice' is longer than 200 characters"),
        ("room", _with(number=3), "has the room number 3, though the last given out is 2"),
        ("drawer", _with(number=9), "has the drawer number 9, though the last given out is 8"),
        ("drawer", _with(identity="00" * 65), "'identity' is longer than 128 characters"),
        ("drawer", _with(speaker="s" * 1001), "'speaker' is longer than 1,000 characters"),
        ("room", _with(former=[[1]]), "'former' is not an array of two numbers"),
        ("drawer", _with(slice="2026-01-01"), "cites the slice '2026-01-01', of which its conversation has no room"),
        ("drawer", _with(identity="xyz"), "'identity' is not in hexadecimal"),
        ("drawer", _with(identity="AB"), "'identity' is not in lower-case hexadecimal"),
        ("drawer", _with(role="robot"), "'role' is none of user, assistant, system, tool"),
        ("drawer", _with(is_revision=0), "'is_revision' is neither true nor false"),
        ("drawer", _with(content="a\x00b"), "'content' holds a NUL or a lone surrogate"),
        ("drawer", _with(content="\ud800"), "'content' holds a NUL or a lone surrogate"),
        ("drawer", _with(owner="derek"), "has 'owner', which it cannot have"),
        ("drawer", _without("content"), "of this drawer, lacks 'content'"),
        ("drawer", _with(**{"\ud800": 1}), "of this drawer, holds a NUL or a lone surrogate"),
        ("drawer", _without("reading"), "of this drawer, lacks 'reading'"),
        ("drawer", _with(reading=2**15), "'reading' is not 32,767 or less"),
        ("drawer", _with(said_offset=1440), "'said_offset' is not an offset in minutes"),
        ("drawer", _with(role=1), "'role' is none of user, assistant, system, tool"),
        ("conversation", _with(edges=[2**63]), "'edges' is not an integer of 64 bits"),
        ("room", _with(former=[{"wing": 1, "room": 1}]), "'former' is not an array of two numbers"),
        ("room", _with(former=[[1, "2"]]), "'former' is not an integer"),
        ("wing", _with(aliases=["a"]), "'aliases' is not an object"),
        ("wing", _with(aliases=[{"slug": "a", "name": "", "number": 0}]), "'aliases' 'number' is not 1 or more"),
        ("tombstone", _with(restored_by=5), "cites run 5, but there are 1"),
    ],
)
def test_a_line_that_is_wrong_is_named_with_its_place(
    kind: str, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    raw = [json.loads(line) for line in file_of(*LINES).splitlines()]
    place = next(place for place, line in enumerate(raw) if line.get("line") == kind)
    change(raw[place])
    export = resealed(b"".join(json.dumps(line).encode() + b"\n" for line in raw))
    with pytest.raises(UnreadableSource) as refused:
        read(export)
    assert message in str(refused.value)
    assert str(refused.value).startswith("palace.jsonl, line ")
    assert refused.value.place == f"line {place + 1}"


def test_a_run_may_rely_on_a_later_one_but_not_on_one_that_never_comes() -> None:
    relying = dataclasses.replace(RUN, basis=(2,))
    assert read(file_of(relying, RUN)) == [HEADER, relying, RUN]
    with pytest.raises(UnreadableSource, match="cites run 2, but there are 1"):
        read(file_of(relying))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((RUN, WING, WING), "repeats the wing 1"),
        ((RUN, WING, dataclasses.replace(WING, number=2)), "repeats the wing's slug 'boats'"),
        ((RUN, WING, CONVERSATION, CONVERSATION), "repeats the conversation 'openai:a'"),
        ((*LINES[:4], ROOM), "repeats the room (1, 1)"),
        ((*LINES[:4], dataclasses.replace(ROOM, number=2)), "is the second room of the slice ''"),
        ((*LINES[:5], DRAWER), "is the second drawer 1 of its room"),
        ((*LINES[:5], dataclasses.replace(DRAWER, number=2)), f"repeats the drawer '{'01' * 16}'"),
        ((*LINES, TOMBSTONE), f"repeats the tombstone '{'02' * 16}'"),
        ((WING, RUN), "is out of order"),
        ((RUN, WING, ROOM), "is out of order"),
        ((*LINES, WING), "is out of order"),
        ((*LINES, DRAWER), "is out of order"),
    ],
)
def test_lines_that_contradict_each_other_are_refused(lines: tuple[Line, ...], message: str) -> None:
    with pytest.raises(UnreadableSource) as refused:
        read(file_of(*lines))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b"", "is not an export of a palace"),
        (b"PK\x03\x04" * 3000, "is not an export of a palace"),
        (b'[{"role": "user", "content": "Hello."}]\n', "is not an export of a palace"),
        (b"\xef\xbb\xbf{}\n", "is not an export of a palace"),
        (b"[" * 4000 + b"\n", "is not an export of a palace"),
        (b'{"format":"palace-export","version":3}\n', "version 3, this program reads versions 1 to 2"),
        (b'{"format":"palace-export","version":true}\n', "version True, this program reads versions 1 to 2"),
        (b'{"format":"palace-export","version":1,"palace":"mine","wing_seq":0}\n', "'palace' is not a UUID"),
        (b'{"format":"palace-export","version":1}\n', "lacks 'palace'"),
    ],
)
def test_a_file_that_is_no_export_of_this_version_is_told_so(header: bytes, message: str) -> None:
    with pytest.raises(UnreadableSource) as refused:
        read(header)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_message_that_no_drawer_can_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LARGEST_MESSAGE", 100)
    large = dataclasses.replace(DRAWER, content="ä" * 51)
    with pytest.raises(UnreadableSource, match=r"line 6: of this drawer, 'content' is too large: .* has 102 bytes"):
        read(file_of(*LINES[:4], large))
    fitting = dataclasses.replace(DRAWER, content="ä" * 50)
    assert read(file_of(*LINES[:4], fitting))


def test_a_line_without_an_end_is_not_read_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "LONGEST_LINE", 300)
    [header, run, _] = file_of(RUN).splitlines(keepends=True)
    with pytest.raises(UnreadableSource, match="line 3: is longer than a line can be"):
        read(header + run + b"x" * 1000)


@given(names)
def test_an_identity_that_is_too_long_is_taken_as_mining_would_make_it(beginning: str) -> None:
    long = dataclasses.replace(CONVERSATION, identity=f"{beginning}{'x' * 20_000}")
    taken = read_line(write_line(long))
    assert isinstance(taken, ConversationLine)
    assert len(taken.identity.encode()) < 2000
    assert taken.identity == bounded_id(long.identity)


def test_a_line_of_nothing_but_brackets_is_refused() -> None:
    with pytest.raises(Malformed, match="is not JSON"):
        read_line(b'{"a":' + b"[" * 200_000 + b"\n")


def test_what_follows_the_last_line_is_refused() -> None:
    with pytest.raises(UnreadableSource, match="the file goes on"):
        read(file_of(*LINES) + b"\n")
