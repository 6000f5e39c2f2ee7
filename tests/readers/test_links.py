"""Ids within a conversation, links between its turns, and trees laid out in order."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from palace.mining.readers.drafts.branches import lay_out, path_to
from palace.mining.readers.drafts.draft import Draft, Stamp
from palace.mining.readers.drafts.links import with_own_ids
from palace.mining.readers.reading import Reading
from palace.records import Role, Turn
from tests.readers.conftest import NOW

few = st.sampled_from("abcd")
ids = st.none() | st.sampled_from(["m", "n", "m~2", "m~2~2", "m:1"])
turns = st.lists(st.builds(Turn, st.sampled_from(list(Role)), few, source_id=ids), max_size=12)


@given(turns)
def test_ids_are_one_turns_each_and_nothing_but_exact_repetitions_goes(said: list[Turn]) -> None:
    named = with_own_ids(said)
    assert len(named) == len(said)
    given_ids = [turn.source_id for turn in named if turn is not None and turn.source_id is not None]
    assert len(given_ids) == len(set(given_ids))
    kept = {(turn.source_id, turn.role, turn.content) for turn in said}
    gone = {(turn.source_id, turn.role, turn.content) for turn, own in zip(said, named, strict=True) if own is None}
    assert all(own is None or own.content == turn.content for turn, own in zip(said, named, strict=True))
    assert gone <= kept


@given(st.lists(st.tuples(ids, st.sampled_from(list(Role)), few | st.just(""), ids, ids), max_size=12))
def test_links_lead_to_turns_that_are_there(said: list[tuple[str | None, Role, str, str | None, str | None]]) -> None:
    draft = Draft("x", Reading("x", NOW), dated=False)
    for own, role, content, answers, replaced_by in said:
        draft.say(role, content, Stamp(None, own, None, answers, replaced_by))
    for conversation in draft.finish():
        there = {turn.source_id: turn for turn in conversation.turns if turn.source_id}
        for turn in conversation.turns:
            assert turn.answers is None or (turn.answers in there and turn.answers != turn.source_id)
            assert turn.replaced_by is None or there[turn.replaced_by].replaced_by is None


def test_a_link_to_a_message_of_several_parts_leads_to_its_text() -> None:
    draft = Draft("x", Reading("x", NOW), dated=False)
    draft.say_parts(
        Role.ASSISTANT, [{"type": "tool_use", "name": "f"}, {"type": "text", "text": "t"}], Stamp(None, "m"), ""
    )
    draft.say_parts(Role.ASSISTANT, [{"type": "tool_use", "name": "g"}], Stamp(None, "n"), "")
    draft.say(Role.USER, "to the first", Stamp(None, "a", None, "m"))
    draft.say(Role.USER, "to the second", Stamp(None, "b", None, "n"))
    draft.say(Role.USER, "to nothing", Stamp(None, "c", None, "gone"))
    [found] = draft.finish()
    assert [turn.source_id for turn in found.turns[:3]] == ["m:0", "m", "n:0"]
    assert [turn.answers for turn in found.turns[3:]] == ["m", "n:0", None]


def test_what_a_message_without_a_turn_replaced_is_replaced_by_the_next_of_its_role() -> None:
    draft = Draft("x", Reading("x", NOW), dated=False)
    draft.say(Role.ASSISTANT, "old", Stamp(None, "a", replaced_by="empty"))
    draft.mark("empty")
    draft.say(Role.TOOL, "call", Stamp(None, "t"))
    draft.say(Role.ASSISTANT, "new", Stamp(None, "b"))
    [found] = draft.finish()
    assert [turn.replaced_by for turn in found.turns] == ["b", None, None]


def test_what_nothing_took_the_place_of_is_not_replaced() -> None:
    draft = Draft("x", Reading("x", NOW), dated=False)
    draft.say(Role.ASSISTANT, "old", Stamp(None, "a", replaced_by="empty"))
    draft.mark("empty")
    [found] = draft.finish()
    assert found.turns[0].replaced_by is None


def test_what_is_left_out_is_told_only_of_a_conversation_that_is_finished() -> None:
    reading = Reading("x", NOW)
    Draft("x", reading).leave_out("reactions")
    assert not reading.left_out
    draft = Draft("x", reading)
    draft.leave_out("reactions", 2)
    assert list(draft.finish()) == []
    assert reading.left_out == {"reactions": 2}


trees = st.dictionaries(
    few | st.sampled_from("efgh"), st.none() | st.sampled_from("abcdefghxy"), min_size=1, max_size=8
)


@given(trees, st.data())
def test_a_tree_is_laid_out_whole_along_its_path(parents: dict[str, str | None], data: st.DataObject) -> None:
    leaf = data.draw(st.sampled_from(sorted(parents)))
    placed, _ = lay_out(leaf, parents)
    keys = [one.key for one in placed]
    assert sorted(keys) == sorted(parents)
    path = path_to(leaf, parents)[0]
    shown = [one.key for one in placed if one.replaced_by is None]
    assert [key for key in shown if key in path] == path
    places = {key: place for place, key in enumerate(keys)}
    for one in placed:
        assert one.replaced_by is None or places[one.key] < places[one.replaced_by]


def test_nothing_is_laid_out_of_a_tree_without_nodes() -> None:
    assert lay_out("gone", {}) == ([], None)


class Compared(str):
    """A text whose every comparison is a call."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other) is True

    def __hash__(self) -> int:
        return str.__hash__(self)


def calls(work: Callable[[], object]) -> int:
    """Count the function calls that some work takes: a measure of it that no other work on the machine changes."""
    profile = cProfile.Profile()
    profile.runcall(work)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]  # the stubs lack it


def grows_linearly(work: Callable[[int], Callable[[], object]]) -> bool:
    small, large = calls(work(1000)), calls(work(4000))
    return large < 5 * small


def test_many_messages_under_one_id_take_linear_time() -> None:
    def work(count: int) -> Callable[[], object]:
        said = [Turn(Role.USER, Compared(number), source_id="m") for number in range(count)]
        taken = [Turn(Role.USER, "x", source_id=f"n~{number}") for number in range(2, count)]
        same = [Turn(Role.USER, Compared(number), source_id="n") for number in range(count)]
        return lambda: with_own_ids([*said, *taken, *same])

    assert grows_linearly(work)


def test_a_long_conversation_with_a_branch_at_every_message_takes_linear_time() -> None:
    def work(count: int) -> Callable[[], object]:
        parents: dict[str, str | None] = {"0": None}
        for number in range(1, count):
            parents[str(number)] = parents[f"{number}b"] = str(number - 1)
        return lambda: lay_out(str(count - 1), parents)

    assert grows_linearly(work)


def test_links_take_linear_time() -> None:
    def work(count: int) -> Callable[[], object]:
        def read() -> object:
            draft = Draft("x", Reading("x", NOW), dated=False)
            for number in range(count):
                draft.say(Role.USER, "old", Stamp(None, f"{number}b", replaced_by=str(number)))
                draft.say(Role.ASSISTANT, "new", Stamp(None, str(number), answers=str(number - 1)))
            return list(draft.finish())

        return read

    assert grows_linearly(work)
