"""A palace on a remote embedding model: litellm's real HTTP path, against a server of our own."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from palace import Palace
from palace.errors import EmbeddingError
from palace.settings import BUNDLED_MODEL, Settings
from palace.testing import Answer, EmbeddingServer, RawAnswer

MODEL = "openai/text-embedding-3-small"
SAID = ["The silicone wire overheated.", "A hotel in Lisbon.", "The propeller has two blades."]


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


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([{"role": "user", "content": content} for content in SAID]), encoding="utf-8")
    return path


def test_every_call_is_in_the_ledger_with_its_price(remote: Palace, provider: EmbeddingServer, talk: Path) -> None:
    summary = remote.mine(talk)
    assert summary.passages_embedded == len(SAID)
    remote.recall("which wire overheated?")
    (line,) = remote.costs()
    assert (line.purpose, line.model, line.calls, line.failed) == ("memory_embed", MODEL, len(provider.requests), 0)
    assert line.cost_usd > 0
    assert 0 < summary.cost_usd < line.cost_usd


def test_each_passage_is_sent_once(remote: Palace, provider: EmbeddingServer, talk: Path) -> None:
    remote.mine(talk)
    remote.mine(talk)
    sent = [text for request in provider.requests for text in request.texts]
    assert sorted(text for text in sent if text in SAID) == sorted(SAID)


def test_a_provider_that_fails_costs_a_warning_not_the_text(
    remote: Palace, provider: EmbeddingServer, talk: Path, tmp_path: Path
) -> None:
    remote.mine(talk)
    provider.script.extend([Answer.WRONG_KEY] * 2)
    more = tmp_path / "more.json"
    more.write_text(json.dumps([{"role": "user", "content": "An anchor for the boat."}]), encoding="utf-8")
    summary = remote.mine(more)
    assert summary.passages_pending == 1
    recalled = remote.recall("anchor boat")
    assert recalled.hits[0].drawer.content == "An anchor for the boat."
    assert "keywords only" in recalled.warnings[0]
    assert remote.costs()[0].failed == 2
    assert remote.embeddings.backfill().embedded == 1


def test_what_failed_is_kept_without_the_key_that_a_provider_quotes(
    remote: Palace, provider: EmbeddingServer, talk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-4711-secret")
    remote.mine(talk)
    refusal = {"error": {"message": "the key sk-test-4711-secret is worn out", "type": "scripted", "code": None}}
    provider.script.append(RawAnswer(json.dumps(refusal).encode(), status=401))
    more = tmp_path / "more.json"
    more.write_text(json.dumps([{"role": "user", "content": "An anchor for the boat."}]), encoding="utf-8")
    summary = remote.mine(more)
    (vectors,) = (step for step in remote.status().steps if step.name == "vectors")
    assert "the key … is worn out" in (vectors.failure or "")
    assert "4711" not in "".join(summary.warnings)


def test_a_missing_key_names_its_variable(
    settings: Settings, provider: EmbeddingServer, talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    chosen = settings.model_copy(update={"user": f"user-{uuid.uuid4()}", "embedding_model": MODEL})
    with Palace.open(chosen) as palace, pytest.raises(EmbeddingError, match="set OPENAI_API_KEY"):
        palace.mine(talk)


def test_a_palace_moves_from_the_bundled_model_to_a_remote_one_and_back(
    settings: Settings, provider: EmbeddingServer, talk: Path
) -> None:
    user = f"user-{uuid.uuid4()}"
    with Palace.open(settings, user=user) as palace:
        palace.mine(talk)
        assert palace.embeddings.status()[0].generation.model == BUNDLED_MODEL
        there = palace.embeddings.switch(MODEL)
        assert (there.generation.model, there.generation.dimension, there.embedded) == (MODEL, 96, len(SAID))
        assert palace.recall("which wire overheated?").hits[0].drawer.content == SAID[0]
        back = palace.embeddings.switch(BUNDLED_MODEL)
        assert (back.generation.dimension, back.pending) == (384, 0)
        assert palace.recall("which wire overheated?").hits[0].drawer.content == SAID[0]


@pytest.mark.parametrize("dimension", [None, 96], ids=["unknown", "given"])
def test_a_switch_to_a_model_that_refuses_changes_nothing_and_its_call_is_in_the_ledger(
    palace: Palace, provider: EmbeddingServer, dimension: int | None
) -> None:
    palace.note("An anchor for the boat.")
    before = palace.embeddings.status()
    provider.script.append(Answer.WRONG_KEY)
    with pytest.raises(EmbeddingError, match="did not embed"):
        palace.embeddings.switch(MODEL, dimension=dimension)
    assert palace.embeddings.status() == before
    assert palace.embeddings.unfinished() == ()
    [line] = palace.costs()
    assert (line.model, line.calls, line.failed) == (MODEL, 1, 1)


def test_a_switch_without_a_key_changes_nothing(palace: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    palace.note("An anchor for the boat.")
    before = palace.embeddings.status()
    with pytest.raises(EmbeddingError):
        palace.embeddings.switch(MODEL, dimension=512)
    assert palace.embeddings.status() == before


def test_a_switch_to_vectors_of_another_length_changes_nothing(palace: Palace, provider: EmbeddingServer) -> None:
    palace.note("An anchor for the boat.")
    before = palace.embeddings.status()
    with pytest.raises(EmbeddingError, match="96 numbers instead of 512"):
        palace.embeddings.switch(MODEL, dimension=512)
    assert palace.embeddings.status() == before
    assert palace.costs()[0].calls == len(provider.requests) == 1
