"""What names of a set stand for, and whether a palace has joined them."""

from __future__ import annotations

from bench.graph.identities import SELF, Identity, judge_joins, same_value

DEREK = Identity("Derek Hughes", "person", ("Derek", "derek h."), never=("Derek Foster",))
ME = Identity(SELF, "person", ("Tunde Bakare", "Tunde"))


def test_a_value_may_be_told_in_other_words_and_other_things_are_told_apart() -> None:
    same = [("£1,560", "1560 pounds"), ("24 volts", "24V"), ("dogs", "dog"), ("Octavia", "Skoda Octavia")]
    others = [("£1,560", "£1,650"), ("dog", "dog bed"), ("Anna's brother", "brother"), ("3 cats", "3 dogs")]
    assert [pair for pair in same if not (same_value(*pair) and same_value(*reversed(pair)))] == []
    assert [pair for pair in others if same_value(*pair) or same_value(*reversed(pair))] == []


def test_joins_are_counted_by_pairs_of_names() -> None:
    known = {"Derek Hughes": {1}, "Derek": {1}, "derek h.": {2}, "I": {3}, "Tunde": {3}}
    joined = judge_joins([DEREK, ME], lambda name: known.get(name, set()))
    assert (joined.pairs, joined.rightly) == (6, 2)
    assert ("Derek", "derek h.") in joined.apart
    assert not joined.wrongly
    everybody = judge_joins([DEREK], lambda name: {1} if "Derek" in name else set())
    assert everybody.wrongly == [("Derek Hughes", "Derek Foster")]
    of_two = {"Derek Hughes": {1}, "Derek": {1, 2}, "Derek Foster": {2}}
    assert not judge_joins([DEREK], lambda name: of_two.get(name, set())).wrongly, "a name of two is neither's"
