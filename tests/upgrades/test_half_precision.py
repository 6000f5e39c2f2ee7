"""Vectors of before, and the index over everybody's, when they become half as precise and each large user's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import sqlalchemy as sa

from palace import Palace
from palace.administration import Administration
from palace.store.schema import Schema
from palace.store.vectors.index import build_index, has_index
from palace.testing import HashingEmbedder
from tests.archive.places import databases, owner_url
from tests.hosts import Host

SAID = ("The heron stood on the jetty.", "A boat needs a mooring.", "The lathe is in the shed.")
VECTORS = "SELECT drawer_id, embedding::text FROM palace.passage_embedding ORDER BY 1, ordinal"
INDEXES = "SELECT indexrelid::regclass::text FROM pg_index WHERE indexrelid::regclass::text LIKE '%hnsw%'"


def numbers(text: str) -> list[float]:
    return [float(number) for number in text.strip("[]").split(",")]


def test_vectors_stay_indexes_of_before_go_and_what_is_no_vector_waits(host: Host, tmp_path: Path) -> None:
    with databases(host, tmp_path) as make:
        settings = make()
        Administration(settings).upgrade()
        with Palace.open(settings, user="ann", embedder=HashingEmbedder()) as palace:
            for said in SAID:
                palace.note(said)
            best = [palace.recall(said).hits[0].drawer.content for said in SAID]
        address = owner_url(settings)
        Schema("palace").downgrade(address, "0007")
        engine = sa.create_engine(address, poolclass=sa.NullPool)
        with engine.begin() as owner:
            before = [numbers(text) for _, text in owner.execute(sa.text(VECTORS))]
            first = "WHERE ordinal = 0 AND drawer_id = (SELECT min(drawer_id) FROM palace.passage_embedding)"
            owner.execute(sa.text(f"UPDATE palace.passage_embedding SET embedding = '[1e30,2,3]' {first}"))
            owner.execute(
                sa.text(
                    "CREATE INDEX ix_passage_embedding_hnsw_1 ON palace.passage_embedding"
                    " USING hnsw ((embedding::halfvec(384)) halfvec_cosine_ops) WHERE generation_id = 99"
                )
            )
        Administration(settings).upgrade()
        with engine.begin() as owner:
            after = [numbers(text) if text else None for _, text in owner.execute(sa.text(VECTORS))]
            assert list(owner.execute(sa.text(INDEXES))) == []
        assert after[0] is None
        np.testing.assert_allclose(np.array(after[1:]), np.array(before[1:]), atol=1e-3)
        with Palace.open(settings, user="ann", embedder=HashingEmbedder()) as palace:
            # All are: what is cut by a step of before is cut anew.
            assert palace.embeddings.backfill().embedded == len(SAID)
            assert [palace.recall(said).hits[0].drawer.content for said in SAID] == best


def test_what_one_user_writes_past_the_library_breaks_nobody_elses_index(host: Host, tmp_path: Path) -> None:
    with databases(host, tmp_path) as make:
        settings = make()
        Administration(settings).upgrade()
        for user in ("ann", "bob"):
            with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
                palace.note(SAID[0])
        engine = sa.create_engine(owner_url(settings), poolclass=sa.NullPool)
        with engine.begin() as owner:
            owner.execute(
                sa.text(
                    "UPDATE palace.passage_embedding SET embedding = '[60000,2,3]'"
                    " WHERE user_id = (SELECT id FROM palace.palace_user WHERE name = 'ann')"
                )
            )
        with Palace.open(settings, user="bob", embedder=HashingEmbedder()) as palace:
            generation = palace.embeddings.status()[0].generation
            build_index(palace._opened.database, generation)
            with palace._opened.session() as session:
                assert has_index(session, generation.id)
