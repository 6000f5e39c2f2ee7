"""What is filed is read for names and claims, and the graph is what was read."""

from __future__ import annotations

from datetime import UTC, date, datetime

from palace import Administration, Palace, Settings
from tests.graph.mined import JULY, MARCH, claims, relations, said
from tests.held import rows


def file(palace: Palace, identity: str, at: str, *texts: str, role: str = "user") -> None:
    """File a conversation of one side."""
    messages = [{"role": role, "content": text, "timestamp": at} for text in texts]
    palace.file(messages, id=identity, wing="Diary")


def test_what_a_person_says_is_filed_as_relations(palace: Palace) -> None:
    file(palace, "one", MARCH, "I live in Ghent. My sister Anna works at Bosch.")
    file(palace, "two", JULY, "In May I moved to Utrecht.")
    file(palace, "three", MARCH, "You own a boat.", role="assistant")
    assert relations(palace) == [
        ("anna", "works_at", "Bosch", date(2026, 3, 1), None),
        ("i", "lives_in", "Ghent", date(2026, 3, 1), date(2026, 5, 1)),
        ("i", "lives_in", "Utrecht", date(2026, 5, 1), None),
        ("i", "sibling_of", "Anna", date(2026, 3, 1), None),
    ]


def test_a_conversation_that_grows_or_is_corrected_is_read_again(palace: Palace) -> None:
    file(palace, "one", MARCH, "I live in Ghent.")
    file(palace, "one", MARCH, "I live in Ghent.", "My dentist is Dr Sato.")
    assert [row[1:3] for row in relations(palace)] == [("has_dentist", "Dr Sato"), ("lives_in", "Ghent")]
    palace.file([{"id": "1", "role": "user", "content": "I own a boat.", "timestamp": MARCH}], id="two")
    palace.file([{"id": "1", "role": "user", "content": "I own a kayak.", "timestamp": MARCH}], id="two")
    assert [row[2] for row in relations(palace) if row[1] == "owns"] == ["kayak"]


def test_what_was_filed_before_names_were_read_is_brought_up(palace: Palace) -> None:
    file(palace, "one", MARCH, "I live in Ghent.")
    before = rows(palace, "SELECT id, number, content FROM drawer WHERE user_id = :user_id")
    with palace._opened.session() as session:
        run = session.connection.exec_driver_sql
        for table in ("relation", "assertion", "mention", "alias", "entity"):
            run(f"DELETE FROM {table} WHERE user_id = {session.user_id}")
        run(f"DELETE FROM index_step WHERE user_id = {session.user_id} AND step = 'extraction'")
    assert [step.pending for step in palace.status().steps if step.name == "extraction"] == [1]
    palace.embeddings.backfill()
    assert [row[1:3] for row in relations(palace)] == [("lives_in", "Ghent")]
    assert rows(palace, "SELECT id, number, content FROM drawer WHERE user_id = :user_id") == before


def test_what_another_version_read_and_none_reads_any_more_is_said_once(palace: Palace, settings: Settings) -> None:
    (lost,) = said(palace, "one", ("Kayaks are fun. I live in Ghent.", MARCH, claims("I", "owns", "kayak")))
    palace.corrections.add("I", "owns", "canoe")
    with palace._opened.session() as session:
        change = f"UPDATE index_step SET version = 1 WHERE user_id = {session.user_id} AND step = 'extraction'"
        session.connection.exec_driver_sql(change)
    palace.embeddings.backfill()
    assert {row[1:3] for row in relations(palace)} == {("owns", "canoe"), ("lives_in", "Ghent")}
    mine = settings.model_copy(update={"user": palace.user})
    found = [[each for each in Administration(mine).doctor() if each.name == "relations"] for _ in range(2)]
    assert [lost in each.finding for each in found[0]] == [True]
    assert found[1] == []


def test_who_quits_is_what_they_were_no_longer(palace: Palace) -> None:
    file(palace, "job", "2026-01-05T10:00:00Z", "I'm a nurse and I work at Siemens.")
    file(palace, "gone", "2026-05-05T10:00:00Z", "I quit my job at Siemens in April.")
    march, june = (
        {each.predicate for each in palace.relations("I", as_of=datetime(2026, month, 1, tzinfo=UTC))}
        for month in (3, 6)
    )
    assert {"works_as", "works_at"} <= march
    assert not {"works_as", "works_at"} & june


def test_what_was_to_end_with_a_move_goes_on_where_it_is_called_off(palace: Palace) -> None:
    later = datetime(2026, 12, 1, tzinfo=UTC)
    file(palace, "home", "2026-06-05T10:00:00Z", "I live in York. My rent is 720.")
    file(palace, "plan", "2026-07-05T10:00:00Z", "I'm moving to Leeds in September")
    assert "has_rent" not in {each.predicate for each in palace.relations("I", as_of=later)}
    file(palace, "dropped", "2026-07-20T10:00:00Z", "The move to Leeds has been called off.")
    held = {(each.predicate, each.object) for each in palace.relations("I", as_of=later)}
    assert {("lives_in", "York"), ("has_rent", "720")} <= held


def test_a_visit_is_over_when_it_is_told(palace: Palace) -> None:
    told = datetime(2026, 7, 14, 10, tzinfo=UTC)
    file(palace, "trip", told.isoformat(), "We were in Dresden this month")
    found = next(each.relation for each in palace.timeline("I").entries if each.relation.predicate == "visited")
    assert found.valid_to is not None
    assert found.valid_to <= told
