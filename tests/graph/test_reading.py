"""What held, holds and will hold, asked of a palace."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from palace import BadRequest, Palace, Relation, Standing
from palace.models.claims import SELF, Action, Claim, EntityType, NamedSpan, Precision, Reading, VagueDate
from tests.graph.mined import (
    FIRST,
    THEN,
    claims,
    said,  # fmt: skip
)

APRIL, MAY = datetime(2026, 4, 15, tzinfo=UTC), datetime(2026, 5, 1, tzinfo=UTC)
LATER = "2026-08-01T10:00:00Z"


def lines(relations: tuple[Relation, ...]) -> list[str]:
    return [f"{each.subject} {each.predicate} {each.object}" for each in relations]


def named(text: str, **types: EntityType) -> tuple[NamedSpan, ...]:
    return tuple(
        NamedSpan(text.index(name), text.index(name) + len(name), name, type_) for name, type_ in types.items()
    )


@pytest.fixture
def boat(palace: Palace) -> Palace:
    """A battery that was changed, the younger message mined first."""
    said(palace, "july", THEN)
    said(palace, "march", FIRST)
    return palace


def test_what_held_at_a_moment_is_what_was_true_then(boat: Palace) -> None:
    assert lines(boat.relations("efoil")) == ["efoil has_battery 24V20Ah"]
    assert lines(boat.relations("EFOIL", as_of=APRIL)) == ["efoil has_battery 12V20Ah"]
    assert boat.relations("efoil", as_of=datetime(2020, 1, 1, tzinfo=UTC)) == ()
    assert lines(boat.relations()) == ["efoil has_battery 24V20Ah"]


def test_every_relation_cites_the_drawers_it_is_read_from_and_these_tell_it(palace: Palace) -> None:
    (first,) = said(palace, "march", FIRST)
    (again,) = said(palace, "june", (FIRST[0], "2026-06-01T10:00:00Z", FIRST[2]))
    (then,) = said(palace, "july", THEN)
    (old,) = palace.relations("efoil", as_of=APRIL)
    assert [str(each) for each in old.evidence] == [first, again]
    assert [str(each) for each in old.closed_by] == [then]
    before, after = palace.show(first), palace.show(then)
    assert [(each.relation.object, each.when) for each in before.says] == [
        ("12V20Ah", "known from 1 March 2026 to 3 July 2026")
    ]
    assert [each.relation.object for each in after.says] == ["24V20Ah"]
    assert ([each.relation.object for each in after.ends], before.ends) == (["12V20Ah"], ())


def test_what_was_believed_on_a_day_is_what_had_been_said_by_then(palace: Palace) -> None:
    """In July it is learned that the battery was another one all along since April."""
    said(palace, "march", FIRST)
    since = VagueDate(date(2026, 4, 1), Precision.MONTH)
    late = claims("efoil", "has_battery", "24V20Ah", Action.BEGINS, valid_from=since)
    said(palace, "july", ("Since April it has 24 volts.", "2026-07-03T10:00:00Z", late))
    assert lines(palace.relations("efoil", as_of=APRIL)) == ["efoil has_battery 24V20Ah"]
    assert lines(palace.relations("efoil", as_of=APRIL, believed=MAY)) == ["efoil has_battery 12V20Ah"]
    assert lines(palace.relations("efoil", believed=MAY)) == ["efoil has_battery 12V20Ah"]
    assert palace.relations("efoil", as_of=APRIL, believed=datetime(2026, 2, 1, tzinfo=UTC)) == ()


def test_what_is_believed_no_more_is_not_told_of_what_it_led_to(palace: Palace) -> None:
    """In July it is learned that somebody moved in April: of the place, nothing holds that was said in March."""
    ghent, porto = "I live in Ghent.", "I moved to Porto in April."
    since = VagueDate(date(2026, 4, 1), Precision.MONTH)
    lived = Reading(named(ghent, Ghent=EntityType.PLACE), (Claim(SELF, "lives_in", "Ghent", Action.HOLDS, 0, 1),))
    moved = Claim(SELF, "lives_in", "Porto", Action.BEGINS, 0, 1, valid_from=since)
    said(palace, "march", (ghent, "2026-03-01T10:00:00Z", lived))
    assert lines(palace.relations("Ghent")) == ["I lives_in Ghent"]
    said(palace, "july", (porto, "2026-07-03T10:00:00Z", Reading(named(porto, Porto=EntityType.PLACE), (moved,))))
    assert palace.relations("Ghent") == ()
    assert lines(palace.relations("Porto")) == ["I lives_in Porto"]


def test_a_timeline_has_what_is_over_what_holds_and_what_is_to_come(boat: Palace) -> None:
    soon = VagueDate(date(2999, 6, 1), Precision.MONTH)
    moving = "We move to Porto in June."
    move = Claim(SELF, "lives_in", "Porto", Action.BEGINS, 0, 1, valid_from=soon)
    owned = Claim(SELF, "owns", "efoil", Action.HOLDS, 0, 1)
    reading = Reading(named(moving, Porto=EntityType.PLACE), (move, owned))
    said(boat, "later", (moving, LATER, reading))
    told = [(each.when, each.standing, each.relation.object) for each in boat.timeline("efoil").entries]
    assert told == [
        ("known from 1 March 2026 to 3 July 2026", Standing.PAST, "12V20Ah"),
        ("known since 3 July 2026", Standing.PRESENT, "24V20Ah"),
        ("known since 1 August 2026", Standing.PRESENT, "efoil"),
    ]
    mine = boat.timeline("me").entries
    assert [(each.when, each.standing) for each in mine][1] == ("from June 2999", Standing.FUTURE)
    assert lines(boat.relations("I")) == ["I owns efoil"]


def test_a_neighbourhood_has_the_relations_between_its_members(boat: Palace) -> None:
    said(boat, "later", ("The efoil is mine.", LATER, claims(SELF, "owns", "efoil")))
    near, far = boat.graph("I"), boat.graph("I", hops=2)
    assert [(each.name, each.type, each.hops) for each in near.members] == [
        ("I", EntityType.PERSON, 0),
        ("efoil", EntityType.ITEM, 1),
    ]
    assert [(each.name, each.type) for each in far.members][2:] == [("24V20Ah", None)]
    assert [(each.subject, each.object, each.relation.predicate) for each in far.links] == [
        (0, 1, "owns"),
        (1, 2, "has_battery"),
    ]
    assert [each.name for each in boat.graph("efoil", as_of=APRIL).members] == ["efoil", "12V20Ah"]
    assert boat.graph("I", hops=2, limit=2).left_out == 1
    for hops in (-1, 6, 10**30):
        with pytest.raises(BadRequest, match=r"hops must be from 0 to 5, not -?\d+"):
            boat.graph("efoil", hops=hops)
