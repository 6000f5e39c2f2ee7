"""Replies of a known shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from palace.errors import LanguageModelError
from palace.llm.protocol import Message, Reply
from palace.llm.typed import ask_for, find_object
from palace.records import CallRecord, Role

PROMPT = [Message(Role.USER, "Which?")]
CALL = CallRecord("scripted/one", 3, Decimal("0.1"), 0.2, "ok")


class Pick(BaseModel):
    """What is asked for."""

    picked: list[int]


@dataclass(frozen=True, slots=True)
class Saying:
    """A language model that says one thing."""

    said: str
    model: str = "scripted/one"

    def ask(self, prompt: Sequence[Message]) -> Reply[str]:
        return Reply(self.said, (CALL,))


@pytest.mark.parametrize(
    "said",
    [
        '{"picked": [2, 1]}',
        '```json\n{"picked": [2, 1]}\n```',
        'I would say {"picked": [2, 1]}, because {these} matter.',
        'Of {"all": 3} I take {"picked": [2, 1], "why": "both"}',
    ],
)
def test_the_object_is_found_in_whatever_stands_around_it(said: str) -> None:
    assert ask_for(Pick, Saying(said), PROMPT).value == Pick(picked=[2, 1])


@pytest.mark.parametrize("said", ["2, 1", "[2, 1]", '{"picked": "all"}', '{"picked": [2, 1', "{" * 5000])
def test_a_reply_of_another_shape_is_an_error_that_was_paid_for(said: str) -> None:
    with pytest.raises(LanguageModelError, match="cannot be used") as caught:
        ask_for(Pick, Saying(said), PROMPT)
    (call,) = caught.value.calls
    assert (call.outcome, call.cost_usd) == ("malformed", Decimal("0.1"))
    assert len(str(caught.value)) < 200


@given(st.text(), st.text(alphabet=st.characters(exclude_characters="{}")), st.lists(st.integers()))
def test_any_text_may_be_searched(before: str, after: str, picked: list[int]) -> None:
    find_object(Pick, before)
    assert find_object(Pick, after + Pick(picked=picked).model_dump_json() + before) == Pick(picked=picked)
