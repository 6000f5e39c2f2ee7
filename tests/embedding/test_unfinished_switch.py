"""A switch of the model that failed: everything that tells of it agrees, and it can go on or back."""

from __future__ import annotations

import uuid

import pytest

from palace import Administration, EmbeddingError, Palace, Settings
from palace.testing import HashingEmbedder


@pytest.fixture
def user(settings: Settings) -> str:
    """A user whose switch to another model failed."""
    name = f"user-{uuid.uuid4()}"
    with Palace.open(settings, user=name, embedder=HashingEmbedder()) as palace:
        palace.note("The spare battery is with Derek.")
    failing = HashingEmbedder(64, fail_on=lambda text: text != "dimension")
    with (
        Palace.open(settings, user=name, embedder=failing) as palace,
        pytest.raises(EmbeddingError, match=r"go on, or `palace embeddings switch testing/hashing-\d+` to go back"),
    ):
        palace.embeddings.switch(failing.model)
    return name


def test_all_that_tell_of_it_agree_and_it_goes_on(settings: Settings, user: str) -> None:
    with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
        active, filling = palace.embeddings.status()
        told = palace.embeddings.backfill()
        [unfinished] = palace.embeddings.unfinished()
    assert (active.state, active.pending, filling.state) == ("active", 0, "filling")
    assert told.pending == 0
    assert told.warnings == (unfinished,)
    assert unfinished == (
        f"the switch to {filling.generation.model} is not finished, {filling.pending} passages wait:"
        f" `palace embeddings switch {filling.generation.model} --dimension 64` goes on,"
        f" `palace embeddings switch {active.generation.model}` takes it back"
    )
    checks = {check.name: check for check in Administration(settings.model_copy(update={"user": user})).doctor()}
    assert "pending" not in checks
    assert f"{checks['switch'].finding}: {checks['switch'].remedy}" == unfinished
    mended = HashingEmbedder(64)
    with Palace.open(settings, user=user, embedder=mended) as palace:
        assert palace.embeddings.switch(mended.model).pending == 0
        assert [status.state for status in palace.embeddings.status()] == ["active"]
        assert palace.embeddings.unfinished() == ()


def test_it_is_taken_back(settings: Settings, user: str) -> None:
    before = HashingEmbedder()
    with Palace.open(settings, user=user, embedder=before) as palace:
        assert palace.embeddings.switch(before.model).generation.model == before.model
        assert [status.generation.model for status in palace.embeddings.status()] == [before.model]
        assert palace.embeddings.unfinished() == ()
        assert len(palace.recall("spare battery").hits) == 1
