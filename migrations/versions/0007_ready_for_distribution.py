"""Functions that are told whose rows they are about, and policies without sub-selects: as distributed tables need."""

from __future__ import annotations

import re
from pathlib import Path

from alembic import context, op

revision = "0007"
down_revision = "0006"

SCRIPTS = Path(__file__).parent.parent / "sql" / revision
FUNCTIONS = ("weigh_words", "keyword_candidates", "refresh_statistics")
KEYWORDS = "tsquery[], double precision[], int, int, boolean, bigint, timestamptz, timestamptz"
FORMER = ("weigh_words(text)", f"keyword_candidates({KEYWORDS})", "refresh_statistics()")
PRESENT = (
    "weigh_words(bigint, text)",
    f"keyword_candidates(bigint, {KEYWORDS}, text, text)",
    "refresh_statistics(bigint)",
)


def upgrade() -> None:
    """Run the frozen scripts in order; in a function, @palace@ stands for the schema."""
    _replace_functions(FORMER, SCRIPTS)
    op.get_bind().exec_driver_sql((SCRIPTS / "security.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    """Bring the functions and policies of before back."""
    _replace_functions(PRESENT, SCRIPTS.parent / "0004")
    script = (SCRIPTS / "security.sql").read_text(encoding="utf-8")
    for present, former in zip(PRESENT, FORMER, strict=True):
        script = script.replace(present, former)
    settings = re.compile(
        r"nullif\(current_setting\('palace.user_id', true\), ''\)::bigint|current_setting\('palace.user_name', true\)"
    )
    op.get_bind().exec_driver_sql(settings.sub(r"(SELECT \g<0>)", script))


def _replace_functions(gone: tuple[str, ...], scripts: Path) -> None:
    """Drop functions by what they are given, and make those of some scripts."""
    for function in gone:
        op.get_bind().exec_driver_sql(f"DROP FUNCTION {function}")
    for name in FUNCTIONS:
        script = (scripts / f"{name}.sql").read_text(encoding="utf-8")
        op.get_bind().exec_driver_sql(script.replace("@palace@", context.config.attributes["schema"]))
