"""Schema objects besides tables: text search, row-level security, grants, and functions.

Policies let a session see only the rows of ``palace.user_id``; the owner, who migrates and whose functions check the
user themselves, sees all. The runtime role owns nothing.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import DDL, Connection, MetaData, event

from palace.config import trust
from palace.db.tables.base import Base

RUNTIME_ROLE, WORKER_ROLE = trust.RUNTIME_ROLE, trust.WORKER_ROLE
SCHEMA_MARK = "@palace@"
"""Placeholder for the schema in the functions, which name it so that no search path others can write to is used."""

TEXT_SEARCH = """
CREATE TEXT SEARCH DICTIONARY palace_plain (TEMPLATE = simple, STOPWORDS = english);
CREATE TEXT SEARCH CONFIGURATION palace_plain (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION palace_plain
  ALTER MAPPING FOR asciiword, word, numword, asciihword, hword, numhword, hword_asciipart, hword_part, hword_numpart
  WITH palace_plain;
"""

FUNCTIONS = (
    "stemmers_of",
    "weigh_words_of_languages",
    "weigh_words",
    "keyword_candidates",
    "named_places",
    "refresh_statistics",
)
"""Functions that the runtime role may call; their names are unique."""

STORAGE = "ALTER TABLE passage_embedding ALTER COLUMN embedding SET STORAGE MAIN;"

OWN_ROWS = "nullif(current_setting('palace.user_id', true), '')::bigint"
OWN_NAME = "current_setting('palace.user_name', true)"


def security_statements() -> list[str]:
    """Return the policies and grants of every table, in the order they are executed."""
    statements = []
    for table in Base.metadata.sorted_tables:
        if table.name == "embedding_generation":
            # A role that can choose an id could take that of the next model.
            given = "SELECT, INSERT (model, dimension, normalised)"
            statements.append(f"GRANT {given} ON {table.name} TO {RUNTIME_ROLE}")
            continue
        mine = f"user_id = {OWN_ROWS}"
        if table.name == "palace_user":
            mine = f"id = {OWN_ROWS} OR name = {OWN_NAME}"
        statements += [
            f"ALTER TABLE {table.name} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY",
            f"CREATE POLICY own_rows ON {table.name} USING ({mine}) WITH CHECK ({mine})",
            f"CREATE POLICY owner_maintains ON {table.name} TO CURRENT_USER USING (true) WITH CHECK (true)",
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table.name} TO {RUNTIME_ROLE}",
        ]
    statements += [f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC" for function in FUNCTIONS]
    statements += [f"GRANT EXECUTE ON FUNCTION {function} TO {RUNTIME_ROLE}" for function in FUNCTIONS]
    return statements


def _create_functions(_metadata: MetaData, connection: Connection, **_: object) -> None:
    name = str(connection.exec_driver_sql("SELECT current_schema()").scalar_one())
    for function in FUNCTIONS:
        body = Path(__file__).with_name(f"{function}.sql").read_text(encoding="utf-8")
        connection.exec_driver_sql(body.replace(SCHEMA_MARK, name))


def _ddl(statement: str) -> DDL:
    return DDL(statement.replace("%", "%%"))  # type: ignore[no-untyped-call]  # SQLAlchemy's own constructor has no types


event.listen(Base.metadata, "before_create", _ddl(TEXT_SEARCH))
event.listen(Base.metadata, "after_create", _ddl(STORAGE))
event.listen(Base.metadata, "after_create", _create_functions)
for _statement in security_statements():
    event.listen(Base.metadata, "after_create", _ddl(_statement))
