"""A program that is open while another version migrates its schema."""

from __future__ import annotations

import pytest

from palace import Palace, SchemaMismatch


def test_what_is_no_longer_there_is_told_in_one_line(palace: Palace) -> None:
    for gone in ("weigh_words(1)", "(SELECT tongue FROM drawer LIMIT 1)", "(SELECT 1 FROM attic)"):
        with (
            pytest.raises(SchemaMismatch, match=r"another version of Palace \(.+\); start again$"),
            palace._opened.session() as session,
        ):
            session.connection.exec_driver_sql(f"SELECT {gone}")
