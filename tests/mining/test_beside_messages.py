"""What is filed beside a message of a person: vectors of its sentences, choices, times; and what leaves them out."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from palace import Palace, Verdict
from palace.doctor import _check_rows
from palace.testing import HashingEmbedder
from tests.held import execute, findings, rows

SENTENCES = (
    "The regatta was louder than that of last summer.",
    "I prefer small harbours with a bakery.",
    "We left the bay before the thunderstorm came.",
)
TALK = " ".join(SENTENCES)
TURNS = [
    {"role": "user", "content": TALK, "timestamp": "2026-05-20T10:00:00Z"},
    {"role": "assistant", "content": TALK, "timestamp": "2026-05-20T10:01:00Z"},
    {"role": "user", "content": "Yesterday the mast broke.", "timestamp": "2026-05-20T10:02:00Z"},
]

FILED = "SELECT drawer_id, ordinal, char_start, char_end FROM passage ORDER BY 1, 2"


def counts(palace: Palace) -> dict[str, int]:
    return dict(rows(palace, "SELECT counted, sum(amount)::int FROM count_delta GROUP BY 1"))


@pytest.fixture
def mined(palace: Palace, tmp_path: Path) -> Palace:
    """A talk in which the person and the assistant say the same three sentences, and the person one more."""
    path = tmp_path / "talk.json"
    path.write_text(json.dumps({"id": "talk", "messages": TURNS}), encoding="utf-8")
    palace.mine(path)
    return palace


def test_what_is_filed_beside_a_message_is_for_what_a_person_says(mined: Palace) -> None:
    said = rows(
        mined,
        "SELECT substr(d.content, p.char_start + 1, p.char_end - p.char_start), p.ordinal, p.tsv IS NULL,"
        " e.embedding IS NOT NULL FROM passage p JOIN drawer d ON d.id = p.drawer_id"
        " JOIN passage_embedding e ON e.drawer_id = p.drawer_id AND e.ordinal = p.ordinal"
        " WHERE p.kind = 'sentence' ORDER BY p.ordinal",
    )
    assert said == [(sentence, ordinal, True, True) for ordinal, sentence in enumerate(SENTENCES, 1)]
    assert rows(
        mined, "SELECT DISTINCT role FROM drawer d JOIN passage p ON p.drawer_id = d.id WHERE kind = 'sentence'"
    ) == [("user",)]

    wrong = "SELECT count(*) FROM passage p JOIN drawer d ON d.id = p.drawer_id"
    wrong += " WHERE p.room_id <> d.room_id OR p.is_person <> (d.role = 'user')"
    assert rows(mined, wrong) == [(0,)]

    assert counts(mined) == {"drawer": 3, "passage": 3, "sentence": 3}
    assert (mined.status().passages, mined.status().sentences) == (3, 3)
    assert rows(mined, "SELECT passage_count FROM term_count WHERE lexeme = 'harbours'") == [(2,)]

    speaks = "SELECT spoken_of @> CAST(:moment AS timestamptz) FROM drawer ORDER BY position"
    assert rows(mined, speaks, moment="2026-05-19 12:00Z") == [(False,), (None,), (True,)]
    assert rows(mined, speaks, moment="2025-07-10 12:00Z") == [(True,), (None,), (False,)]

    embedded = "SELECT d.position, p.kind, e.ordinal IS NOT NULL FROM passage p"
    embedded += " JOIN drawer d ON d.id = p.drawer_id LEFT JOIN passage_embedding e"
    embedded += " ON e.drawer_id = p.drawer_id AND e.ordinal = p.ordinal ORDER BY d.position, p.ordinal"
    assert rows(mined, embedded) == [
        (0, "keywords", False),
        *[(0, "sentence", True)] * len(SENTENCES),
        (1, "whole", True),
        (2, "whole", True),
    ]


def test_forgetting_a_message_takes_its_sentences_along(mined: Palace) -> None:
    pointer = next(iter(mined.tree.drawers(mined.tree.rooms(mined.tree.wings()[0])[0]))).pointer
    assert mined.forget(str(pointer)).removal.passages == 4
    assert counts(mined) == {"drawer": 2, "passage": 2, "sentence": 0}
    assert rows(mined, "SELECT count(*) FROM passage_embedding") == [(2,)]
    assert findings(mined) == set()


def test_a_message_without_its_sentences_is_named_and_rebuilt(mined: Palace) -> None:
    before = rows(mined, FILED)
    execute(
        mined,
        *("DELETE FROM passage WHERE kind = 'sentence'", "DELETE FROM count_delta WHERE counted = 'sentence'"),
        "UPDATE drawer SET spoken_of = NULL",
    )
    (check,) = (check for check in _check_rows(mined._opened) if check.verdict is not Verdict.OK)
    assert (check.name, check.finding, check.remedy) == (
        "sentences",
        "1 messages have no sentence vectors",
        "palace rebuild",
    )
    assert mined.rebuild().passages == 6
    assert rows(mined, FILED) == before
    assert rows(mined, "SELECT count(spoken_of) FROM drawer") == [(2,)]
    assert findings(mined) == set()


def test_what_is_embedded_carries_the_name_of_who_said_it(palace: Palace, tmp_path: Path) -> None:
    path = tmp_path / "named.json"
    said = [{"role": "user", "name": "Ana", "content": TALK}, {"role": "assistant", "content": "Noted."}]
    path.write_text(json.dumps(said), encoding="utf-8")
    palace.mine(path)
    texts = [f"Ana: {sentence}" for sentence in SENTENCES] + ["Noted."]
    vectors = "SELECT embedding::text FROM passage_embedding ORDER BY drawer_id, ordinal"

    def embedded() -> list[list[float]]:
        return [json.loads(vector) for (vector,) in rows(palace, vectors)]

    expected = HashingEmbedder().embed_passages(texts).vectors
    np.testing.assert_allclose(embedded(), expected, atol=1e-3)
    palace.rebuild()
    np.testing.assert_allclose(embedded(), expected, atol=1e-3)
    execute(palace, "UPDATE passage_embedding SET embedding = NULL")
    palace.embeddings.backfill()
    np.testing.assert_allclose(embedded(), expected, atol=1e-3)
