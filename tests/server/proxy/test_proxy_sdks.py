"""Programs with OpenAI's and Anthropic's own libraries need another address, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from anthropic import Anthropic, AuthenticationError
from openai import AuthenticationError as OpenAIAuthenticationError
from openai import OpenAI, UnprocessableEntityError

from palace import Palace, Palaces
from tests.server.provider import (
    SECRET,
    Provider,
    as_json,
    chat,
    chat_events,
    message,
    message_events,
    response,
    response_events,
)
from tests.server.proxy.conftest import ASKED, KEY, proxied


@pytest.fixture
def called(palaces: Palaces, palace: Palace) -> Iterator[tuple[Provider, str, str]]:
    """A provider, the address of a proxy that has its key, and a key of the test's palace."""
    palace.note(KEY)
    secret = palace.keys.create("test", scopes=("read",)).secret
    with proxied(palaces, SECRET) as (provider, url):
        yield provider, url, secret
    assert all(KEY in str(each.body) and SECRET in str(each.headers) for each in provider.asked)


def test_openai(called: tuple[Provider, str, str]) -> None:
    provider, url, secret = called
    provider.script.extend(
        [
            as_json(chat("A pot.")),
            chat_events("A ", "pot."),
            as_json(response("A pot.")),
            response_events("A pot."),
        ]
    )
    with OpenAI(base_url=f"{url}/v1", api_key=secret, max_retries=0) as client:
        said = client.chat.completions.create(model="m", messages=[{"role": "user", "content": ASKED}])
        assert said.choices[0].message.content == "A pot."
        pieces = client.chat.completions.create(model="m", messages=[{"role": "user", "content": ASKED}], stream=True)
        assert "".join(each.choices[0].delta.content or "" for each in pieces) == "A pot."
        assert client.responses.create(model="m", input=ASKED).output_text == "A pot."
        events = list(client.responses.create(model="m", input=ASKED, stream=True))
        assert events[-1].type == "response.completed"
    assert len(provider.asked) == 4


def test_anthropic(called: tuple[Provider, str, str]) -> None:
    provider, url, secret = called
    provider.script.extend([as_json(message("A pot.")), message_events("A ", "pot.")])
    with Anthropic(base_url=url, api_key=secret, max_retries=0) as client:
        said = client.messages.create(model="m", max_tokens=9, messages=[{"role": "user", "content": ASKED}])
        assert said.content[0].model_dump()["text"] == "A pot."
        with client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": ASKED}]) as stream:
            assert "".join(stream.text_stream) == "A pot."
    assert len(provider.asked) == 2


def test_both_show_why_palace_refused(called: tuple[Provider, str, str]) -> None:
    _, url, secret = called
    said: Any = [{"role": "user", "content": ASKED}]
    with (
        OpenAI(base_url=f"{url}/v1", api_key="pal_1x1_" + "0" * 64, max_retries=0) as stranger,
        pytest.raises(OpenAIAuthenticationError) as refused,
    ):
        stranger.chat.completions.create(model="m", messages=said)
    assert (refused.value.type, refused.value.code) == ("authentication_error", "unauthorized")
    assert isinstance(refused.value.body, dict)
    assert "key" in refused.value.body["message"]
    with OpenAI(base_url=f"{url}/v1", api_key=secret, max_retries=0) as client:
        with pytest.raises(UnprocessableEntityError) as invalid:
            client.chat.completions.create(model="m", messages=said, extra_body={"memory_config": {"odd": 1}})
        assert isinstance(invalid.value.body, dict)
        assert "memory_config.odd" in invalid.value.body["message"]
        assert (invalid.value.type, invalid.value.param) == ("invalid_request_error", None)
    with (
        Anthropic(base_url=url, api_key="pal_1x1_" + "0" * 64, max_retries=0) as unknown,
        pytest.raises(AuthenticationError) as unauthorized,
    ):
        unknown.messages.create(model="m", max_tokens=9, messages=said)
    body = unauthorized.value.body
    assert isinstance(body, dict)
    assert (body["type"], body["error"]["type"]) == ("error", "authentication_error")
    assert "key" in body["error"]["message"]
