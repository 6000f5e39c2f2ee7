"""What a name is of, by its own words and by what it is said to be."""

from __future__ import annotations

import pytest

from palace.records import Role
from palace.records.graph import EntityType, Said
from palace.text.entities import bundled_tagger, read_names

ITEM, PERSON = EntityType.ITEM, EntityType.PERSON


def types_in(text: str) -> dict[str, EntityType]:
    (spans,) = read_names([Said(text, Role.USER, language="en")], bundled_tagger(), {})
    return {span.text: span.type for span in spans}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Our van is a Vauxhall Vivaro and it rattles.", "Vauxhall Vivaro"),
        ("I have a Bernina and a Singer, the Singer is older", "Bernina"),
        ("We rented an Opel Corsa, and Kim came along.", "Opel Corsa"),
    ],
)
def test_one_of_a_make_is_a_thing(text: str, name: str) -> None:
    assert types_in(text)[name] is ITEM


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("My boss is Marloes van Dijk.", "Marloes van Dijk"),
        ("I work with Jeroen van Leeuwen at the bank.", "Jeroen van Leeuwen"),
    ],
)
def test_a_particle_stands_before_somebodys_last_name(text: str, name: str) -> None:
    assert types_in(text)[name] is PERSON


def test_what_somebody_is_is_made_no_thing() -> None:
    assert types_in("She is a Buddhist.") == {}
