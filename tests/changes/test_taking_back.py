"""What is forgotten can be restored for a while, and is found by nothing until then."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from bench.endurance.canonical import canonical_form, difference
from palace import BadRequest, MoreToForget, NotFound, Palace
from tests.changes.views import HOTEL, Write, counted, everything_said
from tests.held import contents, execute

EVENTS = {"memory_forgotten", "memory_taken_back"}
TOLD = ("My sister Anna works at Bosch in Kiel.", "Noted.", "Anna has a beagle, Rex.", "We move to Ghent in September.")


def exported(palace: Palace) -> list[bytes]:
    """Export a palace, without the events that tell of forgetting and restoring, and the sum over all lines."""
    stream = io.BytesIO()
    palace.transfer.export(stream)
    lines = stream.getvalue().splitlines()[:-1]
    return [line for line in lines if json.loads(line).get("kind") not in EVENTS]


@pytest.fixture
def told(palace: Palace, write: Write) -> Palace:
    """Two wings with claims in them, and a revision of a message."""
    palace.mine(write("anna", TOLD, title="Anna"), wing="Family")
    palace.mine(write("anna", (*TOLD[:3], "We move to Bruges in September."), title="Anna"), wing="Family")
    palace.mine(write("hotel", HOTEL, title="Lisbon"), wing="Travel")
    return palace


def test_what_is_restored_is_as_it_was(told: Palace) -> None:
    with pytest.raises(BadRequest, match="name what to restore"):
        told.forgotten.restore()
    with pytest.raises(NotFound, match="nothing of 'W-001/R-01' is hidden"):
        told.forgotten.restore("W-001/R-01")
    before, held = exported(told), contents(told)
    form = canonical_form(told)
    for what in ("§ W-001/R-01/D-001", "Family"):
        summary = told.forget(what)
        assert summary.until is not None
        assert len(summary.pointers) == summary.removal.drawers
        assert contents(told) != held
        by_name = what == "Family"
        assert told.forgotten.restore(*([what] if by_name else summary.pointers)).drawers == summary.removal.drawers
        assert exported(told) == before, what
        assert contents(told) == held
        assert difference(form, canonical_form(told)) == [], what
    assert told.forget("Family", dry_run=True).pointers == told.forget("Family", now=True).pointers == ()


@pytest.mark.nightly
def test_no_more_is_forgotten_than_may_be(told: Palace) -> None:
    told.forget("W-001/R-01/D-001")
    held, hidden = contents(told), told.forgotten.list()
    there = told.forget("Family", dry_run=True).removal.drawers
    for now in (False, True):
        with pytest.raises(MoreToForget, match=f"has {there} drawers by now, not {there - 1}: nothing was forgotten"):
            told.forget("Family", at_most=there - 1, now=now)
        assert contents(told) == held
        assert told.forgotten.list() == hidden
    assert told.forget("Family", at_most=there).removal.drawers == there


def test_nothing_finds_what_is_hidden(told: Palace) -> None:
    relations = told.relations()
    status = told.status()
    told.forget("Family")
    assert told.recall("Anna works at Bosch", floor="none", top_k=50).hits != told.recall("Seagull").hits
    said = [hit.drawer.content for hit in told.recall("Anna works at Bosch", floor="none", top_k=50).hits]
    assert set(said) <= set(HOTEL)
    assert told.relations() != relations
    assert not [each for each in told.relations() if "Bosch" in str(each)]
    assert [wing.name for wing in told.tree.wings()] == ["Travel"]
    assert told.status().drawers == status.drawers - 5
    assert b"Bosch" not in b"".join(exported(told))
    with pytest.raises(NotFound):
        told.show("§ W-001/R-01/D-001")
    (place,) = told.forgotten.list()
    assert (place.room, place.wing_name, len(place.pointers)) == ("W-001/R-01", "Family", 5)


def test_mining_again_brings_nothing_back_and_files_nothing_twice(told: Palace, folder: Path) -> None:
    told.forget("Travel")
    assert told.mine(folder).drawers_new == 0
    assert len(contents(told)) == 5
    told.forgotten.restore("Travel")
    assert told.mine(folder).drawers_new == 0
    assert set(contents(told)) >= set(HOTEL)


def test_what_is_due_is_refused_and_deleted_by_the_next_write(told: Palace) -> None:
    told.forget("Travel")
    execute(told, "UPDATE hidden_drawer SET due_at = now() - interval '1 second'")
    assert told.forgotten.list() == ()
    with pytest.raises(NotFound) as problem:
        told.forgotten.restore("Travel")
    assert str(problem.value).startswith("nothing of 'Travel' is hidden: `palace forget --list` lists what can be")
    assert counted(told, "hidden_drawer") == 2
    told.note("Bees hum.")
    assert counted(told, "hidden_drawer") == 0
    assert "seagull" not in everything_said(told)


@pytest.mark.nightly
def test_a_part_of_what_is_hidden_is_restored_and_the_rest_later(told: Palace) -> None:
    before = exported(told)
    told.forget("W-001/R-01")
    assert told.forgotten.restore("§ W-001/R-01/D-003", "W-001/R-01/D-001").drawers == 2
    assert len(contents(told)) == 4
    assert told.forgotten.restore("Family").drawers == 3
    assert exported(told) == before


def test_forgetting_for_good_takes_what_was_hidden_of_it_before(told: Palace) -> None:
    told.forget("W-001/R-01/D-001")
    told.forget("Family", now=True)
    with pytest.raises(NotFound):
        told.forgotten.restore("W-001/R-01/D-001")
    assert counted(told, "hidden_drawer") == 0


def test_a_model_asks_and_a_person_confirms(told: Palace) -> None:
    request = told.forgotten.ask("Travel")
    assert (request.removal.drawers, told.status().drawers) == (2, 7)
    assert told.forget(request).removal == request.removal
    assert told.status().drawers == 5
    with pytest.raises(NotFound):
        told.forget(request)


@pytest.mark.nightly
def test_what_was_filed_after_a_model_asked_is_not_agreed_to(told: Palace, write: Write) -> None:
    request = told.forgotten.ask("Travel")
    told.note("The Seagull has a new roof.", wing="Travel")
    with pytest.raises(MoreToForget, match="3 drawers by now, not 2"):
        told.forget(request)
    assert told.forget(request, at_most=3).removal.drawers == 3
