"""A job is fetched in the order of its turn by looks at indexes, however long the queue is."""

from __future__ import annotations

from pathlib import Path

from alembic import context, op

revision = "0024"
down_revision = "0023"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision


def upgrade() -> None:
    """Run the frozen script; @queue@ stands for the queue's schema."""
    _run("upgrade")


def downgrade() -> None:
    """Have the planner choose again."""
    _run("downgrade")


def _run(name: str) -> None:
    script = (SCRIPTS / f"{name}.sql").read_text(encoding="utf-8")
    queue = f"{context.config.attributes['schema']}_queue"
    op.get_bind().exec_driver_sql(script.replace("@queue@", queue))
