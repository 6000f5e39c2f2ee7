"""Language models behind an API, by litellm's own HTTP path against a server of ours."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from palace.errors import LanguageModelError
from palace.llm.protocol import Message
from palace.llm.remote import RemoteLanguageModel
from palace.records import Role
from palace.testing import Answer, LanguageModelServer, ModelRequest

MODEL = "openai/gpt-4o-mini"
PROMPT = [Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "Which wire overheated?")]


class AnthropicServer(LanguageModelServer):
    """Replies in the format of Anthropic's Messages API."""

    def body(self, request: ModelRequest, answer: str) -> dict[str, Any]:
        return {
            "id": "scripted",
            "type": "message",
            "role": "assistant",
            "model": request.body["model"],
            "content": [{"type": "text", "text": answer}],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 100, "output_tokens": 10},
        }


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LanguageModelServer]:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    with LanguageModelServer() as running:
        yield running


@pytest.fixture
def remote(server: LanguageModelServer) -> RemoteLanguageModel:
    return RemoteLanguageModel(MODEL, api_base=server.api_base, pause=0.001)


def test_a_call_carries_model_key_and_prompt(server: LanguageModelServer, remote: RemoteLanguageModel) -> None:
    server.script.append(" The silicone one.\n")
    assert remote.ask(PROMPT).value == "The silicone one."
    (request,) = server.requests
    assert (request.path, request.authorization) == ("/v1/chat/completions", "Bearer a-key")
    assert request.body["model"] == "gpt-4o-mini"
    assert set(request.body) == {"model", "messages", "max_tokens", "temperature"}
    assert request.body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Which wire overheated?"},
    ]


def test_a_reply_is_recorded_with_its_tokens_and_price(
    server: LanguageModelServer, remote: RemoteLanguageModel
) -> None:
    server.script.append("The silicone one.")
    (call,) = remote.ask(PROMPT).calls
    assert (call.model, call.tokens, call.outcome) == (MODEL, 8, "ok")
    assert call.cost_usd == 5 * Decimal("0.00000015") + 3 * Decimal("0.0000006")


def test_a_dotted_name_of_anthropic_is_called_and_priced_as_anthropic_writes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key")
    with AnthropicServer("The silicone one.") as anthropic:
        monkeypatch.setenv("ANTHROPIC_API_BASE", anthropic.api_base.removesuffix("/v1"))
        reply = RemoteLanguageModel("anthropic/claude-haiku-4.5").ask(PROMPT)
    assert reply.value == "The silicone one."
    (request,) = anthropic.requests
    assert request.body["model"] == "claude-haiku-4-5"
    assert set(request.body) == {"model", "system", "messages", "max_tokens", "temperature"}
    (call,) = reply.calls
    assert (call.model, call.tokens) == ("anthropic/claude-haiku-4.5", 110)
    assert call.cost_usd == Decimal("0.00015")


@pytest.mark.parametrize(
    ("passing", "outcome"),
    [(Answer.THROTTLED, "throttled"), (Answer.BROKEN, "unavailable"), (Answer.GARBLED, "unavailable")],
)
def test_a_passing_failure_is_tried_again(
    server: LanguageModelServer, remote: RemoteLanguageModel, passing: Answer, outcome: str
) -> None:
    server.script.extend([passing, "Here."])
    reply = remote.ask(PROMPT)
    assert reply.value == "Here."
    assert [call.outcome for call in reply.calls] == [outcome, "ok"]


def test_a_lasting_failure_is_tried_twice_with_both_calls_on_record(
    server: LanguageModelServer, remote: RemoteLanguageModel
) -> None:
    server.script.extend([Answer.THROTTLED, Answer.BROKEN])
    with pytest.raises(LanguageModelError, match=f"{MODEL} did not reply \\(unavailable\\): .*scripted") as caught:
        remote.ask(PROMPT)
    assert [call.outcome for call in caught.value.calls] == ["throttled", "unavailable"]
    assert len(server.requests) == 2


@pytest.mark.parametrize(("answer", "outcome"), [(Answer.WRONG_KEY, "unauthorised"), (Answer.REFUSED, "refused")])
def test_a_refusal_is_not_tried_again(
    server: LanguageModelServer, remote: RemoteLanguageModel, answer: Answer, outcome: str
) -> None:
    server.script.extend([answer, "Too late."])
    with pytest.raises(LanguageModelError, match=f"scripted: {answer}") as caught:
        remote.ask(PROMPT)
    assert [call.outcome for call in caught.value.calls] == [outcome]


@pytest.mark.parametrize("hung", [Answer.SILENT, Answer.TRICKLING])
def test_a_model_that_does_not_come_to_an_end_is_left_after_the_timeout(
    server: LanguageModelServer, hung: Answer
) -> None:
    hurried = RemoteLanguageModel(MODEL, timeout=0.3, api_base=server.api_base)
    server.script.extend([hung, "Too late."])
    with pytest.raises(LanguageModelError, match="timeout") as caught:
        hurried.ask(PROMPT)
    assert [call.outcome for call in caught.value.calls] == ["timeout"]
    assert len(server.requests) == 1


@pytest.mark.parametrize("empty", ["", " \n"])
def test_an_empty_reply_is_refused_and_paid_for(
    server: LanguageModelServer, remote: RemoteLanguageModel, empty: str
) -> None:
    server.script.append(empty)
    with pytest.raises(LanguageModelError, match="empty reply") as caught:
        remote.ask(PROMPT)
    (call,) = caught.value.calls
    assert call.outcome == "malformed"
    assert call.cost_usd > 0


def test_a_missing_key_is_named_and_nothing_is_recorded(
    server: LanguageModelServer, remote: RemoteLanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(LanguageModelError, match=f"{MODEL} needs a key: set OPENAI_API_KEY") as caught:
        remote.ask(PROMPT)
    assert (caught.value.calls, server.requests) == ((), [])


def test_an_unreachable_provider_is_a_language_model_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    with LanguageModelServer() as gone:
        address = gone.api_base
    with pytest.raises(LanguageModelError, match="unavailable"):
        RemoteLanguageModel(MODEL, api_base=address, pause=0.001).ask(PROMPT)


def test_nothing_is_printed_and_nothing_waits_when_a_call_hangs(server: LanguageModelServer) -> None:
    program = (
        "from palace.llm.protocol import Message\n"
        "from palace.llm.remote import RemoteLanguageModel\n"
        "from palace.errors import LanguageModelError\n"
        "from palace.records import Role\n"
        f"model = RemoteLanguageModel({MODEL!r}, api_base={server.api_base!r}, timeout=2)\n"
        "try: model.ask([Message(Role.USER, 'Hello')])\n"
        "except LanguageModelError as problem: print(type(problem).__name__)"
    )
    server.script.append(Answer.TRICKLING)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("LanguageModelError\n", "")


def test_making_a_language_model_loads_no_client() -> None:
    program = (
        "import sys; from palace.llm.remote import RemoteLanguageModel;"
        f"RemoteLanguageModel({MODEL!r}); print('litellm' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
