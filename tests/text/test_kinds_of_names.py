"""What kinds a name is of is told by what is said, not by a noun that is spelled as it is."""

from __future__ import annotations

import pytest

from palace.records.graph import EntityType
from palace.text.kinds.reading import NameRead, kinds_of

ITEM, PERSON, PLACE, ORGANISATION = EntityType.ITEM, EntityType.PERSON, EntityType.PLACE, EntityType.ORGANISATION


def read(name: str, type: EntityType, *claimed: tuple[str, str]) -> tuple[str, ...]:
    given = NameRead(name.casefold(), name, type, is_named=True, claimed=claimed)
    return kinds_of([given], lambda words: {word: word for word in words})[0]


@pytest.mark.parametrize(
    ("name", "type"),
    [("rose", PERSON), ("daisy", PERSON), ("cashmere", PLACE), ("basil", PERSON), ("cello", ORGANISATION)],
)
def test_a_name_without_a_capital_is_no_noun(name: str, type: EntityType) -> None:
    assert read(name, type) == ()


def test_a_thing_without_a_capital_may_be_its_noun() -> None:
    assert "musical instrument" in read("cello", ITEM)


def test_who_makes_cars_is_a_car_only_where_one_is_had() -> None:
    assert read("BMW", ORGANISATION, ("i", "works_at")) == ()
    assert "car" in read("BMW", ORGANISATION, ("i", "owns"))
    assert "car" in read("BMW", ITEM)
    assert read("Netflix", ORGANISATION) == ("subscription",)


@pytest.mark.parametrize("name", ["Brightwater Energy", "Rossi Brothers", "Halden AG", "Halden Holdings"])
def test_what_firms_names_end_with_is_no_kind(name: str) -> None:
    assert read(name, ORGANISATION) == ()
    assert read("Riverside School", ORGANISATION) == ("school",)
