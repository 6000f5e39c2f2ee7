"""Which of a query's words are looked for."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from palace.records import KeywordLimits
from palace.store.candidates.words import QueryWords, Word, query_terms

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


@given(st.integers(0, 10**9))
def test_a_lone_word_is_looked_for_however_common_it_is(df: int) -> None:
    assert query_terms(words([df]), limited(10)) == words([df])


def test_without_words_nothing_is_looked_for() -> None:
    assert query_terms([], limited(10)) == []


def test_two_words_that_meet_are_worth_both_and_held_by_the_fewer() -> None:
    rare, common = Word("'oar'", 11, 2.5), Word("'boat' <-> 'house'", 40, 0.5)
    assert query_terms([rare, common], limited(10)) == [Word("('oar') & ('boat' <-> 'house')", 11, 3.0)]


@given(counts)
def test_what_holds_all_words_weighs_what_they_are_worth_together(dfs: list[int]) -> None:
    said = words(dfs)
    assert QueryWords(tuple(said), ()).weight == sum(word.idf for word in said)
