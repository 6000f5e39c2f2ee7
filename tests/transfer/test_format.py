"""The format alone: what is written is read again, and what is not an export is refused."""

from __future__ import annotations

import dataclasses
import io
import itertools
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace import DecisionVerb, EntityType, Role, UnreadableSource, WingKind
from palace.models.lines import (
    ActivityLine,
    AliasPart,
    ConversationLine,
    DecisionLine,
    DrawerLine,
    ExportedConversation,
    HeaderLine,
    Line,
    ReplyLine,
    RoomLine,
    RunLine,
    SettingLine,
    TombstoneLine,
    WingLine,
)
from palace.transfer.export import ExportWriter
from palace.transfer.lines import VERSION, read_line, write_line
from palace.transfer.parsing import Part, read_export
from tests.transfer.conftest import sealed

__all__ = ["AliasPart", "WingLine"]  # what the other tests of lines take

MOMENT = datetime(2026, 4, 30, 18, 20, 0, 123456, tzinfo=UTC)
HEADER = HeaderLine(UUID("6a1a2f0e-3d0c-4a57-9f60-0f4f5a1d2b3c"), 2)
RUN = RunLine("a.json", MOMENT, MOMENT, 2, None, ())
EVENT = ActivityLine("memory_mined", MOMENT, 1, {"drawers_new": 2, "failures": []})
WING = WingLine(1, "boats", "Boats", WingKind.TOPIC, 2, MOMENT, ())
DECISION = DecisionLine(
    DecisionVerb.SPLIT, "Anna", EntityType.PERSON, "Anna (2)", EntityType.PERSON, ("openai:a",), MOMENT, None
)
SETTING = SettingLine("coder", "gate", ["greeting"], MOMENT)
CONVERSATION = ConversationLine("openai:a", "openai", "On boats", 1, MOMENT, ())
ROOM = RoomLine("", 1, 1, "On boats", None, 8, MOMENT, ())
DRAWER = DrawerLine(
    *("", 1, 1, b"\x01" * 16, 0, Role.USER, None, None, MOMENT, False, False, "Which battery?"),
    *(None, 1, None, None, None, None, None, None),
)
TOMBSTONE = TombstoneLine(b"\x02" * 16, 1, MOMENT, None)
REPLIED: dict[str, Any] = {"entities": [{"text": "Anna", "turn": 1}], "assertions": [], "topics": ["battery"]}
REPLY = ReplyLine(b"\x03" * 32, "openai/gpt-4o-mini", 1, (b"\x01" * 16,), REPLIED, MOMENT)
LINES: tuple[Line, ...] = (RUN, EVENT, WING, DECISION, SETTING, CONVERSATION, ROOM, DRAWER, TOMBSTONE, REPLY)

moments = st.datetimes(
    datetime(1, 1, 2),  # noqa: DTZ001 — hypothesis wants naive bounds
    datetime(9999, 12, 30),  # noqa: DTZ001
    timezones=st.sampled_from([UTC, timezone(timedelta(hours=-7))]),
)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))


@st.composite
def lines(draw: st.DrawFn) -> Line:
    """Draw a line of any kind whose texts, times and numbers are any."""
    line = draw(st.sampled_from(LINES))
    drawn: dict[str, Any] = {
        "content": texts,
        "title": st.none() | texts,
        "source": texts,
        "speaker": st.none() | texts,
    }
    drawn |= {"started_at": moments, "filed_at": moments, "forgotten_at": moments, "said_at": st.none() | moments}
    drawn |= {"drawer_count": st.integers(0, 2**31 - 1), "identity": st.binary(min_size=1, max_size=20)}
    names = [each.name for each in dataclasses.fields(line) if each.name in drawn]
    names = [name for name in names if name != "identity" or isinstance(line, DrawerLine)]
    return dataclasses.replace(line, **{name: draw(drawn[name]) for name in names})


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


