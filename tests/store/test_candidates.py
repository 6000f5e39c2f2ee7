"""What the arms propose, by which plan, and that the keyword arm keeps to its time."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from palace import OutOfTime, Palace, Palaces, Strategy
from palace.db.candidates.keyword import keyword_candidates, limited
from palace.db.candidates.semantic import Scan, choose_scan, semantic_candidates
from palace.db.candidates.words import weigh_words
from palace.db.database import owner_connection
from palace.db.generations import get_basis
from palace.db.vectors import build_index
from palace.models import KeywordLimits, PassageKey, ScanLimits, Scope
from palace.testing import HashingEmbedder
from tests.held import rows
from tests.statements import sent_statements

SAID = [
    ("Efoil", 1, "The silicone wire of the battery overheated on the water."),
    ("Efoil", 2, "The propeller has seven inches and two blades."),
    ("Travel", 3, "We booked a hotel in Lisbon near the river."),
    ("Travel", 4, "The train to Porto leaves at nine; bring water."),
]


@pytest.fixture(scope="module")
def filled(palaces: Palaces, tmp_path_factory: pytest.TempPathFactory) -> Palace:
    folder = tmp_path_factory.mktemp("talks")
    palace = palaces.palace(f"user-{uuid.uuid4()}")
    for wing, day, content in SAID:
        talk = [{"role": "user", "content": content, "timestamp": f"2026-03-{day:02}T12:00:00Z"}]
        talk.append({"role": "tool", "content": f"tool output {day} about water", "tool_call_id": "t"})
        path = Path(folder, f"{day}.json")
        path.write_text(json.dumps({"id": str(day), "messages": talk}), encoding="utf-8")
        palace.mine(path, wing=wing)
    return palace


def contents(palace: Palace, keys: list[PassageKey]) -> list[str]:
    ids = [key.drawer_id for key in keys]
    found = dict(rows(palace, "SELECT id, content FROM drawer WHERE id = ANY(:ids)", ids=ids))
    return [found[drawer_id] for drawer_id in ids]


def near(palace: Palace, text: str, scan: Scan = Scan.EXACT, scope: Scope = Scope()) -> list[str]:  # noqa: B008
    generation = palace._opened.find_generation()
    assert generation is not None
    vector = HashingEmbedder().embed_passages([text]).vectors[0].tolist()
    with palace._opened.session() as session:
        found = semantic_candidates(
            session, (generation, vector), scope=scope, scan=scan, limit=10, limits=ScanLimits()
        )
    assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)
    return contents(palace, [c.key for c in found])


def matching(palace: Palace, text: str, scope: Scope = Scope()) -> list[str]:  # noqa: B008
    with palace._opened.session() as session:
        words = weigh_words(session, text)
        found = keyword_candidates(session, words, scope=scope, limits=KeywordLimits(passages=10))
    return contents(palace, [c.key for c in found.passages])


def test_the_nearest_passage_comes_first_with_its_cosine(filled: Palace) -> None:
    assert near(filled, SAID[2][2])[0] == SAID[2][2]
    assert len(near(filled, SAID[2][2])) == 4
    generation = filled._opened.find_generation()
    assert generation is not None
    vector = HashingEmbedder().embed_passages([SAID[0][2]]).vectors[0].tolist()
    with filled._opened.session() as session:
        (best,) = semantic_candidates(
            session, (generation, vector), scope=Scope(), scan=Scan.EXACT, limit=1, limits=ScanLimits()
        )
    assert best.score == pytest.approx(1.0, abs=1e-3)


def test_every_scan_proposes_the_same(filled: Palace) -> None:
    generation = filled._opened.find_generation()
    assert generation is not None
    build_index(filled._opened.database, generation)
    with filled._opened.session() as session:
        assert get_basis(session).sizes.is_indexed
    for _, _, content in SAID:
        assert near(filled, content, Scan.HNSW)[:2] == near(filled, content, Scan.EXACT)[:2]
        assert near(filled, content, Scan.QUANTISED) == near(filled, content, Scan.EXACT)


def test_rare_words_outrank_common_ones(filled: Palace) -> None:
    assert matching(filled, "water propeller")[0] == SAID[1][2]
    assert matching(filled, "the of and") == []
    assert matching(filled, "zeppelin") == []


def test_words_match_by_stem_and_as_written(filled: Palace) -> None:
    assert matching(filled, "overheating wires")[0] == SAID[0][2]
    assert matching(filled, "Lisbon") == [SAID[2][2]]


def test_tool_output_is_found_only_on_request_and_never_by_meaning(filled: Palace) -> None:
    assert not any("tool output" in content for content in matching(filled, "tool output water"))
    assert any("tool output" in content for content in matching(filled, "tool output water", Scope(tools=True)))
    assert not any("tool output" in content for content in near(filled, "tool output 1 about water"))


def test_a_scope_filters_every_arm(filled: Palace) -> None:
    efoil = Scope(wing_ids=(filled.tree.wing("Efoil").id,))
    late = Scope(since=datetime(2026, 3, 4, tzinfo=UTC))
    early = Scope(until=datetime(2026, 3, 4, tzinfo=UTC) - timedelta(days=2))
    for scan in (Scan.EXACT, Scan.QUANTISED):
        assert set(near(filled, "water", scan, efoil)) == {SAID[0][2], SAID[1][2]}
        assert near(filled, "water", scan, late) == [SAID[3][2]]
        assert near(filled, "water", scan, early) == [SAID[0][2]]
    assert matching(filled, "water", efoil) == [SAID[0][2]]
    assert matching(filled, "water", late) == [SAID[3][2]]
    assert matching(filled, "water hotel", early) == [SAID[0][2]]


def test_no_query_breaks_the_keyword_arm(filled: Palace) -> None:
    for query in ("'", "\\", "a & | ! ( )", "🦑", "<->", "%s", ":q", "\u202edlrow", "a" * 5000):
        assert isinstance(matching(filled, query), list), query


def test_the_scan_is_chosen_by_passages_dimension_scope_and_index() -> None:
    limits = ScanLimits()

    def chosen(vectors: int, *, dimension: int = 384, scope: Scope = Scope(), indexed: bool = True) -> Scan:  # noqa: B008
        return choose_scan(limits, vectors=vectors, dimension=dimension, scope=scope, is_indexed=indexed)

    exact, quantised = limits.exact_up_to, limits.quantised_up_to
    assert chosen(exact) is Scan.EXACT
    assert chosen(exact + 1) is Scan.QUANTISED
    assert chosen(quantised) is Scan.QUANTISED
    assert chosen(quantised + 1) is Scan.HNSW
    assert chosen(quantised + 1, indexed=False) is Scan.QUANTISED
    assert chosen(quantised + 1, scope=Scope(wing_ids=(1,))) is Scan.QUANTISED
    assert chosen(exact, scope=Scope(wing_ids=(1,))) is Scan.EXACT
    assert chosen(20_000, dimension=1536) is Scan.HNSW
    assert chosen(2_000, dimension=1536) is Scan.QUANTISED


def test_a_palace_with_an_index_looks_through_the_times_of_a_query_as_well(filled: Palace) -> None:
    generation = filled._opened.find_generation()
    assert generation is not None
    build_index(filled._opened.database, generation)
    strategy = Strategy.of({"scan": {"exact_up_to": 0, "quantised_up_to": 0}, "semantic": {"vectors": 1}})
    now = datetime(2026, 3, 20, tzinfo=UTC)

    def proposed(query: str) -> set[str]:
        hits = filled.recall(query, strategy=strategy, now=now, floor="none", top_k=20).hits
        return {hit.drawer.content for hit in hits if "semantic" in {reason.arm for reason in hit.arms}}

    assert proposed("the silicone wire of the battery") == {SAID[0][2]}
    assert proposed("the silicone wire of the battery on 4 March 2026") >= {SAID[0][2], SAID[3][2]}


def test_recall_takes_few_statements_however_many_hits(filled: Palace) -> None:
    for context, most in ((0, 35), (3, 37)):
        with sent_statements() as few:
            filled.recall("water", top_k=1, context=context)
        with sent_statements() as many:
            assert len(filled.recall("water", top_k=10, context=context).hits) > 1
        assert len(many) == len(few) <= most


SHORT = KeywordLimits(budget_ms=50)
LANTERN = "The lantern hangs in the harbour."


@contextmanager
def words_held(palace: Palace) -> Iterator[None]:
    """Keep everybody from the passages, so that whoever asks for them waits."""
    database = palace._opened.database.shared
    with owner_connection(database) as owner:
        owner.exec_driver_sql("BEGIN")
        owner.execute(sa.text(f"LOCK TABLE {database.schema.name}.passage IN ACCESS EXCLUSIVE MODE"))
        yield
        owner.exec_driver_sql("ROLLBACK")


def test_keywords_that_take_too_long_are_given_up(palace: Palace) -> None:
    palace.note(LANTERN)
    with words_held(palace), palace._opened.session() as session:
        words = weigh_words(session, "lantern")
        assert len(words.words) == 1
        with pytest.raises(OutOfTime, match="took more than 50 ms and was stopped"):
            keyword_candidates(session, words, scope=Scope(), limits=SHORT)
    with palace._opened.session() as session:
        assert keyword_candidates(session, weigh_words(session, "lantern"), scope=Scope(), limits=SHORT).passages


def test_a_budget_of_nothing_is_any_time(palace: Palace) -> None:
    with palace._opened.session() as session, limited(session, 0):
        session.execute(sa.text("SELECT pg_sleep(0.06)"))
    with palace._opened.session() as session:
        with limited(session, 20):
            session.execute(sa.text("SELECT pg_sleep(0)"))
        session.execute(sa.text("SELECT pg_sleep(0.06)"))
        with pytest.raises(OutOfTime), limited(session, 20):
            session.execute(sa.text("SELECT pg_sleep(5)"))


def test_recall_answers_without_the_keywords(palace: Palace) -> None:
    palace.note(LANTERN)
    with ThreadPoolExecutor(1) as pool:
        with words_held(palace):
            asked = pool.submit(palace.recall, LANTERN, strategy=Strategy(keyword=SHORT))
            # Comparing waits for the passages as well, and has the time.
            time.sleep(6 * SHORT.budget_ms / 1000)
            assert not asked.done()
        found = asked.result()
    assert found.hits[0].drawer.content == LANTERN
    assert found.warnings == ("the keywords took too long and propose nothing",)
    assert "keyword" in [reason.arm for reason in found.hits[0].arms]
