"""Rows go in as one statement, however many they are."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import insert, select

from palace import Palace
from palace.store.candidates.compare import _ASKS, _BREAKS, _ENDS, _LEAD
from palace.store.counts import count_drawers
from palace.store.database import UserSession
from palace.tables import CountDelta, Wing

MANY = 40_000


def test_more_values_than_one_statement_holds_go_in(palace: Palace) -> None:
    rows = [{"counted": "drawer", "amount": 1}] * MANY

    def count(session: UserSession) -> int:
        before = count_drawers(session)
        session.insert(insert(CountDelta), rows)
        return count_drawers(session) - before

    assert palace._opened.database.run(count) == MANY


def test_rows_keep_their_values(palace: Palace) -> None:
    names = ["{a,b}", 'quo"ted', "NULL"]

    def make(session: UserSession) -> list[str]:
        session.insert(
            insert(Wing),
            [{"name": name, "slug": f"w{n}", "kind": "topic", "number": 9000 + n} for n, name in enumerate(names)],
        )
        query = select(Wing.name).where(Wing.user_id == session.user_id, Wing.number >= 9000).order_by(Wing.number)
        return list(session.execute(query).scalars())

    assert palace._opened.database.run(make) == names


def test_the_steps_tell_questions_as_the_whole_pattern_does(palace: Palace) -> None:
    lead = "a" * 55
    texts = [
        "What now?",
        f"{lead}. It is so. Is it?",
        f"{lead} it is so. Is it?",
        f"{lead} and, 1.5 of it, is it?",
        f"{lead}? No. It is.",
        f"{lead} what? I want to know more",
        f"{lead}{lead} what? Well! I want 5 of them",
        f"{lead}{lead}\nwhat?",
        f"One? {lead}. Two. Three?",
        "是吗？",
        f"{lead}{lead}",
    ]
    query = sa.text(
        "SELECT said ~ :whole, coalesce(length(said) - length(tail) <= :lead"
        " OR substr(said, :lead + 1, length(said) - length(tail) - :lead + 1) !~ :breaks, false)"
        " FROM (SELECT said, substring(said FROM :ends) AS tail FROM unnest(CAST(:texts AS text[])) AS t (said)) AS g"
    )
    given = {"whole": _ASKS, "lead": _LEAD, "breaks": _BREAKS, "ends": f"(?i){_ENDS}", "texts": texts}
    found = palace._opened.database.run(lambda session: session.execute(query, given).all())
    assert [row[0] for row in found] == [row[1] for row in found]
    assert {row[0] for row in found} == {True, False}
