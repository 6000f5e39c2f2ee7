"""Blocks of ours are told from what was said, and keys of messages depend on what was said alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.errors import BadRequest
from palace.text.blocks import AFTER, part_block, without_blocks
from palace.turns.chat.keys import keys_of
from palace.turns.chat.messages import read_messages
from palace.turns.injection.placing import placed

BLOCK = "<memory_context>\n§ W-001/R-01/D-001 | undated | user | I &lt;3 boats.\n</memory_context>"
MEMORIES = (
    '<memories>\n<memory id="§ W-001/R-01/D-001" category="said" when="undated" who="user">a</memory>\n</memories>'
)


@pytest.mark.parametrize("block", [BLOCK, MEMORIES])
def test_a_block_is_taken_off_a_message_to_the_byte(block: str) -> None:
    assert part_block(f"{block}{AFTER}How much?") == (block, "How much?")
    assert part_block(block) == (block, "")
    assert without_blocks(f"Before {block}{AFTER}after") == "Before after"


@pytest.mark.parametrize(
    "text",
    [
        "<memory_context> is a tag",
        "<memory_context>\nno end",
        f"Look: {BLOCK}",
        BLOCK.replace("&lt;", "<"),
        "<memories>\nnone\n</memories>",
    ],
)
def test_what_only_looks_like_a_block_is_what_somebody_said(text: str) -> None:
    assert part_block(text) == ("", text)


def test_a_history_that_is_no_list_is_refused() -> None:
    for history in ("hello", {"role": "user"}, 5):
        with pytest.raises(BadRequest, match="a history must be a list of messages"):
            read_messages(history)  # type: ignore[arg-type]


def test_odd_messages_stay_and_say_nothing() -> None:
    odd: list[Any] = [None, 7, object(), {"role": "critic", "content": "meh"}, {"content": None}]
    assert [message.said for message in read_messages(odd)] == odd
    assert len(set(keys_of(read_messages(odd)))) == len(odd)


def test_keys_do_not_depend_on_system_messages_blocks_or_parts() -> None:
    plain = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    dressed = [
        {"role": "system", "content": "It is 12:01."},
        {"role": "system", "content": BLOCK},
        {"role": "user", "content": [{"type": "text", "text": BLOCK}, {"type": "text", "text": "Hi"}]},
        {"role": "assistant", "content": "Hello", "tool_calls": None},
    ]
    assert keys_of(read_messages(plain)) == keys_of(read_messages(dressed))[2:]


TEXTS = st.text(max_size=30)
MESSAGES = st.lists(
    st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "tool", "system"]), "content": TEXTS}),
    max_size=12,
)


@given(MESSAGES, MESSAGES)
def test_the_keys_of_a_beginning_do_not_change_with_what_follows(history: list[Any], more: list[Any]) -> None:
    assert keys_of(read_messages([*history, *more]))[: len(history)] == keys_of(read_messages(history))


@given(MESSAGES, st.integers(0, 11), TEXTS)
def test_another_word_anywhere_changes_every_key_behind_it(history: list[Any], place: int, other: str) -> None:
    if place >= len(history) or history[place]["role"] == "system" or history[place]["content"] == other:
        return
    changed = [*history[:place], {**history[place], "content": other}, *history[place + 1 :]]
    before, after = keys_of(read_messages(history)), keys_of(read_messages(changed))
    assert before[:place] == after[:place]
    assert all(one != another for one, another in zip(before[place:], after[place:], strict=True))


@given(MESSAGES, st.sampled_from(["user", "system"]))
def test_blocks_that_are_put_in_are_read_back_out(history: list[Any], place: Any) -> None:
    messages = read_messages(history)
    blocks = {number: BLOCK for number, message in enumerate(messages) if message.is_user}
    again = read_messages(placed(messages, blocks, place))
    assert [dict(each.shape) for each in again if not each.is_block] == history
    assert placed(again, {}, place) == history
