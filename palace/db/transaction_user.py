"""The user of a transaction: the message that it begins with. Imports nothing but the driver."""

from __future__ import annotations

from typing import NamedTuple

from psycopg.sql import Literal as quoted

from palace.config.trust import RUNTIME_ROLE

_ENTER = (
    f"SET LOCAL ROLE {RUNTIME_ROLE}; SET LOCAL search_path = {{path}};"
    " SET LOCAL palace.user_id = '{user_id}'; SET LOCAL palace.user_name = {user_name};"
    " SET LOCAL synchronous_commit = {durability}"
)


class TransactionUser(NamedTuple):
    """The user of a transaction, and whether its commit waits for the disk."""

    user_id: int | None = None
    user_name: str = ""
    flush: bool = True

    def statement(self, path: str) -> str:
        """Return the message that begins the transaction. A Citus cluster propagates SET, but not set_config."""
        return _ENTER.format(
            path=path,
            user_id="" if self.user_id is None else int(self.user_id),
            user_name=quoted(self.user_name).as_string(),
            durability="on" if self.flush else "off",
        )


def search_path(schema: str) -> str:
    """Return the search path for unqualified names: palace, extensions, queue; temporary objects come last."""
    return f"{schema}, public, {queue_of(schema)}, pg_temp"


def queue_of(schema: str) -> str:
    """Return the name of the queue's schema, beside the palace's."""
    return f"{schema}_queue"
