"""Advisory locks: one module takes them, under keys that other versions know."""

from __future__ import annotations

import sqlalchemy as sa

from palace import UserSession
from palace.store.sql.locks import Guarded, claim_indexes, claim_migration, give_back_migration, try_alone
from tests.hosts.parts import Database

TAKEN = sa.text("SELECT pg_try_advisory_xact_lock(hashtextextended(:key, 0))")


def test_what_one_transaction_does_another_does_not(database: Database, session: UserSession) -> None:
    for guarded, name in ((Guarded.COUNTS, "counts"), (Guarded.REBUILD, "rebuild"), (-7, "-7")):
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
