"""A palace on a model in a folder: switched to online, held to the very same model; and a switch that failed."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from palace import Administration, EmbeddingError, Palace, Settings
from palace.config.settings import BUNDLED_MODEL
from palace.testing import HashingEmbedder
from tests.embedding.tiny import make_model, table

SAID = ["The silicone wire overheated.", "A hotel in Lisbon.", "The propeller has two blades."]
TALK = [{"role": "user", "content": content} for content in SAID]
QUESTION = "which wire overheated?"
On = Callable[..., Palace]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return make_model(tmp_path / "model")


@pytest.fixture
def on(settings: Settings) -> On:
    """Open one user's palace as somebody whose settings name a model in a folder, or none."""
    user = f"user-{uuid.uuid4()}"

    def open_it(model: Path | None = None) -> Palace:
        named = {"embedding_model": f"local:{model}"} if model else {}
        return Palace.open(settings.model_copy(update=named), user=user)

    return open_it


def test_a_palace_moves_to_a_model_in_a_folder_and_back(on: On, model: Path, tmp_path: Path) -> None:
    with on() as palace:
        palace.file(TALK, id="a")
        there = palace.embeddings.switch(f"local:{model}")
        assert there.generation.model.startswith(f"local:{model}@")
        assert (there.generation.dimension, there.embedded, there.pending) == (16, len(SAID), 0)
        wider = palace.embeddings.switch(f"local:{make_model(tmp_path / 'wider', table(40))}")
        assert (wider.generation.dimension, wider.embedded, wider.pending) == (40, len(SAID), 0)
    # The generation says which model it is: no setting is needed.
    with on() as palace:
        recalled = palace.recall(QUESTION)
        assert (recalled.hits[0].drawer.content, recalled.warnings) == (SAID[0], ())
        assert palace.embeddings.switch(BUNDLED_MODEL).generation.dimension == 384


def test_another_model_in_the_same_folder_is_not_mixed_in_and_one_that_was_moved_is_named(
    on: On, model: Path, tmp_path: Path
) -> None:
    with on(model) as palace:
        assert palace.file(TALK, id="a").passages_embedded == len(SAID)
        assert palace.recall(QUESTION).warnings == ()
        # Named without its digest it is the same one: nothing is embedded again.
        assert palace.embeddings.switch(f"local:{model}").embedded == len(SAID)
        assert len(palace.embeddings.status()) == 1
    make_model(model, table(16, seed=2))
    for named in (None, model):
        with on(named) as palace:
            (warning,) = palace.recall(QUESTION).warnings
            assert "keywords only" in warning
            assert f"{model}/model.onnx is another model, or used otherwise" in warning
    with on() as palace:
        summary = palace.file([{"role": "user", "content": "An anchor for the boat."}], id="b")
        assert (summary.passages_pending, summary.passages_embedded) == (1, 0)
        after = palace.embeddings.switch(f"local:{model}")
        assert (after.embedded, after.pending) == (len(SAID) + 1, 0)
    moved = Path(shutil.move(model, tmp_path / "moved"))
    with on() as palace:
        assert f"{model}: there is no such folder" in palace.recall(QUESTION).warnings[0]
    with on(moved) as palace:
        assert palace.recall(QUESTION).warnings == ()
        assert palace.note("One more.").pointer
        assert palace.embeddings.status()[0].pending == 0


def test_a_model_that_cannot_be_used_leaves_everything_as_it_is(palace: Palace, model: Path, tmp_path: Path) -> None:
    palace.file(TALK, id="a")
    before = palace.embeddings.status()
    blind = make_model(tmp_path / "blind", np.full((30_522, 8), np.nan, np.float32))
    for folder, dimension in ((model, 24), (blind, None)):
        with pytest.raises(EmbeddingError, match=str(folder)) as caught:
            palace.embeddings.switch(f"local:{folder}", dimension=dimension)
        assert str(caught.value).isprintable()
        assert palace.embeddings.status() == before


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