@given(lines())
def test_a_line_is_read_as_it_was_written_and_is_one_line_to_every_program(line: Line) -> None:
    written = write_line(line)
    assert len(written.decode("utf-8").splitlines()) == 1
    assert read_line(written) == line
    assert write_line(read_line(written)) == written  # type: ignore[arg-type]


@given(st.lists(texts, max_size=8))
def test_a_file_is_read_as_it_was_written(contents: list[str]) -> None:
    numbered = zip(itertools.count(1), contents, strict=False)
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


def _without(member: str) -> Callable[[dict[str, Any]], None]:
    return lambda line: line.pop(member)


def _with(**members: Any) -> Callable[[dict[str, Any]], None]:
    return lambda line: line.update(members)


MEMORY: dict[str, Any] = {
    **{"type": "semantic", "state": "accepted", "origin": "person", "maker": "person", "is_pinned": False},
    **{"importance": 0.5, "confidence": 1.0, "reason": None, "evidence": [], "alike": [], "contradicts": []},
    **{"expires_at": None, "updated_at": "2026-04-30T18:20:00+00:00"},
}
WRONG: tuple[tuple[str, Callable[[dict[str, Any]], None], str], ...] = (
    ("run", _with(started_at="2026-04-30T18:20:00"), "of this run, 'started_at' is a time without an offset"),
    ("run", _with(started_at="0001-01-01T00:00:00+10:00"), "'started_at' is not in the years 1 to 9999"),
    ("setting", _with(agent="a" * 201), "'agent' is longer than 200 characters"),
    ("setting", _with(value={"a": 1}), "'value' is no value of a setting"),
    ("decision", _with(verb="marry"), "'verb' is none of merge, split, rename"),
    ("activity", _with(kind="Mined"), "of this activity, 'kind' "),
    ("activity", _with(details={"a": "x" * 100_000}), "'details' is longer than 100,000 characters"),
    ("activity", _with(details=json.loads('{"a":' * 40 + "{}" + "}" * 40)), "'details' is nested deeper than"),
    ("run", _with(drawer_count=True), "'drawer_count' is not an integer"),
    ("run", _with(line="batch"), "is of no known kind"),
    ("wing", _with(room_seq=2**31), "'room_seq' is not between 0 and 2,147,483,647"),
    ("conversation", _with(edges=[0] * 101), "'edges' has more than 100 values"),
    ("wing", _with(number=9), "has the wing number 9, though the last given out is 2"),
    ("wing", _with(aliases=[{"slug": "a"}]), "'aliases' lacks 'name'"),
    ("conversation", _with(run=2), "cites run 2, but there are 1"),
    ("room", _with(wing=9), "cites wing 9, which is not among the wings"),
    ("drawer", _with(number=9), "has the drawer number 9, though the last given out is 8"),
    ("drawer", _with(slice="2026-01-01"), "cites the slice '2026-01-01', of which its conversation has no room"),
    ("drawer", _with(identity="xyz"), "'identity' is not in hexadecimal"),
    ("drawer", _with(memory=MEMORY | {"importance": float("nan")}), "'memory' 'importance' is not a number"),
    ("drawer", _with(memory=MEMORY | {"confidence": "much"}), "'memory' 'confidence' is not a number"),
    ("drawer", _with(role="robot"), "'role' is none of user, assistant, system, tool"),
    ("drawer", _with(is_revision=0), "'is_revision' is neither true nor false"),
    ("drawer", _with(content="a\x00b"), "'content' holds a NUL or a lone surrogate"),
    ("drawer", _with(owner="derek"), "has 'owner', which it cannot have"),
    ("drawer", _without("content"), "of this drawer, lacks 'content'"),
    ("drawer", _with(said_offset=1440), "'said_offset' is not an offset in minutes"),
    ("room", _with(former=[[1, "2"]]), "'former' is not an integer"),
    ("tombstone", _with(restored_by=5), "cites run 5, but there are 1"),
    ("reply", _with(drawers=["09"]), "is about the drawer '09', which its conversation does not have"),
    ("reply", _with(reply={"entities": []}), "'reply' does not have 'entities', 'assertions' and 'topics'"),
)


