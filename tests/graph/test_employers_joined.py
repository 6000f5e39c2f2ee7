"""One employer in two spellings is one; what may be two stays two."""

from __future__ import annotations

import pytest

from palace import Palace
from palace.models.claims import SELF, Action, Claim, EntityType
from tests.graph.mined import tell

FIRM, PLACE = EntityType.ORGANISATION, EntityType.PLACE


def at(name: str, action: Action = Action.HOLDS, *, subject: str = SELF, predicate: str = "works_at") -> Claim:
    return Claim(subject, predicate, name, action, 0, 1)


def firms(palace: Palace) -> set[str]:
    return {each.name for each in palace.entities.list(type="organisation")}


@pytest.mark.nightly
def test_a_short_name_is_the_fuller_one_that_the_same_is_said_of(palace: Palace) -> None:
    told = (("works_at", "Northgate", True), ("member_of", "Kestrel", False))
    for predicate, short, is_full_first in told:
        names = [short, f"{short} Energy"]
        for number, name in enumerate(names[::-1] if is_full_first else names):
            claim = at(name, predicate=predicate)
            tell(palace, f"{short} {number}", (name, FIRM), claims=[claim], at=f"2026-0{number + 2}-01T10:00:00Z")
        tell(palace, f"{short} later", (short, FIRM))
        firm = palace.entities.find(short)
        assert (firm.name, firm.aliases, firm.mention_count) == (f"{short} Energy", (short,), 3)
    assert len(firms(palace)) == 2


def test_leaving_it_by_the_short_name_leaves_it(palace: Palace) -> None:
    tell(palace, "one", ("Brightwater Energy", FIRM), claims=[at("Brightwater Energy")], at="2026-02-01")
    tell(palace, "two", ("Brightwater", FIRM), claims=[at("Brightwater", Action.ENDS)], at="2026-03-01")
    assert firms(palace) == {"Brightwater Energy"}
    assert palace.relations("I") == ()


def test_what_may_be_two_stays_two(palace: Palace) -> None:
    pairs = [
        (at("Brightwater", predicate="member_of"), at("Brightwater Energy")),
        (at("Kestrel", subject="Derek"), at("Kestrel Energy", subject="Derek")),
        (at("Moorland", Action.ENDS), at("Moorland Energy", Action.BEGINS)),
    ]
    for short, full in pairs:
        tell(palace, short.object, "Derek", (short.object, FIRM), claims=[short], at="2026-02-01T10:00:00Z")
        tell(palace, full.object, "Derek", (full.object, FIRM), claims=[full], at="2026-03-01T10:00:00Z")
    assert firms(palace) == {claim.object for pair in pairs for claim in pair}


@pytest.mark.nightly
def test_who_says_that_they_are_two_is_heard(palace: Palace) -> None:
    tell(palace, "one", ("Brightwater", FIRM))
    tell(palace, "two", ("Brightwater Energy", FIRM), claims=[at("Brightwater Energy")])
    palace.entities.split("Brightwater", other="Brightwater Energy")
    tell(palace, "three", ("Brightwater", FIRM), claims=[at("Brightwater")])
    assert firms(palace) == {"Brightwater", "Brightwater Energy"}
