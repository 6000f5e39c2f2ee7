"""What of a scope keeps nothing out is not looked at in proposing; what is told is held to the scope all the same."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from palace import Palace, Strategy
from palace.recall.arms import propose as proposing
from palace.recall.arms.propose import Asked, Proposals, propose
from palace.recall.arms.protocol import ArmRequest
from palace.recall.intent import read_intent
from palace.records import Scope
from palace.store.database import UserSession
from palace.store.statements.bounds import bounds_of
from palace.verbs.tree.moving import target_wing

NOW = datetime(2026, 6, 14, 12, tzinfo=UTC)
MAIL = (
    "From: Ada <ada@example.org>\nTo: Tom <tom@example.org>\nDate: Mon, 1 Jun 2026 10:00:00 +0000\nSubject: Lantern\n\n"
)
PLACES = ("harbour", "mill")


@pytest.fixture
def mined(palace: Palace, tmp_path: Path) -> Palace:
    """Two wings that say much the same, and a letter in the first."""
    for place in PLACES:
        turns = [{"role": "user", "content": f"The {kind} lantern hangs at the {place}."} for kind in ("red", "blue")]
        path = tmp_path / f"{place}.json"
        path.write_text(json.dumps(turns), encoding="utf-8")
        palace.mine(path, wing=place)
    letter = tmp_path / "letter.eml"
    letter.write_text(f"{MAIL}The lantern of the harbour is mended.", encoding="utf-8")
    palace.mine(letter, wing=PLACES[0])
    return palace


def wings(palace: Palace) -> dict[str, int]:
    return {wing.name: wing.id for wing in palace.tree.wings()}


def bounded(palace: Palace, scope: Scope) -> Scope:
    return palace._opened.run(lambda session: bounds_of(session, scope))


def test_wings_keep_nothing_out_where_there_are_no_others(mined: Palace) -> None:
    ids = wings(mined)
    assert bounded(mined, Scope(wing_ids=tuple(ids.values()), tools=True)) == Scope(tools=True)
    one = Scope(wing_ids=(ids["mill"],))
    assert bounded(mined, one) == one
    assert bounded(mined, Scope(wing_ids=())) == Scope(wing_ids=())


def test_a_wing_with_nothing_in_it_keeps_nothing_out(mined: Palace) -> None:
    every = Scope(wing_ids=tuple(wings(mined).values()))
    mined._opened.run(lambda session: target_wing(session, "loft", create=True))
    assert bounded(mined, every) == Scope()


def test_readers_keep_nothing_out_where_they_read_nothing(mined: Palace) -> None:
    assert bounded(mined, Scope(without_readers=("slack",))) == Scope()
    assert bounded(mined, Scope(without_readers=("mail", "slack"))) == Scope(without_readers=("mail", "slack"))


def test_an_open_scope_is_not_asked_about(mined: Palace) -> None:
    assert bounded(mined, Scope(role=None, tools=True)) == Scope(tools=True)


def proposed(palace: Palace, query: str, scope: Scope) -> Proposals:
    opened = palace._opened
    request = ArmRequest(query, read_intent(query, NOW), scope, Strategy())
    return propose(Asked(opened.database, opened.find_model), request)


QUERIES = ("Where is the red lantern?", "blue lantern yesterday", "What was mended?", "lantern")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    query=some.sampled_from(QUERIES),
    chosen=some.none() | some.sets(some.sampled_from(PLACES)),
    readers=some.sets(some.sampled_from(("mail", "slack", "telegram"))),
)
def test_what_is_proposed_is_the_same_with_bounds(
    mined: Palace, query: str, chosen: Iterable[str] | None, readers: Iterable[str]
) -> None:
    ids = wings(mined)
    scope = Scope(
        wing_ids=None if chosen is None else tuple(ids[name] for name in chosen), without_readers=tuple(readers)
    )
    with_bounds = proposed(mined, query, scope)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proposing, "bounds_of", _the_scope_itself)
        plain = proposed(mined, query, scope)
    assert (with_bounds.scores, with_bounds.rooms) == (plain.scores, plain.rooms)


def _the_scope_itself(_session: UserSession, scope: Scope) -> Scope:
    return scope


def test_what_was_filed_elsewhere_meanwhile_is_not_told(mined: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposing, "bounds_of", lambda _session, _scope: Scope())
    ids = wings(mined)
    scope = Scope(wing_ids=(ids["harbour"],), without_readers=("mail",))
    hits = mined.recall("Where does the lantern hang?", scope=scope, top_k=10, floor="none").hits
    assert {hit.drawer.content for hit in hits} == {
        "The red lantern hangs at the harbour.",
        "The blue lantern hangs at the harbour.",
    }
