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
    ActivityLine,
    AliasPart,
    ConversationLine,
    DecisionLine,
    DrawerLine,
    ExportedConversation,
    FormerPlace,
    HeaderLine,
    Line,
    ReplyLine,
    RoomLine,
    RunLine,
    SettingLine,
    TombstoneLine,
    WingLine,
)
from palace.files.values import LARGEST
from palace.records import Role, WingKind
from palace.records.graph import MOST_DECISIONS, DecisionVerb, EntityType
from palace.transfer.lines import read_line, write_line
from palace.transfer.parsing import Part, read_export
from palace.transfer.writing import ExportWriter

MOMENT = datetime(2026, 4, 30, 18, 20, 0, 123456, tzinfo=UTC)
HEADER = HeaderLine(UUID("6a1a2f0e-3d0c-4a57-9f60-0f4f5a1d2b3c"), 2)
RUN = RunLine("a.json", MOMENT, MOMENT, 2, None, ())
EVENT = ActivityLine("memory_mined", MOMENT, 1, {"drawers_new": 2, "failures": []})
WING = WingLine(1, "boats", "Boats", WingKind.TOPIC, 2, MOMENT, ())
DECISION = DecisionLine(
    DecisionVerb.SPLIT, "Anna", EntityType.PERSON, "Anna (2)", EntityType.PERSON, ("openai:a",), MOMENT, None
)
SETTING = SettingLine("coder", "gate", ["greeting"], MOMENT)
CONVERSATION = ConversationLine("openai:a", "openai", "On boats", 1, MOMENT)
ROOM = RoomLine("", 1, 1, "On boats", None, 8, MOMENT, ())
DRAWER = DrawerLine("", 1, 1, b"\x01" * 16, 0, Role.USER, None, None, MOMENT, False, False, "Which battery?")
TOMBSTONE = TombstoneLine(b"\x02" * 16, 1, MOMENT, None)
REPLIED: dict[str, Any] = {"entities": [{"text": "Anna", "turn": 1}], "assertions": [], "topics": ["battery"]}
REPLY = ReplyLine(b"\x03" * 32, "openai/gpt-4o-mini", 1, (b"\x01" * 16,), REPLIED, MOMENT)
LINES: tuple[Line, ...] = (RUN, EVENT, WING, DECISION, SETTING, CONVERSATION, ROOM, DRAWER, TOMBSTONE, REPLY)

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
names = texts.filter(bool)
slices = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=200)
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
        ActivityLine,
        st.from_regex(r"[a-z]{1,9}(_[a-z]{1,9}){0,2}", fullmatch=True),
        moments,
        st.none() | numbers,
        st.dictionaries(texts, st.none() | st.booleans() | st.integers() | texts | st.lists(texts), max_size=4),
    ),
    st.builds(
        DecisionLine,
        st.sampled_from(DecisionVerb),
        names.filter(lambda name: len(name) <= 1000),
        st.sampled_from(EntityType),
        names.filter(lambda name: len(name) <= 1000),
        st.sampled_from(EntityType),
        st.none() | st.lists(names).map(tuple),
        moments,
        st.none() | moments,
    ),
    st.builds(
        SettingLine,
        texts.filter(lambda name: len(name) <= 200),
        st.from_regex(r"[a-z]{1,9}(_[a-z]{1,9}){0,2}", fullmatch=True),
        st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts | st.lists(texts),
        moments,
    ),
    st.builds(
        WingLine,
        numbers,
        slices.filter(bool),
        texts,
        st.sampled_from(WingKind),
        sequences,
        moments,
        st.lists(st.builds(AliasPart, names.filter(lambda name: len(name) <= 200), texts, st.none() | numbers)).map(
            tuple
        ),
    ),
    st.builds(ConversationLine, names, texts, st.none() | texts, numbers, moments),
    st.builds(
        RoomLine,
        slices,
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
        slices,
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
    st.builds(
        ReplyLine,
        st.binary(min_size=32, max_size=32),
        names.filter(lambda name: len(name) <= 1000),
        numbers,
        st.lists(st.binary(min_size=1, max_size=20), min_size=1, max_size=5).map(tuple),
        st.fixed_dictionaries({"entities": st.lists(texts, max_size=2), "assertions": st.just([])}),
        moments,
    ),
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
    found = read(file_of(RUN, EVENT, WING, CONVERSATION, ROOM, *drawers, TOMBSTONE))
    assert found == [HEADER, RUN, EVENT, WING, ExportedConversation(CONVERSATION, (ROOM,), drawers, (TOMBSTONE,))]
    assert read(file_of(*LINES))[-1] == ExportedConversation(CONVERSATION, (ROOM,), (DRAWER,), (TOMBSTONE,), (REPLY,))


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
        read(file_of(*LINES[:7]).rsplit(b"\n", 2)[0] + b"\n" + junk + b"\n")


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
        ("setting", _with(agent="a" * 201), "'agent' is longer than 200 characters"),
        ("setting", _with(name="Top K"), "'name'"),
        ("setting", _with(value={"a": 1}), "'value' is no value of a setting"),
        ("setting", _with(value=None), "'value' is no value of a setting"),
        ("setting", _with(value="x" * 10_001), "'value' is longer than 10,000 characters"),
        ("decision", _with(verb="marry"), "'verb' is none of merge, split, rename"),
        ("decision", _with(type="animal"), "'type' is none of person, place"),
        ("decision", _with(name=""), "'name' is empty"),
        ("decision", _with(other="x" * 2000), "'other' is longer than 1,000 characters"),
        ("decision", _with(conversations="openai:a"), "'conversations' is not an array"),
        ("activity", _with(kind="Mined"), "of this activity, 'kind' "),
        ("activity", _with(details=[]), "of this activity, 'details' is not an object"),
        ("activity", _with(details={"a": "\0"}), "'details' holds a NUL or a lone surrogate"),
        ("activity", _with(details={"a": float("inf")}), "'details' is no JSON that a database can hold"),
        ("activity", _with(details={"a": "x" * 100_000}), "'details' is longer than 100,000 characters"),
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
        ("reply", _with(drawers=["09"]), "is about the drawer '09', which its conversation does not have"),
        ("reply", _with(digest="03"), "of this reply, 'digest' does not have 32 bytes"),
        ("reply", _with(model="m" * 1001), "'model' is longer than 1,000 characters"),
        ("reply", _with(reply="names"), "'reply' is not an object"),
        ("reply", _with(reply={"entities": []}), "'reply' does not have 'entities', 'assertions' and 'topics'"),
        ("reply", _with(reply=REPLIED | {"order": []}), "'reply' does not have 'entities', 'assertions' and 'topics'"),
        ("reply", _with(reply=REPLIED | {"topics": "all"}), "'reply' holds what is not an array"),
        ("reply", _with(reply=REPLIED | {"topics": ["x" * 500_000]}), "'reply' is longer than 500,000 characters"),
        ("reply", _with(reply=REPLIED | {"topics": ["\0"]}), "'reply' holds a NUL or a lone surrogate"),
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
        ((RUN, WING, EVENT), "is out of order"),
        ((RUN, DECISION, WING), "is out of order"),
        ((RUN, WING, SETTING, DECISION), "is out of order"),
        ((RUN, SETTING, SETTING), "repeats the setting ('coder', 'gate')"),
        ((EVENT,), "cites run 1, but there are 0"),
        ((RUN, WING, WING), "repeats the wing 1"),
        ((RUN, WING, dataclasses.replace(WING, number=2)), "repeats the wing's slug 'boats'"),
        ((RUN, WING, CONVERSATION, CONVERSATION), "repeats the conversation 'openai:a'"),
        ((*LINES[:7], ROOM), "repeats the room (1, 1)"),
        ((*LINES[:7], dataclasses.replace(ROOM, number=2)), "is the second room of the slice ''"),
        ((*LINES[:8], DRAWER), "is the second drawer 1 of its room"),
        ((*LINES[:8], dataclasses.replace(DRAWER, number=2)), f"repeats the drawer '{'01' * 16}'"),
        ((*LINES[:9], TOMBSTONE), f"repeats the tombstone '{'02' * 16}'"),
        ((*LINES, REPLY), f"repeats the reply '{'03' * 32}'"),
        ((*LINES[:8], REPLY, TOMBSTONE), "is out of order"),
        ((WING, RUN), "is out of order"),
        ((RUN, WING, ROOM), "is out of order"),
        ((*LINES, WING), "is out of order"),
        ((*LINES, DRAWER), "is out of order"),
        ((RUN, WING, dataclasses.replace(DECISION, name="?!")), "has no letter or digit in 'name'"),
        ((RUN, WING, dataclasses.replace(DECISION, other=" ")), "has no letter or digit in 'other'"),
        (
            (RUN, WING, dataclasses.replace(DECISION, verb=DecisionVerb.MERGE, conversations=("openai:a",))),
            "is about some conversations, which only a split may be",
        ),
        ((RUN, WING, *[DECISION] * (MOST_DECISIONS + 1)), "is one decision more than the 5,000 that a palace keeps"),
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
        (b'{"format":"palace-export","version":6}\n', "version 6, this program reads versions 1 to 5"),
        (b'{"format":"palace-export","version":true}\n', "version True, this program reads versions 1 to 5"),
        (b'{"format":"palace-export","version":1,"palace":"mine","wing_seq":0}\n', "'palace' is not a UUID"),
        (b'{"format":"palace-export","version":1}\n', "lacks 'palace'"),
    ],
)
def test_a_file_that_is_no_export_of_this_version_is_told_so(header: bytes, message: str) -> None:
    with pytest.raises(UnreadableSource) as refused:
        read(header)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
