"""The graph follows what is read and what goes, in the transaction of the change."""

from __future__ import annotations

import threading
from datetime import UTC, date, datetime

import psycopg
import pytest
import sqlalchemy as sa

from palace import Palace
from palace.errors import DataRefused
from palace.graph.naming import name_conversation
from palace.graph.update import Owner, write_reading
from palace.records.graph import SELF, Action, Claim, EntityType, NamedSpan, Precision, Reading, VagueDate
from palace.store.database import UserSession
from palace.verbs.tree import get_drawer

OWNER = Owner(UTC)
MARCH, JULY = "2026-03-01T10:00:00Z", "2026-07-03T10:00:00Z"


def said(palace: Palace, identity: str, *messages: tuple[str, str, Reading]) -> list[str]:
    """File a conversation of what a person said, put what is to be read from it in the place of what was."""
    filed = palace.file(
        [{"role": "user", "content": text, "timestamp": at} for text, at, _ in messages], id=identity, wing="Efoil"
    )
    pointers = [str(pointer) for (pointer,) in filed.pointers]

    def write(session: UserSession) -> None:
        drawers = [get_drawer(session, pointer) for pointer in pointers]
        read = [(drawer.id, reading) for drawer, (_, _, reading) in zip(drawers, messages, strict=True)]
        query = sa.text("SELECT conversation_id FROM drawer WHERE user_id = :user_id AND id = :id")
        conversation_id = session.connection.execute(query, {"user_id": session.user_id, "id": read[0][0]}).scalar_one()
        write_reading(session, conversation_id, name_conversation(read), OWNER)

    palace._opened.database.run(write)
    return pointers


def claims(subject: str, predicate: str, value: str, action: Action = Action.HOLDS, **dates: VagueDate) -> Reading:
    """Give what a sentence was read for that claims one thing."""
    return Reading((), (Claim(subject, predicate, value, action, 0, 1, **dates),))


def rows(palace: Palace, query: str) -> list[tuple[object, ...]]:
    """Ask the palace's tables."""
    with palace._opened.session() as session:
        found = session.connection.execute(sa.text(query), {"user_id": session.user_id})
        return [tuple(row) for row in found]


def relations(palace: Palace) -> list[tuple[object, ...]]:
    """List what is believed now: subject, predicate, object, since and until."""
    return rows(
        palace,
        "SELECT e.key, r.predicate, r.object, CAST(r.valid_from AS date), CAST(r.valid_to AS date) FROM relation AS r"
        " JOIN entity AS e ON e.user_id = :user_id AND e.id = r.subject_id"
        " WHERE r.user_id = :user_id AND r.superseded_at IS NULL ORDER BY 1, 2, 4, 3",
    )


FIRST = ("The efoil has a 12V20Ah battery.", MARCH, claims("efoil", "has_battery", "12V20Ah"))
THEN = ("I put a 24V20Ah battery in it.", JULY, claims("efoil", "has_battery", "24V20Ah"))
CHANGED = [
    ("efoil", "has_battery", "12V20Ah", date(2026, 3, 1), date(2026, 7, 3)),
    ("efoil", "has_battery", "24V20Ah", date(2026, 7, 3), None),
]


def test_another_value_closes_the_one_before_whichever_is_mined_first(palace: Palace) -> None:
    said(palace, "july", THEN)
    said(palace, "march", FIRST)
    assert relations(palace) == CHANGED


def test_what_no_longer_holds_names_the_drawer_that_says_what_does(palace: Palace) -> None:
    said(palace, "march", FIRST)
    (then,) = said(palace, "july", THEN)
    (overtaken,) = rows(
        palace,
        "SELECT a.object, d.content FROM assertion AS a"
        " JOIN drawer AS d ON d.user_id = :user_id AND d.id = a.superseded_by WHERE a.user_id = :user_id",
    )
    assert overtaken == ("12V20Ah", palace.show(then).drawer.content)


def test_what_ends_with_nothing_in_its_place_names_no_drawer(palace: Palace) -> None:
    said(palace, "march", ("I have a boat.", MARCH, claims(SELF, "owns", "boat")))
    said(palace, "july", ("I sold the boat.", JULY, claims(SELF, "owns", "boat", Action.ENDS)))
    assert relations(palace) == [("i", "owns", "boat", date(2026, 3, 1), date(2026, 7, 3))]


def test_forgetting_what_closed_a_relation_opens_it_again(palace: Palace) -> None:
    said(palace, "march", FIRST)
    (then,) = said(palace, "july", THEN)
    palace.forget(then)
    assert relations(palace) == [("efoil", "has_battery", "12V20Ah", date(2026, 3, 1), None)]
    assert rows(palace, "SELECT until FROM assertion WHERE user_id = :user_id") == [(None,)]


