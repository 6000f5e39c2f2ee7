"""How rare a word is: counted while many write; what ranking makes of it, and which words of a query are looked for."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from palace import Palace, Settings
from palace.db.candidates.keyword import keyword_candidates
from palace.db.candidates.words import Word, all_of, query_terms, weigh_words
from palace.models import KeywordLimits, Scope
from palace.testing import HashingEmbedder
from tests.held import execute, rows

TRUE_COUNTS = (
    "SELECT word.lexeme, count(*) FROM passage CROSS JOIN LATERAL unnest(tsv) AS word WHERE kind <> 'tool' GROUP BY 1"
)


def mine(palace: Palace, folder: Path, name: str, said: Sequence[str], role: str = "user") -> None:
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"id": name, "messages": [{"role": role, "content": text} for text in said]}))
    palace.mine(path, wing="Words")


def counted(palace: Palace) -> dict[str, int]:
    return dict(rows(palace, "SELECT lexeme, passage_count FROM term_count"))


def there(palace: Palace) -> dict[str, int]:
    return dict(rows(palace, TRUE_COUNTS))


def ranked(palace: Palace, query: str, limits: KeywordLimits = KeywordLimits()) -> list[tuple[str, float]]:  # noqa: B008
    with palace._opened.session() as session:
        found = keyword_candidates(session, weigh_words(session, query), scope=Scope(), limits=limits)
    contents: dict[int, str] = dict(rows(palace, "SELECT id, content FROM drawer"))
    return [(contents[candidate.key.drawer_id], candidate.score) for candidate in found.passages]


def test_words_are_counted_as_they_are_filed_and_uncounted_as_they_are_forgotten(
    palace: Palace, tmp_path: Path
) -> None:
    mine(palace, tmp_path, "a", ["A red lantern.", "The lantern hangs in the harbour.", "Two red boats."])
    assert counted(palace) == there(palace)
    assert counted(palace)["lantern"] == 2
    palace.forget("W-001/R-01/D-002")
    assert counted(palace) == there(palace)
    assert "harbour" not in counted(palace)


@pytest.mark.nightly
def test_miners_and_forgetting_side_by_side_leave_the_counts_right(
    palace: Palace, settings: Settings, tmp_path: Path
) -> None:
    def work(number: int) -> None:
        with Palace.open(settings, user=palace.user, embedder=HashingEmbedder()) as own:
            for turn in range(3):
                folder = tmp_path / f"{number}-{turn}"
                folder.mkdir()
                mine(own, folder, f"c{number}-{turn}", [f"Lantern {number} stands at pier {turn}.", "A red boat."])
                if turn % 2:
                    hit = own.recall(f"Lantern {number} stands at pier {turn}.", top_k=1).hits[0]
                    own.forget(str(hit.drawer.pointer))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert counted(palace) == there(palace)


def test_a_rebuild_makes_the_counts_right(palace: Palace, tmp_path: Path) -> None:
    mine(palace, tmp_path, "a", ["A red lantern.", "Two red boats."])
    execute(
        palace,
        "UPDATE term_count SET passage_count = 99 WHERE lexeme = 'red'",
        "DELETE FROM term_count WHERE lexeme = 'lantern'",
        "INSERT INTO term_count SELECT id, 'ghost', 7 FROM palace_user",
    )
    palace.rebuild()
    assert counted(palace) == there(palace)


def test_the_score_is_bm25(palace: Palace, tmp_path: Path) -> None:
    said = ["Copper, copper and more copper.", "A copper kettle stands on the stove.", "Nothing of the kind.", "Rain."]
    mine(palace, tmp_path, "a", said)
    best, second = ranked(palace, "copper")
    assert (best[0], second[0]) == (said[0], said[1])
    idf = math.log(1 + (4 - 2 + 0.5) / (2 + 0.5))
    sizes = len(said[0]), len(said[1])
    wanted = [idf * 1.9 / (1 + 0.9 * (0.5 + 0.5 * size / (sum(sizes) / 2))) for size in sizes]
    assert [best[1], second[1]] == pytest.approx(wanted, rel=1e-6)


def test_words_beyond_the_limit_propose_passages_where_two_of_them_meet(palace: Palace, tmp_path: Path) -> None:
    said = [f"A lantern, number {n}." for n in range(8)] + [f"A harbour, number {n}." for n in range(8)]
    mine(palace, tmp_path, "a", [*said, "The lantern of the harbour."])
    few = KeywordLimits(match_limit=5)
    assert [content for content, _ in ranked(palace, "lantern harbour", few)] == ["The lantern of the harbour."]
    assert len(ranked(palace, "lantern", few)) == 5


def test_rooms_score_by_how_often_the_person_used_the_words_there(palace: Palace, tmp_path: Path) -> None:
    mine(palace, tmp_path, "a", ["A copper kettle.", "Copper wire, too.", "Nothing of the kind."])
    mine(palace, tmp_path, "b", ["Copper again."])
    mine(palace, tmp_path, "c", ["Copper is a metal."], role="assistant")
    mine(palace, tmp_path, "d", ["Rain."])
    with palace._opened.session() as session:
        found = keyword_candidates(session, weigh_words(session, "copper"), scope=Scope(), limits=KeywordLimits())
        ids = sa.text("SELECT r.id FROM room r JOIN conversation c ON c.id = r.conversation_id ORDER BY c.id")
        twice, once, *_ = session.connection.execute(ids).scalars()
    idf = math.log(1 + (6 - 4 + 0.5) / (4 + 0.5))
    assert found.rooms == pytest.approx({twice: idf * 2 / (2 + 1.2), once: idf * 1 / (1 + 1.2)})


def test_words_are_found_with_the_name_of_who_said_them(palace: Palace, tmp_path: Path) -> None:
    path = tmp_path / "named.json"
    path.write_text(json.dumps([{"role": "user", "name": "Ana", "content": "A red lantern."}]))
    palace.mine(path)
    assert ranked(palace, "Ana")[0][0] == "A red lantern."
    assert counted(palace)["ana"] == 1
    palace.forget("W-001/R-01/D-001")
    assert counted(palace) == {}


counts = st.lists(st.integers(0, 5000), max_size=12).map(sorted)


def limited(matches: int) -> KeywordLimits:
    return KeywordLimits(match_limit=matches)


def words(dfs: list[int]) -> list[Word]:
    return [Word(f"'word{place}'", df, 9.0 - place / 10) for place, df in enumerate(dfs)]


@given(counts, st.integers(0, 6000))
def test_the_rarest_words_are_looked_for_while_their_matches_are_within_the_limit(dfs: list[int], limit: int) -> None:
    said = words(dfs)
    alone = [term for term in query_terms(said, limited(limit)) if "&" not in term.query]
    assert alone == said[: len(alone)]
    if len(said) > 1:
        assert sum(term.df for term in alone) <= limit
        assert alone == said or sum(dfs[: len(alone) + 1]) > limit


@given(counts, st.integers(0, 6000))
def test_of_the_next_three_words_two_must_meet(dfs: list[int], limit: int) -> None:
    wanted = query_terms(words(dfs), limited(limit))
    alone = sum("&" not in term.query for term in wanted)
    left = range(alone, min(alone + KeywordLimits().meeting, len(dfs)))
    met = [tuple(map(int, re.findall(r"\d+", term.query))) for term in wanted[alone:]]
    assert met == [(one, other) for one in left for other in left if one < other]


def test_a_lone_word_is_looked_for_however_common_it_is_and_without_words_nothing_is() -> None:
    assert query_terms(words([10**9]), limited(10)) == words([10**9])
    assert query_terms([], limited(10)) == []


def test_two_words_that_meet_are_worth_both_and_held_by_the_fewer() -> None:
    rare, common = Word("'oar'", 11, 2.5), Word("'boat' <-> 'house'", 40, 0.5)
    assert query_terms([rare, common], limited(10)) == [Word("('oar') & ('boat' <-> 'house')", 11, 3.0)]


NAME = Word("'rosa'", 3, 6.0)


@given(counts, st.integers(0, 6000))
def test_words_too_common_alone_are_looked_for_beside_the_name_of_who_said_them(dfs: list[int], limit: int) -> None:
    alone = [probe for probe in query_terms(words(dfs), KeywordLimits(match_limit=limit)) if "&" not in probe.query]
    wanted = query_terms(words(dfs), KeywordLimits(match_limit=limit), NAME)
    assert [probe for probe in wanted if "&" not in probe.query] == ([] if len(dfs) == 1 and dfs[0] > limit else alone)
    assert all("'rosa'" in probe.query for probe in wanted if "&" in probe.query)


def test_a_rare_name_makes_every_word_affordable() -> None:
    wanted = query_terms(words([2, 4000, 4500, 5000]), KeywordLimits(), NAME)
    assert [(probe.query, probe.df) for probe in wanted] == [
        ("'word0'", 2),
        ("('word1') & ('rosa')", 3),
        ("('word2') & ('rosa')", 3),
        ("('word3') & ('rosa')", 3),
    ]


def test_a_name_of_several_words_is_all_of_them_and_held_by_the_fewest() -> None:
    assert all_of([Word("'rosa'", 3, 2.0), Word("'diaz'", 9, 1.0)]) == Word("('rosa') & ('diaz')", 3, 3.0)
    assert all_of([]) is None
