"""When memories are made by themselves: after some turns, at another topic, and at the end; never for mined files."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from palace import Palace, Settings
from palace.db.memory_making import Due
from palace.memories.due import is_due
from tests.queue.conftest import work

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
SAID = "I am allergic to peanuts."


@pytest.fixture(autouse=True)
def empty_queue(no_jobs: None) -> None:
    """No job of another test: workers take everybody's."""


def _talk(palace: Palace, turns: int, session: str = "dinner") -> None:
    for number in range(turns):
        said = SAID if number == 0 else f"Dish number {number} was cooked with lentils."
        palace.turn(said, session=session).finish(f"Reply {number} about the dish.")


def _made(palace: Palace) -> list[str]:
    return [each.content for each in palace.memories.list(types=["semantic"])]


def test_a_worker_makes_memories_once_a_conversation_has_enough_turns(palace: Palace, settings: Settings) -> None:
    palace.settings.set("memory_interval", 3)
    _talk(palace, 2)
    assert work(settings).failed == 0
    assert _made(palace) == []
    _talk(palace, 3, "other")
    assert work(settings).failed == 0
    assert _made(palace) == [SAID]
    runs = len(palace.runs.list())
    assert work(settings).failed == 0
    assert len(palace.runs.list()) == runs


def test_ending_a_session_makes_memories_of_what_is_left(palace: Palace) -> None:
    _talk(palace, 1)
    _talk(palace, 1, "other")
    assert palace.turns.end("dinner").memories == 1
    assert palace.turns.end("dinner").memories == 0
    palace.turn("I prefer window seats on trains.", session="dinner").finish("Noted.")
    assert palace.turns.end("dinner").memories == 1


def test_an_undone_making_is_not_repeated_by_itself(palace: Palace) -> None:
    _talk(palace, 1)
    palace.turns.end()
    run = next(each for each in palace.runs.list() if each.source == "memory")
    palace.runs.undo(run.id)
    palace.turn("What else is new?", session="dinner").finish("Little.")
    assert palace.turns.end().memories == 0
    assert len(palace.memories.make().memories) == 1


def test_nothing_is_made_by_itself_of_mined_conversations_or_where_it_is_off(
    palace: Palace, settings: Settings
) -> None:
    palace.file([{"role": "user", "content": SAID}, {"role": "assistant", "content": "Noted."}] * 12, id="mined")
    assert palace.turns.end().memories == 0
    palace.settings.set("memories", "off")
    palace.settings.set("memory_interval", 1)
    _talk(palace, 2)
    assert work(settings).failed == 0
    assert palace.turns.end().memories == 0
    assert palace.memories.list() == ()


def test_memories_are_due_after_turns_at_another_topic_after_silence_and_at_the_end() -> None:
    fresh = Due(1, 2, 1, NOW, False)
    assert not is_due(fresh, 10, NOW)
    assert is_due(fresh._replace(turns=10), 10, NOW)
    assert is_due(fresh._replace(turns=3, topics=2), 10, NOW)
    assert not is_due(fresh._replace(turns=2, topics=2), 10, NOW)
    assert is_due(fresh, 10, NOW + timedelta(minutes=30))
    assert is_due(fresh._replace(is_over=True), 10, NOW)
