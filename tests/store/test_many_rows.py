"""Rows go in as one statement, however many they are."""

from __future__ import annotations

from sqlalchemy import func, insert, select

from palace import Palace, UserSession
from palace.tables import CountDelta, Wing

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
