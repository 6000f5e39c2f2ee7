"""A palace on a model in a folder: switched to online, held to the very same model, and never given bad vectors."""

from __future__ import annotations

import json
import shutil
import uuid
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from palace import Palace
from palace.errors import EmbeddingError
from palace.settings import BUNDLED_MODEL, Settings
from palace.testing import HashingEmbedder
from tests.embedding.tiny import make_model, table

SAID = ["The silicone wire overheated.", "A hotel in Lisbon.", "The propeller has two blades."]
QUESTION = "which wire overheated?"


@pytest.fixture
def user() -> str:
    return f"user-{uuid.uuid4()}"


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([{"role": "user", "content": content} for content in SAID]), encoding="utf-8")
    return path


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return make_model(tmp_path / "model")


def on(settings: Settings, user: str, model: Path | None = None) -> Palace:
    """Open the palace as somebody whose settings name a model, or none."""
    named = {"embedding_model": f"local:{model}"} if model else {}
    return Palace.open(settings.model_copy(update=named), user=user)


def models_of(palace: Palace) -> list[tuple[str, int, int]]:
    """Give the generations as model without its folder's way, dimension and passages that wait."""
    return [
        (status.generation.model, status.generation.dimension, status.pending) for status in palace.embeddings.status()
    ]


def test_a_palace_moves_to_a_model_in_a_folder_and_back(
    settings: Settings, user: str, talk: Path, model: Path, tmp_path: Path
) -> None:
    with on(settings, user) as palace:
        palace.mine(talk)
        there = palace.embeddings.switch(f"local:{model}")
        assert there.generation.model.startswith(f"local:{model}@")
        assert (there.generation.dimension, there.embedded, there.pending) == (16, len(SAID), 0)
        wider = palace.embeddings.switch(f"local:{make_model(tmp_path / 'wider', table(40))}")
        assert (wider.generation.dimension, wider.embedded, wider.pending) == (40, len(SAID), 0)
    # The generation says which model it is: no setting is needed.
    with on(settings, user) as palace:
        recalled = palace.recall(QUESTION)
        assert (recalled.hits[0].drawer.content, recalled.warnings) == (SAID[0], ())
        assert palace.embeddings.switch(BUNDLED_MODEL).generation.dimension == 384


def test_recall_and_mining_go_on_while_a_model_in_a_folder_is_switched_to(
    settings: Settings, user: str, talk: Path, model: Path
) -> None:
    with on(settings, user) as other, on(settings, user) as palace:
        palace.mine(talk)
        seen: list[Any] = []

        def meanwhile(_: object) -> None:
            if not seen:
                seen.append(other.recall(QUESTION).hits[0].drawer.content)
                other.note("An anchor for the boat.")

        switched = palace.embeddings.switch(f"local:{model}", progress=meanwhile)
        assert (switched.embedded, switched.pending, seen) == (len(SAID) + 1, 0, [SAID[0]])


def test_a_first_generation_can_be_a_model_in_a_folder(settings: Settings, user: str, talk: Path, model: Path) -> None:
    with on(settings, user, model) as palace:
        assert palace.mine(talk).passages_embedded == len(SAID)
        assert palace.recall(QUESTION).warnings == ()
        # Named without its digest it is the same one: nothing is embedded again.
        assert palace.embeddings.switch(f"local:{model}").embedded == len(SAID)
        assert len(palace.embeddings.status()) == 1


def test_another_model_in_the_same_folder_is_not_mixed_in(
    settings: Settings, user: str, talk: Path, model: Path, tmp_path: Path
) -> None:
    with on(settings, user, model) as palace:
        palace.mine(talk)
    make_model(model, table(16, seed=2))
    for named in (None, model):
        with on(settings, user, named) as palace:
            (warning,) = palace.recall(QUESTION).warnings
            assert "keywords only" in warning
            assert f"{model}/model.onnx is another model, or used otherwise" in warning
    more = tmp_path / "more.json"
    more.write_text(json.dumps([{"role": "user", "content": "An anchor for the boat."}]), encoding="utf-8")
    with on(settings, user) as palace:
        assert (palace.mine(more).passages_pending, palace.mine(more).passages_embedded) == (1, 0)
        after = palace.embeddings.switch(f"local:{model}")
        assert (after.embedded, after.pending) == (len(SAID) + 1, 0)


def test_a_folder_that_was_moved_is_named_by_the_settings(
    settings: Settings, user: str, talk: Path, model: Path, tmp_path: Path
) -> None:
    with on(settings, user, model) as palace:
        palace.mine(talk)
    moved = Path(shutil.move(model, tmp_path / "moved"))
    with on(settings, user) as palace:
        assert f"{model}: there is no such folder" in palace.recall(QUESTION).warnings[0]
    with on(settings, user, moved) as palace:
        assert palace.recall(QUESTION).warnings == ()
        assert palace.note("One more.").pointer
        assert models_of(palace)[0][2] == 0


@pytest.mark.parametrize("damage", ["gone", "short", "nan", "dimension"])
def test_a_model_that_cannot_be_used_leaves_everything_as_it_is(
    settings: Settings, user: str, talk: Path, model: Path, damage: str
) -> None:
    if damage == "gone":
        (model / "model.onnx").unlink()
    elif damage == "short":
        (model / "model.onnx").write_bytes((model / "model.onnx").read_bytes()[:500])
    elif damage == "nan":
        make_model(model, np.full((30_522, 8), np.nan, np.float32))
    with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
        palace.mine(talk)
        before = models_of(palace)
        with pytest.raises(EmbeddingError, match=str(model)) as caught:
            palace.embeddings.switch(f"local:{model}", dimension=24 if damage == "dimension" else None)
        assert str(caught.value).isprintable()
        assert models_of(palace) == before
