"""Windows of turns: how they are cut, what is in them, and how they are shown."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from palace.mining.extraction.prompt import prompt_for, shown
from palace.mining.extraction.windows import LARGEST, SMALLEST, WHOLE, SaidTurn, Window, digest_of, windows_of
from palace.records import Role
from palace.records.graph import Said

NOON = datetime(2026, 4, 30, 12, tzinfo=UTC)


def turn(number: int, content: str = "We sail.", role: Role = Role.USER, speaker: str | None = None) -> SaidTurn:
    return SaidTurn(number, Said(content, role, speaker, NOON, is_self=speaker is None))


def always(_: int) -> bool:
    return True


def sizes(count: int) -> list[int]:
    return [len(window.turns) for window in windows_of([turn(n) for n in range(count)], always)[0]]


def test_up_to_fifty_turns_are_shown_together_and_more_by_eight_to_ten() -> None:
    assert sizes(WHOLE) == [50]
    assert sizes(51) == [10, 9, 8, 8, 8, 8]
    assert sizes(60) == [10] * 6


@given(st.integers(WHOLE + 1, 400))
def test_windows_of_a_long_conversation_have_every_turn_once_and_stay_as_it_grows(count: int) -> None:
    cut = windows_of([turn(n) for n in range(count)], always)[0]
    assert [drawer for window in cut for drawer in window.drawers] == list(range(count))
    assert all(SMALLEST <= len(window.turns) <= LARGEST for window in cut)
    grown = windows_of([turn(n) for n in range(count + 1)], always)[0]
    assert cut[:-9] == grown[: len(cut) - 9] if len(cut) > 9 else True


def test_a_short_conversation_of_much_text_is_cut_too_and_no_turn_is_shown_beyond_its_limit() -> None:
    turns = [turn(n, "x" * 1_000_000) for n in range(20)]
    cut = windows_of(turns, always)[0]
    assert [len(window.turns) for window in cut] == [10, 10]
    assert len(shown(cut[0])) < 50_000


def test_twenty_thousand_turns_are_bounded_and_what_is_left_is_counted() -> None:
    cut, left = windows_of([turn(n) for n in range(20_000)], always)
    assert (len(cut), left) == (500, 15_000)


def test_what_may_not_be_sent_is_in_no_window_and_parts_those_around_it() -> None:
    cut, _ = windows_of([turn(n) for n in range(6)], lambda drawer: drawer not in (2, 3))
    assert [window.drawers for window in cut] == [(0, 1), (4, 5)]


def test_tools_systems_and_blanks_are_not_shown_and_an_assistant_alone_is_not_asked_about() -> None:
    talk = [turn(1, role=Role.SYSTEM), turn(2, role=Role.TOOL), turn(3, "  "), turn(4, role=Role.ASSISTANT)]
    assert windows_of(talk, always)[0] == []
    (window,), _ = windows_of([*talk, turn(5)], always)
    assert window.drawers == (4, 5)


def test_turns_are_numbered_with_day_and_speaker() -> None:
    window = Window(
        (turn(1, "Hi.\nThere"), turn(2, "Yes?", Role.ASSISTANT), turn(3, "Me too.", speaker='Anna "A" Berg'))
    )
    assert shown(window).splitlines() == [
        "<turns>",
        "1 | 2026-04-30 Thu | I | Hi. There",
        "2 | 2026-04-30 Thu | assistant | Yes?",
        '3 | 2026-04-30 Thu | "Anna &quot;A&quot; Berg" | Me too.',
        "</turns>",
    ]


@given(st.lists(st.tuples(st.text(), st.none() | st.text(min_size=1)), min_size=1, max_size=5))
def test_whatever_was_said_each_turn_is_one_line_that_ends_nothing(said: list[tuple[str, str | None]]) -> None:
    window = Window(tuple(turn(n, content, speaker=speaker) for n, (content, speaker) in enumerate(said)))
    _, asked = prompt_for(window)
    lines = asked.content.splitlines()
    assert [line.partition(" | ")[0] for line in lines[1:-1]] == [str(n) for n in range(1, len(said) + 1)]
    assert sum(line.count("<") for line in lines) == 2


def test_a_digest_tells_model_and_turns() -> None:
    one, other = shown(Window((turn(1),))), shown(Window((turn(1, "We row."),)))
    assert len({digest_of("a", one), digest_of("b", one), digest_of("a", other)}) == 3
    assert len(digest_of("a", one)) == 32
