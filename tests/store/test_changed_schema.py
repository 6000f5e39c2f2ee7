"""What the server refuses is told in one line: another version's schema, a right that is not there."""

from __future__ import annotations

import pytest

from palace import DatabaseRefused, Palace, SchemaMismatch


def test_what_is_no_longer_there_is_told_in_one_line(palace: Palace) -> None:
    for gone in ("weigh_words(1)", "(SELECT tongue FROM drawer LIMIT 1)", "(SELECT 1 FROM attic)"):
        with (
            pytest.raises(SchemaMismatch, match=r"another version of Palace \(.+\); start again$"),
            palace._opened.session() as session,
        ):
            session.connection.exec_driver_sql(f"SELECT {gone}")


def test_losing_the_right_to_a_table_is_told_in_one_line(palace: Palace) -> None:
    with (
        pytest.raises(DatabaseRefused, match="lacks a right"),
        palace._opened.database.shared.without_user() as connection,
    ):
        connection.exec_driver_sql("CREATE TABLE palace.mine (id int)")
