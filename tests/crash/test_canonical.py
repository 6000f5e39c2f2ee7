"""What two palaces of one history are compared by: every column, or there is a reason."""

from __future__ import annotations

import re

from bench.endurance.canonical import ROWS, canonical_form, difference
from palace import Palace
from palace.db.tables import Base

INTERNAL = {"id", "user_id"}
CLOCK = {"created_at", "filed_at", "forgotten_at", "decided_at", "called_at", "made_at", "expires_at"}
CLOCK |= {"hidden_at", "due_at", "changed_at", "seen_at"}
BY_RUN = {"run_id"}
LEFT_OUT = {
    "passage_embedding": {"code"},
    "term_count": {"passage_count"},
    "working_summary": {"digest", "covers", "revision", "claimed_until"},
}
"""What the database makes of another column that is compared; a count, to which what is not folded yet is added; hashes
under a palace's own key, and who is at work on it.
"""
OF_RUNS = {"activity", "mining_run", "run_basis", "rebuild", "cost_entry"}
"""Of these a palace that was disturbed has more."""
OF_SERVERS = {"api_key", "audit_entry", "oauth_grant", "stored_answer", "web_session"}
"""Made by a server's requests, not by filing, and in no export."""
OF_MACHINES = {"sync_mark", "sync_peer"}
"""What another machine need not send again; without it, it does."""
ADDED_UP = {"term_delta"}
"""Compared as part of the counts that it is folded into."""


def test_every_table_with_rows_of_users_is_compared() -> None:
    tables = {table.name for table in Base.metadata.sorted_tables if "user_id" in table.columns}
    assert tables - OF_RUNS - OF_SERVERS - OF_MACHINES - ADDED_UP == set(ROWS)


def test_every_column_is_compared() -> None:
    missed = []
    for table in ROWS:
        columns = {column.name for column in Base.metadata.tables[table].columns}
        wanted = columns - INTERNAL - CLOCK - BY_RUN - LEFT_OUT.get(table, set())
        missed += [(table, column) for column in wanted if not re.search(rf"\b{column}\b", ROWS[table])]
    assert missed == []


def test_what_stands_twice_on_one_side_is_a_difference() -> None:
    assert difference({"drawer": ["a", "a"]}, {"drawer": ["a"]}) == ["- drawer a"]
    assert difference({"drawer": ["a"]}, {"drawer": ["a", "b", "b"]}) == ["+ drawer b", "+ drawer b"]


def test_a_replaced_note_is_told_from_one_that_stands(palace: Palace) -> None:
    palace.note("The spare battery is with Derek", id="spare-battery")
    before = canonical_form(palace)
    palace.note("The spare battery is with Mara", id="spare-battery")
    told = difference(before, canonical_form(palace))
    assert any(line.startswith("- drawer") and "Derek" in line for line in told)
    assert any(line.startswith("+ drawer") and "Derek" in line for line in told)
    assert difference(before, before) == []
