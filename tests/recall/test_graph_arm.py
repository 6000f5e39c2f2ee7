"""What the graph adds to recall: whom a query names, also by a tag, and what held of them when it asks."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from palace import Palace, Palaces, Strategy
from palace.models.claims import SELF, Action, Claim, EntityType, NamedSpan, Reading
from tests.graph.mined import JULY, MARCH, said

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
ALONE = Strategy.of({"arms": ["graph"]})
NOISE = ["The bread needs two hours to rise.", "Rain again, the cellar is wet.", "The tax form goes out on Monday."]


@pytest.fixture(scope="module")
def family(palaces: Palaces) -> Palace:
    """Say who the sister is, and where she lived and lives."""
    palace = palaces.palace(f"user-{uuid.uuid4()}")
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


def test_a_query_that_names_nobody_is_asked_of_nobody(family: Palace) -> None:
    assert told(family, "how long does bread rise") == []
    usual = family.recall("how long does bread rise", now=NOW)
    unweighted = Strategy.of({"weights": {"about": 0, "holds": 0}})
    without = family.recall("how long does bread rise", now=NOW, strategy=unweighted)
    assert [hit.score for hit in usual.hits] == [hit.score for hit in without.hits]


def test_what_is_asked_of_the_person_is_told_by_what_holds_of_them(palace: Palace) -> None:
    old, new = "I live in Ghent.", "The flat in Utrecht is ours from today."
    for identity, text, at, place in (("old", old, MARCH, "Ghent"), ("new", new, JULY, "Utrecht")):
        said(palace, identity, (text, at, Reading((), (claim(SELF, "lives_in", place, text),))))
    assert told(palace, "where do I live?") == [new]
    assert told(palace, "where did I live on 3 May 2026?")[0] == old
    assert told(palace, "where does Anna live?") == []


def test_a_tag_in_a_query_puts_what_is_about_it_in_front(family: Palace) -> None:
    usual = told(family, "how long does the bread take to rise", Strategy())
    assert usual[0] == NOISE[0]
    wished = told(family, "how long does the bread take to rise @p anna", Strategy())
    about = {"Anna took the keys in Bergen today.", "My sister is called Anna Berg.", "Anna Berg has a flat in Oslo."}
    assert set(wished[:3]) == about
    assert NOISE[0] in wished


def test_a_tag_is_of_its_kind(palace: Palace) -> None:
    said(palace, "place", ("Florence in May.", MARCH, names("Florence", type_=EntityType.PLACE)))
    assert told(palace, "@l florence") == ["Florence in May."]
    hits = palace.recall("@p florence", now=NOW, strategy=ALONE, floor="none").hits
    reasons = [{one.arm for one in hit.arms} for hit in hits]
    assert all("holds" not in each for each in reasons)


def test_an_ordinary_word_behind_a_tag_is_a_name(palace: Palace) -> None:
    said(palace, "will", ("Will comes on Friday.", MARCH, names("Will")))
    assert told(palace, "when does will come?") == []
    assert told(palace, "when does @p will come?") == ["Will comes on Friday."]
