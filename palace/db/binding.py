"""Statements: loaded from files, and bound to the session's user.

Text SQL that mentions users' tables must bind ``:user_id``; inserted rows get the user's id. A SQLAlchemy statement
names its user itself: tests check each statement sent (``tests/statements.py``), and row-level security covers what
they miss.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql.dml import UpdateBase
from sqlalchemy.sql.elements import ClauseElement
from sqlalchemy.sql.selectable import SelectBase

from palace.db.rows import with_rows
from palace.db.tables import Base, PalaceUser
from palace.errors import UserNotNamed

Rows = Mapping[str, Any] | Sequence[Mapping[str, Any]]

_GRAPH_STATEMENTS = {"facts_about", "relations_at", "relations_of", "tagged_with", "tags_of"}
DEFAULT, GENERIC = "DEFAULT", "force_generic_plan"
PLANS = {
    **dict.fromkeys(("alike_drawers", "compare_drawers", "recalled_drawers", *_GRAPH_STATEMENTS), GENERIC),
    # A generic plan looks up each passage's drawer one by one, and computes the vector's signs for every passage.
    **dict.fromkeys(("semantic_quantised", "semantic_quantised_scoped"), "force_custom_plan"),
}
"""How Postgres plans a file's statement, where not as usual (``UserSession.execute`` explains)."""
KEY = "user_id"
QUEUE = "procrastinate_jobs"
"""The table of jobs, in a schema of its own, which is not declared with the palace's."""
_OWN = {PalaceUser.__tablename__: "id", QUEUE: KEY}
KEYS = {table.name: KEY for table in Base.metadata.sorted_tables if KEY in table.c} | _OWN
"""The column with the owning user's id, by table."""

_USER_TABLE = re.compile(rf"\b({'|'.join(KEYS)})\b", re.IGNORECASE)
_BINDS_USER = re.compile(rf"(?<![:\w\\]):{KEY}\b(?!:)")
_SET_APART = re.compile(
    r"""
      (?P<comment> --[^\n\r]* | /\*.*?\*/ )
    | (?P<literal> \bE'(?:[^'\\]|\\.|'')*' | '(?:[^']|'')*' | (?P<tag>\$(?:[^\W\d]\w*)?\$).*?(?P=tag) )
    | "(?:[^"]|"")*"
    """,
    re.DOTALL | re.VERBOSE | re.IGNORECASE,
)
"""Parts of a text that are not SQL, each delimited as in Postgres. A quoted name is SQL, but may hold delimiters."""


@lru_cache(maxsize=1024)
def statement(name: str, **literals: int) -> sa.TextClause:
    """Load ``sql/name.sql``; ``literals`` are inserted as integers, everything else stays a bound parameter."""
    text = (Path(__file__).parent / "sql" / f"{name}.sql").read_text(encoding="utf-8")
    for literal, value in literals.items():
        text = text.replace("{" + literal + "}", str(int(value)))
    return sa.text(text)


def bound(statement: sa.Executable, parameters: Any, user_id: int) -> Any:
    """Return the parameters for a statement, with the user's id where its text binds it.

    Raises:
        UserNotNamed: text on users' rows does not bind it, the caller passes one, or the parameters do not fit.
    """
    if parameters and not isinstance(parameters, Mapping):
        raise UserNotNamed("a statement is given several sets of parameters: it takes one at a time")
    if parameters and KEY in parameters:
        raise UserNotNamed("a statement is given a user's id: the session binds its own")
    if isinstance(statement, sa.TextClause):
        return {**(parameters or {}), KEY: user_id} if asks_for_user(statement.text) else parameters
    if not isinstance(statement, (SelectBase, UpdateBase)):
        raise UserNotNamed(f"{type(statement).__name__} is no select, insert, update or delete: it goes as text")
    if parameters:  # they could override the user's id that it is bound to, under a name that only SQLAlchemy knows
        raise UserNotNamed("a statement that is no text is given parameters: it holds its values itself")
    return None


def key_of(table: Any) -> sa.ColumnElement[int]:
    """Return the column with the owning user's id, of a table or an alias of one."""
    key: sa.ColumnElement[int] = table.c[KEYS[getattr(table, "element", table).name]]
    return key


def owned(into: sa.Insert, rows: Rows, user_id: int) -> sa.Insert:
    """Return an insert of one row, or several, with the user's id.

    Raises:
        UserNotNamed: a row already has a user's id, or an SQL expression as a value.
    """
    key = KEYS[str(into.table.name)]
    several = [rows] if isinstance(rows, Mapping) else rows
    if any(key in row for row in several):
        raise UserNotNamed(f"a row of {into.table.name} says whose it is: the session says it")
    if any(isinstance(value, ClauseElement) for row in several for value in row.values()):
        raise UserNotNamed(f"a row of {into.table.name} holds what is to be computed: give values")
    mine = {key: user_id}
    return into.values({**rows, **mine}) if isinstance(rows, Mapping) else with_rows(into, rows, mine)


def user_table_in(text: str) -> str | None:
    """Return the first users' table that a text mentions, anywhere and in any case; None without one."""
    found = _USER_TABLE.search(text)
    return found[0] if found else None


@lru_cache(maxsize=512)
def asks_for_user(text: str) -> bool:
    """Check whether a text binds the user's id, as it must where it mentions a table with users' rows.

    A binding in a comment or a literal does not count. A table in a literal does: some functions run the SQL in their
    arguments.

    Raises:
        UserNotNamed: it mentions such a table and binds no user.
    """
    # Postgres nests comments, which the pattern cannot follow.
    if any(comment.count("/*") > 1 for comment in (found["comment"] or "" for found in _SET_APART.finditer(text))):
        raise UserNotNamed("a statement has a comment within a comment")
    asks = _BINDS_USER.search(_SET_APART.sub(_without_literals, text)) is not None
    table = user_table_in(_SET_APART.sub(_without_comments, text))
    if table and not asks:
        raise unnamed(table)
    return asks


def unnamed(table: str) -> UserNotNamed:
    """Return the error for a statement that does not name its user."""
    return UserNotNamed(f"a statement on {table} does not name its user: nothing was sent, which is our fault")


def _without_comments(found: re.Match[str]) -> str:
    return " " if found["comment"] else found[0]


def _without_literals(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else " "
