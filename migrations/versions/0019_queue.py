"""The queue of background work, in a schema of its own beside the palace's."""

from __future__ import annotations

from pathlib import Path

from alembic import context, op

revision = "0019"
down_revision = "0018"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision
ORDER = ("procrastinate", "tables", "clients", "workers", "security")
NOTHING_BOUND = {"no_parameters": True}
"""The scripts have percent signs."""


def upgrade() -> None:
    """Make the schema and run the frozen scripts in it; @palace@ and @queue@ stand for the two names."""
    palace = context.config.attributes["schema"]
    queue = f"{palace}_queue"
    _run(f"CREATE SCHEMA {queue}; SET LOCAL search_path = {queue}, pg_catalog, pg_temp")
    for name in ORDER:
        script = (SCRIPTS / f"{name}.sql").read_text(encoding="utf-8")
        _run(script.replace("@palace@", palace).replace("@queue@", queue))
    _run(f"SET LOCAL search_path = {palace}, public, pg_temp")


def downgrade() -> None:
    """Take the queue away: what is pending, the index steps know."""
    _run(f"DROP SCHEMA {context.config.attributes['schema']}_queue CASCADE")


def _run(script: str) -> None:
    op.get_bind().exec_driver_sql(script, execution_options=NOTHING_BOUND)
