"""Language models behind an API, by litellm's own HTTP path against a server of ours; and replies of a known shape."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel

from palace import LanguageModelError, Role
from palace.ai.llm import Message, ask_for
from palace.ai.remote_llm import RemoteLanguageModel
from palace.testing import Answer, LanguageModelServer, ModelRequest

MODEL = "openai/gpt-4o-mini"
PROMPT = [Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "Which wire overheated?")]
Remote = Callable[..., RemoteLanguageModel]


class AnthropicServer(LanguageModelServer):
    """Replies in the format of Anthropic's Messages API."""

    def body(self, request: ModelRequest, answer: str) -> dict[str, Any]:
        content = [{"type": "text", "text": answer}]
        usage = {"input_tokens": 100, "output_tokens": 10}
        ended = {"stop_reason": "end_turn", "stop_sequence": None, "usage": usage}
        return {"id": "s", "type": "message", "role": "assistant", "model": "m", "content": content, **ended}


@pytest.fixture
def remote(provider: LanguageModelServer) -> RemoteLanguageModel:
    return RemoteLanguageModel(MODEL, api_base=provider.api_base, pause=0.001)


def failed(remote: RemoteLanguageModel, told: str) -> list[str]:
    """Give the outcomes of the calls of a prompt that fails so."""
    with pytest.raises(LanguageModelError, match=told) as caught:
        remote.ask(PROMPT)
    return [call.outcome for call in caught.value.calls]


def test_a_call_carries_model_key_and_prompt_and_is_recorded_with_its_price(
    provider: LanguageModelServer, remote: RemoteLanguageModel
) -> None:
    provider.script.append(" The silicone one.\n")
    reply = remote.ask(PROMPT)
    assert reply.value == "The silicone one."
    (request,) = provider.requests
    assert (request.path, request.authorization) == ("/v1/chat/completions", "Bearer sk-test")
    assert request.body["model"] == "gpt-4o-mini"
    assert set(request.body) == {"model", "messages", "max_tokens", "temperature"}
    assert request.body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Which wire overheated?"},
    ]
    (call,) = reply.calls
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
    assert (call.model, call.tokens, call.cost_usd) == ("anthropic/claude-haiku-4.5", 110, Decimal("0.00015"))


def test_a_passing_failure_is_tried_again_once(provider: LanguageModelServer, remote: RemoteLanguageModel) -> None:
    for passing, outcome in ((Answer.THROTTLED, "throttled"), (Answer.GARBLED, "unavailable")):
        provider.script.extend([passing, "Here."])
        reply = remote.ask(PROMPT)
        assert (reply.value, [call.outcome for call in reply.calls]) == ("Here.", [outcome, "ok"])
    provider.requests.clear()
    provider.script.extend([Answer.THROTTLED, Answer.BROKEN])
    lasting = failed(remote, f"{MODEL} did not reply \\(unavailable\\): .*scripted")
    assert (lasting, len(provider.requests)) == (["throttled", "unavailable"], 2)


def test_a_refusal_is_not_tried_again_and_an_empty_reply_is_paid_for(
    provider: LanguageModelServer, remote: RemoteLanguageModel
) -> None:
    for answer, outcome in ((Answer.WRONG_KEY, "unauthorised"), (Answer.REFUSED, "refused")):
        provider.script.append(answer)
        assert failed(remote, f"scripted: {answer}") == [outcome]
    for empty in ("", " \n"):
        provider.script.append(empty)
        with pytest.raises(LanguageModelError, match="empty reply") as caught:
            remote.ask(PROMPT)
        (call,) = caught.value.calls
        assert (call.outcome, call.cost_usd > 0) == ("malformed", True)


def test_a_model_that_does_not_come_to_an_end_is_left_after_the_timeout(provider: LanguageModelServer) -> None:
    for calls, hung in enumerate((Answer.SILENT, Answer.TRICKLING), start=1):
        provider.script.append(hung)
        assert failed(RemoteLanguageModel(MODEL, timeout=0.3, api_base=provider.api_base), "timeout") == ["timeout"]
        assert len(provider.requests) == calls


def test_a_missing_key_is_named_and_an_unreachable_provider_told(
    provider: LanguageModelServer, remote: RemoteLanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = RemoteLanguageModel(MODEL, api_base="http://127.0.0.1:9/v1", pause=0.001)
    assert {*failed(gone, "unavailable")} == {"unavailable"}
    monkeypatch.delenv("OPENAI_API_KEY")
    assert (failed(remote, f"{MODEL} needs a key: set OPENAI_API_KEY"), provider.requests) == ([], [])


class Pick(BaseModel):
    """What is asked for."""

    picked: list[int]


def test_the_object_is_found_in_whatever_stands_around_it(
    provider: LanguageModelServer, remote: RemoteLanguageModel
) -> None:
    plain = '{"picked": [2, 1]}'
    because, both = f"I would say {plain}, because {{these}} matter.", '{"picked": [2, 1], "why": "both"}'
    for said in (plain, f"```json\n{plain}\n```", because, f'Of {{"all": 3}} I take {both}'):
        provider.script.append(said)
        assert ask_for(Pick, remote, PROMPT).value == Pick(picked=[2, 1]), said


def test_a_reply_of_another_shape_is_an_error_that_was_paid_for(
    provider: LanguageModelServer, remote: RemoteLanguageModel
) -> None:
    for said in ("2, 1", "[2, 1]", '{"picked": "all"}', '{"picked": [2, 1', "{" * 5000):
        provider.script.append(said)
        with pytest.raises(LanguageModelError, match="cannot be used") as caught:
            ask_for(Pick, remote, PROMPT)
        (call,) = caught.value.calls
        assert (call.outcome, call.cost_usd > 0) == ("malformed", True)
        assert len(str(caught.value)) < 300
