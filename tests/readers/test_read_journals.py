"""Notes that are dated section by section."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palace.records import Conversation, Slicing

Read = Callable[..., list[Conversation]]

quiet = st.text(st.characters(categories=["L"], include_characters=" \n"), max_size=80).map(lambda text: f"{text}\n")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(quiet, st.lists(quiet, min_size=1, max_size=6))
def test_every_line_of_a_dated_note_stands_in_one_turn(read: Read, before: str, texts: list[str]) -> None:
    days = [date(2024, 5, 1) + timedelta(days=number) for number in range(len(texts))]
    written = before + "".join(f"## {day}\n\n{text}x\n\n" for day, text in zip(days, texts, strict=True))
    [found] = read(written, f"{uuid4()}.md")
    said = [turn.content for turn in found.turns]
    assert [line for text in said for line in text.split("\n") if line.strip()] == [
        line for line in written.split("\n") if line.strip()
    ]
    assert all(text in written and text == text.strip("\n") for text in said)
    assert [turn.said_at.date() for turn in found.turns if turn.said_at] == days


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\r\n"])
@pytest.mark.parametrize("title", ["", "# Diary\n\n", "---\ntags: [a]\n---\n\n# Diary\n\n"])
@pytest.mark.parametrize("is_latest_first", [False, True])
def test_a_section_stays_what_it_was_when_the_next_is_written(
    read: Read, end: str, title: str, is_latest_first: bool
) -> None:
    days = [f"## 2024-05-0{number}\n\nOn day {number} it rained.{end}" for number in (1, 2, 3)]
    grown: list[list[str]] = []
    for count in (1, 2, 3):
        written = days[:count][::-1] if is_latest_first else days[:count]
        [found] = read(title + "\n\n".join(written), "diary.md")
        assert found.title == ("Diary" if title else None)
        grown.append([turn.content for turn in found.turns])
    assert grown[0] == grown[1][:-1]
    assert grown[1] == grown[2][:-1]
    assert len(grown[2]) == 3 + title.startswith("---")


def test_a_note_with_its_latest_day_first_grows_at_its_end(read: Read) -> None:
    old = "# Log\n\n## 2024-05-02\nb\n\n## 2024-05-01\na\n"
    new = old.replace("# Log\n\n", "# Log\n\n## 2024-05-03\nc\n\n")
    [before], [after] = read(old, "x.md"), read(new, "x.md")
    assert [turn.content for turn in before.turns[:2]] == [turn.content for turn in after.turns[:2]]
    assert after.turns[0].said_at == datetime(2024, 5, 1, tzinfo=UTC)
    assert after.slicing is Slicing.BY_DAY


def test_a_heading_in_code_and_the_number_of_a_chapter_tell_no_date(read: Read) -> None:
    text = "# Book\n\n## 1.10 Tide\n\n```\n## 2024-05-01\n```\n\n## 12.30 Wind\n"
    [found] = read(text, "x.md")
    assert (found.reader, len(found.turns)) == ("note", 1)


def test_a_heading_may_go_on_behind_its_date(read: Read) -> None:
    for heading in (
        "2024-05-01: beans",
        "2024-05-01 – beans",
        "[2024-05-01] beans",
        "Beans, 1 May 2024",
        "2024-05-01 10:32 beans",
    ):
        [found] = read(f"# {heading}\n\ntext\n\n# 2 May 2024\n\nmore\n", "x.md")
        assert [turn.said_at.date() for turn in found.turns if turn.said_at] == [date(2024, 5, 1), date(2024, 5, 2)]


def test_a_time_below_a_date_is_of_that_day(read: Read) -> None:
    [found] = read("## 2024-05-01\n### 08:00\na\n### 9:30 PM\nb\n## 2024-05-02\n### 07:15 Tide\nc\n", "x.md")
    assert [turn.said_at for turn in found.turns] == [
        datetime(2024, 5, 1, 8, tzinfo=UTC),
        datetime(2024, 5, 1, 21, 30, tzinfo=UTC),
        datetime(2024, 5, 2, 7, 15, tzinfo=UTC),
    ]
