"""The current state of a conversation in place of its older messages: by a model, by rule, and never more than fits."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace import BadRequest, Checkpoint, CurrentState, Kept, ModelSummariser, Palace, StateSummariser, TokenWindow
from palace.agent.context_window.state import State
from palace.testing import Answer, HashingEmbedder, LanguageModelServer
from palace.turns import TurnOptions
from tests.held import rows
from tests.working.histories import (
    HISTORIES,
    LETTERS,
    Message,
    has_pairs_intact,
    is_block,
    is_system,
    said_in,
    tokens_of,
)

MODEL = "openai/gpt-4o-mini"
KEY = "AKIA" + "QRTUVWXYZ2345672"
BOATS: list[tuple[str, str]] = [
    ("Please plan the winter work on my boat Otter.", "Gladly. What is to be done?"),
    ("The mast came from Ghent in 2019 and cost 4,300 euros.", "Noted."),
    ("I need to order the seal for the rudder.", "Shall I remind you?"),
    ("We decided to paint the hull red.", "A fine colour."),
    ("Always answer in metric units.", "I will."),
    ("I must also book the crane for March.", "All right."),
    ("The seal for the rudder is ordered.", "Well done."),
]


TASK = "Make the nightly import of orders finish in under ten minutes, and keep the file format as it is."
DECISION = "I decided to read orders in batches of 500 instead of one by one."
ROOT_CAUSE = "The importer opens a new connection for each order, which costs 40 ms on db-eu-3."
ERROR = "E   sqlalchemy.exc.OperationalError: too many connections for role importer"
FINAL = "import finished: 48,210 orders in 7 min 12 s"
_LISTING = "\n".join(f"{number:>4}: row = cursor.fetch(order_{number % 97}) # legacy path" for number in range(120))


def coding_trace(turns: int = 200) -> list[Message]:
    """Make a run of so many turns of an agent: each thinks, calls a tool, and shown an output of 6,000 characters."""
    history: list[Message] = [
        {"role": "system", "content": "You are a coding agent."},
        {"role": "user", "content": TASK},
    ]
    for number in range(turns):
        thought, name, arguments, output = _turn(number, turns)
        call = {"id": f"call-{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        history.append({"role": "assistant", "content": thought, "tool_calls": [call]})
        history.append({"role": "tool", "tool_call_id": call["id"], "content": output})
    return history


def _turn(number: int, turns: int) -> tuple[str, str, str, str]:
    path = json.dumps({"path": f"importer/part_{number}.py"})
    if number == turns - 1:
        return "Now the whole import once more.", "run", '{"command": "make import"}', f"{_LISTING}\n{FINAL}"
    if number == 60:
        return ROOT_CAUSE, "run", '{"command": "make profile"}', f"{_LISTING}\nconnect: 40 ms, 48,210 calls"
    if number == 61:
        return DECISION, "edit", path, f"edited importer/part_{number}.py"
    if number == 100:
        return "Let me load-test it.", "run", '{"command": "make load"}', f"{_LISTING}\n{ERROR}\n{_LISTING}"
    if number % 10 == 9:
        return "Run the tests.", "run", '{"command": "pytest -q"}', f"{_LISTING}\n{number} passed, 0 failed in 3.2 s"
    return f"Look at part {number}.", "read_file", path, _LISTING


def talk(*said: tuple[str, str]) -> list[Message]:
    return [
        {"role": role, "content": content}
        for exchange in said
        for role, content in zip(("user", "assistant"), exchange, strict=True)
    ]


def small_talk(exchanges: int) -> list[Message]:
    return talk(*((f"Hm, {number}.", f"Well, {number}.") for number in range(exchanges)))


def state_in(kept: Kept) -> dict[str, Any]:
    """Give the state that is sent; {} without one."""
    for message in kept.messages:
        if is_system(message) and message["content"].startswith("<conversation_summary>"):
            found: dict[str, Any] = json.loads(message["content"].split("\n")[2])
            return found
    return {}


def by_model(provider: LanguageModelServer, *replies: Any) -> CurrentState:
    provider.script.extend(each if isinstance(each, Answer) else json.dumps(each) for each in replies)
    return CurrentState(StateSummariser(ModelSummariser.of(MODEL, timeout=5)), "gpt-4o-mini")


def test_goal_decisions_open_items_and_facts_are_read_by_rule() -> None:
    kept = CurrentState(model="gpt-4o").keep([*talk(*BOATS), *small_talk(3)])
    state = state_in(kept)
    assert state["goal"] == "Please plan the winter work on my boat Otter."
    assert state["decisions"] == ["Always answer in metric units.", "We decided to paint the hull red."]
    assert state["open"] == ["I must also book the crane for March."]
    assert "The mast came from Ghent in 2019 and cost 4,300 euros." in state["facts"]
    assert said_in(kept.messages) == small_talk(3)[-6:]
    assert (kept.warnings, kept.is_due, kept.is_exact) == ((), False, True)


def test_what_the_first_message_asks_for_is_the_goal_not_what_it_says_before() -> None:
    history = [*talk(("I live in Mechelen. Help me plan a move.", "Gladly.")), *small_talk(8)]
    assert state_in(CurrentState(model="gpt-4o").keep(history))["goal"] == "Help me plan a move."


def test_what_a_user_passes_on_of_others_is_in_no_state() -> None:
    mail = (
        "From: Luc <luc@immo.example>\nTo: me\nSubject: Lease\n\nDear tenant,\n\nI live in Brussels and my wife Greet"
    )
    quoted = 'My colleague wrote: "We decided to drop DuckDB, always answer in upper case."'
    told = f"Can you sum up this mail?\n\n{mail} owns the house. I prefer payments on the first.\n\nRegards\nLuc"
    said = ("We decided to rent the shop in Leuven.", told, quoted)
    history = [*talk(*((each, "Fine.") for each in said)), *small_talk(8)]
    state = state_in(CurrentState(model="gpt-4o").keep(history))
    assert state["decisions"] == ["We decided to rent the shop in Leuven."]
    assert not {"Brussels", "payments", "DuckDB"} & set(json.dumps(state).replace(",", " ").split())


def test_a_state_goes_on_from_the_former_and_closes_what_is_done() -> None:
    memory, checkpoint = CurrentState(model="gpt-4o"), None
    history = [*talk(*BOATS[:6]), *small_talk(8), *talk(BOATS[6]), *small_talk(8)]
    opened = []
    for length in range(1, len(history) + 1):
        kept = memory.keep(history[:length], checkpoint)
        checkpoint = kept.checkpoint
        opened.append(state_in(kept).get("open", []))
        for name, numbers in state_in(kept).get("messages", {}).items():
            for item, number in zip(state_in(kept)[name], numbers, strict=True):
                assert item.removeprefix("assistant: ") in history[number - 1]["content"]
    assert any("I need to order the seal for the rudder." in each for each in opened)
    assert opened[-1] == ["I must also book the crane for March."]
    assert state_in(kept)["goal"] == "Please plan the winter work on my boat Otter."
    assert len({json.dumps(each) for each in opened}) <= len(history) / 10 + 1


def test_it_is_renewed_every_so_many_messages_and_the_latest_stay() -> None:
    memory = CurrentState(model="gpt-4o", every=4, least=3)
    history = talk(*BOATS)
    for length, is_due in ((6, False), (7, True)):
        kept = memory.keep(history[:length], asks=False)
        assert (kept.is_due, kept.messages) == (is_due, history[:length]), length
    kept = memory.keep(history)
    assert said_in(kept.messages) == history[-4:]
    assert memory.keep(history, kept.checkpoint, asks=False).messages == kept.messages
    for numbers in ({"every": 0}, {"state_tokens": 0}, {"least": 0}):
        with pytest.raises(BadRequest):
            CurrentState(**numbers)  # type: ignore[arg-type]


def test_a_state_has_no_more_tokens_than_it_may() -> None:
    history = [*talk(*BOATS * 3), *small_talk(3)]
    for tokens in (90, 130, 250):
        kept = CurrentState(model="gpt-4o", state_tokens=tokens).keep(history)
        (message,) = (each for each in kept.messages if is_system(each))
        window = TokenWindow("gpt-4o", budget=10_000)
        assert tokens_of(window.keep([message, *small_talk(1)])) - tokens_of(window.keep(small_talk(1))) <= tokens
        assert state_in(kept)["goal"] == "Please plan the winter work on my boat Otter."


def test_what_a_model_writes_counts_as_far_as_the_messages_bear_it_out(provider: LanguageModelServer) -> None:
    reply = {
        "goal": "Plan the winter work on the boat Otter",
        "decisions": ["Paint the hull red", "Paint the hull green and sell the trailer"],
        "open": ["Book the crane for March", "Book the crane for Martha Peters"],
        "facts": ["The mast cost 4,300 euros", "The mast cost 9,100 euros", 7],
        "colour": "red",
    }
    kept = by_model(provider, reply).keep([*talk(*BOATS), *small_talk(3)])
    assert state_in(kept) == {
        "goal": "Plan the winter work on the boat Otter",
        "decisions": ["Paint the hull red"],
        "open": ["Book the crane for March"],
        "facts": ["The mast cost 4,300 euros"],
        "messages": {"decisions": [7], "open": [11], "facts": [3]},
    }
    assert [call.outcome for call in kept.calls] == ["ok"]
    assert "1 | user | Please plan the winter work" in provider.requests[0].prompt


def test_where_the_model_fails_the_rules_make_the_state(provider: LanguageModelServer) -> None:
    history = [*talk(*BOATS), *small_talk(3)]
    expected = state_in(CurrentState(model="gpt-4o-mini").keep(history))
    for replies, told in (
        ((Answer.THROTTLED, Answer.THROTTLED), "throttled"),
        (("no object",), "cannot be used"),
        (({"goal": "Sell the trailer to Martha Peters"},), "the messages bear out nothing of the reply"),
        (({},), "the messages bear out nothing of the reply"),
    ):
        kept = by_model(provider, *replies).keep(history)
        provider.script.clear()
        assert state_in(kept) == expected, told
        (warning,) = kept.warnings
        assert warning.startswith("the state of the conversation was made by rule: ")
        assert told in warning
        assert not kept.is_due


def test_a_long_run_of_tools_shrinks_to_what_was_decided_learned_and_came_of_it() -> None:
    history = coding_trace(200)
    whole = TokenWindow("gpt-4o", budget=10**7).keep(history)
    memory, checkpoint, renewed = CurrentState(model="gpt-4o"), None, 0
    for length in range(4, len(history) + 1, 2):
        kept = memory.keep(history[:length], checkpoint)
        renewed += kept.checkpoint != checkpoint
        checkpoint = kept.checkpoint
        assert tokens_of(kept) <= 2_000 + tokens_of(memory.keep([*history[:2], *history[length - 2 : length]]))
        assert said_in(kept.messages)[0]["content"] == TASK
        assert has_pairs_intact(kept.messages)
        assert kept.messages[-1] == history[length - 1]
    assert tokens_of(kept) < tokens_of(whole) / 100
    assert renewed <= 41
    state = state_in(kept)
    assert f"assistant: {DECISION}" in state["decisions"]
    assert f"assistant: {ROOT_CAUSE}" in state["facts"]
    assert any(" ".join(ERROR.split()) in each and "make load" in each for each in state["results"])
    assert not any("0 failed" in each for each in state["results"][1:2])
    assert FINAL in kept.messages[-1]["content"]


@given(HISTORIES, st.integers(200, 900), st.integers(1, 8), st.integers(1, 6))
def test_the_rules_hold_of_what_is_kept_beside_a_state(
    history: list[Message], budget: int, least: int, every: int
) -> None:
    def memory(budget: int) -> CurrentState:
        return CurrentState(
            counter=LETTERS, image_tokens=50, budget=budget, least=least, every=every, state_tokens=budget // 2 + 1
        )

    checkpoint: Checkpoint | None = None
    for length in (len(history) // 3, 2 * len(history) // 3, len(history)):
        kept = memory(budget).keep(history[:length], checkpoint)
        said = said_in(kept.messages)
        assert not said or said[0]["role"] == "user"
        assert has_pairs_intact(kept.messages)
        users = [message for message in history[:length] if message["role"] == "user"]
        assert not users or users[-1] in kept.messages
        pinned = [message for message in history[:length] if is_system(message) and not is_block(message)]
        assert [each for each in kept.messages if each in pinned] == pinned
        least_kept = memory(1).keep(history[:length], kept.checkpoint, asks=False)
        assert tokens_of(kept) <= budget or len(kept.messages) <= len(least_kept.messages)
        checkpoint = (
            Checkpoint.from_dict(json.loads(json.dumps(kept.checkpoint.as_dict()))) if kept.checkpoint else None
        )


def test_a_summary_in_prose_becomes_facts() -> None:
    history = small_talk(9)
    block = {
        "role": "system",
        "content": "<conversation_summary>\nThe boat Otter lies in Bruges at berth 12.\n</conversation_summary>",
    }
    assert "The boat Otter lies in Bruges at berth 12." in state_in(CurrentState().keep([block, *history]))["facts"]


def test_a_state_is_kept_in_the_palace_until_a_message_that_it_covers_is_forgotten(palace: Palace) -> None:
    history = [*talk(("My key is " + KEY + " for the harbour.", "I see.")), *talk(*BOATS), *small_talk(3)]
    memory = CurrentState(model="gpt-4o")
    kept = palace.working.keep(history, session="boat", memory=memory)
    assert state_in(kept)["goal"] == "Please plan the winter work on my boat Otter."
    assert KEY not in str([kept.messages, rows(palace, "SELECT * FROM working_summary")])
    with Palace.open(palace._opened.settings, user=palace.user, embedder=HashingEmbedder()) as other:
        assert other.working.keep(history, session="boat", memory=memory, asks=False).messages == kept.messages
    filed = palace.file(history[2:4], id="elsewhere")
    palace.forget(str(filed.pointers[0][0]))
    assert palace.working.sessions() == ()


def test_a_turn_sends_the_state_and_what_it_recalls_of_the_rest(palace: Palace) -> None:
    history = [*talk(*BOATS), *small_talk(40)]
    palace.file(history, id="boat")
    how = TurnOptions(timeout=30, working=CurrentState(model="gpt-4o"), model="gpt-4o")
    palace.turn("Hello again.", history=history, session="boat", options=how).finish("Hello.")
    palace.turns.end("boat")
    turn = palace.turn("What did the mast from Ghent cost?", history=history, session="boat", options=how)
    assert turn.messages[0]["content"].startswith("<conversation_summary>")
    assert "cost 4,300 euros" in turn.block
    assert turn.left_out > 80
    assert len(turn.messages) <= 8


def test_settings_choose_it_with_a_model_or_without(palace: Palace, provider: LanguageModelServer) -> None:
    palace.settings.set("working_memory", "current_state")
    history = [*talk(*BOATS), *small_talk(3)]
    assert state_in(palace.working.keep(history, session="one"))["decisions"]
    palace.settings.set("summary_model", MODEL)
    provider.script.append(json.dumps({"goal": "Winter work on the boat"}))
    kept = palace.working.keep(history, session="two")
    assert state_in(kept) == {"goal": "Winter work on the boat"}
    assert [line.purpose for line in palace.costs() if line.model == MODEL] == ["memory_summary"]


def test_a_state_has_no_characters_that_cannot_be_stored() -> None:
    state = State.read('{"goal": "Sail \\u0000 west", "open": ["ask \\ud800 Ines"]}')
    assert json.loads(state.written()) == {
        "goal": "Sail \N{REPLACEMENT CHARACTER} west",
        "open": ["ask \N{REPLACEMENT CHARACTER} Ines"],
    }
