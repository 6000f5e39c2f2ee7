"""Notes that are dated section by section."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palace.records import Conversation, Slicing

Read = Callable[..., list[Conversation]]

quiet = st.text(st.characters(categories=["L"], include_characters=" \n"), max_size=80).map(lambda text: f"{text}\n")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(quiet, st.lists(quiet, min_size=1, max_size=6))
def test_every_character_of_a_dated_note_stands_in_one_turn(read: Read, before: str, texts: list[str]) -> None:
    days = [date(2024, 5, 1) + timedelta(days=number) for number in range(len(texts))]
    written = before + "".join(f"## {day}\n\n{text}x\n\n" for day, text in zip(days, texts, strict=True))
    [found] = read(written, f"{uuid4()}.md")
    assert "".join(turn.content for turn in found.turns) == written
    assert [turn.said_at.date() for turn in found.turns if turn.said_at] == days


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
