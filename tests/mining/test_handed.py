"""Filing a conversation that a program has in memory."""

from __future__ import annotations

import json
from collections import UserDict
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from palace import BadRequest, Palace, Pointer, Role, Turn, to_json
from tests.held import drawers

SAID = [
    {"role": "user", "content": "The heron at the lock ate the third goldfish of this week."},
    {"role": "assistant", "content": "A net over the pond keeps herons away from the goldfish."},
    {"role": "user", "content": "Then I shall buy four metres of net at the harbour shop."},
]


def test_messages_are_filed_verbatim_and_found(palace: Palace) -> None:
    filed = palace.file(SAID, id="pond-1", title="The pond", wing="Garden")
    assert (filed.conversations, filed.drawers_new, filed.failures) == (1, 3, ())
    assert [drawer.content for drawer in drawers(palace)] == [message["content"] for message in SAID]
    assert [wing.name for wing in palace.tree.wings()] == ["Garden"]
    assert palace.recall("net over the pond").hits[0].drawer.content == SAID[1]["content"]


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


def pointers(palace: Palace) -> list[tuple[Pointer, ...]]:
    return [(drawer.pointer,) for drawer in drawers(palace)]


def test_each_message_is_told_where_it_stands_whenever_it_was_filed(palace: Palace) -> None:
    begun = palace.file(SAID[:2], id="pond-1", wing="Garden")
    grown = palace.file(SAID, id="pond-1")
    assert list(begun.pointers) == pointers(palace)[:2]
    assert list(grown.pointers) == pointers(palace)
    assert (grown.drawers_new, grown.drawers_unchanged) == (1, 2)
    assert palace.file(SAID, id="pond-1").pointers == grown.pointers
    assert [str(palace.show(str(found)).drawer.content) for (found,) in grown.pointers] == [
        message["content"] for message in SAID
    ]
    assert palace.file([{"role": "user", "content": "Something else."}], id="pond-2").pointers != grown.pointers[:1]


def test_the_whole_of_what_was_filed_in_parts_goes_on_in_the_part_that_shares_most(palace: Palace) -> None:
    said = [{"role": "user", "content": f"Berth {n} is let to the crew of the boat number {n}."} for n in range(12)]
    first, last = palace.file(said[:4]), palace.file(said[6:])
    assert palace.status().rooms == 2
    whole = palace.file(said)
    assert (whole.drawers_new, palace.status().rooms) == (6, 2)
    assert (whole.pointers[:4] == first.pointers, whole.pointers[6:] == last.pointers) == (False, True)
    assert len(set(whole.pointers)) == 12


def test_a_part_of_a_conversation_adds_to_what_was_filed_and_replaces_nothing(palace: Palace) -> None:
    said = [{"role": "user", "content": "Yes, please.", "id": f"m{number}"} for number in range(3)]
    first = palace.file(said[:2], id="pond-1", partial=True)
    second = palace.file(said[1:], id="pond-1", partial=True)
    assert (second.drawers_new, second.drawers_unchanged) == (1, 1)
    assert [*first.pointers, second.pointers[1]] == pointers(palace)
    assert not any(drawer.replaced_at for drawer in drawers(palace))
    with pytest.raises(BadRequest, match="needs the conversation's id"):
        palace.file(said, partial=True)


def test_what_is_not_filed_stands_nowhere_and_the_others_keep_their_places(palace: Palace) -> None:
    parrot, silence = {"role": "parrot", "content": "Squawk."}, {"role": "user", "content": ""}
    filed = palace.file([SAID[0], parrot, silence, SAID[2]], id="pond-1")
    assert list(filed.pointers) == [pointers(palace)[0], (), (), pointers(palace)[1]]
    assert palace.file([parrot], id="pond-2").pointers == ((),)


