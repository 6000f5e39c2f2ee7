"""Names as people write them: what is found, and what it is; in English, German and some other languages."""

from __future__ import annotations

from palace.models import Role
from palace.nlp.names.reading import read_names
from tests.text.entities.named import names_in, said, written
from tests.text.tables import each, misread, tables

TABLES = tables("names_said")

PEOPLE = ("John Smith", "Tom Becker", "James Cook", "Peter Young", "Mark Carpenter", "Jack Hunter")
THINGS = ("Grace Period", "Rose Garden", "May Day", "Amber Alert", "Crystal Palace", "Chase Bank", "Urban Arrow")


def test_names_are_found_with_their_types() -> None:
    assert misread(names_in, TABLES["english"].items()) == []


def test_what_names_nothing_is_left_alone() -> None:
    assert misread(names_in, each(TABLES["nothing"], "")) == []


def test_names_are_found_in_other_languages_where_a_wrong_one_is_worse_than_none() -> None:
    def found(row: str) -> str:
        return names_in(row[4:], row[:2])

    assert misread(found, TABLES["languages"].items()) == []
    names = [name for row in TABLES["no_names"] for name in found(row).split(", ") if name]
    assert [name for name in names if not name.endswith(": time")] == []


def test_words_of_german_point_to_a_name_and_nouns_are_none() -> None:
    found = [(content, name, names_in(content, "de").split(", ")) for content, name in TABLES["german"].items()]
    assert [row for row in found if row[1] not in row[2]] == []
    assert misread(lambda content: names_in(content, "de"), each(TABLES["nouns"], "")) == []


def test_somebody_is_a_person_whatever_words_the_name_is_made_of_and_a_thing_is_none() -> None:
    frames = [
        ("I had a long call with {} about the invoices.", "en"),
        ("{} from Halden Logistics asked for a report.", "en"),
        ("Ich habe lange mit {} über die Rechnungen gesprochen.", None),
    ]
    for name in PEOPLE:
        for frame, language in frames:
            assert f"{name}: person" in names_in(frame.format(name), language), frame.format(name)
    for name in THINGS:
        assert f"{name}: person" not in names_in(f"We talked about the {name} again."), name
    for content in ("JOHN SMITH called.", "We met at the John Smith Memorial Hall."):
        assert "Smith: person" not in names_in(content)


def test_one_of_a_make_is_a_thing_and_a_particle_stands_before_a_last_name() -> None:
    assert "Vauxhall Vivaro: item" in names_in("Our van is a Vauxhall Vivaro and it rattles.")
    assert "Bernina: item" in names_in("I have a Bernina and a Singer, the Singer is older")
    assert "Marloes van Dijk: person" in names_in("My boss is Marloes van Dijk.")
    assert "Jeroen van Leeuwen: person" in names_in("I work with Jeroen van Leeuwen at the bank.")
    assert names_in("She is a Buddhist.") == ""


def test_speakers_that_the_source_names_are_people() -> None:
    turns = [said("hello", speaker="Zephyrine Quill"), said("zephyrine said so")]
    turns.append(said("You can ask the user. Zephyrine Quill knows.", Role.ASSISTANT, speaker="user"))
    assert [written(spans) for spans in read_names(turns)] == ["", "zephyrine: person", "Zephyrine Quill: person"]
