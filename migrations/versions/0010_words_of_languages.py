"""The language of a drawer, drawers counted by language, and a query's words weighed in each of them."""

from __future__ import annotations

from pathlib import Path

from alembic import context, op

revision = "0010"
down_revision = "0009"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision
FORMER_FUNCTIONS = SCRIPTS.parent / "0007"
FORMER = "weigh_words(bigint, text)"
PRESENT = "weigh_words(bigint, text, text[], text[])"


def upgrade() -> None:
    """Run the frozen script, then give the function its further words."""
    op.get_bind().exec_driver_sql((SCRIPTS / "upgrade.sql").read_text(encoding="utf-8"))
    _replace_function(FORMER, SCRIPTS, PRESENT)


def downgrade() -> None:
    """Bring the function and the counts of before back; words that were filed stay as they are until a rebuild."""
    _replace_function(PRESENT, FORMER_FUNCTIONS, FORMER)
    op.get_bind().exec_driver_sql((SCRIPTS / "downgrade.sql").read_text(encoding="utf-8"))


def _replace_function(gone: str, scripts: Path, made: str) -> None:
    """Drop a function by what it is given, and make the one of a script; @palace@ stands for the schema."""
    bind = op.get_bind()
    bind.exec_driver_sql(f"DROP FUNCTION {gone}")
    script = (scripts / "weigh_words.sql").read_text(encoding="utf-8")
    bind.exec_driver_sql(script.replace("@palace@", context.config.attributes["schema"]))
    bind.exec_driver_sql(f"REVOKE ALL ON FUNCTION {made} FROM PUBLIC")
    bind.exec_driver_sql(f"GRANT EXECUTE ON FUNCTION {made} TO palace_app")
