"""What of a long conversation a turn sends, as the settings or the program say, and who sums up the rest."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from palace import BadRequest, LanguageModelError, Palace, SummaryBuffer, TokenCounter, TokenWindow
from palace.llm.protocol import Reply
from palace.testing import Answer, HashingEmbedder, LanguageModelServer
from palace.turns import Turn, TurnOptions
from palace.working.shape import Entry

LETTERS = TokenCounter.given(len, name="letters")
MODEL = "openai/gpt-4o-mini"


@dataclass
class Scribe:
    """Sums up by counting; waits, or fails, first where it is told to."""

    meanwhile: Callable[[], object] = lambda: None
    asked: list[list[Any]] = field(default_factory=list)

    def sum_up(self, previous: str, entries: Sequence[Entry], tokens: int) -> Reply[str]:
        self.asked.append([entry.shape["content"] for entry in entries])
        self.meanwhile()
        return Reply(f"{previous} {len(entries)} more".strip())


def summing(scribe: Any) -> SummaryBuffer:
    return SummaryBuffer(scribe, counter=LETTERS, budget=3_000, least=2)


def options(**given: Any) -> TurnOptions:
    return TurnOptions(**{"timeout": 30, "memory": False} | given)


def chat(exchanges: int) -> list[dict[str, Any]]:
    return [
        {"role": role, "content": f"{role[0]}{number} ".ljust(100, "x")}
        for number in range(exchanges)
        for role in ("user", "assistant")
    ]


def contents(turn: Turn) -> list[str]:
    return [message["content"] for message in turn.messages]


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[LanguageModelServer]:
    with LanguageModelServer() as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.api_base)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        yield server


def test_unless_told_otherwise_everything_is_sent(palace: Palace) -> None:
    turn = palace.turn("And now?", history=chat(40), session="long", options=options())
    assert (len(turn.messages), turn.left_out) == (81, 0)


@pytest.mark.parametrize(("strategy", "number"), [("buffer_window", 7), ("token_window", 5)])
def test_settings_of_an_agent_trim_what_is_sent(palace: Palace, strategy: str, number: int) -> None:
    palace.settings.set("working_memory", strategy, agent="coder")
    palace.settings.set("working_messages", 7, agent="coder")
    palace.settings.set("working_tokens", 200, agent="coder")
    for session in ("long", None):
        turn = palace.turn("And now?", history=chat(40), session=session, agent="coder")
        assert contents(turn)[-1].endswith("And now?")
        assert turn.messages[0]["role"] == "user"
        assert turn.left_out == 81 - len(turn.messages) > 81 - 2 * number
        assert "working" in turn.timings
    assert palace.turn("And now?", history=chat(40), agent="writer").left_out == 0


def test_a_program_goes_before_the_settings(palace: Palace) -> None:
    palace.settings.set("working_memory", "buffer_window")
    turn = palace.turn("And now?", history=chat(40), options=options(working=TokenWindow(counter=LETTERS, budget=900)))
    assert len(turn.messages) == 8 + 1
    with pytest.raises(BadRequest, match="working must be a working memory, not str"):
        options(working="token_window")


def test_what_is_too_old_is_summed_up_behind_the_turn(palace: Palace) -> None:
    may_end = threading.Event()
    scribe = Scribe(meanwhile=lambda: may_end.wait(20))
    how = options(working=summing(scribe))
    turn = palace.turn("And now?", history=chat(40), session="long", options=how)
    assert len("".join(contents(turn))) <= 3_000
    begun = time.monotonic()
    assert turn.finish("Well.").is_filed
    turn.finish("Well.")
    again = palace.turn("And now?", history=chat(40), session="long", options=how)
    assert time.monotonic() - begun < 15
    assert "conversation_summary" not in contents(again)[0]
    may_end.set()
    palace.turns.end("long")
    assert len(scribe.asked) == 1
    with Palace.open(palace._opened.settings, user=palace.user, embedder=HashingEmbedder()) as other:
        how = options(working=summing(Scribe()))
        there = other.turn("And now?", history=chat(40), session="long", options=how)
        assert "more" in contents(there)[0]
        assert contents(there)[0].startswith("<conversation_summary>")


def test_a_conversation_without_a_name_is_known_by_how_it_begins(palace: Palace) -> None:
    how = options(working=summing(Scribe()))
    palace.turn("And now?", history=chat(40), options=how).finish("Well.")
    palace.turns.end()
    assert "more" in contents(palace.turn("And then?", history=chat(40), options=how))[0]


def test_settings_name_the_model_that_sums_up(palace: Palace, provider: LanguageModelServer) -> None:
    palace.settings.set("summary_model", MODEL)
    palace.settings.set("working_memory", "summary_buffer")
    palace.settings.set("working_tokens", 1_500)
    palace.settings.set("gate", "none")
    provider.script.append(json.dumps({"summary": "The boat was painted."}))
    palace.turn("And now?", history=chat(60), session="long").finish("Well.")
    palace.turns.end("long")
    assert "The boat was painted." in contents(palace.turn("And now?", history=chat(60), session="long"))[0]
    assert [(line.purpose, line.calls) for line in palace.costs() if line.model == MODEL] == [("memory_summary", 1)]


@pytest.mark.parametrize("answer", [Answer.THROTTLED, "no JSON at all"])
def test_a_model_that_fails_costs_no_turn_and_one_line_of_the_log(
    palace: Palace, provider: LanguageModelServer, caplog: pytest.LogCaptureFixture, answer: Any
) -> None:
    palace.settings.set("summary_model", MODEL)
    palace.settings.set("working_memory", "summary_buffer")
    palace.settings.set("working_tokens", 1_500)
    provider.script.extend([answer] * 4)
    with caplog.at_level(logging.WARNING, "palace.turns"):
        turn = palace.turn("And now?", history=chat(60), session="long")
        turn.finish("Well.")
        palace.turns.end("long")
    assert turn.left_out
    assert [json.loads(record.getMessage())["event"] for record in caplog.records] == ["summed_up"]
    assert "xxx" not in caplog.text


def test_what_a_summariser_raises_is_nobodys_problem(palace: Palace, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise ZeroDivisionError("private words")

    how = options(working=summing(Scribe(meanwhile=fail)))
    palace.turn("And now?", history=chat(40), session="long", options=how).finish("Well.")
    palace.turns.end("long")
    assert "private" not in caplog.text
    assert "summed_up" in caplog.text


@pytest.mark.parametrize("place", ["user", "system"])
def test_blocks_stay_with_their_messages(palace: Palace, place: Any) -> None:
    palace.note("My boat is called Otter.")
    how = options(memory=True, place=place, working=TokenWindow(counter=LETTERS, budget=4_000))
    turn = palace.turn("What is my boat called?", history=chat(40), session="long", options=how)
    assert "Otter" in turn.block
    own = turn.messages[-2:] if place == "system" else turn.messages[-1:]
    assert own[0]["content"].startswith(turn.block)
    assert own[-1]["content"].endswith("What is my boat called?")
    assert turn.left_out
    history = [*chat(40), {"role": "user", "content": "What is my boat called?"}, {"role": "assistant", "content": "O"}]
    later = palace.turn("And the mast?", history=history, session="long", options=how)
    assert turn.block in "".join(contents(later))


def test_a_summary_goes_on_when_a_block_has_gone(palace: Palace) -> None:
    filed = palace.note("My boat is called Otter.")
    scribe = Scribe()
    how = options(memory=True, working=summing(scribe))
    turn = palace.turn("What is my boat called?", session="long", options=how)
    assert "Otter" in turn.block
    history = [{"role": "user", "content": "What is my boat called?"}, *chat(40)[1:]]
    palace.turn("And now?", history=history, session="long", options=how).finish("Well.")
    palace.turns.end("long")
    assert "Otter" not in str(scribe.asked)
    palace.forget(str(filed.pointer))
    (kept,) = palace.working.sessions()
    later = palace.turn("And now?", history=history, session="long", options=how)
    assert kept.summary in contents(later)[0]
    assert not [note for note in later.notes if "another history" in note]


def test_with_the_database_away_a_turn_is_trimmed(palace: Palace) -> None:
    how = options(working=summing(Scribe()))
    with Palace.open(palace._opened.settings, user=palace.user, embedder=HashingEmbedder()) as other:
        other.turn("And now?", history=chat(40), session="long", options=how).finish("Well.")
        other.turns.end("long")
        assert "more" in contents(other.turn("And now?", history=chat(40), session="long", options=how))[0]
    away = other.turn("And now?", history=chat(40), session="long", options=how)
    assert "more" in contents(away)[0]
    assert contents(away)[-1] == "And now?"
    new = palace.turn("And now?", history=["what is no message", 7], session="odd", options=how)
    assert contents(new) == ["what is no message", "And now?"]


def test_what_a_summary_is_made_of_is_the_request_of_the_wrapped_client_too(palace: Palace) -> None:
    from palace.turns import remember

    sent: list[list[Any]] = []

    def complete(*, messages: list[Any]) -> dict[str, Any]:
        sent.append(messages)
        return {"choices": [{"message": {"role": "assistant", "content": "Well."}}]}

    wrapped = remember(complete, palace, session="long", options=options(working=summing(Scribe())))
    for _ in range(2):
        wrapped(messages=[*chat(40), {"role": "user", "content": "And now?"}])
        palace.turns.end("long")
    assert len(sent[0]) < 40
    assert "more" in sent[1][0]["content"]
    assert sum(len(message["content"]) for message in sent[1]) <= 3_000


def test_a_failure_counts_across_turns(palace: Palace) -> None:
    def fail() -> None:
        raise LanguageModelError("scripted")

    scribe = Scribe(meanwhile=fail)
    how = options(working=summing(scribe))
    for exchanges in range(40, 46):
        palace.turn("And now?", history=chat(exchanges), session="long", options=how).finish("Well.")
        palace.turns.end("long")
    assert len(scribe.asked) == 4