def test_a_line_that_is_wrong_is_named_with_its_place() -> None:
    untold = []
    for kind, change, message in WRONG:
        raw = [json.loads(line) for line in file_of(*LINES).splitlines()]
        place = next(place for place, line in enumerate(raw) if line.get("line") == kind)
        change(raw[place])
        told = refusal(sealed(b"".join(json.dumps(line).encode() + b"\n" for line in raw)))
        is_told = message in told and told.startswith(f"palace.jsonl, line {place + 1}: ")
        untold += [] if is_told else [(kind, message, told)]
    assert untold == []


def refusal(export: bytes) -> str:
    """Give why a file is not read, or nothing."""
    try:
        read(export)
    except UnreadableSource as problem:
        return str(problem)
    return ""


def test_a_run_may_rely_on_a_later_one_but_not_on_one_that_never_comes() -> None:
    relying = dataclasses.replace(RUN, basis=(2,))
    assert read(file_of(relying, RUN)) == [HEADER, relying, RUN]
    with pytest.raises(UnreadableSource, match="cites run 2, but there are 1"):
        read(file_of(relying))


CONTRADICTING: tuple[tuple[tuple[Line, ...], str], ...] = (
    ((RUN, WING, EVENT), "is out of order"),
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
    ((RUN, WING, dataclasses.replace(DECISION, name="?!")), "has no letter or digit in 'name'"),
    (
        (RUN, WING, dataclasses.replace(DECISION, verb=DecisionVerb.MERGE, conversations=("openai:a",))),
        "is about some conversations, which only a split may be",
    ),
    ((RUN, WING, *[DECISION] * 5001), "is one decision more than the 5,000 that a palace keeps"),
)


def test_lines_that_contradict_each_other_are_refused() -> None:
    told = [(refusal(file_of(*lines)), message) for lines, message in CONTRADICTING]
    assert [(said, message) for said, message in told if message not in said] == []


FOREIGN = (
    (b"", "is not an export of a palace"),
    (b'[{"role": "user", "content": "Hello."}]\n', "is not an export of a palace"),
    (b'{"format":"palace-export","version":7}\n', "version 7, this program reads versions 5 to 6"),
    (b'{"format":"palace-export","version":true}\n', "version True, this program reads versions 5 to 6"),
    (b'{"format":"palace-export","version":5,"palace":"mine","wing_seq":0}\n', "'palace' is not a UUID"),
    (b'{"format":"palace-export","version":5}\n', "lacks 'palace'"),
)


def test_a_file_that_is_no_export_of_this_version_is_told_so_in_one_line() -> None:
    told = [(refusal(header), message) for header, message in FOREIGN]
    assert [(said, message) for said, message in told if message not in said or "\n" in said] == []


def test_what_follows_the_last_line_is_refused() -> None:
    assert "the file goes on" in refusal(file_of(*LINES) + b"\n")


def test_a_line_without_an_end_is_not_read_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palace.transfer.parsing.LONGEST_LINE", 300)
    [header, run, _] = file_of(RUN).splitlines(keepends=True)
    assert "line 3: is longer than a line can be" in refusal(header + run + b"x" * 1000)


def test_an_identity_that_is_too_long_is_taken_as_mining_would_make_it() -> None:
    long = dataclasses.replace(CONVERSATION, identity=f"openai:{'x' * 20_000}")
    taken = read_line(write_line(long))
    assert isinstance(taken, ConversationLine)
    assert len(taken.identity.encode()) < 2000
    assert read_line(write_line(taken)) == taken


def test_the_page_on_exports_names_the_version_that_is_written() -> None:
    page = (Path(__file__).parents[2] / "docs" / "export.md").read_text()
    assert re.findall(r"^(?:## The format, version|version  ) (\d+)$", page, re.MULTILINE) == [str(VERSION)] * 2
