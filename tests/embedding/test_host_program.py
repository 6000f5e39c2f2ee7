"""The program that Palace runs in keeps its own litellm, environment, logs and warnings."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from palace.embedding.remote import RemoteEmbedder
from palace.errors import EmbeddingError
from palace.provider.client import LOGGERS, the_client
from palace.testing import Answer, EmbeddingServer, LanguageModelServer

MODEL = "openai/text-embedding-3-small"
client = the_client()
LENT = ("client_session", "in_memory_llm_clients_cache", "DEFAULT_MAX_RETRIES", "suppress_debug_info")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    with EmbeddingServer() as opened:
        yield opened


def remote_of(server: EmbeddingServer, *, timeout: float = 5) -> RemoteEmbedder:
    return RemoteEmbedder(MODEL, dimension=384, api_base=server.api_base, timeout=timeout, first_pause=0)


def as_it_is() -> dict[str, Any]:
    """Read what a host program may have set."""
    levels = {name: logging.getLogger(name).level for name in LOGGERS}
    return {**{name: getattr(client, name) for name in LENT}, **levels, **os.environ}


@pytest.mark.parametrize("answer", [Answer.OK, Answer.REFUSED, Answer.GARBLED])
def test_a_call_leaves_everything_as_it_was(server: EmbeddingServer, answer: Answer) -> None:
    before = as_it_is()
    server.script.extend([answer] * 4)
    try:
        remote_of(server).embed_passages(["one"])
    except EmbeddingError:
        assert answer is not Answer.OK
    assert as_it_is() == before


def test_calls_side_by_side_leave_everything_as_it_was(server: EmbeddingServer) -> None:
    before = as_it_is()
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: remote_of(server).embed_passages([f"text {number}"]), range(24)))
    assert as_it_is() == before


def test_a_call_that_was_given_up_keeps_no_client(server: EmbeddingServer) -> None:
    before = as_it_is()
    server.script.extend([Answer.SILENT] * 4)
    with pytest.raises(EmbeddingError, match="timeout"):
        remote_of(server, timeout=0.3).embed_passages(["one"])
    del before["suppress_debug_info"]
    assert {name: value for name, value in as_it_is().items() if name in before} == before


def test_what_the_host_has_set_is_set_again(server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "DEFAULT_MAX_RETRIES", 7)
    monkeypatch.setattr(client, "client_session", "the host's own")
    remote_of(server).embed_passages(["one"])
    assert (client.DEFAULT_MAX_RETRIES, client.client_session) == (7, "the host's own")


def test_an_answer_to_the_host_is_not_cut_by_a_call_of_ours_beside_it(server: EmbeddingServer) -> None:
    long = "word " * 200_000
    server.script.extend([Answer.SILENT] * 4)
    with LanguageModelServer(long) as talker, ThreadPoolExecutor(1) as pool:
        ours = pool.submit(remote_of(server, timeout=3).embed_passages, ["one"])
        while not server.requests:
            pass
        messages = [{"role": "user", "content": "Say it all."}]
        reply = client.completion("openai/gpt-4o-mini", messages, api_base=talker.api_base, max_retries=0)
        assert reply.choices[0].message.content == long
        with pytest.raises(EmbeddingError):
            ours.result()


def test_the_host_hears_of_its_own_calls(server: EmbeddingServer, caplog: pytest.LogCaptureFixture) -> None:
    remote_of(server).embed_passages(["one"])
    logger = logging.getLogger("LiteLLM")
    logger.addHandler(caplog.handler)
    try:
        logger.warning("about the host's own call")
    finally:
        logger.removeHandler(caplog.handler)
    assert "about the host's own call" in caplog.text
    with pytest.warns(UserWarning, match="Pydantic serializer warnings"):
        warnings.warn("Pydantic serializer warnings: the host's own", stacklevel=1)


def test_no_file_of_settings_is_read_into_the_environment(tmp_path: Path, server: EmbeddingServer) -> None:
    # litellm looks for it in the folders above the program; `-c` has it look in the folder a person is in.
    (tmp_path / ".env").write_text("PALACE_TEST_LEAK=leaked\n")
    program = (
        "import os, sys; before = dict(os.environ)\n"
        "from palace.embedding.remote import RemoteEmbedder\n"
        f"RemoteEmbedder({MODEL!r}, api_base={server.api_base!r}).embed_passages(['one'])\n"
        "print(sorted(set(os.environ.items()) ^ set(before.items())))"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "[]\n"
