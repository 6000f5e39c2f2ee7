"""What kinds of things names are of, by what is said of them and by lists."""

from __future__ import annotations

import pytest

from palace.records.graph import EntityType
from palace.text.kinds.asked import kinds_asked
from palace.text.kinds.reading import MOST_KINDS, NameRead, kinds_of
from palace.text.kinds.table import kinds, names_of_kinds, words_of_kinds

ITEM, PERSON, PLACE, ORGANISATION = EntityType.ITEM, EntityType.PERSON, EntityType.PLACE, EntityType.ORGANISATION

STEMS = {"beagle": "beagl", "tortoise": "tortois", "turtle": "turtl"}
"""As Postgres stems them."""


def read(name: str, type: EntityType = ITEM, said: str = "", **told: object) -> tuple[str, ...]:
    """Give the kinds of a name in a text."""
    start = said.index(name) if said else 0
    around = [(said[:start], said[start + len(name) :])] if said else []
    given = NameRead(name.casefold(), name, type, name != name.lower(), around, **told)  # type: ignore[arg-type]
    return kinds_of([given], lambda words: {word: STEMS.get(word, word) for word in words})[0]


@pytest.mark.parametrize(
    ("said", "name", "wanted"),
    [
        ("My dog Fudge ate it.", "Fudge", "dog"),
        ("my big old cat Mr Whiskers is fat", "Mr Whiskers", "cat"),
        ("Our dog, a beagle called Fudge", "Fudge", "beagle"),
        ("Fudge is a beagle from a shelter", "Fudge", "beagle"),
        ("Kestrel, our new NAS, is loud", "Kestrel", "nas"),
        ("Shelly the tortoise woke up", "Shelly", "tortoise"),
        ("Unser Hund Bello bellt", "Bello", "dog"),
        ("Bello ist ein Hund", "Bello", "dog"),
        ("the band Halbmond played", "Halbmond", "band"),
    ],
)
def test_the_words_around_a_name_say_what_it_is(said: str, name: str, wanted: str) -> None:
    assert wanted in read(name, said=said)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Fudge is not a beagle", "Fudge"),
        ("is Fudge a beagle?", "Fudge"),
        ("Fudge saw the beagle", "Fudge"),
        ("I told the dog about Fudge", "Fudge"),
        ("Fudge was the reason", "Fudge"),
        ("Anna the day before", "Anna"),
    ],
)
def test_what_does_not_say_so_tells_nothing(said: str, name: str) -> None:
    assert read(name, said=said) == ()


def test_a_noun_is_of_its_own_kinds_the_most_special_first() -> None:
    found = read("cello", claimed=(("i", "plays"),))
    assert found[:2] == ("cello", "musical instrument")
    assert {"tortoise", "pet", "animal"} <= set(read("Shelly", said="Shelly the tortoise"))


def test_claims_say_what_a_thing_is() -> None:
    assert "medicine" in read("Zorvex", claimed=(("i", "takes"),))
    assert {"dentist", "doctor"} <= set(read("Sato", PERSON, claimed=(("i", "has_dentist"),)))
    assert "dog" in read("Fudge", claimed=(("my dog", "called"),))
    assert "trip" in read("Kyoto", PLACE, claimed=(("i", "visited"),))
    assert "beagle" in read("Fudge", claims=(("is", "a beagle"),))
    assert "trip" not in read("Anna", PERSON, claimed=(("i", "visited"),))


def test_well_known_names_are_of_kinds_unless_they_are_people() -> None:
    assert read("Kotlin") == ("programming language",)
    assert read("Julia", PERSON) == ()
    assert read("Riverside School", ORGANISATION) == ("school",)


def test_a_title_is_a_doctors_and_a_stay_is_a_trip() -> None:
    assert read("Haddad", PERSON, said="saw Dr Haddad today") == ("doctor",)
    assert read("Ghent", PLACE, said="long weekend in Ghent") == ("trip",)
    assert read("Ghent", PLACE, said="wir sind nach Ghent gefahren") == ("trip",)
    assert read("Ghent", PLACE, said="the post office in Ghent") == ()


def test_there_is_an_end_to_the_kinds_of_a_name() -> None:
    nouns = ("beagle", "cello", "tango", "ibuprofen", "sofa", "hammer", "tulip", "chess", "gouda", "bread")
    claims = tuple(("is", f"a {noun}") for noun in nouns)
    assert len(read("Everything", claims=claims)) == MOST_KINDS


def test_kinds_are_asked_for_in_english_and_german() -> None:
    assert "doctor" in kinds_asked("Welche Ärzte kenne ich?", ()).names
    assert "musical instrument" in kinds_asked("welche Instrumente spiele ich", ()).names
    assert "band" in kinds_asked("which bands have I seen?", ("band",)).names
    assert "geige" in kinds_asked("which instruments?", ("instrument",)).words
    assert "what" not in kinds_asked("what pets do we have", ("pet",)).names


def test_the_tables_agree() -> None:
    names = {kind.name for kind in kinds()}
    assert {kind for of in names_of_kinds().values() for kind in of} <= names
    assert set(words_of_kinds()) <= names
    assert len(names) == len(kinds())
