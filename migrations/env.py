"""Run migrations on the connection handed in by ``palace.db.schema``, one transaction each."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection

connection: Connection = context.config.attributes["connection"]

context.configure(
    connection=connection,
    target_metadata=None,
    version_table="schema_revision",
    version_table_schema=context.config.attributes["schema"],
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
