"""A text that a model or its tokenizer refuses: it alone stays without a vector, and is told with its conversation."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from palace import EmbeddingError, Palace, Settings
from palace.testing import HashingEmbedder
from tests.embedding.tiny import local, make_model, table
from tests.held import rows

WORDS = ["dimension", "boat", "mast", "keel", "oar"]
UNKNOWN, FAR, NOWHERE = "whale", "horizon", "nowhere"
"""A word that the tokenizer does not know, one of which the model has no row, and one whose row is no direction."""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model that knows a few words, and has nothing for those it does not know."""
    rows = table(16)[: len(WORDS) + 1]
    rows[-1] = np.nan
    folder = make_model(tmp_path / "model", rows)
    vocabulary = {word: place for place, word in enumerate([*WORDS, NOWHERE])} | {FAR: 4000}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture
def palace_on(settings: Settings, model: Path) -> Iterator[Palace]:
    named = settings.model_copy(update={"embedding_model": f"local:{model}"})
    with Palace.open(named, user=f"user-{uuid.uuid4()}") as palace:
        yield palace


def say(palace: Palace, *texts: str, id: str | None = None) -> Any:
    return palace.file([{"role": "user", "content": text} for text in texts], id=id or texts[0])


def unembedded(palace: Palace) -> list[str]:
    query = "SELECT d.content FROM passage_embedding e JOIN drawer d ON d.id = e.drawer_id AND d.user_id = e.user_id"
    return sorted(content for (content,) in rows(palace, f"{query} WHERE e.embedding IS NULL"))


def test_a_refused_text_is_told_by_its_place_among_the_others(model: Path, tmp_path: Path) -> None:
    embedder = local(model)
    for word in (UNKNOWN, FAR, NOWHERE):
        with pytest.raises(EmbeddingError) as caught:
            embedder.embed_passages(["boat", word, "mast", f"keel {word}", "oar"])
        assert caught.value.refused == {1, 3}
        assert str(caught.value).isprintable()
        assert "(and 1 more of the texts alike)" in str(caught.value)
        with pytest.raises(EmbeddingError):
            embedder.embed_queries([word])
    assert embedder.embed_passages(["boat", "mast keel", "oar"]).vectors.shape == (3, 16)
    with pytest.raises(EmbeddingError) as caught:
        local(make_model(tmp_path, outputs=("scores",))).embed_passages(["boat", "mast"])
    assert caught.value.refused == frozenset(), "a fault of the model is no text's"


def test_a_refused_text_alone_stays_without_a_vector_and_the_failure_is_kept(palace_on: Palace) -> None:
    word = UNKNOWN
    filed = say(palace_on, "boat", word, "mast")
    assert (filed.passages_embedded, filed.passages_pending) == (2, 1)
    assert any("not everything is embedded" in warning for warning in filed.warnings)
    assert unembedded(palace_on) == [word]
    assert say(palace_on, "keel", "oar", id="later").passages_embedded == 2
    assert palace_on.recall("boat").hits[0].drawer.content == "boat"
    found = palace_on.recall(word)
    assert [hit.drawer.content for hit in found.hits] == [word]
    assert any("keywords only" in warning for warning in found.warnings)
    for _ in range(2):
        assert (palace_on.embeddings.backfill().embedded, unembedded(palace_on)) == (0, [word])
    (step,) = (step for step in palace_on.status().steps if step.failed)
    assert (step.name, step.failed) == ("vectors", 1)
    assert "makes nothing of a text" in (step.failure or "")


def test_a_switch_embeds_all_the_others_and_says_what_is_left(palace: Palace, model: Path) -> None:
    say(palace, UNKNOWN, "boat", "mast")
    with pytest.raises(EmbeddingError, match=r"not everything is embedded: .* makes nothing of a text"):
        palace.embeddings.switch(f"local:{model}")
    (filling,) = (each for each in palace.embeddings.status() if each.generation.dimension == 16)
    assert (filling.embedded, filling.pending) == (2, 1)
    assert palace.recall("boat").warnings == ()


class Claiming(HashingEmbedder):
    """Refuses texts that it was not given."""

    def embed_passages(self, texts: Sequence[str]) -> Any:
        raise EmbeddingError("no", refused=frozenset({len(texts), -1}))


def test_an_embedder_that_refuses_what_it_was_not_given_is_asked_once(settings: Settings) -> None:
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=Claiming()) as palace:
        assert say(palace, "boat", "mast").passages_pending == 2
