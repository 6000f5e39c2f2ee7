"""Where conversations go."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from palace.mining.filing.place import one_line, place_wing, rooms_for, session_name, slices_of
from palace.models import Conversation, Role, Slicing, Turn, WingKind


def said(day: int | None) -> Turn:
    return Turn(Role.USER, "x", said_at=datetime(2026, 4, day, 23, 30, tzinfo=UTC) if day else None)


def test_the_caller_comes_before_the_project_and_the_project_before_the_source() -> None:
    talk = Conversation(reader="chatgpt", turns=(said(1),), project="Efoil")
    assert place_wing(talk, asked="Derek", source_name="f").name == "Derek"
    assert place_wing(talk, asked=None, source_name="f").kind is WingKind.PROJECT
    loose = Conversation(reader="transcript", turns=(said(1),))
    assert place_wing(loose, asked=None, source_name="boat talk").slug == "boat-talk"
    assert place_wing(Conversation("chatgpt", (said(1),)), asked=None, source_name="f").name == "ChatGPT"


def test_a_channel_has_a_room_for_each_day_and_undated_turns_follow_the_day_before() -> None:
    talk = Conversation("slack", (said(1), said(None), said(3)), title="general", slicing=Slicing.BY_DAY)
    slices = slices_of(talk, UTC)
    assert slices == ["2026-04-01", "2026-04-01", "2026-04-03"]
    assert [room.name for room in rooms_for(talk, slices, UTC)] == ["general, 2026-04-01", "general, 2026-04-03"]


def test_an_untitled_conversation_is_named_by_date_and_part_of_day() -> None:
    talk = Conversation("openai", (said(30),))
    assert rooms_for(talk, slices_of(talk, UTC), UTC)[0].name == "2026-04-30 evening session"
    assert session_name(None) == "Undated session"


def test_an_undated_conversation_without_a_title_is_named_after_its_file() -> None:
    talk = Conversation("openai", (said(None),))
    assert [room.name for room in rooms_for(talk, [""], UTC, called="boat talk")] == ["boat talk"]
    second = Conversation("openai", (said(None),), place="conversation 2")
    assert [room.name for room in rooms_for(second, [""], UTC, called="boat talk")] == ["boat talk, conversation 2"]
    titled = Conversation("openai", (said(None),), title="Masts")
    assert [room.name for room in rooms_for(titled, [""], UTC, called="boat talk")] == ["Masts"]
    assert [room.name for room in rooms_for(talk, ["undated"], UTC, called="boat talk")] == ["boat talk, undated"]
    assert [room.name for room in rooms_for(talk, [""], UTC)] == ["Undated session"]
    dated = Conversation("openai", (said(30),))
    assert rooms_for(dated, [""], UTC, called="boat talk")[0].name == "2026-04-30 evening session"


@given(st.text())
def test_a_name_is_one_holdable_line(text: str) -> None:
    name = one_line(text)
    assert len(name) <= 120
    assert "\n" not in name
    assert "\x00" not in name
