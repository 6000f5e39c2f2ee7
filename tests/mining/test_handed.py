"""Filing a conversation that a program has in memory."""

from __future__ import annotations

import json
from collections import UserDict
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from palace import BadRequest, Drawer, Palace
from palace.records import Role, Turn

SAID = [
    {"role": "user", "content": "The heron at the lock ate the third goldfish of this week."},
    {"role": "assistant", "content": "A net over the pond keeps herons away from the goldfish."},
    {"role": "user", "content": "Then I shall buy four metres of net at the harbour shop."},
]


def drawers(palace: Palace) -> list[Drawer]:
    rooms = [room for wing in palace.tree.wings() for room in palace.tree.rooms(wing)]
    return [drawer for room in rooms for drawer in palace.tree.drawers(room)]


def test_messages_are_filed_verbatim_and_found(palace: Palace) -> None:
    filed = palace.file(SAID, id="pond-1", title="The pond", wing="Garden")
    assert (filed.conversations, filed.drawers_new, filed.failures) == (1, 3, ())
    assert [drawer.content for drawer in drawers(palace)] == [message["content"] for message in SAID]
    assert [wing.name for wing in palace.tree.wings()] == ["Garden"]
    assert palace.recall("net over the pond").hits[0].drawer.content == SAID[1]["content"]


def test_a_conversation_that_grew_adds_what_is_new(palace: Palace) -> None:
    palace.file(SAID[:2], id="pond-1")
    again = palace.file(SAID, id="pond-1")
    assert (again.drawers_new, again.drawers_unchanged) == (1, 2)
    assert palace.file(SAID, id="pond-1").drawers_new == 0


def test_without_an_id_it_is_known_by_what_is_said(palace: Palace) -> None:
    assert palace.file(SAID).drawers_new == 3
    assert palace.file(SAID).drawers_new == 0


def test_a_file_of_the_same_messages_is_the_same_conversation(palace: Palace, tmp_path: Path) -> None:
    palace.file(SAID, id="pond-1", title="The pond")
    path = tmp_path / "pond.json"
    path.write_text(json.dumps({"id": "pond-1", "title": "The pond", "messages": SAID}), encoding="utf-8")
    assert palace.mine(path).drawers_new == 0


def test_turns_and_objects_of_a_client_are_messages_as_well(palace: Palace) -> None:
    class Reply:
        def model_dump(self, **_: Any) -> dict[str, Any]:
            return SAID[1]

    asked = Turn(Role.USER, SAID[0]["content"], "Ann", datetime(2026, 5, 1, 10, tzinfo=UTC), "m-1")
    palace.file([asked, Reply(), UserDict(SAID[2])], id="pond-1")
    first, second, third = drawers(palace)
    assert (first.speaker, first.said_at) == ("Ann", datetime(2026, 5, 1, 10, tzinfo=UTC))
    assert (second.role, third.content) == (Role.ASSISTANT, SAID[2]["content"])


def test_a_message_that_cannot_be_read_is_named_and_the_others_are_filed(palace: Palace) -> None:
    filed = palace.file([SAID[0], {"role": "parrot", "content": "Squawk."}, SAID[2]], id="pond-1")
    assert filed.drawers_new == 2
    assert ["message 2" in failure.message for failure in filed.failures] == [True]


@pytest.mark.parametrize("given", [[], "hello", {"role": "user", "content": "x"}, [3], [None], ["user: hi"], 7])
def test_what_is_no_list_of_messages_is_refused_in_one_line(palace: Palace, given: Any) -> None:
    with pytest.raises(BadRequest) as refused:
        palace.file(given)
    assert "\n" not in str(refused.value)
    assert palace.runs.list() == ()


def test_a_date_is_read_as_its_text_is(palace: Palace) -> None:
    moments = []
    for day in (date(2024, 1, 1), "2024-01-01"):
        filed = palace.file([{"role": "user", "content": f"The heron came, {day!r}.", "created_at": day}])
        assert (filed.drawers_new, filed.warnings) == (1, ())
        moments.append(drawers(palace)[-1].said_at)
    assert moments[0] == moments[1] is not None
