"""Ids within a conversation, links between its turns, and trees laid out in order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from palace import Draft, Reading, Role, Stamp

few = st.sampled_from("abcd")
ids = st.none() | st.sampled_from(["m", "n", "m~2", "m~2~2", "m:1"])
said_turns = st.lists(st.tuples(ids, st.sampled_from(list(Role)), few | st.just(""), ids, ids), max_size=12)
Said = list[tuple[str | None, Role, str, str | None, str | None]]


@given(said_turns)
def test_ids_are_one_turns_each_links_lead_to_turns_and_only_repetitions_go(said: Said) -> None:
    draft = Draft("x", Reading("x"), dated=False)
    for own, role, content, answers, replaced_by in said:
        draft.say(role, content, Stamp(None, own, None, answers, replaced_by))
    turns = [turn for conversation in draft.finish() for turn in conversation.turns]
    there = {turn.source_id: turn for turn in turns if turn.source_id}
    assert len(there) == sum(turn.source_id is not None for turn in turns)
    for turn in turns:
        assert turn.answers is None or (turn.answers in there and turn.answers != turn.source_id)
        assert turn.replaced_by is None or there[turn.replaced_by].replaced_by is None
    assert {(role, content) for _, role, content, *_ in said if content} == {
        (turn.role, turn.content) for turn in turns
    }
    assert sum(own is None and content != "" for own, _, content, *_ in said) == sum(
        turn.source_id is None for turn in turns
    )


def test_a_link_to_a_message_of_several_parts_leads_to_its_text() -> None:
    draft = Draft("x", Reading("x"), dated=False)
    parts = [{"type": "tool_use", "name": "f"}, {"type": "text", "text": "t"}]
    draft.say_parts(Role.ASSISTANT, parts, Stamp(None, "m"), "")
    draft.say_parts(Role.ASSISTANT, [{"type": "tool_use", "name": "g"}], Stamp(None, "n"), "")
    for own, answers in (("a", "m"), ("b", "n"), ("c", "gone")):
        draft.say(Role.USER, f"to {answers}", Stamp(None, own, None, answers))
    [found] = draft.finish()
    assert [turn.source_id for turn in found.turns[:3]] == ["m:0", "m", "n:0"]
    assert [turn.answers for turn in found.turns[3:]] == ["m", "n:0", None]


def test_what_a_message_without_a_turn_replaced_is_replaced_by_the_next_of_its_role_if_any() -> None:
    for new, replaced_by in (([], None), ([(Role.TOOL, "call", "t"), (Role.ASSISTANT, "new", "b")], "b")):
        draft = Draft("x", Reading("x"), dated=False)
        draft.say(Role.ASSISTANT, "old", Stamp(None, "a", replaced_by="empty"))
        draft.mark("empty")
        for role, content, own in new:
            draft.say(role, content, Stamp(None, own))
        [found] = draft.finish()
        assert [turn.replaced_by for turn in found.turns] == [replaced_by, *[None] * len(new)]
