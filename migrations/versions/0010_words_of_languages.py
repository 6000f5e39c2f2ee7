"""The language of a drawer, drawers counted by language, and a query's words weighed in each of them."""

from __future__ import annotations

from pathlib import Path

from alembic import context, op

revision = "0010"
down_revision = "0009"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision
FORMER_FUNCTIONS = SCRIPTS.parent / "0007"
FORMER = {"weigh_words": "bigint, text"}
PRESENT = {
    "stemmers_of": "bigint",
    "weigh_words_of_languages": "bigint, text, text[], text[]",
    "weigh_words": "bigint, text, text[], text[]",
}
"""What each function is given, in the order in which they are made."""


def upgrade() -> None:
    """Run the frozen script, then give the function its further words."""
    op.get_bind().exec_driver_sql((SCRIPTS / "upgrade.sql").read_text(encoding="utf-8"))
    _drop(FORMER)
    _make(SCRIPTS, PRESENT)


def downgrade() -> None:
    """Bring the function and the counts of before back; words that were filed stay as they are until a rebuild."""
    _drop(PRESENT)
    _make(FORMER_FUNCTIONS, FORMER)
    op.get_bind().exec_driver_sql((SCRIPTS / "downgrade.sql").read_text(encoding="utf-8"))


def _drop(functions: dict[str, str]) -> None:
    for name, given in reversed(functions.items()):
        op.get_bind().exec_driver_sql(f"DROP FUNCTION {name}({given})")


def _make(scripts: Path, functions: dict[str, str]) -> None:
    """Make functions of scripts, in which @palace@ stands for the schema, for the runtime role alone."""
    bind = op.get_bind()
    for name, given in functions.items():
        script = (scripts / f"{name}.sql").read_text(encoding="utf-8")
        bind.exec_driver_sql(script.replace("@palace@", context.config.attributes["schema"]))
        bind.exec_driver_sql(f"REVOKE ALL ON FUNCTION {name}({given}) FROM PUBLIC")
        bind.exec_driver_sql(f"GRANT EXECUTE ON FUNCTION {name}({given}) TO palace_app")
