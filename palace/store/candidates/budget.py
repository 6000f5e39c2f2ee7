"""The time that an arm's statements may take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from psycopg.errors import QueryCanceled

from palace.errors import OutOfTime
from palace.store.database import UserSession

_BUDGET = sa.text("SELECT set_config('statement_timeout', :budget, true)")


@contextmanager
def budget(session: UserSession, milliseconds: int) -> Iterator[None]:
    """Let each statement in the block take so long; 0 for any time. It holds until the transaction ends.

    Raises:
        OutOfTime: one took longer and was stopped; after that the session is of no more use.
    """
    session.execute(_BUDGET, {"budget": f"{milliseconds}ms"})
    try:
        yield
    except sa.exc.OperationalError as problem:
        if not isinstance(problem.orig, QueryCanceled):
            raise
        raise OutOfTime(f"a statement took more than {milliseconds:,} ms and was stopped") from problem
