"""``palace chat`` through a pipe: what is sent, what is shown, what is filed, and what is done when something fails."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from palace import Palace
from palace.errors import DatabaseUnavailable
from palace.settings import Settings
from palace.testing import Answer, LanguageModelServer
from palace.turns.exchange.filing import Filer

Run = Callable[..., Any]
NAME = "My sailing boat is called Zephyrine."
ASKED, REPLY = "What is my sailing boat called?", "It is called Zephyrine."


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


def sent(server: LanguageModelServer) -> list[str]:
    return [message["content"] for message in server.requests[-1].body["messages"]]


def filed(run: Run) -> list[tuple[str, str]]:
    lines = [json.loads(line) for line in run("export", "-").stdout.splitlines()]
    return [(line["role"], line["content"]) for line in lines if "content" in line and "role" in line]


def test_a_reply_is_on_standard_output_and_what_was_recalled_on_standard_error(
    run: Run, chat: Run, server: LanguageModelServer
) -> None:
    run("note", NAME)
    server.script.append(REPLY)
    done = chat(ASKED)
    assert (done.exit_code, done.stdout) == (0, f"{REPLY}\n")
    assert "§ W-001/R-01/D-001" in done.stderr
    assert f"“{NAME}”" in done.stderr
    assert NAME in sent(server)[-1]
    assert sent(server)[-1].endswith(ASKED)
    assert server.requests[-1].body["stream"] is True
    assert filed(run) == [("user", NAME), ("user", ASKED), ("assistant", REPLY)]


def test_the_talk_goes_on_and_a_session_is_taken_up_again(run: Run, chat: Run, server: LanguageModelServer) -> None:
    server.script.extend(["Wie schön!", "Zwölf Meter.", "Ja."])
    chat("Mein Boot heißt Zephyrine.", "", "   ", "Wie lang ist sein Mast?")
    assert [each.split("\n")[-1] for each in sent(server)] == [
        "Mein Boot heißt Zephyrine.",
        "Wie schön!",
        "Wie lang ist sein Mast?",
    ]
    before = server.requests[-1].body["messages"]
    chat("Sicher?")
    after = server.requests[-1].body["messages"]
    assert after[: len(before)] == before
    assert after[len(before)] == {"role": "assistant", "content": "Zwölf Meter."}
    assert [content for _, content in filed(run)][-2:] == ["Sicher?", "Ja."]


def test_what_was_said_is_embedded_when_the_talk_ends(run: Run, chat: Run, server: LanguageModelServer) -> None:
    server.script.append(REPLY)
    chat(ASKED)
    status = json.loads(run("status", "--json").stdout)
    assert not any(step["pending"] for step in status["steps"])
    (line,) = json.loads(run("costs", "--json").stdout)
    assert (line["purpose"], line["calls"], line["failed"]) == ("chat", 1, 0)


def test_without_a_model_it_shows_what_memory_would_put_in_and_files_nothing(run: Run) -> None:
    run("note", NAME)
    done = run("chat", given=f"{ASKED}\n")
    assert done.exit_code == 0
    assert done.stdout.startswith("<memory_context>\n")
    assert NAME in done.stdout
    assert "palace settings set chat_model" in done.stderr.splitlines()[0]
    assert filed(run) == [("user", NAME)]


def test_the_model_and_its_address_are_settings(run: Run, server: LanguageModelServer) -> None:
    run("settings", "set", "chat_model", "openai/scripted")
    run("settings", "set", "chat_api_base", server.api_base)
    server.script.append(REPLY)
    assert run("chat", given=f"{ASKED}\n").stdout == f"{REPLY}\n"


@pytest.mark.parametrize("answer", [Answer.THROTTLED, Answer.BROKEN, Answer.REFUSED, Answer.WRONG_KEY, Answer.GARBLED])
def test_a_model_that_fails_costs_one_line_and_no_message(
    run: Run, chat: Run, server: LanguageModelServer, answer: str
) -> None:
    server.script.append(answer)
    failed = chat(NAME)
    assert (failed.exit_code, failed.stdout) == (1, "")
    assert len([line for line in failed.stderr.splitlines() if "scripted" in line]) == 1
    assert filed(run) == [("user", NAME)]


def test_a_model_that_falls_silent_is_left(
    run: Run, chat: Run, server: LanguageModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALACE_CHAT_TIMEOUT_SECONDS", "0.5")
    server.script.append(Answer.SILENT)
    failed = chat(NAME)
    assert "no answer within 0.5 seconds" in failed.stderr
    assert filed(run) == [("user", NAME)]


def test_it_can_be_asked_again(run: Run, chat: Run, server: LanguageModelServer) -> None:
    server.script.extend([Answer.THROTTLED, "A fine name."])
    done = chat(NAME, "/retry")
    assert (done.exit_code, done.stdout) == (0, "A fine name.\n")
    assert server.requests[0].body["messages"] == server.requests[1].body["messages"]
    assert filed(run) == [("user", NAME), ("assistant", "A fine name.")]


def test_what_a_model_says_is_text_and_drives_no_terminal(chat: Run, server: LanguageModelServer) -> None:
    server.script.append("[bold]Red[/bold] :boat: \x1b[31mnow\x1b[0m \u202etfel \x07")
    done = chat("Say something.")
    assert done.stdout == "[bold]Red[/bold] :boat: ␛[31mnow␛[0m <U+202E>tfel ␇\n"


def test_what_is_recalled_drives_no_terminal_either(run: Run, chat: Run, server: LanguageModelServer) -> None:
    run("note", "My sailing boat [red]is called[/red] \x1b[2JZephyrine.")
    server.script.append("Yes.")
    done = chat(ASKED, "/why", "/block")
    assert "\x1b" not in done.stdout + done.stderr
    assert "[red]is called[/red]" in done.stderr


def test_why_tells_gate_query_hits_and_timings(run: Run, chat: Run, server: LanguageModelServer) -> None:
    run("note", NAME)
    server.script.append(REPLY)
    done = chat(ASKED, "/why", "/block")
    for told in ("searched: ", "(pronoun)", ASKED, "sailing, boat", "W-001/R-01/D-001", "confidence", "recall.embed"):
        assert told in done.stdout
    assert "<memory_context>" in done.stdout


def test_forgetting_asks_hides_and_says_how_to_restore(run: Run, chat: Run, server: LanguageModelServer) -> None:
    run("note", NAME)
    server.script.extend(["Noted.", "No idea.", REPLY])
    pointer = "W-001/R-01/D-001"
    done = chat(f"/forget {pointer}", "n", f"/forget {pointer}", "y", "/restore", ASKED, f"/restore {pointer}", ASKED)
    assert done.exit_code == 0
    assert "nothing was forgotten" in done.stderr
    assert f"/restore {pointer} takes it back" in done.stderr
    assert "restored 1 drawer into the wing 'Notes'" in done.stderr
    assert [NAME in str(request.body["messages"]) for request in server.requests] == [False, True]


def test_what_is_forgotten_of_the_talk_itself_is_not_sent_again(
    run: Run, chat: Run, server: LanguageModelServer
) -> None:
    server.script.extend(["A fine name.", "No idea."])
    chat(NAME, "/forget W-001/R-01/D-001", "y", "Which name?")
    assert NAME not in str(server.requests[-1].body["messages"])
    assert "A fine name." in str(server.requests[-1].body["messages"])


def test_commands_that_are_none_are_told_and_paths_are_said(chat: Run, server: LanguageModelServer) -> None:
    server.script.extend(["One.", "Two."])
    done = chat(
        "/nope", "/why", "/forget", "/recent x", "/help", "/etc/hosts is what?", "//help me", "/quit", "not said"
    )
    assert done.stdout.endswith("One.\nTwo.\n")
    assert "there is no /nope" in done.stderr
    assert "nothing was said yet" in done.stderr
    assert "say what to forget" in done.stderr
    assert "/forget POINTER" in done.stdout
    assert [request.body["messages"][-1]["content"] for request in server.requests] == [
        "/etc/hosts is what?",
        "/help me",
    ]


def test_messages_of_several_lines_and_very_long_ones_are_said_whole(
    run: Run, chat: Run, server: LanguageModelServer
) -> None:
    server.script.extend(["One.", "Two.", "Three."])
    long = "Das Segel ist groß. " * 2_000
    chat("First\\", "second", '"""', "a", "", "b", '"""', long)
    said = [request.body["messages"][-1]["content"] for request in server.requests]
    assert [said[0], said[1]] == ["First\nsecond", "a\n\nb"]
    assert said[2].endswith(long)


def test_with_json_each_answer_is_a_line(run: Run, chat: Run, server: LanguageModelServer) -> None:
    run("note", NAME)
    server.script.extend([REPLY, Answer.THROTTLED])
    done = chat(ASKED, "And its mast?", options=("--session", "boats", "--json"))
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["reply"], first["is_filed"], first["hits"][0]["drawer"]["content"]) == (REPLY, True, NAME)
    assert (second["reply"], second["is_filed"]) == ("", True)
    assert "throttled" in second["problem"]
    assert done.exit_code == 1


def test_with_json_what_is_asked_of_the_talk_is_a_line_as_well(
    run: Run, chat: Run, server: LanguageModelServer
) -> None:
    run("note", NAME)
    server.script.append(REPLY)
    done = chat(ASKED, "/why", "/block", "/recent", options=("--json",))
    _, why, block, recent = map(json.loads, done.stdout.splitlines())
    assert why["decision"]["searched"]
    assert NAME in block
    assert recent


def test_an_agent_without_memory_is_given_none_and_what_is_said_is_filed(
    run: Run, chat: Run, server: LanguageModelServer
) -> None:
    run("note", NAME)
    run("settings", "set", "enabled", "false", "--agent", "parrot")
    server.script.append("Squawk.")
    chat(ASKED, options=("--agent", "parrot", "--system", "You are a parrot."))
    assert sent(server) == ["You are a parrot.", ASKED]
    assert ("assistant", "Squawk.") in filed(run)


def test_of_a_long_talk_what_fits_is_sent_and_the_rest_is_recalled(
    run: Run, chat: Run, server: LanguageModelServer
) -> None:
    run("settings", "set", "working_tokens", "400")
    fillers = [f"Number {number}: " + "the weather over the harbour was grey again. " * 12 for number in range(4)]
    server.script.extend(["Noted."] * 5 + [REPLY])
    chat(NAME, *fillers, ASKED)
    messages = server.requests[-1].body["messages"]
    assert len(messages) < 11
    assert not any(message["content"] == NAME for message in messages)
    assert NAME in messages[-1]["content"]


def test_what_cannot_be_filed_waits_and_the_talk_goes_on(
    run: Run, chat: Run, server: LanguageModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise DatabaseUnavailable("gone fishing")

    with monkeypatch.context() as patch:
        patch.setattr(Filer, "file", refuse)
        server.script.extend([REPLY, "Twelve metres."])
        done = chat(ASKED, "And its mast?")
    assert done.stdout == f"{REPLY}\nTwelve metres.\n"
    assert "waits in the outbox" in done.stderr
    assert filed(run) == []
    server.script.append("Yes.")
    chat("Sure?")
    assert [content for _, content in filed(run)] == [ASKED, REPLY, "And its mast?", "Twelve metres.", "Sure?", "Yes."]


@pytest.mark.parametrize(
    "options",
    [("--api-base", "nowhere"), ("--working-memory", "elephant"), ("--agent", "\x07")],
    ids=lambda each: each[0],
)
def test_wrong_options_are_told_in_a_line(run: Run, options: tuple[str, ...]) -> None:
    done = run("chat", "--model", "openai/scripted", *options, given="hello\n")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_what_was_said_in_a_session_is_read_back(settings: Settings, palace: Palace) -> None:
    assert palace.turns.history("none such") == []
    turn = palace.turn("My mast is blue.", session="boats")
    turn.finish("A fine colour.")
    assert palace.turns.history("boats") == [
        {"role": "user", "content": "My mast is blue."},
        {"role": "assistant", "content": "A fine colour."},
    ]
    assert palace.turns.history("boats", limit=1) == [{"role": "assistant", "content": "A fine colour."}]
