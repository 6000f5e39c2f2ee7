"""What changes a palace leaves an event: how much of what, where, and never what it said."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from palace import Activity, BadRequest, NotFound, Palace
from palace.testing import HashingEmbedder
from tests.graph.mined import tell

SECRET = "zeppelin"


@pytest.fixture
def filed(palace: Palace) -> Palace:
    """Two rooms of one wing, a note in another."""
    for name in ("one", "two"):
        palace.file([{"role": "user", "content": f"The {SECRET} {name} is in berth 3."}], id=name, wing="Airships")
    palace.note("The key hangs there.")
    return palace


def last(palace: Palace) -> Activity:
    return palace.activity(limit=1)[0]


def told(palace: Palace) -> tuple[str, dict[str, Any]]:
    event = last(palace)
    return event.kind, dict(event.details)


def kinds_of(palace: Palace) -> list[str]:
    return [event.kind for event in palace.activity(limit=100)]


def test_forgetting_says_what_went_and_how_much(filed: Palace) -> None:
    filed.forget("W-001/R-01")
    kind, details = told(filed)
    assert kind == "memory_forgotten"
    assert details == {
        **{"outcome": "finished", "what": "room", "place": "W-001/R-01"},
        **{"drawers": 1, "passages": 1, "rooms": 1, "wings": 0, "conversations": 1},
    }
    filed.forget("W-001/R-02", conversation=True)
    assert (told(filed)[1]["what"], str(told(filed)[1]["place"])[:10]) == ("conversation", "W-001/R-02")
    filed.forget("§ W-002/R-01/D-001")
    assert told(filed)[1]["what"] == "drawer"
    filed.file([{"role": "user", "content": "The hangar is full."}], id="three", wing="Airships")
    filed.forget("Airships")
    assert told(filed)[1] | {"what": "wing", "place": "W-003", "drawers": 1, "wings": 1} == told(filed)[1]
    assert SECRET not in str(filed.activity()).lower()
    assert "airships" not in str(filed.activity()).lower()


def test_what_is_only_counted_or_refused_leaves_none(filed: Palace) -> None:
    before = filed.activity()
    filed.forget("W-001/R-01", dry_run=True)
    filed.runs.undo(filed.runs.list()[0].id, dry_run=True)
    for refused in (lambda: filed.forget("W-009"), lambda: filed.tree.move("W-001/R-01", "Airships")):
        with pytest.raises((NotFound, BadRequest)):
            refused()
    assert filed.activity() == before


def test_undoing_a_run_is_about_that_run(filed: Palace) -> None:
    run = filed.runs.list()[0]
    filed.runs.undo(run.id)
    event = last(filed)
    assert (event.kind, event.run_id) == ("memory_undone", run.id)
    assert (event.details["runs"], event.details["drawers"], event.details["marks"]) == (1, 1, 0)


def test_moving_and_renaming_say_from_where_to_where(filed: Palace) -> None:
    filed.tree.move("W-001/R-02", "Notes")
    assert told(filed) == ("memory_moved", {"outcome": "finished", "what": "room", "from": 1, "to": 2, "rooms": 1})
    filed.tree.move("Notes", "Airships")
    assert told(filed)[1] == {"outcome": "finished", "what": "wing", "from": 2, "to": 1, "rooms": 2}
    filed.tree.rename("W-001", SECRET)
    assert told(filed) == ("memory_renamed", {"outcome": "finished", "what": "wing", "place": "W-001"})
    filed.tree.rename("W-001/R-01", SECRET)
    assert told(filed)[1]["place"] == "W-001/R-01"
    assert SECRET not in str(filed.activity())


@pytest.mark.nightly
def test_what_is_decided_of_entities_says_which_decision(palace: Palace) -> None:
    tell(palace, "one", "D-Man")
    tell(palace, "two", "Derek")
    made = palace.entities.merge("D-Man", "Derek").decision
    assert told(palace) == ("entities_merged", {"outcome": "finished", "decision": made.id})
    palace.entities.undo(made.id)
    assert told(palace) == ("decision_undone", {"outcome": "finished", "decision": made.id})
    renamed = palace.entities.rename("Derek", "Dirk").decision
    assert told(palace) == ("entity_renamed", {"outcome": "finished", "decision": renamed.id})
    tell(palace, "three", "Dirk")
    palace.entities.split("Dirk", conversation="W-001/R-03")
    assert told(palace)[0] == "entity_split"
    assert "Dirk" not in str(palace.activity())


@pytest.fixture
def copied(filed: Palace, tmp_path: Path) -> Iterator[tuple[Palace, Path]]:
    """Another palace, and an export of the first."""
    filed.transfer.export(path := tmp_path / "all.jsonl")
    with Palace.open(filed._opened.settings, user=f"{filed.user}-copy", embedder=HashingEmbedder()) as other:
        yield other, path


@pytest.mark.nightly
def test_events_of_every_kind_are_exported_and_come_back(copied: tuple[Palace, Path], filed: Palace) -> None:
    other, _ = copied
    filed.tree.move("W-001/R-02", "Notes")
    filed.forget("W-001/R-01")
    filed.rebuild()
    filed.transfer.export(stream := io.BytesIO())
    path = copied[1].with_name("again.jsonl")
    path.write_bytes(stream.getvalue())
    other.transfer.load(path)
    assert kinds_of(other)[1:] == kinds_of(filed)
    assert kinds_of(filed)[:3] == ["memory_rebuilt", "memory_forgotten", "memory_moved"]


def test_one_kind_can_be_asked_for(filed: Palace) -> None:
    filed.forget("W-001/R-01")
    filed.tree.move("W-001/R-02", "Notes")
    (event,) = filed.activity(kind="forgotten")
    assert filed.activity(kind=" Memory-Forgotten ") == (event,)
    assert len(filed.activity(kind="memory_mined")) == 3
    assert filed.activity(kind="restored") == ()
    for wrong in ("", "forgot", "memory"):
        with pytest.raises(BadRequest, match="there is no kind of event"):
            filed.activity(kind=wrong)
    filed.forget_everything()
    assert filed.activity() == ()


@pytest.mark.nightly
def test_a_palace_keeps_ten_thousand(palace: Palace) -> None:
    palace.note("The key hangs there.")
    fill = sa.text(
        "INSERT INTO activity (user_id, kind, happened_at)"
        " SELECT :user_id, 'turn_taken', now() - n * interval '1 minute' FROM generate_series(1, 10000) AS n"
    )
    palace._opened.run(lambda session: session.connection.execute(fill, {"user_id": session.user_id}))
    palace.note("The boat is in berth 3.")
    kept = palace.activity(limit=20_000)
    assert (len(kept), [event.kind for event in kept[:3]]) == (10_000, ["memory_mined", "memory_mined", "turn_taken"])
