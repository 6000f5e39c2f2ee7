"""Histories of chats, as programs have them and as they go wrong, and the rules that hold of what is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from palace import Kept, Reply, SummaryBuffer, TokenCounter

Message = dict[str, Any]
LETTERS = TokenCounter.given(len, name="letters")

WORDS = st.text("abc é漢 ", max_size=40)
IDS = st.sampled_from(["a", "b", "c", "d"])
PARTS = st.lists(
    st.builds(lambda text: {"type": "text", "text": text}, WORDS)
    | st.just({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA", "detail": "low"}})
    | st.just({"type": "input_audio", "input_audio": {"data": "A" * 3_000, "format": "wav"}}),
    max_size=3,
)
CALLS = st.lists(
    st.builds(
        lambda id, text: {"id": id, "type": "function", "function": {"name": "look", "arguments": text}}, IDS, WORDS
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda call: call["id"],
)
USERS = st.builds(lambda content: {"role": "user", "content": content}, WORDS | PARTS)
REPLIES = st.builds(lambda content: {"role": "assistant", "content": content}, WORDS)
CALLING = st.builds(
    lambda content, calls: {"role": "assistant", "content": content, "tool_calls": calls}, st.none() | WORDS, CALLS
)
RESULTS = st.builds(lambda id, text: {"role": "tool", "tool_call_id": id, "content": text}, IDS, WORDS)
SYSTEM = st.builds(
    lambda role, content: {"role": role, "content": content}, st.sampled_from(["system", "developer"]), WORDS
)
BLOCKS = st.just({"role": "system", "content": "<memory_context>\n§ W-001/R-01/D-001\n</memory_context>"})
ODD = st.builds(
    lambda role, content: {"role": role, "content": content, "trace": 7},
    st.sampled_from(["critic", "", None, 3]),
    WORDS | st.none(),
)
ANY = USERS | REPLIES | CALLING | RESULTS | SYSTEM | BLOCKS | ODD
WILD = st.lists(ANY, max_size=40)
"""Anything in any order."""


@st.composite
def _exchange(draw: st.DrawFn) -> list[Message]:
    """Give a user's message and what follows it, as agents do: calls answered in any order, then a reply."""
    said: list[Message] = [draw(USERS)]
    for _ in range(draw(st.integers(0, 4))):
        calling = draw(CALLING)
        results = [
            {"role": "tool", "tool_call_id": call["id"], "content": draw(WORDS)} for call in calling["tool_calls"]
        ]
        said += [calling, *draw(st.permutations(results))]
    return said + draw(st.lists(REPLIES, max_size=2))


ORDERLY = st.builds(
    lambda system, exchanges: [*system, *(message for exchange in exchanges for message in exchange)],
    st.lists(SYSTEM, max_size=2),
    st.lists(_exchange(), max_size=8),
)
"""What every provider takes as it is."""
HISTORIES = ORDERLY | WILD


def is_system(message: Message) -> bool:
    return message["role"] in ("system", "developer")


def is_block(message: Message) -> bool:
    return is_system(message) and message["content"].startswith("<memory_context>")


def said_in(messages: Sequence[Message]) -> list[Message]:
    return [message for message in messages if not is_system(message)]


def is_part_in_order(kept: Sequence[Message], history: Sequence[Message]) -> bool:
    """Whether all of it stands in a history, in the same order; calls that were taken out are not looked at."""
    rest = iter(history)
    return all(any(_same(message, other) for other in rest) for message in kept)


def _same(message: Message, other: Message) -> bool:
    calls = message.get("tool_calls") or []
    given = other.get("tool_calls") or []
    bare = {**message, "tool_calls": None}
    return bare == {**other, "tool_calls": None} and all(call in given for call in calls)


def has_pairs_intact(kept: Sequence[Message]) -> bool:
    """Whether each result has its call in front of it, and each call its result, but for those that wait at the end."""
    said = [message for message in kept if not is_system(message)]
    last = max((place for place, message in enumerate(said) if message["role"] != "tool"), default=-1)
    called: dict[str, int] = {}
    answered: set[tuple[int, str]] = set()
    for place, message in enumerate(said):
        for call in message.get("tool_calls") or []:
            called[call["id"]] = place
        if message["role"] == "tool":
            if message["tool_call_id"] not in called:
                return False
            answered.add((called[message["tool_call_id"]], message["tool_call_id"]))
    wanted = {
        (place, call["id"])
        for place, message in enumerate(said)
        if place != last
        for call in message.get("tool_calls") or []
    }
    return wanted <= answered


def chat(exchanges: int, *, start: int = 0, length: int = 100) -> list[Message]:
    """Make a chat of so many questions and replies, each of so many letters."""
    return [
        {"role": role, "content": f"{role[0]}{number} ".ljust(length, "x")}
        for number in range(start, start + exchanges)
        for role in ("user", "assistant")
    ]


@dataclass
class Scribe:
    """Sums up by noting the first words of each message; does first whatever it is told to do while it is asked."""

    meanwhile: Callable[[], object] = lambda: None
    asked: list[tuple[str, list[Any]]] = field(default_factory=list)

    def sum_up(self, previous: str, entries: Sequence[Any], tokens: int) -> Reply[str]:
        self.asked.append((previous, [entry.shape["content"] for entry in entries]))
        self.meanwhile()
        return Reply(f"{previous} {' '.join(str(entry.shape['content'])[:40].strip('x') for entry in entries)}".strip())


def buffer(scribe: Any, *, budget: int = 2_000, **numbers: Any) -> SummaryBuffer:
    """Make a memory whose older messages go to a scribe."""
    return SummaryBuffer(scribe, counter=LETTERS, budget=budget, **{"least": 2} | numbers)


def tokens_of(kept: Kept) -> int:
    """Give how many tokens are kept, which were counted."""
    assert kept.tokens is not None
    return kept.tokens
