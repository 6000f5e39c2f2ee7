"""Databases with a victim in them: one as it is, one whose policies are switched off."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg

from palace import Palace, load_settings
from palace.db.tables import Base
from palace.testing import HashingEmbedder
from tests.hosts import Host
from tests.hosts.reach import TEMPLATE, execute
from tests.isolation.guess import WEIGHED, Guess
from tests.isolation.loot import Loot
from tests.isolation.victim import GONE, SECRETS, VICTIM, Victim

SHARED_TABLES = {"embedding_generation"}
TABLES = sorted(set(Base.metadata.tables) - SHARED_TABLES)
QUEUE = "palace_queue.procrastinate_jobs"
NUMBERED = [name for name in TABLES if "id" in Base.metadata.tables[name].columns]


class World:
    """A database of its own with a victim in it, or, ``deserted``, one whose only user is gone without a trace.

    Without ``policies``, row-level security is switched off.
    """

    def __init__(self, host: Host, name: str, folder: Path, *, policies: bool, deserted: bool = False) -> None:
        self._host, self.name, self.folder, self.policies = host, name, folder, policies
        host.create_database(name, template=TEMPLATE)
        self.settings = load_settings(
            home=folder,
            database_url=host.runtime_url(name),
            database_owner_url=host.owner_url(name),
        )
        execute(host.owner_url(name), *_restarted(), *([] if policies else _without_policies()))
        self.victim = Victim(self.settings, folder, GONE if deserted else VICTIM)
        self.guess, self.loot = Guess.of(self.victim, folder), Loot.of(self.victim)
        if deserted:
            self.victim.palace.forget_everything()
        self.ids = [] if deserted else self._ids()

    def close(self) -> None:
        """Remove the database."""
        self.victim.palace.close()
        self._host.drop_database(self.name)

    def stranger(self, user: str) -> Palace:
        """Open the palace of somebody who has a little of their own: one drawer in W-001, "Bees"."""
        stranger = Palace.open(self.settings, user=user, embedder=HashingEmbedder())
        stranger.note("I keep bees behind the shed.", wing="Bees")
        return stranger

    def rows(self) -> list[tuple[str, str]]:
        """Read every row of the victim's, every column of it, as the owner."""
        with psycopg.connect(self._host.owner_url(self.name)) as connection:
            found = connection.execute(rows_of(self.victim.user_id).encode())
            return sorted((str(table), str(row)) for table, row in found)

    def secrets_in(self, told: str) -> list[str]:
        """List what an answer tells of the victim beside what was guessed."""
        told = WEIGHED.sub("", told)
        for text in self.guess.spoken():
            told = told.replace(text, "")
        numbers = set(re.findall(r"\b\d{7}\b", told))
        return [secret for secret in SECRETS if secret in told.lower()] + [id_ for id_ in self.ids if id_ in numbers]

    def comparable(self, told: str, user: str) -> str:
        """Write an answer as it would be in any world."""
        return self.guess.comparable(told.replace(self.name, "<database>"), user)

    def _ids(self) -> list[str]:
        """List every internal id of the victim's rows."""
        with psycopg.connect(self._host.owner_url(self.name)) as connection:
            numbers = [_of_user("CAST(id AS text)", name, self.victim.user_id) for name in NUMBERED]
            jobs = f"SELECT CAST(id AS text) FROM {QUEUE} WHERE user_id = {self.victim.user_id}"
            query = " UNION ".join([*numbers, jobs])
            return sorted(str(row[0]) for row in connection.execute(query.encode()))


def rows_of(user_id: int) -> str:
    """Write the statement that reads every row of a user, with the name of its table."""
    rows = [_of_user(f"'{name}', CAST(t AS text)", name, user_id) for name in TABLES]
    return " UNION ALL ".join([*rows, f"SELECT '{QUEUE}', CAST(t AS text) FROM {QUEUE} AS t WHERE user_id = {user_id}"])


def _of_user(selected: str, table: str, user_id: int) -> str:
    key = "id" if table == "palace_user" else "user_id"
    return f"SELECT {selected} FROM palace.{table} AS t WHERE {key} = {user_id}"


def _restarted() -> list[str]:
    """Let each table's ids begin where no other number in an answer can be taken for one."""
    return [
        f"ALTER TABLE palace.{name} ALTER COLUMN id RESTART WITH {7_000_001 + 10_000 * place}"
        for place, name in enumerate(NUMBERED)
    ] + ["ALTER SEQUENCE palace_queue.procrastinate_jobs_id_seq RESTART WITH 7900001"]


def _without_policies() -> list[str]:
    tables = [*(f"palace.{name}" for name in TABLES), QUEUE]
    return [f"ALTER TABLE {name} NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY" for name in tables]
