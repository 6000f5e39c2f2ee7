"""The names of wings, rooms and closets are searched: columns that follow a rename, and a function that looks there."""

from __future__ import annotations

from pathlib import Path

from alembic import context, op

revision = "0012"
down_revision = "0011"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision
CALLED = "named_places(bigint, tsquery[], int)"


def upgrade() -> None:
    """Run the frozen script, then make the function; in that, @palace@ stands for the schema."""
    bind = op.get_bind()
    bind.exec_driver_sql((SCRIPTS / "upgrade.sql").read_text(encoding="utf-8"))
    script = (SCRIPTS / "named_places.sql").read_text(encoding="utf-8")
    bind.exec_driver_sql(script.replace("@palace@", context.config.attributes["schema"]))
    bind.exec_driver_sql(f"REVOKE ALL ON FUNCTION {CALLED} FROM PUBLIC")
    bind.exec_driver_sql(f"GRANT EXECUTE ON FUNCTION {CALLED} TO palace_app")


def downgrade() -> None:
    """Take the function and the columns away."""
    op.get_bind().exec_driver_sql((SCRIPTS / "downgrade.sql").read_text(encoding="utf-8"))
