"""One server a test run, one database a worker, one user a test.

``PALACE_TEST_SERVER`` says which server that is: ``embedded``, ``shared`` (TCP, a password, a login that owns nothing)
or ``pooled`` (the same through PgBouncer). Tests of the embedded server's own life have it in all three.
"""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
import signal
import tempfile
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from pydantic import SecretStr

from palace import Palace, Palaces, Settings
from palace.db.database import Database, UserSession
from palace.db.users import ensure_user
from palace.testing import HashingEmbedder, LanguageModelServer
from tests.hosts import HOSTS, Host
from tests.hosts.embedded import EmbeddedHost
from tests.hosts.kept import connections_of_their_own, kept_connections
from tests.hosts.pooled import PooledHost, find_pgbouncer
from tests.hosts.reach import TEMPLATE
from tests.hosts.shared import SharedHost
from tests.leftovers import none_left
from tests.statements import statements_name_their_user

RUN_VARIABLE, SERVER_VARIABLE = "PALACE_TEST_RUN", "PALACE_TEST_SERVER"

MOST_CASES = 40

SLOW_IS_FINE: dict[str, Any] = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
}
hypothesis_settings.register_profile("day", max_examples=15, derandomize=True, **SLOW_IS_FINE)
hypothesis_settings.register_profile("nightly", max_examples=300, **SLOW_IS_FINE)
gc.set_threshold(50_000, 20, 20)  # a tenth to a fifth of the time of tests that open palaces went into collections
hypothesis_settings.load_profile("day")  # `--hypothesis-profile` comes later and takes its place


def pytest_configure(config: pytest.Config) -> None:
    """Name the run once, in the process that starts the workers."""
    kept = {RUN_VARIABLE, SERVER_VARIABLE}
    for name in [name for name in os.environ if name.startswith("PALACE_") and name not in kept]:
        del os.environ[name]
    os.environ.setdefault(RUN_VARIABLE, uuid.uuid4().hex[:12])
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has what runs in its background ignore it
    if server_kind() not in HOSTS:
        raise pytest.UsageError(f"{SERVER_VARIABLE} is one of {', '.join(HOSTS)}")
    if server_kind() == "pooled" and find_pgbouncer() is None:
        raise pytest.UsageError("pgbouncer is not installed: apt-get install pgbouncer")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a function with more than forty cases: a table is looped over, and says of each row that is wrong."""
    cases = Counter(item.nodeid.partition("[")[0] for item in items)
    if many := [name for name, count in cases.items() if count > MOST_CASES]:
        raise pytest.UsageError(f"more than {MOST_CASES} cases: {', '.join(many)}")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the run's servers when the last worker has gone."""
    home = _run_home()
    if not hasattr(config, "workerinput") and home.exists():
        for host in (EmbeddedHost(home), PooledHost(home)):
            host.stop()
        shutil.rmtree(home, ignore_errors=True)


def server_kind() -> str:
    """Which server this run is on."""
    return os.environ.get(SERVER_VARIABLE, "embedded")


def is_night() -> bool:
    """Whether this run may take its time: each return of a connection is looked at."""
    return hypothesis_settings.get_current_profile_name() == "nightly"


def _run_home() -> Path:
    return Path(tempfile.gettempdir()) / f"palace-tests-{os.environ[RUN_VARIABLE]}"


def _running(host: Host) -> Host:
    """Bring a server up once for all workers."""
    # Not pytest's own folder: that is closed to the account Postgres runs as when the tests run as root.
    home = _run_home()
    home.mkdir(mode=0o711, exist_ok=True)
    with (home / "tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        host.ensure_running()
    return host


@pytest.fixture(scope="session", autouse=True)
def named_users() -> Iterator[None]:
    """Fail on any statement that a session sends without its user."""
    with statements_name_their_user():
        yield


@pytest.fixture(scope="session")
def host() -> Host:
    """The run's server, with a migrated database to clone."""
    return _running(HOSTS[server_kind()](_run_home()))


@pytest.fixture(scope="session")
def shared_host() -> SharedHost:
    """A shared server, whichever one the run is on."""
    shared = SharedHost(_run_home())
    _running(shared)
    return shared


@pytest.fixture(scope="session")
def settings(host: Host, worker_id: str) -> Iterator[Settings]:
    """Settings of a clone of the migrated database, reached as a shared server is."""
    name = f"palace_{worker_id}"
    host.create_database(name, template=TEMPLATE)
    made = Settings(
        home=_run_home(),
        turn_timeout_seconds=60,  # tests that are not about it do not race against a busy machine
        database_url=SecretStr(host.runtime_url(name)),
        database_owner_url=SecretStr(host.owner_url(name)),
    )
    with kept_connections(Database(made).runtime_url()):
        yield made


@pytest.fixture
def own_connections(settings: Settings) -> Iterator[None]:
    """Every palace that is opened has connections of its own, as for users."""
    with connections_of_their_own():
        yield


@pytest.fixture(scope="session")
def open_database(settings: Settings) -> Iterator[Database]:
    """The worker's database, open."""
    opened = Database(settings)
    opened.open()
    yield opened
    opened.close()


@pytest.fixture
def database(open_database: Database) -> Iterator[Database]:
    """The worker's database; a test that leaves something on a connection fails."""
    with none_left(open_database, at_each_return=is_night()):
        yield open_database


@pytest.fixture
def user_id(database: Database) -> int:
    """A user of the test's own."""
    return ensure_user(database, f"user-{uuid.uuid4()}")


@pytest.fixture
def session(database: Database, user_id: int) -> Iterator[UserSession]:
    """A transaction on that user's palace, rolled back at the end."""
    with database.of(user_id).transaction() as opened:
        yield opened
        opened.connection.rollback()


@pytest.fixture(scope="module")
def palaces(settings: Settings) -> Iterator[Palaces]:
    """A module's palaces on connections that stay warm, with an embedder that costs nothing."""
    with Palaces.open(settings, embedder=HashingEmbedder()) as opened:
        yield opened


@pytest.fixture
def palace(palaces: Palaces) -> Iterator[Palace]:
    """The palace of a user of the test's own."""
    opened = palaces.palace(f"user-{uuid.uuid4()}")
    with none_left(opened._opened.database.shared, at_each_return=is_night()):
        yield opened


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[LanguageModelServer]:
    """A language model that says what its script says, where litellm looks for OpenAI's."""
    with LanguageModelServer() as server:
        monkeypatch.setenv("OPENAI_API_BASE", server.api_base)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        yield server


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the account Postgres runs as can reach too."""
    path = Path(tempfile.mkdtemp(prefix="palace-folder-"))
    path.chmod(0o711)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def no_jobs(settings: Settings) -> Iterator[None]:
    """Have no job of another test in the queue: workers take everybody's."""
    url = settings.database_owner_url
    assert isinstance(url, SecretStr)
    with psycopg.connect(url.get_secret_value(), autocommit=True) as connection:
        connection.execute(b"DELETE FROM palace_queue.procrastinate_jobs")
        yield
        connection.execute(b"DELETE FROM palace_queue.procrastinate_jobs")