def test_what_only_a_forgotten_drawer_said_is_gone_with_its_names(palace: Palace) -> None:
    (first,) = said(palace, "march", FIRST)
    palace.forget(first)
    for table in ("relation", "evidence", "assertion", "mention", "alias", "entity"):
        assert rows(palace, f"SELECT 1 FROM {table} WHERE user_id = :user_id") == [], table


def test_a_name_that_a_claim_alone_had_is_gone_with_what_claimed_it(palace: Palace) -> None:
    drawer = palace.note("Halim Nakamura lives in Porto since 2019. we cancelled the trip to Ghent")
    assert rows(palace, "SELECT 1 FROM assertion WHERE user_id = :user_id AND object_folded = 'ghent trip'") == [(1,)]
    palace.forget(str(drawer.pointer))
    for table in ("assertion", "mention", "alias", "entity"):
        assert rows(palace, f"SELECT 1 FROM {table} WHERE user_id = :user_id") == [], table


def test_undoing_a_run_takes_back_what_it_claimed(palace: Palace) -> None:
    said(palace, "march", FIRST)
    said(palace, "july", THEN)
    palace.runs.undo(palace.runs.list()[0].id)
    assert relations(palace) == [("efoil", "has_battery", "12V20Ah", date(2026, 3, 1), None)]


def test_a_name_that_is_made_clear_later_takes_its_claims_along(palace: Palace) -> None:
    anna = Reading((NamedSpan(0, 4, "Anna", EntityType.PERSON),), (_lives("Anna", "Oslo"),))
    said(palace, "one", ("Anna lives in Oslo.", MARCH, anna))
    assert [row[0] for row in relations(palace)] == ["anna"]
    full = Reading((NamedSpan(0, 9, "Anna Berg", EntityType.PERSON),), (_lives("Anna Berg", "Bergen"),))
    said(palace, "two", ("Anna Berg lives in Bergen.", JULY, full))
    assert relations(palace) == [
        ("anna berg", "lives_in", "Oslo", date(2026, 3, 1), date(2026, 7, 3)),
        ("anna berg", "lives_in", "Bergen", date(2026, 7, 3), None),
    ]
    assert rows(palace, "SELECT key FROM entity WHERE user_id = :user_id AND type = 'person'") == [("anna berg",)]


def test_a_told_date_counts_not_when_it_was_said(palace: Palace) -> None:
    moved = VagueDate(date(2026, 5, 1), Precision.MONTH)
    reading = claims(SELF, "lives_in", "Utrecht", Action.BEGINS, valid_from=moved)
    said(palace, "one", ("In May I moved to Utrecht.", JULY, reading))
    assert relations(palace) == [("i", "lives_in", "Utrecht", date(2026, 5, 1), None)]


def test_two_values_at_once_are_refused_by_the_database_from_two_connections(palace: Palace) -> None:
    said(palace, "march", FIRST)
    add = sa.text(
        "INSERT INTO relation"
        " (user_id, subject_id, predicate, ordinal, object, is_single, valid_from, from_precision, recorded_at)"
        " SELECT user_id, id, 'has_motor', :ordinal, :object, true, :since, 'day', :since FROM entity"
        " WHERE user_id = :user_id AND key = 'efoil' RETURNING id"
    )
    ready, problems = threading.Barrier(2), []

    def insert(value: str) -> None:
        def write(session: UserSession) -> None:
            given = {
                "user_id": session.user_id,
                "object": value,
                "ordinal": len(value),
                "since": datetime(2026, 1, 1, tzinfo=UTC),
            }
            session.connection.execute(add, given)
            ready.wait(10)

        try:
            palace._opened.database.run(write)
        except (sa.exc.IntegrityError, psycopg.Error, DataRefused, threading.BrokenBarrierError) as problem:
            problems.append(problem)

    writers = [threading.Thread(target=insert, args=(value,)) for value in ("one", "other")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(30)
    kept = rows(palace, "SELECT object FROM relation WHERE user_id = :user_id AND predicate = 'has_motor'")
    assert (len(kept), len(problems)) == (1, 1)
    assert "ex_relation_one_value_at_a_time" in str(problems[0]) or isinstance(problems[0], DataRefused)


@pytest.mark.parametrize("times", [1, 3])
def test_reading_again_changes_nothing(palace: Palace, times: int) -> None:
    said(palace, "march", FIRST)
    for _ in range(times):
        said(palace, "july", THEN)
    assert relations(palace) == CHANGED


def _lives(subject: str, place: str) -> Claim:
    return Claim(subject, "lives_in", place, Action.HOLDS, 0, 1)
