"""What kinds of things names are of, by what is said of them and by lists."""

from __future__ import annotations

from palace.models import EntityType
from palace.nlp.kinds import MOST_KINDS, NameRead, kinds_of
from tests.text.tables import tables

TABLES = tables("kinds")

ITEM, PERSON, PLACE, ORGANISATION = EntityType.ITEM, EntityType.PERSON, EntityType.PLACE, EntityType.ORGANISATION
STEMS = {"beagle": "beagl", "tortoise": "tortois", "turtle": "turtl"}
"""As Postgres stems them."""


def read(
    name: str, type: EntityType = ITEM, said: str = "", *, is_named: bool | None = None, **told: object
) -> tuple[str, ...]:
    """Give the kinds of a name in a text."""
    is_named = name != name.lower() if is_named is None else is_named
    before, _, behind = said.partition(name)
    around = [(before, behind)] if said else []
    given = NameRead(name.casefold(), name, type, is_named, around, **told)  # type: ignore[arg-type]
    return kinds_of([given], lambda words: {word: STEMS.get(word, word) for word in words})[0]


def claimed(name: str, predicate: str, type: EntityType = ITEM, subject: str = "i") -> tuple[str, ...]:
    return read(name, type, claimed=((subject, predicate),))


def test_the_words_around_a_name_say_what_it_is_or_nothing() -> None:
    for said, meant in TABLES["said"].items():
        name = said[said.index("[") + 1 : said.index("]")]
        found = read(name, said=said.replace("[", "").replace("]", ""))
        assert set(meant.split()) <= set(found), said
        assert meant or not found, said


def test_claims_say_what_a_thing_is() -> None:
    assert claimed("cello", "plays")[:2] == ("cello", "musical instrument")
    assert "medicine" in claimed("Zorvex", "takes")
    assert {"dentist", "doctor"} <= set(claimed("Sato", "has_dentist", PERSON))
    assert "dog" in claimed("Fudge", "called", subject="my dog")
    assert "trip" in claimed("Kyoto", "visited", PLACE)
    assert "trip" not in claimed("Anna", "visited", PERSON)
    assert "beagle" in read("Fudge", claims=(("is", "a beagle"),))


def test_well_known_names_are_of_kinds_unless_they_are_people_or_end_as_firms_do() -> None:
    assert read("Kotlin") == ("programming language",)
    assert read("Netflix", ORGANISATION) == ("subscription",)
    assert read("Riverside School", ORGANISATION) == ("school",)
    assert {read(name, PERSON, is_named=True) for name in ("Julia", "rose", "daisy", "basil")} == {()}
    firms = ("Brightwater Energy", "Rossi Brothers", "Halden AG", "cello", "BMW")
    assert {read(name, ORGANISATION, is_named=True) for name in firms} == {()}
    assert read("cashmere", PLACE, is_named=True) == claimed("BMW", "works_at", ORGANISATION) == ()
    assert "car" in claimed("BMW", "owns", ORGANISATION)
    assert "car" in read("BMW")
    assert "musical instrument" in read("cello")


def test_a_title_is_a_doctors_and_a_stay_is_a_trip() -> None:
    assert read("Haddad", PERSON, said="saw Dr Haddad today") == ("doctor",)
    assert read("Ghent", PLACE, said="long weekend in Ghent") == ("trip",)
    assert read("Ghent", PLACE, said="wir sind nach Ghent gefahren") == ("trip",)
    assert read("Ghent", PLACE, said="the post office in Ghent") == ()


def test_there_is_an_end_to_the_kinds_of_a_name() -> None:
    nouns = ("beagle", "cello", "tango", "ibuprofen", "sofa", "hammer", "tulip", "chess", "gouda", "bread")
    assert len(read("Everything", claims=tuple(("is", f"a {noun}") for noun in nouns))) == MOST_KINDS
