"""Notes filed by hand: which are one, where they stand, and what a new text under an id does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bench.speed.traffic import Traffic
from palace import Administration, BadRequest, Palace, Settings
from palace.testing import HashingEmbedder

MORNING = datetime(2026, 4, 30, 9, tzinfo=UTC)
WEIGHT = "Weight 82 kg"


@pytest.mark.nightly
def test_the_same_words_on_another_day_or_in_another_wing_are_another_note(palace: Palace) -> None:
    first = palace.note(WEIGHT, said_at=MORNING)
    others = [
        palace.note(WEIGHT, said_at=MORNING + timedelta(days=1)),
        palace.note(WEIGHT, said_at=MORNING, wing="Health"),
        palace.note(WEIGHT, said_at=MORNING + timedelta(minutes=1)),
    ]
    assert len({first.pointer, *(other.pointer for other in others)}) == 4
    assert palace.status().drawers == 4


def test_the_very_same_note_again_is_the_drawer_it_has(palace: Palace) -> None:
    first = palace.note(WEIGHT, said_at=MORNING, wing="Health")
    assert palace.note(WEIGHT, said_at=MORNING, wing="health") == first
    assert palace.status().drawers == 1


def test_notes_of_a_day_and_wing_share_a_room_in_the_order_of_their_times(palace: Palace) -> None:
    said = [palace.note(f"At {hour}.", said_at=MORNING + timedelta(hours=hour)) for hour in (3, 0, 1)]
    (wing,) = palace.tree.wings()
    (room,) = palace.tree.rooms(wing)
    assert room.name == "2026-04-30 notes"
    assert [drawer.content for drawer in palace.tree.drawers(room)] == ["At 0.", "At 1.", "At 3."]
    assert len({drawer.pointer for drawer in said}) == 3
    palace.note("Later.", said_at=MORNING + timedelta(days=1))
    assert len(palace.tree.rooms(wing)) == 2


@pytest.mark.usefixtures("own_connections")
def test_the_versions_of_a_note_are_read_in_as_many_statements_however_many_they_are(settings: Settings) -> None:
    with Traffic() as traffic, Palace.open(settings, user="many versions", embedder=HashingEmbedder()) as palace:
        taken = []
        for number in range(4):
            palace.note(f"{number} kg", id="weight")
            taken.append(traffic.of(lambda: palace.note_versions("weight")).statements)
        assert [each.content for each in palace.note_versions("weight")] == [f"{number} kg" for number in range(4)]
        palace.forget_everything()
    assert taken[3] == taken[1]


@pytest.mark.nightly
def test_a_note_with_an_id_stays_in_its_wing_and_makes_no_other(palace: Palace) -> None:
    first = palace.note("The key is under the mat.", said_at=MORNING, wing="Boats", id="key")
    second = palace.note("The key is with Derek.", said_at=MORNING, wing="Houses", id="key")
    assert (first.wing_name, second.wing_name) == ("Boats", "Boats")
    # No number was taken for a wing with nothing in it.
    assert palace.note("A door of oak.", wing="Houses").pointer.wing == first.pointer.wing + 1


def test_another_text_under_an_id_replaces_the_former_wherever_that_stands(palace: Palace) -> None:
    first = palace.note("The key is under the mat.", said_at=MORNING, id="key")
    second = palace.note("The key is with Derek.", said_at=MORNING + timedelta(days=3), id="key")
    assert palace.show(str(first.pointer)).drawer.replaced_by == second.pointer
    assert second.replaced_at is None
    assert palace.note("The key is with Derek.", id="key").pointer == second.pointer
    back = palace.note("The key is under the mat.", id="key")
    assert back.pointer == first.pointer
    assert back.replaced_at is None
    assert palace.show(str(second.pointer)).drawer.replaced_by == first.pointer


def test_a_later_text_under_an_id_builds_on_the_former(palace: Palace) -> None:
    palace.note("The key is under the mat.", id="key")
    palace.note("The key is with Derek.", id="key")
    with pytest.raises(BadRequest, match="cascade"):
        palace.runs.undo(palace.runs.list()[1].id)
    palace.runs.undo(palace.runs.list()[0].id)
    assert palace.recall("where is the key?").hits[0].drawer.replaced_at is None


def test_a_note_that_was_forgotten_is_not_filed_again_silently(palace: Palace) -> None:
    note = palace.note("The vault code is 4711.", said_at=MORNING)
    palace.forget(str(note.pointer))
    with pytest.raises(BadRequest, match="forgotten"):
        palace.note("The vault code is 4711.", said_at=MORNING)
    assert palace.note("The vault code is 4711.", said_at=MORNING + timedelta(days=1)).content


def test_the_same_note_after_its_room_was_moved_or_forgotten_leaves_nothing_empty(settings: Settings) -> None:
    with Palace.open(settings, user="mara", embedder=HashingEmbedder()) as palace:
        first = palace.note(WEIGHT, said_at=MORNING)
        palace.tree.move("W-001/R-01", "Archive", create=True)
        again = palace.note(WEIGHT, said_at=MORNING)
        assert (again.wing_name, again.content, palace.status().drawers) == ("Archive", first.content, 1)
        palace.forget(str(again.pointer))
        with pytest.raises(BadRequest, match="forgotten"):
            palace.note(WEIGHT, said_at=MORNING)
    examined = Administration(settings.model_copy(update={"user": "mara"})).doctor()
    assert "conversations" not in {check.name for check in examined}


@pytest.mark.nightly
def test_a_days_notes_that_were_moved_leave_room_for_new_ones_in_their_wing(palace: Palace) -> None:
    palace.note("One.", said_at=MORNING)
    palace.tree.move("W-001/R-01", "Archive", create=True)
    two = palace.note("Two.", said_at=MORNING + timedelta(hours=1))
    assert two.wing_name == "Notes"


def test_an_empty_note_or_id_is_refused(palace: Palace) -> None:
    for text, id_ in (("", None), (" ", "a"), ("words", " ")):
        with pytest.raises(BadRequest, match=r"is empty|must be a name"):
            palace.note(text, id=id_)
