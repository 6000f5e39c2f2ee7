"""What changed in the schema since 0.2.0, one revision at a time: vectors of half precision, kinds of passages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa

from palace import Palace
from palace.administration import Administration
from palace.settings import Settings
from palace.store.schema import Schema
from palace.testing import HashingEmbedder
from tests.archive.places import databases, owner_url
from tests.catalog import catalog
from tests.hosts import Host

pytestmark = pytest.mark.nightly
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


TALK = [
    {"role": "user", "content": "The heron stood on the jetty. I prefer small harbours with a bakery."},
    {"role": "assistant", "content": "A boat needs a mooring in every harbour."},
    {"role": "tool", "content": '{"depth": 4, "harbour": "Torshavn"}'},
    {"role": "user", "content": "The lathe is in the shed."},
]
KINDS = {
    (False, True, False): "whole",
    (False, False, False): "keywords",
    (False, True, True): "sentence",
    (True, False, False): "tool",
}
"""By is_tool, is_embedded and is_sentence: every combination that was ever written."""
QUERIES = ("harbour", "heron on the jetty", "where is the lathe", "which harbours do I prefer?", "Torshavn depth")
BEFORE = "SELECT drawer_id, ordinal, is_tool, is_embedded, is_sentence FROM palace.passage ORDER BY 1, 2"
AFTER = "SELECT drawer_id, ordinal, kind FROM palace.passage ORDER BY 1, 2"
COLUMNS = """
    SELECT attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid)
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = 'palace.passage'::regclass AND attname IN ('is_tool', 'is_embedded', 'is_sentence', 'kind')
    ORDER BY 1"""
KEYWORDS = "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'ck_passage_keywords'"


@pytest.fixture
def settings(host: Host, tmp_path: Path) -> Iterator[Settings]:
    """A database of the test's own with passages of every kind."""
    with databases(host, tmp_path) as make:
        settings = make()
        Administration(settings).upgrade()
        with Palace.open(settings, user="ann", embedder=HashingEmbedder()) as palace:
            palace.file(TALK)
        yield settings


def rows(settings: Settings, query: str) -> list[tuple[Any, ...]]:
    with sa.create_engine(owner_url(settings), poolclass=sa.NullPool).begin() as owner:
        found = owner.execute(sa.text(query))
        return [tuple(row) for row in found] if found.returns_rows else []


def everything(settings: Settings) -> dict[str, list[tuple[str, ...]]]:
    with sa.create_engine(owner_url(settings), poolclass=sa.NullPool).connect() as owner:
        return catalog(owner)


def answers(settings: Settings) -> list[object]:
    with Palace.open(settings, user="ann", embedder=HashingEmbedder()) as palace:
        hits = [palace.recall(query, tools=True).hits for query in QUERIES]
        return [[(hit.drawer.pointer, hit.score, hit.passage) for hit in each] for each in hits]


def test_every_kind_is_what_its_flags_were_and_the_flags_come_back(settings: Settings) -> None:
    filed, found, schema = rows(settings, AFTER), answers(settings), everything(settings)
    assert {kind for _, _, kind in filed} == set(KINDS.values())
    Schema("palace").downgrade(owner_url(settings), "0008")
    flags = rows(settings, BEFORE)
    assert [(row[0], row[1], KINDS[row[2:]]) for row in flags] == filed
    assert rows(settings, COLUMNS) == [
        ("is_embedded", "boolean", True, None),
        ("is_sentence", "boolean", True, "false"),
        ("is_tool", "boolean", True, "false"),
    ]
    assert rows(settings, KEYWORDS) == [("CHECK (((tsv IS NULL) = is_sentence))",)]
    Administration(settings).upgrade()
    assert rows(settings, AFTER) == filed
    assert answers(settings) == found
    assert everything(settings) == schema
    Schema("palace").downgrade(owner_url(settings), "0008")
    assert rows(settings, BEFORE) == flags


def test_a_kind_that_is_none_is_refused(settings: Settings) -> None:
    with pytest.raises(sa.exc.IntegrityError, match="ck_passage_kind"):
        rows(settings, "UPDATE palace.passage SET kind = 'clause' WHERE kind = 'whole'")
    with pytest.raises(sa.exc.IntegrityError, match="ck_passage_keywords"):
        rows(settings, "UPDATE palace.passage SET kind = 'whole' WHERE kind = 'sentence'")
