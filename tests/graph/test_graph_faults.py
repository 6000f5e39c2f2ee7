"""What a graph should not hold is found by ``palace doctor``, and mended by what it tells to do."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from palace import Administration, Check, Palace, Verdict
from tests.held import execute

SAID = (
    "I live in Ghent and I work at Arup.",
    "The efoil's battery is 12V20Ah.",
    "The efoil's battery is 24V20Ah now.",
    "My sister Anna moved from Ghent to Utrecht in May 2025.",
    "My friend Derek Hughes bought a piano.",
)
NOBODY_NAMES = (
    "INSERT INTO entity (user_id, key, name, type, is_named)"
    " SELECT id, 'zebra', 'Zebra', 'item', true FROM palace_user WHERE id = :user_id"
)
FAULTS = [
    ("UPDATE alias SET entity_id = NULL WHERE user_id = :user_id", r"[1-9]\d* names stand"),
    (NOBODY_NAMES, "1 entities have no name"),
    ("DELETE FROM evidence WHERE user_id = :user_id", r"[1-9]\d* relations have no evidence"),
    ("DELETE FROM evidence WHERE user_id = :user_id AND NOT closes", r"[1-9]\d* relations have no evidence"),
    (
        "INSERT INTO known_name (user_id, drawer_id, folded)"
        " SELECT user_id, min(id), 'zebra' FROM drawer WHERE user_id = :user_id GROUP BY user_id",
        "1 names noted with drawers are told by none",
    ),
]


@pytest.fixture
def told(palace: Palace) -> Palace:
    """Five notes from which names and claims are read."""
    for day, text in enumerate(SAID, start=1):
        palace.note(text, said_at=datetime(2026, 3, day, tzinfo=UTC))
    return palace


def graph_check(palace: Palace) -> Check:
    settings = palace._opened.settings.model_copy(update={"user": palace.user})
    return next(check for check in Administration(settings).doctor() if check.name == "graph")


def known(palace: Palace) -> list[Any]:
    """Tell all that the graph holds, without the ids of its rows."""
    relations = [
        (each.subject, each.predicate, each.object, each.valid_from, each.valid_to, each.evidence, each.closed_by)
        for each in palace.relations(limit=1000)
    ]
    return [sorted(map(str, relations)), sorted(each.name for each in palace.entities.list(everything=True))]


@pytest.mark.nightly
def test_each_fault_is_found_and_a_rebuild_mends_it(told: Palace) -> None:
    before = known(told)
    assert graph_check(told).verdict is Verdict.OK
    assert len(before[0]) >= 5
    for damage, finding in FAULTS:
        execute(told, damage)
        found = graph_check(told)
        assert found.verdict is Verdict.PROBLEM, damage
        assert re.search(finding, found.finding)
        assert found.remedy == "palace rebuild"
        told.rebuild()
        assert graph_check(told).verdict is Verdict.OK, damage
        assert known(told) == before
