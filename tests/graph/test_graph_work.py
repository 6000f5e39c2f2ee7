"""What the graph does for a conversation grows with it as it grows: no faster, and past what one statement takes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from palace import Palace
from palace.graph.names.folded import family_of
from palace.graph.resolve import resolve
from palace.records.graph import Action, Alias, Claim, EntityType, NamedSpan, Reading
from palace.store.database import UserSession
from palace.store.graph import entities, kinds, relations
from tests.graph.test_update import said

DRAWERS, CLAIMS = 20, 50
MANY = 70_000
"""More than a statement takes values one by one."""


class Fetched:
    """How many rows of tables were looked at."""

    rows = 0


@contextmanager
def fetched(session: UserSession, *tables: str) -> Iterator[Fetched]:
    """Count the rows of some tables that the open transaction looks at meanwhile."""
    query = sa.text(
        "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables"
        " WHERE schemaname = current_schema() AND relname = ANY(:tables)"
    )
    count, before = Fetched(), session.connection.execute(query, {"tables": list(tables)}).scalar_one()
    yield count
    count.rows = int(session.connection.execute(query, {"tables": list(tables)}).scalar_one() - before)


def boats(drawer: int) -> Reading:
    """Give what a message was read for that names many boats, each as its noun is called."""
    numbers = range(drawer * CLAIMS, (drawer + 1) * CLAIMS)
    places = [number % CLAIMS for number in numbers]
    return Reading(
        tuple(
            NamedSpan(at, at + 1, f"Zora{number}", EntityType.ITEM) for at, number in zip(places, numbers, strict=True)
        ),
        tuple(
            Claim(f"my boat{number}", "called", f"Zora{number}", Action.HOLDS, at, at + 1)
            for at, number in zip(places, numbers, strict=True)
        ),
    )


def test_a_conversation_of_many_names_is_read_once(palace: Palace) -> None:
    messages = [("x" * CLAIMS, "2026-03-01T10:00:00Z", boats(drawer)) for drawer in range(DRAWERS)]
    said(palace, "boats", *messages)
    with palace._opened.session() as session:
        found = session.connection.execute(
            sa.text("SELECT max(conversation_id) AS id, array_agg(DISTINCT family) AS families FROM alias")
        ).one()
        with fetched(session, "alias", "assertion") as called:
            assert len(entities.list_called(session, found.families)) == DRAWERS * CLAIMS
        with fetched(session, "alias", "assertion") as groups:
            assert len(relations.list_groups(session, conversation_id=found.id)) == DRAWERS * CLAIMS
        held = entities.list_entities_of(session, found.id)
        with fetched(session, "alias", "assertion") as about:
            assert len(relations.list_groups(session, entity_ids=held)) == DRAWERS * CLAIMS
    for looked_at in (called, groups, about):
        assert looked_at.rows < 8 * DRAWERS * CLAIMS


def test_more_is_taken_at_once_than_a_statement_takes_values(palace: Palace) -> None:
    said(palace, "boats", ("x" * CLAIMS, "2026-03-01T10:00:00Z", boats(0)))
    with palace._opened.session() as session:
        assert entities.list_standing(session, {(1, f"zora {number}") for number in range(MANY)}) == (set(), set())
        entities.drop_unnamed(session, range(1, MANY))
        kinds.forget_kinds(session, range(1, MANY))
        assert relations.count_graph(session) == (CLAIMS, 0)


def test_a_short_name_is_held_against_those_of_its_family_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    short = [Alias(1, f"octavia{n}", f"Octavia{n}", EntityType.ITEM, True, 1) for n in range(200)]
    full = [Alias(1, f"skoda{n} octavia{n}", f"Skoda{n} Octavia{n}", EntityType.ITEM, True, 1) for n in range(200)]
    families = {(1, row.folded): f"skoda{row.folded.removeprefix('octavia')}" for row in short}
    families |= {(1, row.folded): row.folded.split()[0] for row in full}
    looked_at: list[str] = []

    def look(name: str) -> str:
        looked_at.append(name)
        return family_of(name)

    monkeypatch.setattr("palace.graph.resolve.tied.family_of", look)

    resolved = resolve([*short, *full], families=families)

    assert len([each for each in resolved if each.members]) == 200
    assert len(looked_at) < 8 * len(families)
