"""``palace chat`` through a pipe: what is sent, what is shown, what is filed, and what is done when something fails."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest

from palace import DatabaseUnavailable, Palace, PalaceError
from palace.testing import Answer, LanguageModelServer, ModelRequest
from tests.cli.conftest import Run

NAME = "My sailing boat is called Zephyrine."
ASKED, REPLY = "What is my sailing boat called?", "It is called Zephyrine."
POINTER = "W-001/R-01/D-001"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LanguageModelServer]:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("PALACE_TURN_TIMEOUT_SECONDS", "60")
    with LanguageModelServer() as running:
        yield running


@pytest.fixture
def chat(run: Run, server: LanguageModelServer) -> Run:
    """Talk with the server's model in the session "boats"."""
    where = ("--model", "openai/scripted", "--api-base", server.api_base)

    def talk(*lines: str, options: tuple[str, ...] = ("--session", "boats")) -> Any:
        return run("chat", *where, *options, given="".join(f"{line}\n" for line in lines))

    return talk


class Interrupting(LanguageModelServer):
    """Has somebody press Ctrl-C in the middle of its first reply."""

    was_pressed = False

    def _pieces(self, request: ModelRequest, answer: str) -> Iterator[bytes]:
        for number, piece in enumerate(super()._pieces(request, answer)):
            if number == 3 and not self.was_pressed:
                self.was_pressed = True
                time.sleep(0.5)  # what was said so far arrives first
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.5)
            yield piece


def sent(server: LanguageModelServer) -> list[str]:
    return [message["content"] for message in server.requests[-1].body["messages"]]


def filed(run: Run) -> list[tuple[str, str]]:
    lines = [json.loads(line) for line in run("export", "-").stdout.splitlines()]
    said = [line for line in lines if "content" in line and "role" in line and not line["memory"]]
    return [(line["role"], line["content"]) for line in said]


def test_a_reply_is_on_standard_output_what_was_recalled_on_standard_error_and_both_sides_are_filed(
    run: Run, chat: Run, server: LanguageModelServer
) -> None:
    run("note", NAME)
    server.script.append(REPLY)
    done = chat(ASKED, "/why", "/block")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, REPLY)
    assert f"§ {POINTER}" in done.stderr
    assert f"“{NAME}”" in done.stderr
    assert NAME in sent(server)[-1]
    assert sent(server)[-1].endswith(ASKED)
    assert server.requests[-1].body["stream"] is True
    for told in ("searched: ", "(pronoun)", ASKED, "sailing, boat", POINTER, "confidence", "recall.embed"):
        assert told in done.stdout
    assert "<memory_context>" in done.stdout
    assert filed(run) == [("user", NAME), ("user", ASKED), ("assistant", REPLY)]
    assert not any(step["pending"] for step in json.loads(run("status", "--json").stdout)["steps"])
    (line,) = json.loads(run("costs", "--json").stdout)
    assert (line["purpose"], line["calls"], line["failed"]) == ("chat", 1, 0)


@pytest.mark.nightly
def test_the_talk_goes_on_and_a_session_is_taken_up_again(run: Run, chat: Run, server: LanguageModelServer) -> None:
    server.script.extend(["Wie schön!", "Zwölf Meter.", "Ja."])
    first, second = "Mein Boot heißt Zephyrine.", "Wie lang ist sein Mast?"
    chat(first, "", "   ", second)
    assert [each.split("\n")[-1] for each in sent(server)] == [first, "Wie schön!", second]
    before = server.requests[-1].body["messages"]
    chat("Sicher?")
    after = server.requests[-1].body["messages"]
    assert after[: len(before)] == before
    assert after[len(before)] == {"role": "assistant", "content": "Zwölf Meter."}
    assert [content for _, content in filed(run)][-2:] == ["Sicher?", "Ja."]


def test_without_a_model_it_shows_what_memory_would_put_in_and_the_model_is_a_setting(
    run: Run, server: LanguageModelServer
) -> None:
    run("note", NAME)
    done = run("chat", given=f"{ASKED}\n")
    assert done.exit_code == 0
    assert done.stdout.startswith("<memory_context>\n")
    assert NAME in done.stdout
    assert "palace settings set chat_model" in done.stderr.splitlines()[0]
    assert filed(run) == [("user", NAME)]
    run("settings", "set", "chat_model", "openai/scripted")
    run("settings", "set", "chat_api_base", server.api_base)
    server.script.append(REPLY)
    assert run("chat", given=f"{ASKED}\n").stdout == f"{REPLY}\n"


