"""Flags of passages become kinds, and flags again on the way back; recall and the counts stay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from palace import Palace
from palace.administration import Administration
from palace.settings import Settings
from palace.store.schema import Schema
from palace.testing import HashingEmbedder
from tests.archive.places import complaints, databases, owner_url
from tests.catalog import catalog
from tests.hosts import Host

SAID = [
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
            palace.file(SAID)
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


def test_flags_that_contradict_each_other_become_a_kind_that_a_rebuild_mends(settings: Settings) -> None:
    filed = rows(settings, AFTER)
    Schema("palace").downgrade(owner_url(settings), "0008")
    rows(settings, "UPDATE palace.passage SET is_tool = NOT is_tool, is_embedded = NOT is_embedded")
    Administration(settings).upgrade()
    assert {kind for _, _, kind in rows(settings, AFTER)} == {"whole", "sentence", "tool"}
    with Palace.open(settings, user="ann", embedder=HashingEmbedder()) as palace:
        palace.rebuild()
    assert rows(settings, AFTER) == filed
    assert complaints(settings, "ann") == []


def test_a_kind_that_is_none_is_refused(settings: Settings) -> None:
    with pytest.raises(sa.exc.IntegrityError, match="ck_passage_kind"):
        rows(settings, "UPDATE palace.passage SET kind = 'clause' WHERE kind = 'whole'")
    with pytest.raises(sa.exc.IntegrityError, match="ck_passage_keywords"):
        rows(settings, "UPDATE palace.passage SET kind = 'whole' WHERE kind = 'sentence'")
