"""A database with somebody's drawers in it, the runtime role at a careless server's, and its owner."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest

from palace import Palace, Settings, load_settings
from palace.testing import HashingEmbedder
from tests.hosts import Host
from tests.hosts.reach import LOGIN, RUNTIME, TEMPLATE, execute
from tests.hosts.shared import SharedHost

Connection = psycopg.Connection[tuple[Any, ...]]
SECRET = "The lantern hides the key of the vault."


@dataclass(frozen=True)
class Careless:
    """A database in which the runtime role may make temporary objects, and others in ``public``."""

    settings: Settings
    owner_url: str
    member_url: str
    straight_url: str
    """The member's without a pooler, so that nothing left there meets anybody else."""
    victim_id: int
    attacker_id: int

    def owner(self) -> Connection:
        """Connect as the schema's owner."""
        return psycopg.connect(self.owner_url)

    def member(self) -> Connection:
        """Connect as a member of the runtime role, taking on nothing."""
        return psycopg.connect(self.member_url, prepare_threshold=None)

    def attacker(self) -> Connection:
        """Connect as a member that takes on the runtime role and names a user of its own."""
        connection = self.member()
        connection.execute(f"SET LOCAL ROLE {RUNTIME}".encode())
        connection.execute("SELECT set_config('palace.user_id', %s, true)", (str(self.attacker_id),))
        return connection


@pytest.fixture(scope="module")
def careless(host: Host, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Careless]:
    """A database with a victim's drawer and an attacker's, which say much the same."""
    name = f"privileges_{uuid.uuid4().hex[:10]}"
    host.create_database(name, template=TEMPLATE)
    settings = load_settings(
        home=tmp_path_factory.mktemp("privileges"),
        database_url=host.runtime_url(name),
        database_owner_url=host.owner_url(name),
    )
    execute(host.administrator_url(name), f"GRANT CREATE ON SCHEMA public TO {RUNTIME}")
    users = []
    for user, said in (("victim", SECRET), ("attacker", "A lantern of my own.")):
        with Palace.open(settings, user=user, embedder=HashingEmbedder()) as palace:
            palace.note(said)
            users.append(palace._opened.database.user_id)
    straight = SharedHost.runtime_url(host, name) if isinstance(host, SharedHost) else host.runtime_url(name)
    yield Careless(settings, host.owner_url(name), host.runtime_url(name), straight, *users)
    host.drop_database(name)


@pytest.fixture
def owner(careless: Careless) -> Iterator[Connection]:
    """The schema's owner, in a transaction that is rolled back."""
    with careless.owner() as connection:
        yield connection
        connection.rollback()


@pytest.fixture
def attacker(careless: Careless) -> Iterator[Connection]:
    """The runtime role, in a transaction that is rolled back."""
    with careless.attacker() as connection:
        yield connection
        connection.rollback()


@pytest.fixture
def member(careless: Careless) -> Iterator[Connection]:
    """The login of everyday work, in a transaction that is rolled back."""
    with careless.member() as connection:
        assert connection.execute(b"SELECT current_user").fetchone() == (LOGIN,)
        yield connection
        connection.rollback()
