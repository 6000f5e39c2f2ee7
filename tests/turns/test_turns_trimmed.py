"""What of a long conversation a turn sends, as the settings or the program say, and who sums up the rest."""

from __future__ import annotations

import json
import logging
import threading
import time
from typing import Any

import pytest

from palace import BadRequest, Palace, TokenWindow
from palace.testing import HashingEmbedder, LanguageModelServer
from palace.turns import Turn, TurnOptions
from tests.working.histories import LETTERS, Scribe, buffer, chat

MODEL = "openai/gpt-4o-mini"


def options(**given: Any) -> TurnOptions:
    return TurnOptions(**{"timeout": 30, "memory": False} | given)


def contents(turn: Turn) -> list[str]:
    return [message["content"] for message in turn.messages]


def test_everything_is_sent_unless_the_settings_of_an_agent_or_the_program_say_otherwise(palace: Palace) -> None:
    turn = palace.turn("And now?", history=chat(40), session="long", options=options())
    assert (len(turn.messages), turn.left_out) == (81, 0)
    palace.settings.set("working_messages", 7, agent="coder")
    palace.settings.set("working_tokens", 200, agent="coder")
    for strategy, number in (("buffer_window", 7), ("token_window", 5)):
        palace.settings.set("working_memory", strategy, agent="coder")
        for session in ("long", None):
            turn = palace.turn("And now?", history=chat(40), session=session, agent="coder")
            assert contents(turn)[-1].endswith("And now?")
            assert turn.messages[0]["role"] == "user"
            assert turn.left_out == 81 - len(turn.messages) > 81 - 2 * number
            assert "working" in turn.timings
    assert palace.turn("And now?", history=chat(40), agent="writer").left_out == 0
    own = options(working=TokenWindow(counter=LETTERS, budget=900))
    assert len(palace.turn("And now?", history=chat(40), agent="coder", options=own).messages) == 8 + 1
    with pytest.raises(BadRequest, match="working must be a working memory, not str"):
        options(working="token_window")


def test_what_is_too_old_is_summed_up_behind_the_turn(palace: Palace) -> None:
    may_end = threading.Event()
    scribe = Scribe(meanwhile=lambda: may_end.wait(20))
    how = options(working=buffer(scribe, budget=3_000))
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
        how = options(working=buffer(Scribe(), budget=3_000))
        there = other.turn("And now?", history=chat(40), session="long", options=how)
        assert contents(there)[0].startswith("<conversation_summary>")


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


def test_a_model_or_summariser_that_fails_costs_no_turn_and_one_line_of_the_log(
    palace: Palace, provider: LanguageModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise ZeroDivisionError("private words")

    for name, value in {"summary_model": MODEL, "working_memory": "summary_buffer", "working_tokens": 1_500}.items():
        palace.settings.set(name, value)
    for answer in ("no JSON at all", None):
        provider.script.extend([answer] * 4 if answer else [])
        how = None if answer else options(working=buffer(Scribe(meanwhile=fail), budget=3_000))
        caplog.clear()
        with caplog.at_level(logging.WARNING, "palace.turns"):
            turn = palace.turn("And now?", history=chat(60), session=str(answer), options=how)
            turn.finish("Well.")
            palace.turns.end(str(answer))
        assert turn.left_out
        assert [json.loads(record.getMessage())["event"] for record in caplog.records] == ["summed_up"], answer
        assert "xxx" not in caplog.text
        assert "private" not in caplog.text
        provider.script.clear()


def test_blocks_stay_with_their_messages(palace: Palace) -> None:
    palace.note("My boat is called Otter.")
    asked = {"role": "user", "content": "What is my boat called?"}
    places: tuple[Any, ...] = ("user", "system")
    for place in places:
        how = options(memory=True, place=place, working=TokenWindow(counter=LETTERS, budget=4_000))
        turn = palace.turn(asked, history=chat(40), session=place, options=how)
        assert "Otter" in turn.block
        own = turn.messages[-2:] if place == "system" else turn.messages[-1:]
        assert own[0]["content"].startswith(turn.block)
        assert own[-1]["content"].endswith("What is my boat called?")
        assert turn.left_out
        history = [*chat(40), asked, {"role": "assistant", "content": "O"}]
        later = palace.turn("And the mast?", history=history, session=place, options=how)
        assert turn.block in "".join(contents(later))
