"""When a relation that is held is the one that is labelled."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from bench.graph.identities import SELF, Identity, Names
from bench.graph.predicates import is_single, same_predicate
from bench.graph.relations import Fact, Held, Relations, Told, agree, ends_agree, judge, read_date, says

NAMES = Names([Identity(SELF, "person", ("Tunde",)), Identity("Skoda Octavia", "item", ("Octavia",))])
SAID = {("c", 0): Told(date(2025, 3, 5), "day"), ("c", 4): Told(date(2025, 4, 1), "day")}


def fact(subject: str, predicate: str, object: str, **more: Any) -> Fact:
    return replace(Fact("r", subject, predicate, "plain", object, (("c", 0),)), **more)


def held(subject: str, predicate: str, object: str, **more: Any) -> Held:
    made = Held(frozenset({subject}), predicate, frozenset({object}), evidence=frozenset({("c", 0)}))
    return replace(made, **more)


def judged(facts: list[Fact], relations: list[Held]) -> Relations:
    counts = Relations()
    judge(counts, NAMES, facts, relations, SAID)
    return counts


def test_predicates_mean_the_same_by_family_or_by_a_word() -> None:
    same = {"has_battery": "battery", "owns": "bought", "works_at": "employed_by", "costs": "has_price"}
    others = {"works_at": "works_as", "lives_in": "works_in", "likes": "dislikes", "has_battery": "has_boss"}
    assert [pair for pair in same.items() if not same_predicate(*pair)] == []
    assert [pair for pair in others.items() if same_predicate(*pair)] == []
    assert (is_single("has_rent"), is_single("owns")) == (True, False)


def test_a_relation_may_be_told_from_the_other_side_but_not_of_another() -> None:
    told = [
        (held("Tunde", "owns", "Octavia"), fact("I", "bought", "Skoda Octavia")),
        (held("Simi", "child_of", "Tunde"), fact("I", "parent_of", "Simi")),
        (held("I", "has_code", "4417"), fact("the code", "is", "4417")),
        (held("Octavia", "owned_by", "Graham"), fact("Graham", "owns", "Octavia")),
    ]
    assert [pair for pair in told if not says(NAMES, *pair)] == []
    assert not says(NAMES, held("I", "parent_of", "Simi"), fact("I", "child_of", "Simi"))
    assert not says(NAMES, held("Kunle", "owns", "Octavia"), fact("I", "owns", "Octavia"))


def test_dates_agree_at_the_coarser_precision() -> None:
    compared: list[tuple[str, str | None, str, str | None, bool]] = [
        ("2025-04", None, "2025-04-17", None, True),
        ("2025-04-17", None, "2025-04-18", None, False),
        ("2018-06-01", "season", "2018-08-20", "day", True),
        ("2025-05", "vague", "2025-07-01", "day", True),
        ("2025-05", "vague", "2024-11-01", "day", False),
    ]
    for day, precision, other, exactly, is_so in compared:
        one, two = read_date(day, precision), read_date(other, exactly)
        assert one is not None
        assert two is not None
        assert agree(one, two) is is_so, (day, other)
    assert ends_agree(Told(date(2025, 2, 28), "day"), Told(date(2025, 3, 1), "day"))
    assert not ends_agree(Told(date(2025, 2, 28), "day"), Told(date(2025, 3, 3), "day"))


def test_a_fact_without_a_date_may_bear_that_of_its_evidence() -> None:
    label = fact("I", "lives_in", "Bath")
    begins = ((None, True), (Told(date(2025, 3, 5), "moment"), True), (Told(date(2024, 1, 1), "day"), False))
    for begun, is_so in begins:
        counts = judged([label], [held("I", "lives_in", "Bath", valid_from=begun)])
        assert (counts.known.total(), counts.right) == (int(is_so), int(is_so))
        assert counts.triples_right == 1


def test_an_end_that_is_missed_or_made_up_is_wrong() -> None:
    ended = Told(date(2025, 2, 1), "month")
    assert judged([fact("I", "owns", "boat", valid_to=ended)], [held("I", "owns", "boat")]).right == 0
    assert judged([fact("I", "owns", "boat")], [held("I", "owns", "boat", valid_to=ended)]).right == 0
    assert judged([fact("I", "owns", "boat", valid_to=ended)], [held("I", "owns", "boat", valid_to=ended)]).right == 1


def test_what_must_not_be_stored_is_told_by_kind() -> None:
    label = fact("I", "works_at", "Mott MacDonald", kind="joke", must_not=True)
    counts = judged([label], [held("I", "works_at", "Mott MacDonald")])
    assert (counts.stored["joke"], counts.right, counts.held) == (1, 0, 1)
