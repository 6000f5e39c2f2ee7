"""What the graph adds to recall: whom a query names, by every name, and what held of them when it asks."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from palace import Palace, Strategy
from palace.recall.facts.predicates import asking_words
from palace.records.graph import SELF, Action, Claim, EntityType, NamedSpan, Precision, Reading, VagueDate
from tests.graph.test_update import JULY, MARCH, said

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
ALONE = Strategy.of({"arms": ["graph"]})
NOISE = ["The bread needs two hours to rise.", "Rain again, the cellar is wet.", "The tax form goes out on Monday."]


@pytest.fixture
def family(palace: Palace) -> Palace:
    """Say who the sister is, and where she lived and lives."""
    sister = claim("my sister", "called", "Anna Berg", "My sister is called Anna Berg.")
    said(palace, "sister", ("My sister is called Anna Berg.", MARCH, names("Anna Berg", at=21, claims=(sister,))))
    old, new = "Anna Berg has a flat in Oslo.", "Anna took the keys in Bergen today."
    lived, lives = claim("Anna Berg", "lives_in", "Oslo", old), claim("Anna", "lives_in", "Bergen", new)
    said(palace, "oslo", (old, MARCH, names("Anna Berg", claims=(lived,))))
    said(palace, "bergen", (new, JULY, names("Anna", claims=(lives,))))
    for number, text in enumerate(NOISE):
        said(palace, f"noise {number}", (text, MARCH, Reading()))
    return palace


def claim(subject: str, predicate: str, value: str, text: str, action: Action = Action.HOLDS) -> Claim:
    return Claim(subject, predicate, value, action, 0, len(text))


def names(name: str, at: int = 0, type_: EntityType = EntityType.PERSON, claims: tuple[Claim, ...] = ()) -> Reading:
    return Reading((NamedSpan(at, at + len(name), name, type_),), claims)


def told(palace: Palace, query: str, strategy: Strategy = ALONE) -> list[str]:
    hits = palace.recall(query, now=NOW, top_k=10, strategy=strategy, floor="none").hits
    return [hit.drawer.content for hit in hits]


def test_a_name_finds_what_names_its_entity_otherwise(family: Palace) -> None:
    assert "Anna took the keys in Bergen today." in told(family, "anna berg")
    assert not set(NOISE) & set(told(family, "anna berg"))


def test_a_thing_of_ones_own_is_followed_to_its_name_and_to_what_holds_of_it_now(family: Palace) -> None:
    found = told(family, "my sister's city", Strategy())
    assert found.index("Anna took the keys in Bergen today.") < found.index("Anna Berg has a flat in Oslo.")
    hits = family.recall("my sister's city", now=NOW, floor="none").hits
    reasons = {hit.drawer.content: {reason.arm for reason in hit.arms} for hit in hits}
    assert {"about", "holds"} <= reasons["Anna took the keys in Bergen today."]
    assert "holds" not in reasons["Anna Berg has a flat in Oslo."]


def test_a_question_about_a_day_follows_what_held_then(family: Palace) -> None:
    found = told(family, "my sister's city on 3 May 2026", Strategy())
    assert found.index("Anna Berg has a flat in Oslo.") < found.index("Anna took the keys in Bergen today.")


def test_what_is_one_relation_away_is_proposed_where_the_query_asks_for_it(palace: Palace) -> None:
    wed, works = "Mira married Tom in the old church.", "Tom starts at Vestas on Monday."
    said(palace, "wed", (wed, MARCH, names("Mira", claims=(claim("Mira", "married_to", "Tom", wed),))))
    said(palace, "job", (works, JULY, names("Tom", claims=(claim("Tom", "works_at", "Vestas", works),))))
    assert works in told(palace, "Where does Mira's husband work?")
    assert works not in told(palace, "When is Mira's birthday?")


def test_a_query_that_names_nobody_is_asked_of_nobody(family: Palace) -> None:
    assert told(family, "how long does bread rise") == []
    usual = family.recall("how long does bread rise", now=NOW)
    without = family.recall(
        "how long does bread rise", now=NOW, strategy=Strategy.of({"weights": {"about": 0, "holds": 0}})
    )
    assert [hit.score for hit in usual.hits] == [hit.score for hit in without.hits]


@pytest.mark.parametrize(("query", "is_meant"), [("when does will come?", False), ("when does Will come?", True)])
def test_an_ordinary_word_is_a_name_where_it_is_written_as_one(palace: Palace, query: str, is_meant: bool) -> None:
    said(palace, "will", ("Will comes on Friday.", MARCH, names("Will")))
    assert bool(told(palace, query)) is is_meant


def test_the_person_whose_palace_it_is_is_no_name(palace: Palace) -> None:
    text = "I live in Ghent."
    said(palace, "one", (text, MARCH, Reading((), (claim(SELF, "lives_in", "Ghent", text),))))
    said(palace, "two", ("I have a boat.", MARCH, Reading((), (claim(SELF, "owns", "boat", "I have a boat."),))))
    assert told(palace, "what about me and I?") == []
    assert told(palace, "who lives in Ghent?") == [text]


def test_what_is_asked_of_the_person_is_told_by_what_holds_of_them(palace: Palace) -> None:
    old, new = "I live in Ghent.", "The flat in Utrecht is ours from today."
    for identity, text, at, place in (("old", old, MARCH, "Ghent"), ("new", new, JULY, "Utrecht")):
        said(palace, identity, (text, at, Reading((), (claim(SELF, "lives_in", place, text),))))
    assert told(palace, "where do I live?") == [new]
    assert told(palace, "where did I live on 3 May 2026?")[0] == old
    assert told(palace, "where does Anna live?") == []


def test_a_relation_that_is_over_is_not_told_as_what_holds(palace: Palace) -> None:
    over = VagueDate(date(2026, 5, 1), Precision.DAY)
    text = "Bo worked at Lidl until May."
    worked = Claim("Bo", "works_at", "Lidl", Action.WAS, 0, len(text), valid_to=over)
    said(palace, "one", (text, JULY, names("Bo", claims=(worked,))))
    (hit,) = palace.recall("where does Bo work?", now=NOW, strategy=ALONE, floor="none").hits
    assert "holds" not in {reason.arm for reason in hit.arms}


def test_the_arm_and_its_signals_can_be_left_out(family: Palace) -> None:
    off = Strategy.of({"arms": ["semantic", "keyword", "named"]})
    hits = family.recall("my sister's city", now=NOW, strategy=off, floor="none").hits
    assert hits
    assert not {reason.arm for hit in hits for reason in hit.arms} & {"about", "holds"}


def test_who_is_asked_of_is_not_what_is_asked(family: Palace) -> None:
    named = ["sister"]
    assert "sister" not in asking_words("Where does my sister live?", named)
    assert "sister" in asking_words("Who is my sister?", named)
    assert "sister" in asking_words("What is my sister's name?", named)
