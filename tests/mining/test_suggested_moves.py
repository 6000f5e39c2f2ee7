"""Rooms whose home is clearly another wing are proposed, with a reason; nothing moves by itself."""

from __future__ import annotations

import pytest

from bench.endurance.canonical import canonical_form, difference
from palace import Palace
from palace.mining.filing.wing_matching import NamedWing
from palace.mining.suggest import suggest_moves
from palace.models import StandingRoom
from tests.text.named_talks import TALKS

GARDEN, BOAT, ANNA = (
    NamedWing(1, "Garden", ("Garden",)),
    NamedWing(2, "Boat", ("Boat", "Old boat")),
    NamedWing(3, "Anna", ("Anna",)),
)
SUBJECTS = [GARDEN, BOAT, ANNA]


def room(number: int, wing: int, name: str, *closets: str, people: tuple[str, ...] = ()) -> StandingRoom:
    return StandingRoom(f"W-{wing:03d}/R-{number:02d}", wing, name, closets, people)


TOMATOES = [room(number, 1, f"Log {number}", "Tomatoes, seedlings", "Compost heap") for number in range(1, 5)]
MASTS = [room(number, 2, f"Trip {number}", "Mast, rigging", "Anchor chain") for number in range(1, 5)]


def suggested(*rooms: StandingRoom, subjects: list[NamedWing] = SUBJECTS) -> dict[str, tuple[int, str]]:
    return {move.room.pointer: (move.wing_id, move.reason) for move in suggest_moves(rooms, subjects)}


def test_a_room_goes_where_other_rooms_are_about_the_same() -> None:
    stray = room(9, 2, "2026-04-30 evening session", "Tomatoes, seedlings", "Greenhouse")
    found = suggested(*TOMATOES, *MASTS, stray)
    assert found == {stray.pointer: (1, "rooms there are about the same: seedling, tomatoe")}


def test_a_name_that_names_a_wing_is_the_best_reason() -> None:
    named = room(8, 1, "Old boat: paint", "Compost heap")
    stray = room(9, 2, "Odds and ends", "Tomatoes, seedlings")
    found = suggested(*TOMATOES, *MASTS, stray, named)
    assert list(found) == [named.pointer, stray.pointer]
    assert found[named.pointer] == (2, "the title names it")


def test_a_talk_with_a_person_goes_to_them() -> None:
    talk = room(8, 1, "2026-04-30 evening session", "Dinner plans", people=("Anna", "Derek"))
    assert suggested(*TOMATOES, talk) == {talk.pointer: (3, "it is a talk with that person")}
    group = room(8, 1, "2026-04-30 evening session", "Dinner plans", people=("Anna", "Derek", "Mia"))
    assert suggested(*TOMATOES, group) == {}


def test_what_stands_well_is_left_alone() -> None:
    assert suggested(*TOMATOES, *MASTS) == {}
    at_home = room(9, 2, "Boat: tomatoes on board", "Tomatoes, seedlings")
    assert suggested(*TOMATOES, *MASTS, at_home) == {}
    of_both = room(9, 2, "Odds", "Tomatoes, seedlings", "Mast, rigging")
    assert suggested(*TOMATOES, *MASTS, of_both) == {}
    one_word = room(9, 2, "Odds", "Compost", "Harbour fees")
    assert suggested(*TOMATOES, *MASTS, one_word) == {}


def test_two_projects_that_are_alike_are_not_joined() -> None:
    projects = [NamedWing(1, "Project A", ("Project A",)), NamedWing(2, "Project B", ("Project B",))]
    plans = [room(number, 1, f"Week {number}", "Project budget, schedule", "Budget plan") for number in range(4)]
    other = room(1, 2, "Kick-off", "Project budget, schedule")
    assert suggested(*plans, other, subjects=projects) == {}
    elsewhere = [projects[0], NamedWing(2, "Orchard", ("Orchard",))]
    assert list(suggested(*plans, other, subjects=elsewhere)) == [other.pointer]


@pytest.mark.nightly
def test_a_palace_says_what_stands_wrong_and_changes_nothing(palace: Palace) -> None:
    garden, boiler = TALKS[0], TALKS[1]
    for number in range(3):
        for talk, wing in ((garden, "Garden"), (boiler, "House")):
            said = [{"role": "user", "content": f"{text} Day {number}."} for text in talk.texts]
            palace.file(said, id=f"{talk.title} {number}", wing=wing)
    stray = [{"role": "user", "content": f"{text} On Sunday."} for text in garden.texts]
    palace.file(stray, id="stray", wing="House")
    palace.file([{"role": "user", "content": "Roses."}], id="named", title="Roses for the garden house", wing="House")
    palace.note("The key.", wing="Garden house")
    before = canonical_form(palace)
    named, topical = palace.tree.suggest_moves()
    assert (named.name, named.to.name, named.reason) == (
        "Roses for the garden house", "Garden house", "the title names it",
    )  # fmt: skip
    assert (topical.room, topical.to.name) == ("W-002/R-04", "Garden")
    assert topical.reason.startswith("rooms there are about the same: ")
    assert palace.tree.suggest_moves(limit=1) == (named,)
    assert difference(before, canonical_form(palace)) == []
    palace.tree.move(topical.room, str(topical.to.pointer))
    assert palace.tree.suggest_moves() == (named,)
