"""One employer in two spellings is one; what may be two stays two."""

from __future__ import annotations

import pytest

from palace import Palace
from palace.records.graph import SELF, Action, Claim, EntityType
from tests.graph.mined import tell

FIRM, PLACE = EntityType.ORGANISATION, EntityType.PLACE


def at(name: str, action: Action = Action.HOLDS, *, subject: str = SELF, predicate: str = "works_at") -> Claim:
    return Claim(subject, predicate, name, action, 0, 1)


def firms(palace: Palace) -> set[str]:
    return {each.name for each in palace.entities.list(type="organisation")}


@pytest.mark.parametrize("predicate", ["works_at", "studies_at", "member_of"])
@pytest.mark.parametrize("is_short_first", [True, False])
def test_a_short_name_is_the_fuller_one_that_the_same_is_said_of(
    palace: Palace, predicate: str, is_short_first: bool
) -> None:
    names = ["Brightwater", "Brightwater Energy"]
    for number, name in enumerate(names if is_short_first else names[::-1]):
        tell(palace, str(number), (name, FIRM), claims=[at(name, predicate=predicate)], at=f"2026-0{number + 2}-01")
    tell(palace, "later", ("Brightwater", FIRM))
    (firm,) = palace.entities.list(type="organisation")
    assert (firm.name, firm.aliases, firm.mention_count) == ("Brightwater Energy", ("Brightwater",), 3)
    assert [each.object for each in palace.relations("I")] == ["Brightwater Energy"]


def test_leaving_it_by_the_short_name_leaves_it(palace: Palace) -> None:
    tell(palace, "one", ("Brightwater Energy", FIRM), claims=[at("Brightwater Energy")], at="2026-02-01")
    tell(palace, "two", ("Brightwater", FIRM), claims=[at("Brightwater", Action.ENDS)], at="2026-03-01")
    assert firms(palace) == {"Brightwater Energy"}
    assert palace.relations("I") == ()


@pytest.mark.parametrize(
    ("short", "full"),
    [
        (at("Brightwater", predicate="member_of"), at("Brightwater Energy")),
        (at("Brightwater", subject="Derek"), at("Brightwater Energy")),
        (at("Brightwater", subject="Derek"), at("Brightwater Energy", subject="Derek")),
        (at("Brightwater", Action.WAS), at("Brightwater Energy")),
        (at("Brightwater", Action.ENDS), at("Brightwater Energy", Action.BEGINS)),
    ],
)
def test_what_may_be_two_stays_two(palace: Palace, short: Claim, full: Claim) -> None:
    tell(palace, "one", "Derek", ("Brightwater", FIRM), claims=[short], at="2026-02-01")
    tell(palace, "two", "Derek", ("Brightwater Energy", FIRM), claims=[full], at="2026-03-01")
    assert firms(palace) == {"Brightwater", "Brightwater Energy"}


def test_what_one_message_tells_of_both_is_of_two(palace: Palace) -> None:
    names = ("Brightwater", FIRM), ("Brightwater Energy", FIRM)
    tell(palace, "one", *names, claims=[at("Brightwater"), at("Brightwater Energy")])
    assert firms(palace) == {"Brightwater", "Brightwater Energy"}


def test_a_name_that_is_short_for_two_stays_by_itself(palace: Palace) -> None:
    for number, name in enumerate(("Brightwater", "Brightwater Energy", "Brightwater Farm")):
        tell(palace, name, (name, FIRM), claims=[at(name)], at=f"2026-0{number + 2}-01")
    assert firms(palace) == {"Brightwater", "Brightwater Energy", "Brightwater Farm"}


def test_who_says_that_they_are_two_is_heard(palace: Palace) -> None:
    tell(palace, "one", ("Brightwater", FIRM))
    tell(palace, "two", ("Brightwater Energy", FIRM), claims=[at("Brightwater Energy")])
    palace.entities.split("Brightwater", other="Brightwater Energy")
    tell(palace, "three", ("Brightwater", FIRM), claims=[at("Brightwater")])
    assert firms(palace) == {"Brightwater", "Brightwater Energy"}


def test_what_was_forgotten_joins_nothing(palace: Palace) -> None:
    room = tell(palace, "one", ("Brightwater", FIRM), claims=[at("Brightwater")])
    tell(palace, "two", ("Brightwater Energy", FIRM), claims=[at("Brightwater Energy")])
    tell(palace, "three", ("Brightwater", FIRM))
    assert firms(palace) == {"Brightwater Energy"}
    palace.forget(f"{room}/D-001")
    assert firms(palace) == {"Brightwater", "Brightwater Energy"}
