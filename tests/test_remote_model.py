"""A palace on a remote embedding model: litellm's real HTTP path, against a server of our own."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator

import pytest

from palace import EmbeddingError, Palace
from palace.config.settings import BUNDLED_MODEL, Settings
from palace.testing import Answer, EmbeddingServer, RawAnswer

MODEL = "openai/text-embedding-3-small"
SAID = ["The silicone wire overheated.", "A hotel in Lisbon.", "The propeller has two blades."]
TALK = [{"role": "user", "content": content} for content in SAID]
MORE = [{"role": "user", "content": "An anchor for the boat."}]


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    with EmbeddingServer(dimension=96) as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.api_base)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        yield server


@pytest.fixture
def remote(settings: Settings, provider: EmbeddingServer) -> Iterator[Palace]:
    chosen = settings.model_copy(update={"user": f"user-{uuid.uuid4()}", "embedding_model": MODEL})
    with Palace.open(chosen) as palace:
        yield palace


def test_each_passage_is_sent_once_and_every_call_is_in_the_ledger_with_its_price(
    remote: Palace, provider: EmbeddingServer
) -> None:
    summary = remote.file(TALK, id="a")
    assert summary.passages_embedded == len(SAID)
    remote.recall("which wire overheated?")
    (line,) = remote.costs()
    assert (line.purpose, line.model, line.calls, line.failed) == ("memory_embed", MODEL, len(provider.requests), 0)
    assert 0 < summary.cost_usd < line.cost_usd
    remote.file(TALK, id="a")
    sent = [text for request in provider.requests for text in request.texts]
    assert sorted(text for text in sent if text in SAID) == sorted(SAID)


def test_a_provider_that_fails_costs_a_warning_not_the_text(remote: Palace, provider: EmbeddingServer) -> None:
    remote.file(TALK, id="a")
    provider.script.extend([Answer.WRONG_KEY] * 2)
    summary = remote.file(MORE, id="b")
    assert summary.passages_pending == 1
    recalled = remote.recall("anchor boat")
    assert recalled.hits[0].drawer.content == "An anchor for the boat."
    assert "keywords only" in recalled.warnings[0]
    assert remote.costs()[0].failed == 2
    assert remote.embeddings.backfill().embedded == 1


def test_what_failed_is_kept_without_the_key_that_a_provider_quotes(
    remote: Palace, provider: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-4711-secret")
    remote.file(TALK, id="a")
    refusal = {"error": {"message": "the key sk-test-4711-secret is worn out", "type": "scripted", "code": None}}
    provider.script.append(RawAnswer(json.dumps(refusal).encode(), status=401))
    summary = remote.file(MORE, id="b")
    (vectors,) = (step for step in remote.status().steps if step.name == "vectors")
    assert "the key … is worn out" in (vectors.failure or "")
    assert "4711" not in "".join(summary.warnings)


def test_a_palace_moves_from_the_bundled_model_to_a_remote_one_and_back(
    settings: Settings, provider: EmbeddingServer
) -> None:
    user = f"user-{uuid.uuid4()}"
    with Palace.open(settings, user=user) as palace:
        palace.file(TALK, id="a")
        assert palace.embeddings.status()[0].generation.model == BUNDLED_MODEL
        there = palace.embeddings.switch(MODEL)
        assert (there.generation.model, there.generation.dimension, there.embedded) == (MODEL, 96, len(SAID))
        assert palace.recall("which wire overheated?").hits[0].drawer.content == SAID[0]
        back = palace.embeddings.switch(BUNDLED_MODEL)
        assert (back.generation.dimension, back.pending) == (384, 0)
        assert palace.recall("which wire overheated?").hits[0].drawer.content == SAID[0]


@pytest.mark.parametrize("wrong", ["refused", "refused when told the dimension", "without a key", "of another length"])
def test_a_switch_that_cannot_be_made_changes_nothing_and_its_call_is_in_the_ledger(
    palace: Palace, provider: EmbeddingServer, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    palace.note("An anchor for the boat.")
    before = palace.embeddings.status()
    if wrong == "without a key":
        monkeypatch.delenv("OPENAI_API_KEY")
    elif wrong != "of another length":
        provider.script.append(Answer.WRONG_KEY)
    told = {"without a key": "set OPENAI_API_KEY", "of another length": "96 numbers instead of 512"}
    with pytest.raises(EmbeddingError, match=told.get(wrong, "did not embed")):
        palace.embeddings.switch(MODEL, dimension=None if wrong == "refused" else 512)
    assert palace.embeddings.status() == before
    assert palace.embeddings.unfinished() == ()
    assert sum(line.calls for line in palace.costs()) == len(provider.requests) == (wrong != "without a key")
