"""The program that Palace runs in keeps its own litellm, environment, logs and warnings."""

from __future__ import annotations

import logging
import os
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from palace.errors import EmbeddingError
from palace.testing import Answer, EmbeddingServer, LanguageModelServer
from tests.embedding.conftest import Remote

LOGGERS = ("LiteLLM", "LiteLLM Proxy", "LiteLLM Router")
LENT = ("client_session", "in_memory_llm_clients_cache", "DEFAULT_MAX_RETRIES", "suppress_debug_info")


def the_client() -> Any:
    """Give litellm, which a call of Palace's has imported."""
    import litellm

    return litellm


@pytest.fixture(autouse=True)
def _called(remote: Any) -> None:
    """Have Palace import litellm its own way, before the host uses it."""
    remote.embed_passages(["first"])


def as_it_is() -> dict[str, Any]:
    """Read what a host program may have set."""
    levels = {name: logging.getLogger(name).level for name in LOGGERS}
    return {**{name: getattr(the_client(), name) for name in LENT}, **levels, **os.environ}


def test_calls_leave_everything_as_it_was(server: EmbeddingServer, remote_of: Remote) -> None:
    before = as_it_is()
    for answer in (Answer.OK, Answer.REFUSED, Answer.GARBLED):
        server.script.extend([answer] * 4)
        try:
            remote_of().embed_passages(["one"])
        except EmbeddingError:
            assert answer is not Answer.OK
        server.script.clear()
        assert as_it_is() == before
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: remote_of().embed_passages([f"text {number}"]), range(24)))
    assert as_it_is() == before
    server.script.extend([Answer.SILENT] * 4)
    with pytest.raises(EmbeddingError, match="timeout"):
        remote_of(timeout=0.3).embed_passages(["one"])
    del before["suppress_debug_info"]
    assert {name: value for name, value in as_it_is().items() if name in before} == before


def test_what_the_host_has_set_is_set_again_and_it_hears_of_its_own_calls(
    remote_of: Remote, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(the_client(), "DEFAULT_MAX_RETRIES", 7)
    monkeypatch.setattr(the_client(), "client_session", "the host's own")
    remote_of().embed_passages(["one"])
    assert (the_client().DEFAULT_MAX_RETRIES, the_client().client_session) == (7, "the host's own")
    logger = logging.getLogger("LiteLLM")
    monkeypatch.setattr(logger, "handlers", [*logger.handlers, caplog.handler])
    logger.warning("about the host's own call")
    assert "about the host's own call" in caplog.text
    with pytest.warns(UserWarning, match="Pydantic serializer warnings"):
        warnings.warn("Pydantic serializer warnings: the host's own", stacklevel=1)


@pytest.mark.nightly
def test_an_answer_to_the_host_is_not_cut_by_a_call_of_ours_beside_it(
    server: EmbeddingServer, remote_of: Remote
) -> None:
    long = "word " * 200_000
    server.script.extend([Answer.SILENT] * 4)
    with LanguageModelServer(long) as talker, ThreadPoolExecutor(1) as pool:
        ours = pool.submit(remote_of(timeout=3).embed_passages, ["one"])
        while len(server.requests) < 2:
            pass
        messages = [{"role": "user", "content": "Say it all."}]
        reply = the_client().completion("openai/gpt-4o-mini", messages, api_base=talker.api_base, max_retries=0)
        assert reply.choices[0].message.content == long
        with pytest.raises(EmbeddingError):
            ours.result()
