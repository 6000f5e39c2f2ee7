"""Somebody's full name that is made of ordinary words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.records import Role
from palace.records.graph import EntityType, Said
from palace.text.entities import bundled_tagger, read_names
from palace.text.entities.cues.full_names import full_name_worth

PEOPLE = ("John Smith", "Tom Becker", "James Cook", "Peter Young", "Mike Brown", "Mark Carpenter", "Jack Hunter")
THINGS = ("Grace Period", "Rose Garden", "May Day", "Amber Alert", "Crystal Palace", "Chase Bank", "Frank Discussion")


def type_of(name: str, text: str) -> EntityType | None:
    (found,) = read_names([Said(text, Role.USER)], bundled_tagger())
    return next((span.type for span in found if span.text == name), None)


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize(
    "said",
    [
        "I had a long call with {} about the invoices.",
        "The export is for {}, who wants it soon.",
        "{} from Halden Logistics asked for a report.",
        "Ich habe lange mit {} über die Rechnungen gesprochen.",
    ],
)
def test_somebody_is_a_person_whatever_words_the_name_is_made_of(name: str, said: str) -> None:
    assert type_of(name, said.format(name)) is EntityType.PERSON


@pytest.mark.parametrize("name", [*THINGS, "Urban Arrow"])
def test_a_thing_behind_an_article_is_none(name: str) -> None:
    assert type_of(name, f"We talked about the {name} again.") is not EntityType.PERSON


@pytest.mark.parametrize(
    "text", ["John", "JOHN SMITH", "john smith", "the John Smith", "John Smith Memorial Hall", "Urban Arrow", "John 5"]
)
def test_nothing_else_is_taken_for_a_full_name(text: str) -> None:
    start = 4 if text.startswith("the ") else 0
    assert full_name_worth(text, start, len(text)) == 0.0


@given(st.text(), st.integers(0, 40), st.integers(0, 40))
def test_any_stretch_is_looked_at(text: str, start: int, end: int) -> None:
    assert full_name_worth(text, start, max(start, end)) in (0.0, 1.4, 2.4)