def test_a_model_that_fails_costs_one_line_and_no_message_and_can_be_asked_again(
    run: Run, chat: Run, server: LanguageModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALACE_CHAT_TIMEOUT_SECONDS", "0.5")
    server.script.extend([Answer.WRONG_KEY, Answer.SILENT, "A fine name."])
    failed = chat(NAME)
    assert (failed.exit_code, failed.stdout) == (1, "")
    assert len([line for line in failed.stderr.splitlines() if "scripted" in line]) == 1
    assert filed(run) == [("user", NAME)]
    done = chat("And its mast?", "/retry")
    assert (done.exit_code, done.stdout) == (0, "A fine name.\n")
    assert "no answer within 0.5 seconds" in done.stderr
    assert server.requests[-2].body["messages"] == server.requests[-1].body["messages"]
    assert filed(run) == [("user", NAME), ("user", "And its mast?"), ("assistant", "A fine name.")]


def test_what_a_model_says_and_what_is_recalled_drives_no_terminal(
    run: Run, chat: Run, server: LanguageModelServer
) -> None:
    run("note", "My sailing boat [red]is called[/red] \x1b[2JZephyrine.")
    server.script.extend(["Yes.", "[bold]Red[/bold] :boat: \x1b[31mnow\x1b[0m \u202etfel \x07"])
    done = chat(ASKED, "/why", "/block")
    assert "\x1b" not in done.stdout + done.stderr
    assert "[red]is called[/red]" in done.stderr
    assert chat("Say something.").stdout == "[bold]Red[/bold] :boat: ␛[31mnow␛[0m <U+202E>tfel ␇\n"


@pytest.mark.nightly
def test_forgetting_asks_hides_and_says_how_to_restore(run: Run, chat: Run, server: LanguageModelServer) -> None:
    run("note", NAME)
    server.script.extend(["Noted.", "No idea.", REPLY])
    done = chat(f"/forget {POINTER}", "n", f"/forget {POINTER}", "y", "/restore", ASKED, f"/restore {POINTER}", ASKED)
    assert done.exit_code == 0
    assert "nothing was forgotten" in done.stderr
    assert f"/restore {POINTER} takes it back" in done.stderr
    assert "restored 1 drawer into the wing 'Notes'" in done.stderr
    assert [NAME in str(request.body["messages"]) for request in server.requests] == [False, True]


def test_what_is_forgotten_of_the_talk_itself_is_not_sent_again(chat: Run, server: LanguageModelServer) -> None:
    server.script.extend(["A fine name.", "No idea."])
    chat(NAME, f"/forget {POINTER}", "y", "Which name?")
    assert NAME not in str(server.requests[-1].body["messages"])
    assert "A fine name." in str(server.requests[-1].body["messages"])


@pytest.mark.nightly
def test_commands_that_are_none_are_told_and_paths_several_lines_and_long_messages_are_said_whole(
    chat: Run, server: LanguageModelServer
) -> None:
    long = "Das Segel ist groß. " * 2_000
    server.script.extend(["Noted."] * 5)
    done = chat(
        *("/nope", "/why", "/forget", "/recent x", "/help", "/etc/hosts is what?", "//help me"),
        *("First\\", "second", '"""', "a", "", "b", '"""', long, "/quit", "not said"),
    )
    assert done.stdout.endswith("Noted.\n")
    for told in ("there is no /nope", "nothing was said yet", "say what to forget"):
        assert told in done.stderr
    assert "/forget POINTER" in done.stdout
    said = [request.body["messages"][-1]["content"] for request in server.requests]
    assert said[:4] == ["/etc/hosts is what?", "/help me", "First\nsecond", "a\n\nb"]
    assert said[4].endswith(long)
    assert len(said) == 5


def test_ctrl_c_stops_a_reply_keeps_what_came_and_the_talk_goes_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_TURN_TIMEOUT_SECONDS", "60")
    with Interrupting("One two three four.", "Fünf Fässer.") as server:
        where = ("--model", "openai/scripted", "--api-base", server.api_base)
        done = run("chat", *where, given="Count.\nWeiter, schönes Segel.\n")
    assert "stopped: what came is kept" in done.stderr
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "Fünf Fässer.")
    (_, asked), (_, kept), *later = filed(run)
    assert (asked, kept[:3], "four" in kept) == ("Count.", "One", False)
    assert later == [("user", "Weiter, schönes Segel."), ("assistant", "Fünf Fässer.")]


@pytest.mark.nightly
def test_with_json_each_answer_is_a_line(run: Run, chat: Run, server: LanguageModelServer) -> None:
    run("note", NAME)
    server.script.extend([REPLY, Answer.THROTTLED])
    done = chat(ASKED, "/why", "/block", "/recent", "And its mast?", options=("--session", "boats", "--json"))
    first, why, block, recent, last = map(json.loads, done.stdout.splitlines())
    assert (first["reply"], first["is_filed"], first["hits"][0]["drawer"]["content"]) == (REPLY, True, NAME)
    assert why["decision"]["searched"]
    assert NAME in block
    assert recent
    assert (last["reply"], last["is_filed"]) == ("", True)
    assert "throttled" in last["problem"]
    assert done.exit_code == 1


def test_what_cannot_be_filed_waits_and_the_talk_goes_on(
    run: Run,
    chat: Run,
    server: LanguageModelServer,
    filing_fails: Callable[[PalaceError], AbstractContextManager[None]],
) -> None:
    with filing_fails(DatabaseUnavailable("gone fishing")):
        server.script.extend([REPLY, "Twelve metres."])
        done = chat(ASKED, "And its mast?")
    assert done.stdout == f"{REPLY}\nTwelve metres.\n"
    assert "waits in the outbox" in done.stderr
    assert filed(run) == []
    server.script.append("Yes.")
    chat("Sure?")
    assert [content for _, content in filed(run)] == [ASKED, REPLY, "And its mast?", "Twelve metres.", "Sure?", "Yes."]


def test_what_was_said_in_a_session_is_read_back(palace: Palace) -> None:
    assert palace.turns.history("none such") == []
    palace.turn("My mast is blue.", session="boats").finish("A fine colour.")
    said = [("user", "My mast is blue."), ("assistant", "A fine colour.")]
    assert [(each["role"], each["content"]) for each in palace.turns.history("boats")] == said
    assert [each["content"] for each in palace.turns.history("boats", limit=1)] == ["A fine colour."]
