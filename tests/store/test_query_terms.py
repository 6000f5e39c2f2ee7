"""Which of a query's words are looked for."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from palace.db.candidates.words import Word, all_of, query_terms
from palace.models import KeywordLimits

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