def test_a_message_that_calls_tools_stands_in_several_drawers(palace: Palace) -> None:
    call = {"id": "c-1", "type": "function", "function": {"name": "look_up", "arguments": '{"what": "net"}'}}
    asked = {"role": "assistant", "content": "I look it up.", "tool_calls": [call]}
    told = {"role": "tool", "tool_call_id": "c-1", "content": "Nets: 4 m, 8 m."}
    filed = palace.file([SAID[0], asked, told], id="pond-1")
    assert [len(found) for found in filed.pointers] == [1, 2, 1]
    assert [found for message in filed.pointers for found in message] == [drawer.pointer for drawer in drawers(palace)]


def test_a_forgotten_message_stands_nowhere_and_a_moved_one_where_it_is_now(palace: Palace) -> None:
    filed = palace.file(SAID, id="pond-1", wing="Garden")
    palace.forget(str(filed.pointers[1][0]))
    assert palace.file(SAID, id="pond-1").pointers == (filed.pointers[0], (), filed.pointers[2])
    palace.tree.move("W-001/R-01", "Ponds", create=True)
    assert [found for (found,) in (palace.file(SAID, id="pond-1").pointers[0],)] == [pointers(palace)[0][0]]
    assert pointers(palace)[0] != filed.pointers[0]


def test_pointers_are_written_as_json_and_those_of_a_mine_are_none(palace: Palace, tmp_path: Path) -> None:
    filed = palace.file([SAID[0], {"role": "parrot", "content": "Squawk."}], id="pond-1")
    assert json.loads(to_json(filed))["pointers"] == [["§ W-001/R-01/D-001"], []]
    path = tmp_path / "pond.json"
    path.write_text(json.dumps(SAID), encoding="utf-8")
    assert palace.mine(path).pointers == ()


def test_what_is_no_list_of_messages_is_refused_in_one_line(palace: Palace) -> None:
    nothing: list[Any] = [[], "hello", {"role": "user", "content": "x"}, [3], [None], ["user: hi"], 7]
    for given in nothing:
        with pytest.raises(BadRequest) as refused:
            palace.file(given)
        assert "\n" not in str(refused.value)
    assert palace.runs.list() == ()


class Block:
    """A part of a message as a client's record has it."""

    def model_dump(self, **_: Any) -> dict[str, Any]:
        return {"type": "text", "text": "A net of four metres."}


class Faulty:
    """A record that cannot say what it is."""

    def model_dump(self, **_: Any) -> dict[str, Any]:
        raise RuntimeError("no connection")


def calling(arguments: object, **more: Any) -> dict[str, Any]:
    """Give a message that calls a tool."""
    return {
        "role": "assistant",
        "content": "Wait.",
        "tool_calls": [{"function": {"name": "f", "arguments": arguments}}],
    } | more


CIRCLE: dict[str, Any] = {}
CIRCLE["self"] = CIRCLE


def test_a_conversation_of_such_messages_alone_is_told_and_files_nothing(palace: Palace) -> None:
    filed = palace.file([Faulty(), calling(CIRCLE)], id="odd")
    assert (filed.drawers_new, len(filed.failures), palace.runs.list()) == (0, 2, ())


def test_values_of_a_program_are_filed_as_json_would_have_them(palace: Palace) -> None:
    number = UUID(int=7)
    given = {
        "at": datetime(2026, 5, 1, 10, tzinfo=UTC),
        "day": date(2026, 5, 1),
        "id": number,
        1: (1, 2),
    }
    asked = calling(given, created_at=datetime(2026, 5, 1, 10, tzinfo=UTC), content=[Block()], id=number)
    filed = palace.file([asked], id="plain")
    said, called = drawers(palace)
    assert (filed.failures, said.content, said.said_at) == (
        (),
        "A net of four metres.",
        datetime(2026, 5, 1, 10, tzinfo=UTC),
    )
    assert called.content == (
        f'f {{"at": "2026-05-01T10:00:00+00:00", "day": "2026-05-01", "id": "{number}", "1": [1, 2]}}'
    )
