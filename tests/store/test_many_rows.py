"""Rows go in as one statement, however many they are."""

from __future__ import annotations

from sqlalchemy import func, insert, select

from palace import Palace, UserSession
from palace.db.tables import CountDelta

MANY = 40_000


def test_more_values_than_one_statement_holds_go_in(palace: Palace) -> None:
    rows = [{"counted": "drawer", "amount": 1}] * MANY

    def count(session: UserSession) -> int:
        session.insert(insert(CountDelta), rows)
        return int(
            session.execute(
                select(func.sum(CountDelta.amount)).where(CountDelta.user_id == session.user_id)
            ).scalar_one()
        )

    assert palace._opened.database.run(count) == MANY
