"""What names of a set stand for, and whether a palace has joined them."""

from __future__ import annotations

from bench.graph.scoring.identities import SELF, Identity, Names, judge_joins, same_value

DEREK = Identity("Derek Hughes", "person", ("Derek", "derek h."), never=("Derek Foster",))
ME = Identity(SELF, "person", ("Tunde Bakare", "Tunde"))
NAMES = Names([DEREK, ME])


def test_any_name_of_an_identity_is_the_same() -> None:
    assert NAMES.same({"Derek H."}, "Derek Hughes")
    assert NAMES.same({"tunde"}, "I")
    assert not NAMES.same({"Tunde"}, "Derek")


def test_a_value_may_be_told_in_other_words_and_other_things_are_told_apart() -> None:
    same = [
        ("£1,560", "1560 pounds"),
        ("24 volts", "24V"),
        ("the new clutch", "clutch"),
        ("dogs", "dog"),
        ("Octavia", "Skoda Octavia"),
        ("trip to Lisbon", "Lisbon trip"),
        ("music festival", "music festival in Rhode Island"),
        ("my mum", "mum"),
    ]
    others = [("£1,560", "£1,650"), ("dog", "dog bed"), ("Anna's brother", "brother"), ("3 cats", "3 dogs")]
    assert [pair for pair in same if not (same_value(*pair) and same_value(*reversed(pair)))] == []
    assert [pair for pair in others if same_value(*pair) or same_value(*reversed(pair))] == []


def test_joins_are_counted_by_pairs_of_names() -> None:
    known = {"Derek Hughes": {1}, "Derek": {1}, "derek h.": {2}, "I": {3}, "Tunde": {3}}
    joined = judge_joins([DEREK, ME], lambda name: known.get(name, set()))
    assert (joined.pairs, joined.rightly) == (6, 2)
    assert ("Derek", "derek h.") in joined.apart
    assert not joined.wrongly


def test_a_name_that_must_not_be_joined_is_told() -> None:
    joined = judge_joins([DEREK], lambda name: {1} if "Derek" in name else set())
    assert joined.wrongly == [("Derek Hughes", "Derek Foster")]


def test_a_name_of_two_is_joined_with_neither() -> None:
    known = {"Derek Hughes": {1}, "Derek": {1, 2}, "Derek Foster": {2}}
    assert not judge_joins([DEREK], lambda name: known.get(name, set())).wrongly
