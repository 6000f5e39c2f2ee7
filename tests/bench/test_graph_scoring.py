"""When names, identities, relations and answers of a labelled set are right."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from bench.graph.identities import SELF, Identity, Names, judge_joins, same_value
from bench.graph.predicates import is_single, same_predicate
from bench.graph.relations import Fact, Held, Relations, Told, agree, ends_agree, judge, read_date, says
from bench.graph.spans import Span, Spans
from bench.graph.spans import judge as judge_spans
from bench.graph.timelines import Question, Verdict, asked_for, values, verdict, verdict_of_texts

TEXT = "Saw Dr Sato and the Derek Hughes Band in bath"


def span(text: str, type: str = "person") -> Span:
    return Span(TEXT.index(text), text, type)


def found_names(wanted: list[Span], found: list[Span], optional: tuple[Span, ...] = ()) -> Spans:
    counts = Spans()
    judge_spans(counts, "c 0", wanted, optional, found)
    return counts


def test_a_title_or_an_article_more_or_less_is_no_error() -> None:
    for labelled, given in (("Sato", "Dr Sato"), ("the Derek Hughes Band", "Derek Hughes Band")):
        counts = found_names([span(labelled)], [span(given)])
        assert (counts.f1, counts.exact_f1) == (1.0, 1.0), given


def test_a_name_of_another_type_counts_but_not_as_typed() -> None:
    counts = found_names([span("bath", "place")], [span("bath", "item")])
    assert (counts.f1, counts.typed_f1, counts.f1_of("place")) == (1.0, 0.0, 0.0)


def test_what_overlaps_counts_once_and_what_is_optional_neither_way() -> None:
    overlapping = found_names([span("the Derek Hughes Band")], [span("Derek")])
    assert (overlapping.f1, overlapping.typed_f1, overlapping.exact_f1) == (1.0, 1.0, 0.0)
    twice = found_names([span("Derek Hughes")], [span("Derek"), span("Hughes")])
    assert twice.f1 == pytest.approx(2 / 3)
    assert len(twice.missed) == 1
    optional = (span("bath", "place"),)
    assert found_names([], [span("bath", "item")], optional).found.total() == 0
    assert found_names([], [], optional).f1 == 1.0


def test_what_is_made_up_or_missed_costs() -> None:
    assert found_names([span("Sato")], [span("bath")]).f1 == 0.0
    assert found_names([span("Sato"), span("bath", "place")], [span("Sato")]).f1 == pytest.approx(2 / 3)


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


SCHOOLS = Names([Identity(SELF, "person", ("Tunde",)), Identity("Graz School", "organisation", ("GIBS",))])


def known(subject: str, predicate: str, object: str, begun: Told | None = None) -> Held:
    return Held(frozenset({subject}), predicate, frozenset({object}), begun)


def question(text: str, *answer: str, stale: tuple[str, ...] = (), entity: str = "I") -> Question:
    return Question("q", entity, text, answer, stale)


RELATIONS = [
    *(known("I", "lives_in", "Bath"), known("I", "has_rent", "£1,560"), known("I", "takes", "losartan")),
    *(known("Graham", "owns", "Octavia"), known("efoil", "has_battery", "24V20Ah")),
    known("I", "visited", "Lisbon", Told(date(2025, 4, 5), "day")),
]


def test_the_relations_that_look_most_like_the_question_answer() -> None:
    questions = [
        (question("Where do I live?"), ["Bath"]),
        (question("Wo wohne ich?"), ["Bath"]),
        (question("How much is our rent?"), ["£1,560"]),
        (question("Which medicine do I take for my blood pressure?"), ["losartan"]),
        (question("Wem gehört der Octavia?", entity="Octavia"), ["Graham"]),
        (question("Which battery does the efoil have?", entity="efoil"), ["24V20Ah"]),
        (question("What is my favourite colour?"), []),
    ]
    for asked, given in questions:
        there = [each for each in RELATIONS if asked.entity in each.subject | each.object]
        assert values(SCHOOLS, asked, asked_for(SCHOOLS, asked, there)) == given, asked


def test_a_day_that_is_asked_for_is_when_it_began() -> None:
    asked = question("On what day did we fly to Lisbon?", "5 April", stale=("4 April",))
    there = [each for each in RELATIONS if "I" in each.subject]
    assert verdict(SCHOOLS, asked, values(SCHOOLS, asked, asked_for(SCHOOLS, asked, there))) is Verdict.RIGHT


def test_any_answer_is_right_and_any_former_value_stale() -> None:
    asked = question("Where?", "Graz School", stale=("Vienna School",))
    told = [
        (["Graz International Bilingual School"], Verdict.WRONG),
        (["GIBS"], Verdict.RIGHT),
        (["the Graz School"], Verdict.RIGHT),
        (["Vienna School"], Verdict.STALE),
        (["Graz School", "Vienna School"], Verdict.STALE),
        ([], Verdict.NONE),
    ]
    assert [(given, worth) for given, worth in told if verdict(SCHOOLS, asked, given) is not worth] == []
    amount = question("How much?", "1,560", stale=("1,650",))
    assert verdict(SCHOOLS, amount, ["£1.560,00 a month"]) is Verdict.RIGHT
    assert verdict(SCHOOLS, amount, ["£11,560"]) is Verdict.WRONG


def test_of_texts_the_first_counts_that_has_a_value() -> None:
    asked = question("Where?", "Bath", stale=("Leeds",))
    assert verdict_of_texts(SCHOOLS, asked, ["nice weather", "we live in bath now", "Leeds"]) is Verdict.RIGHT
    assert verdict_of_texts(SCHOOLS, asked, ["Leeds is rainy", "bath"]) is Verdict.STALE
    assert verdict_of_texts(SCHOOLS, asked, ["from Leeds to Bath"]) is Verdict.RIGHT
    assert verdict_of_texts(SCHOOLS, asked, ["nice weather"]) is Verdict.WRONG
    assert verdict_of_texts(SCHOOLS, asked, []) is Verdict.NONE
