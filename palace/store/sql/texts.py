"""What can be read of a statement that is text: whether it asks for the user, and which tables it mentions. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from palace.errors import UserNotNamed
from palace.tables import Base, PalaceUser

KEY = "user_id"
QUEUE = "procrastinate_jobs"
"""The table of jobs, in a schema of its own, which is not declared with the palace's."""
_OWN = {PalaceUser.__tablename__: "id", QUEUE: KEY}
KEYS = {table.name: KEY for table in Base.metadata.sorted_tables if KEY in table.c} | _OWN
"""The column that says whose a row is, by table."""

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
"""What of a text is no SQL, each as Postgres ends it. A quoted name is SQL, and may hold what begins another."""


def user_table_in(text: str) -> str | None:
    """Find a table with users' rows in a text, wherever it stands in it, in whatever case."""
    found = _USER_TABLE.search(text)
    return found[0] if found else None


@lru_cache(maxsize=512)
def asks_for_user(text: str) -> bool:
    """Tell whether a text binds the user, which it has to where it mentions a table with users' rows.

    What a comment or a literal holds binds nothing. A table in a literal counts as mentioned: there are functions that
    run what they are given.

    Raises:
        UserNotNamed: it mentions one and does not.
    """
    # Postgres ends a comment within a comment on its own, which is more than a pattern can follow.
    if any(comment.count("/*") > 1 for comment in (found["comment"] or "" for found in _SET_APART.finditer(text))):
        raise UserNotNamed("a statement has a comment within a comment")
    asks = _BINDS_USER.search(_SET_APART.sub(_without_literals, text)) is not None
    table = user_table_in(_SET_APART.sub(_without_comments, text))
    if table and not asks:
        raise unnamed(table)
    return asks


def unnamed(table: str) -> UserNotNamed:
    """Say of a statement that it does not name its user."""
    return UserNotNamed(f"a statement on {table} does not name its user: nothing was sent, which is our fault")


def _without_comments(found: re.Match[str]) -> str:
    return " " if found["comment"] else found[0]


def _without_literals(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else " "
