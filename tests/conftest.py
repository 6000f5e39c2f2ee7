"""One embedded server a test run, one database a worker, one user a test."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from palace import Palace
from palace.settings import Settings
from palace.store.database import Database, UserSession
from palace.store.embedded.server import OWNER_ROLE, EmbeddedServer
from palace.store.users import ensure_user
from palace.tables.objects import RUNTIME_ROLE
from palace.testing import HashingEmbedder

RUN_VARIABLE = "PALACE_TEST_RUN"


def pytest_configure(config: pytest.Config) -> None:
    """Name the run once, in the process that starts the workers."""
    for name in [name for name in os.environ if name.startswith("PALACE_") and name != RUN_VARIABLE]:
        del os.environ[name]
    os.environ.setdefault(RUN_VARIABLE, uuid.uuid4().hex[:12])


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the run's server when the last worker has gone."""
    home = _run_home()
    if not hasattr(config, "workerinput") and home.exists():
        EmbeddedServer(home, idle_minutes=0).stop()
        shutil.rmtree(home, ignore_errors=True)


def _run_home() -> Path:
    return Path(tempfile.gettempdir()) / f"palace-tests-{os.environ[RUN_VARIABLE]}"


@pytest.fixture(scope="session")
def server() -> EmbeddedServer:
    """The run's server, with a migrated database ``palace`` to clone."""
    home = _run_home()
    # Not pytest's own folder: that is closed to the account Postgres runs as when the tests run as root.
    home.mkdir(mode=0o711, exist_ok=True)
    with (home / "tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        template = Database(Settings(home=home, server_idle_minutes=0))
        template.open()
        template.close()
    return EmbeddedServer(home, idle_minutes=0)


@pytest.fixture(scope="session")
def settings(server: EmbeddedServer, worker_id: str) -> Settings:
    """Settings of a clone of the migrated database, reached as a shared server is."""
    name = f"palace_{worker_id}"
    engine = sa.create_engine(_driver_url(server, OWNER_ROLE, "postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name} TEMPLATE palace"))
    engine.dispose()
    return Settings(
        home=_run_home(),
        database_url=server.url(RUNTIME_ROLE, name),  # type: ignore[arg-type]
        database_owner_url=server.url(OWNER_ROLE, name),  # type: ignore[arg-type]
    )


def _driver_url(server: EmbeddedServer, role: str, database: str) -> str:
    return server.url(role, database).replace("postgresql://", "postgresql+psycopg://")


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    """The worker's database, open."""
    opened = Database(settings)
    opened.open()
    yield opened
    opened.close()


@pytest.fixture
def user_id(database: Database) -> int:
    """A user of the test's own."""
    return ensure_user(database, f"user-{uuid.uuid4()}")


@pytest.fixture
def session(database: Database, user_id: int) -> Iterator[UserSession]:
    """A transaction on that user's palace, rolled back at the end."""
    with database.transaction(user_id) as opened:
        yield opened
        opened.connection.get_transaction().rollback()  # type: ignore[union-attr]


@pytest.fixture
def palace(settings: Settings) -> Iterator[Palace]:
    """The palace of a user of the test's own, with an embedder that costs nothing."""
    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=HashingEmbedder()) as opened:
        yield opened


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the account Postgres runs as can reach too."""
    path = Path(tempfile.mkdtemp(prefix="palace-folder-"))
    path.chmod(0o711)
    yield path
    shutil.rmtree(path, ignore_errors=True)
