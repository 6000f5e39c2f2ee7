"""Who works in a transaction: the one message that it begins with."""

from __future__ import annotations

from typing import NamedTuple

from psycopg.sql import Literal as quoted

from palace.config.trust import RUNTIME_ROLE

_ENTER = (
    f"SET LOCAL ROLE {RUNTIME_ROLE}; SET LOCAL search_path = {{path}};"
    " SET LOCAL palace.user_id = '{user_id}'; SET LOCAL palace.user_name = {user_name};"
    " SET LOCAL synchronous_commit = {durability}"
)


class Entry(NamedTuple):
    """Who works in a transaction, and whether its commit waits for the disk."""

    user_id: int | None = None
    user_name: str = ""
    flush: bool = True

    def statement(self, path: str) -> str:
        """Write the message that says so. SET takes no parameters; but a cluster passes it on, and no set_config."""
        return _ENTER.format(
            path=path,
            user_id="" if self.user_id is None else int(self.user_id),
            user_name=quoted(self.user_name).as_string(),
            durability="on" if self.flush else "off",
        )


def search_path(schema: str) -> str:
    """Say where unqualified names are looked up: palace, extensions, queue; temporary objects come last."""
    return f"{schema}, public, {queue_of(schema)}, pg_temp"


def queue_of(schema: str) -> str:
    """Name the schema of the queue of background work, beside the palace's."""
    return f"{schema}_queue"
