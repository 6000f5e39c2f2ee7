"""The time that an arm's statements may take."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType

import sqlalchemy as sa
from psycopg.errors import QueryCanceled

from palace.errors import OutOfTime
from palace.store.database import UserSession


@dataclass(frozen=True, slots=True)
class Budget:
    """Lets each statement in a ``with`` block take so long, and each after it until the transaction ends.

    Raises:
        OutOfTime: one took longer and was stopped; after that the session is of no more use.
    """

    session: UserSession
    milliseconds: int
    """0 for any time."""

    def __enter__(self) -> None:
        self.session.execute(sa.text(f"SET LOCAL statement_timeout = {int(self.milliseconds)}"))

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(problem, sa.exc.OperationalError) and isinstance(problem.orig, QueryCanceled):
            raise OutOfTime(f"a statement took more than {self.milliseconds:,} ms and was stopped") from problem
