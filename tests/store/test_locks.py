"""Advisory locks: one module takes them, under keys that other versions know."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from palace.store.database import Database, UserSession
from palace.store.sql.locks import Guarded, claim_indexes, claim_migration, give_back_migration, try_alone
from tests.architecture.sizes import ROOT

TAKEN = sa.text("SELECT pg_try_advisory_xact_lock(hashtextextended(:key, 0))")


def test_one_module_and_the_script_of_a_restore_take_advisory_locks() -> None:
    files = [path for path in (ROOT / "palace").rglob("*") if path.suffix in {".py", ".sql"}]
    taking = {path.name for path in files if "advisory_" in path.read_text(encoding="utf-8")}
    assert taking == {"locks.py", "before_restore.sql"}


@pytest.mark.parametrize(
    ("guarded", "name"), [(Guarded.COUNTS, "counts"), (Guarded.REBUILD, "rebuild"), (-7, "-7")], ids=str
)
def test_what_one_transaction_does_another_does_not(
    database: Database, session: UserSession, guarded: Guarded | int, name: str
) -> None:
    assert try_alone(session, guarded)
    with database.of(session.user_id).transaction() as other:
        assert not try_alone(other, guarded)
        assert not other.connection.execute(TAKEN, {"key": f"{session.user_id}/{name}"}).scalar_one()
        assert other.connection.execute(TAKEN, {"key": f"{session.user_id + 1}/{name}"}).scalar_one()


def test_indexes_and_migrations_are_claimed_by_one(database: Database) -> None:
    engine = sa.create_engine(database.owner_url(), poolclass=sa.NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as one, engine.connect() as other:
        assert (claim_indexes(one), claim_indexes(other)) == (True, False)
        assert (claim_migration(one), claim_migration(other)) == (True, False)
        give_back_migration(one)
        assert claim_migration(other)
    with engine.connect() as third:
        assert claim_indexes(third)
