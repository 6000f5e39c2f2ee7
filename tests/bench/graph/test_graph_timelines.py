"""What answers of a day are worth."""

from __future__ import annotations

from datetime import date

from bench.graph.identities import SELF, Identity, Names
from bench.graph.relations import Held, Told
from bench.graph.timelines import Question, Verdict, asked_for, values, verdict, verdict_of_texts

NAMES = Names([Identity(SELF, "person", ("Tunde",)), Identity("Graz School", "organisation", ("GIBS",))])


def held(subject: str, predicate: str, object: str, begun: Told | None = None) -> Held:
    return Held(frozenset({subject}), predicate, frozenset({object}), begun)


def question(text: str, *answer: str, stale: tuple[str, ...] = (), entity: str = "I") -> Question:
    return Question("q", entity, text, answer, stale)


RELATIONS = [
    *(held("I", "lives_in", "Bath"), held("I", "has_rent", "£1,560"), held("I", "takes", "losartan")),
    *(held("Graham", "owns", "Octavia"), held("efoil", "has_battery", "24V20Ah")),
    held("I", "visited", "Lisbon", Told(date(2025, 4, 5), "day")),
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
        assert values(NAMES, asked, asked_for(NAMES, asked, there)) == given, asked


def test_a_day_that_is_asked_for_is_when_it_began() -> None:
    asked = question("On what day did we fly to Lisbon?", "5 April", stale=("4 April",))
    there = [each for each in RELATIONS if "I" in each.subject]
    assert verdict(NAMES, asked, values(NAMES, asked, asked_for(NAMES, asked, there))) is Verdict.RIGHT


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
    assert [(given, worth) for given, worth in told if verdict(NAMES, asked, given) is not worth] == []
    amount = question("How much?", "1,560", stale=("1,650",))
    assert verdict(NAMES, amount, ["£1.560,00 a month"]) is Verdict.RIGHT
    assert verdict(NAMES, amount, ["£11,560"]) is Verdict.WRONG


def test_of_texts_the_first_counts_that_has_a_value() -> None:
    asked = question("Where?", "Bath", stale=("Leeds",))
    assert verdict_of_texts(NAMES, asked, ["nice weather", "we live in bath now", "Leeds"]) is Verdict.RIGHT
    assert verdict_of_texts(NAMES, asked, ["Leeds is rainy", "bath"]) is Verdict.STALE
    assert verdict_of_texts(NAMES, asked, ["from Leeds to Bath"]) is Verdict.RIGHT
    assert verdict_of_texts(NAMES, asked, ["nice weather"]) is Verdict.WRONG
    assert verdict_of_texts(NAMES, asked, []) is Verdict.NONE
