"""Messages of shapes that no API has: they are passed on or left out, and never a reason to fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from palace import BufferWindow, Reply, SummaryBuffer, TokenCounter, TokenWindow, WholeHistory
from palace.agent.context_window.summariser import shown
from tests.untrusted import JSON
from tests.working.histories import ANY

MEMBERS = st.sampled_from(["role", "content", "tool_calls", "function_call", "name", "tool_call_id", "thinking_blocks"])
PARTS = st.lists(
    st.dictionaries(st.sampled_from(["type", "text", "image_url", "refusal"]), JSON, max_size=3), max_size=3
)
CALLS = st.lists(st.dictionaries(st.sampled_from(["id", "function", "type"]), JSON, max_size=3), max_size=3)
SPOILED = st.builds(
    lambda message, spoiled: {**message, **spoiled}, ANY, st.dictionaries(MEMBERS, JSON | PARTS | CALLS, max_size=3)
)
ODD = st.lists(SPOILED | st.dictionaries(MEMBERS | st.integers() | st.none(), JSON, max_size=4) | ANY, max_size=12)


class Listener:
    """Sums up what it would show to a model."""

    def sum_up(self, previous: str, entries: Sequence[Any], tokens: int) -> Reply[str]:
        return Reply("\n".join(shown(entry) for entry in entries) or "nothing")


@given(ODD)
def test_odd_messages_are_no_reason_to_fail(history: list[dict[str, Any]]) -> None:
    letters = TokenCounter.given(len)
    user = {"role": "user", "content": "hello"}
    said = [user, *history, user, user]
    for strategy in (
        WholeHistory(),
        BufferWindow(3),
        TokenWindow(budget=50),
        SummaryBuffer(Listener(), counter=letters, budget=300, least=1),
    ):
        kept = strategy.keep(said)
        assert kept.messages[-1] is user
        assert strategy.keep(said, kept.checkpoint).messages == kept.messages or kept.is_due
