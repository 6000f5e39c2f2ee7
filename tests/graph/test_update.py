"""The graph follows what is read and what goes, in the transaction of the change."""

from __future__ import annotations

from datetime import date

from palace import Palace
from palace.models.claims import SELF, Action, Claim, EntityType, NamedSpan, Reading
from tests.graph.mined import (
    CHANGED,
    FIRST,
    JULY,
    MARCH,
    THEN,
    claims,
    relations,
    said,  # fmt: skip
)
from tests.held import rows


def test_another_value_closes_the_one_before_whichever_is_mined_first_and_however_often(palace: Palace) -> None:
    for _ in range(2):
        (then,) = said(palace, "july", THEN)
    said(palace, "march", FIRST)
    assert relations(palace) == CHANGED
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


def _lives(subject: str, place: str) -> Claim:
    return Claim(subject, "lives_in", place, Action.HOLDS, 0, 1)
