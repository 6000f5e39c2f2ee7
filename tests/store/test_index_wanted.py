"""When a generation wants an HNSW index: who builds it, who complains and who uses it go by one rule."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from palace import Administration, Generation, Palace, Palaces
from palace.db.counts import add_counts, count_vectors
from palace.db.generations import get_basis
from palace.db.vectors import drop_indexes
from tests.statements import sent_statements


@pytest.fixture
def noted(palaces: Palaces) -> Iterator[Palace]:
    """A palace with a note, whose generation has no HNSW index before and after."""
    palace = palaces.palace(f"user-{uuid.uuid4()}")
    palace.note("The silicone wire of the battery overheated on the water.")
    drop_index(palace)
    yield palace
    drop_index(palace)


def generation_of(palace: Palace) -> Generation:
    generation = palace._opened.find_generation()
    assert generation is not None
    return generation


def drop_index(palace: Palace) -> None:
    drop_indexes(palace._opened.database)


def count_as(palace: Palace, vectors: int) -> None:
    """Have the palace counted as one with so many vectors."""
    with palace._opened.session() as session:
        add_counts(session, drawers=0, passages=vectors - count_vectors(session))


def is_built(palace: Palace) -> bool:
    palace.embeddings.backfill()
    with palace._opened.session() as session:
        return get_basis(session).sizes.is_indexed


def is_missed(palace: Palace) -> bool:
    own = palace._opened.settings.model_copy(update={"user": palace.user})
    return "vector index" in {check.name for check in Administration(own).doctor()}


def is_used(palace: Palace) -> bool:
    with sent_statements() as sent:
        palace.recall("wire")
    return any("hnsw.ef_search" in statement for statement in sent)


def test_an_index_is_missed_built_and_used_from_the_same_number_of_vectors_on(noted: Palace) -> None:
    count_as(noted, 20_000)
    assert (is_missed(noted), is_built(noted)) == (False, False)
    count_as(noted, 20_001)
    assert (is_missed(noted), is_built(noted), is_missed(noted), is_used(noted)) == (True, True, False, True)
    count_as(noted, 20_000)
    assert not is_used(noted)


def test_an_index_is_neither_missed_nor_built_where_there_are_too_many(
    noted: Palace, monkeypatch: pytest.MonkeyPatch
) -> None:
    count_as(noted, 20_001)
    monkeypatch.setattr("palace.db.vectors.MOST_SMALL_INDEXES", 0)
    assert (is_missed(noted), is_built(noted)) == (False, False)
    count_as(noted, 50_001)
    assert (is_missed(noted), is_built(noted)) == (True, True)
