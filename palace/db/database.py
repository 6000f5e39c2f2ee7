"""The connection to a palace's database: its server and role, with one user in each transaction.

Every transaction begins with a message that sets the runtime role and the user's id, both local to the transaction:
nothing stays on the connection, so a pooler in transaction mode works.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar

import psycopg
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from palace.cancellation import go_on
from palace.config.address import driver_address, named_place, secrets_in, shown_address
from palace.config.settings import Settings
from palace.config.trust import require_own_folder
from palace.db.binding import DEFAULT, GENERIC, KEY, PLANS, Rows, bound, key_of, owned, statement
from palace.db.driver import Answer, Channel, TextResult, Value
from palace.db.embedded.home import LOGIN_ROLE, OWNER_ROLE
from palace.db.embedded.server import EmbeddedServer
from palace.db.refusals import has_failed, interruptible, is_lost, is_transient, translated
from palace.db.rows import batches
from palace.db.schema import LOOK_SECONDS, SYSTEM_PATH, Schema, as_owner, role_exists, version_within
from palace.db.tables import Base
from palace.db.transaction_user import TransactionUser
from palace.errors import DatabaseUnavailable, PalaceError
from palace.models import ServerStatus

Result = TypeVar("Result")
ATTEMPTS = 6
_JITTER = random.SystemRandom()
"""Independent of the module's generator, which the host program may have seeded."""


@dataclass(frozen=True, slots=True)
class UserSession:
    """An open transaction on one user's rows; the first argument of the functions of ``palace.db``."""

    connection: sa.Connection
    user_id: int
    _channel: Channel = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Send statements on the connection."""
        object.__setattr__(self, "_channel", Channel(self.connection))

    @property
    def has_failed(self) -> bool:
        """Check whether a statement failed, so that the transaction takes no other one."""
        return has_failed(self.connection)

    def execute(
        self, statement: sa.Executable, parameters: Any = None, *, generic_plan: bool = False
    ) -> sa.CursorResult[*tuple[Any, ...]]:
        """Execute one statement on the user's rows; ``user_id`` is bound where a text names it.

        With ``generic_plan`` it is planned without the user's id: without statistics of that user, it would scan all.

        Raises:
            UserNotNamed: the statement does not restrict a users' table to this user; nothing is sent.
            Cancelled: the current call is cancelled; nothing is sent.
        """
        go_on()
        plan = GENERIC if generic_plan else DEFAULT
        return self._channel.execute(statement, bound(statement, parameters, self.user_id), plan)

    def run(self, name: str, parameters: Mapping[str, Any] | None = None, **literals: int) -> TextResult:
        """Execute a file of ``palace/db/sql``; ``literals`` are inserted into its text as integers."""
        return self.ask(name, parameters, lambda rows: rows, literals).get()

    def ask(
        self,
        text: str | sa.TextClause,
        parameters: Mapping[str, Any] | None,
        read: Callable[[TextResult], Value],
        literals: Mapping[str, int] = MappingProxyType({}),
        *,
        generic_plan: bool = False,
    ) -> Answer[Value]:
        """Have a file of ``palace/db/sql``, or a text, executed together with others; ``read`` converts its rows."""
        go_on()
        named = statement(text, **literals) if isinstance(text, str) else text
        plan = PLANS.get(text, DEFAULT) if isinstance(text, str) else GENERIC if generic_plan else DEFAULT
        return self._channel.ask(named, bound(named, parameters, self.user_id), plan, read)

    def options(self, **values: object) -> AbstractContextManager[None]:
        """Set options of the server for the block, sent with its first statement; ``a__b`` stands for a.b."""
        return self._channel.options(**values)

    def select(self, *columns: Any) -> sa.Select[*tuple[Any, ...]]:
        """Select the user's rows from the table of the first column.

        Tables joined by their keys are restricted to the user as well: keys begin with the user's id.
        """
        query = sa.select(*columns)
        table = query.columns_clause_froms[0]
        return query.select_from(table).where(key_of(table) == self.user_id)

    def values(self, query: sa.Executable, parameters: Any = None) -> list[Any]:
        """Return the first column of a query's rows."""
        return list(self.execute(query, parameters).scalars())

    def has(self, *queries: sa.Select[*tuple[Any, ...]]) -> bool:
        """Check whether any of some queries returns a row."""
        return bool(self.execute(sa.select(sa.or_(*(query.exists() for query in queries)))).scalar_one())

    def count(self, table: type[Base], *where: Any) -> int:
        """Count the user's rows of a table that meet some conditions."""
        mine = key_of(table.__table__) == self.user_id
        return int(self.execute(sa.select(sa.func.count()).select_from(table).where(mine, *where)).scalar_one())

    def update(
        self, table: Any, *where: Any, returning: Any = None, **values: Any
    ) -> sa.CursorResult[*tuple[Any, ...]]:
        """Update the user's rows of a table that meet some conditions; return the ``returning`` column of each."""
        changed = sa.update(table).where(key_of(table.__table__) == self.user_id, *where).values(**values)
        return self.execute(changed if returning is None else changed.returning(returning))

    def delete(self, table: type[Base], *where: Any, returning: Any = None) -> sa.CursorResult[*tuple[Any, ...]]:
        """Delete the user's rows of a table that meet some conditions; return the ``returning`` column of each."""
        gone = sa.delete(table).where(key_of(table.__table__) == self.user_id, *where)
        return self.execute(gone if returning is None else gone.returning(returning))

    def add(self, table: Any, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert any number of rows for the user, except those that exist already."""
        for batch in batches(rows):
            self.insert(insert(table).on_conflict_do_nothing(), list(batch))

    def put(self, table: Any, rows: Rows, *, key: Sequence[str], columns: Sequence[str]) -> None:
        """Upsert one row for the user, or several; where a key exists already, update ``columns`` that differ."""
        made = insert(table)
        anew = {name: made.excluded[name] for name in columns}
        differs = sa.or_(*(table.__table__.c[name].is_distinct_from(new) for name, new in anew.items()))
        self.insert(made.on_conflict_do_update(index_elements=[KEY, *key], set_=anew, where=differs), rows)

    def insert(self, into: sa.Insert, rows: Rows) -> sa.CursorResult[*tuple[Any, ...]]:
        """Insert one row, or several, for the user; the rows must not name a user."""
        go_on()
        return self._channel.execute(owned(into, rows, self.user_id))


class Database:
    """A database with the palaces of its users: one engine and one pool of connections; thread-safe.

    A forked process gets connections of its own. Work on a user's rows goes through ``of``, all other work through
    ``without_user``.
    """

    def __init__(self, settings: Settings) -> None:
        """Describe the database; no connection is made yet.

        Raises:
            BadRequest: other accounts can write to the home of an embedded server.
        """
        self.settings = settings
        if not settings.database_url:
            require_own_folder(settings.home_folder)
        self.server = (
            None
            if settings.database_url
            else EmbeddedServer(settings.home_folder, idle_minutes=settings.server_idle_minutes)
        )
        self.schema = Schema(settings.database_schema)
        self._engine: sa.Engine | None = None
        self._process = os.getpid()

    def open(self, *, as_it_is: bool = False) -> None:
        """Connect; start and migrate the embedded server where needed, unless ``as_it_is``.

        Raises:
            DatabaseUnavailable: no server answers.
            SchemaMismatch: the schema is not at this code's revision, on a shared server or with ``as_it_is``.
        """
        mends = self.server is not None and not as_it_is
        with translated(self.address, self.secrets):
            if self.server:
                self.server.ensure_running() if mends else self.server.require_running()
            self._engine = self._make_engine(self.runtime_url(), starts=mends)
            try:
                with self._engine.connect() as connection:
                    self.schema.check(connection)
            except (sa.exc.OperationalError, psycopg.OperationalError):
                if not mends or not self._login_is_missing():
                    raise
                self.upgrade()
            except self.schema.Outdated:
                if not mends:
                    raise
                self.upgrade()

    def upgrade(self) -> str:
        """Migrate to this code's revision and return it."""
        with translated(self.owner_address, self.secrets):
            if self.server:
                self.server.ensure_running()
            revision = self.schema.upgrade(self.owner_url(), login=LOGIN_ROLE if self.server else None)
            self._engine = self._engine or self._make_engine(self.runtime_url())
            return revision

    def close(self) -> None:
        """Close every connection; the database cannot be used afterwards."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.dispose()

    def of(self, user_id: int) -> UserDatabase:
        """Return the database as one user sees it: the same connections, restricted to their rows."""
        return UserDatabase(self, user_id)

    @contextmanager
    def without_user(self, *, user_name: str = "") -> Iterator[sa.Connection]:
        """Open a transaction without a user, for the catalog, the schema, and the table of users.

        It sees no user's rows except, with ``user_name``, the row of the user of that name.
        """
        with self.transaction_as(TransactionUser(user_name=user_name)) as connection:
            yield connection

    @contextmanager
    def transaction_as(self, user: TransactionUser, *, snapshot: bool = False) -> Iterator[sa.Connection]:
        """Open a transaction as the runtime role, for ``user``; commit it at the end."""
        with translated(self.address, self.secrets):
            entering = user.statement(self.schema.search_path)
            with self._connect_as(entering, snapshot=snapshot) as connection:
                yield connection
                # The driver may count statements as prepared that the server skipped; a rollback clears its list.
                end = connection.rollback if has_failed(connection) else connection.commit
                end()

    def check_schema(self) -> None:
        """Check that the schema is still at this code's revision, before a long-running process writes."""

        def attempt() -> None:
            with self.without_user() as connection:
                self.schema.check(connection)

        _persist(attempt, is_embedded=self.server is not None)

    @property
    def address(self) -> str:
        """Host and database, or the embedded server's home, for messages; never a password."""
        return self._address(self._shared_url(owner=False))

    @property
    def owner_address(self) -> str:
        """The same for the owner's address."""
        return self._address(self._shared_url(owner=True))

    def _address(self, shared_url: str) -> str:
        return f"the embedded server in {self.settings.home_folder}" if self.server else named_place(shared_url)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Secret parts of the addresses, never to be shown; longest first."""
        if self.server:
            return ()
        urls = (self._shared_url(owner=False), self._shared_url(owner=True))
        return tuple(sorted({secret for url in urls for secret in secrets_in(url)}, key=len, reverse=True))

    def _shared_url(self, *, owner: bool) -> str:
        """Return a shared server's address as configured, "" for the embedded server."""
        url = (owner and self.settings.database_owner_url) or self.settings.database_url
        return url.get_secret_value() if url and not self.server else ""

    def runtime_url(self) -> str:
        """Return the URL for everyday work, as the runtime role's member."""
        return driver_address(self.server.url(LOGIN_ROLE) if self.server else self._shared_url(owner=False))

    def owner_url(self) -> str:
        """Return the URL for migrations, as the schema's owner."""
        return driver_address(self.server.url(OWNER_ROLE) if self.server else self._shared_url(owner=True))

    @property
    def may_own(self) -> bool:
        """Whether the owner's address is known, which building an index needs."""
        return self.server is not None or self.settings.database_owner_url is not None

    def status(self) -> ServerStatus:
        """Return what runs where, without starting anything."""
        if self.server:
            return self.server.status()
        version = version_within(self.runtime_url(), LOOK_SECONDS)
        return ServerStatus(kind="shared", running=version is not None, url=self.shown_url(), version=version)

    def shown_url(self, *, owner: bool = False) -> str:
        """Return the URL for display and other programs, without a driver and with passwords hidden."""
        if self.server:
            return self.server.url(OWNER_ROLE if owner else LOGIN_ROLE)
        return shown_address(self._shared_url(owner=owner))

    def _connect_as(self, entering: str, *, snapshot: bool) -> sa.Connection:
        """Connect and enter the role and user. A pooled connection may be dead: then try another once."""
        engine = self._engine
        if engine is None:
            raise DatabaseUnavailable("the palace is closed")
        if self._process != os.getpid():
            # This is a fork: the connections belong to the parent, which would read answers meant for this process.
            self._process = os.getpid()
            engine.dispose(close=False)
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; " if snapshot else "BEGIN; "
        for is_last in (False, True):
            connection = engine.connect()
            try:
                # Without parameters, the driver leaves percent signs in names alone.
                connection.exec_driver_sql(begin + entering, execution_options={"no_parameters": True})
            except sa.exc.DBAPIError as problem:
                connection.close()
                if is_last or not problem.connection_invalidated:
                    raise
            else:
                return connection
        raise AssertionError("unreachable")

    def _make_engine(self, url: str, *, starts: bool = True) -> sa.Engine:
        # A shared server may be behind a pooler; in transaction mode it loses prepared statements.
        options = {} if self.server else {"prepare_threshold": None}
        # The message that enters a transaction begins it, too.
        pool: dict[str, Any] = {"pool_size": 5, "max_overflow": 20, "pool_use_lifo": True, "connect_args": options}
        engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", **pool)

        def connect(_dialect: Any, _record: Any, arguments: Any, parameters: Any) -> Any:
            # The server may have stopped for idleness since; one retry is enough.
            if self.server:
                self.server.require_own_socket()
            try:
                return psycopg.connect(*arguments, **parameters)
            except psycopg.OperationalError:
                if self.server is None or not starts:
                    raise
                self.server.ensure_running()
                return psycopg.connect(*arguments, **parameters)

        sa.event.listen(engine, "do_connect", connect)
        return engine

    def _login_is_missing(self) -> bool:
        """Check whether the embedded server answers its owner and only lacks the login role.

        That is so in a new home, and in one of a version that logged in as the runtime role itself.
        """
        with as_owner(self.owner_url()) as connection:
            return not role_exists(connection, LOGIN_ROLE)


@contextmanager
def owner_connection(database: Database, path: str = SYSTEM_PATH) -> Iterator[sa.Connection]:
    """Connect as the schema's owner, with the embedded server started; every statement is its own transaction.

    Unqualified names are looked up in the system's schema alone, unless a ``path`` is given.

    Raises:
        DatabaseUnavailable: no server answers.
    """
    with translated(database.owner_address, database.secrets):
        if database.server:
            database.server.ensure_running()
        with as_owner(database.owner_url(), path) as connection:
            yield connection


@dataclass(frozen=True, slots=True)
class UserDatabase:
    """A database as one user sees it: every transaction is theirs, on connections shared by all users."""

    shared: Database
    user_id: int

    @contextmanager
    def transaction(self, *, flush: bool = True, snapshot: bool = False) -> Iterator[UserSession]:
        """Open a transaction that sees the user's rows alone; committed on leaving, rolled back on an error.

        Without ``flush`` the commit does not wait for the disk, for work that is repeated when it is lost; it is never
        lost while a later transaction is kept. A ``snapshot`` is read-only and sees one moment throughout.

        Raises:
            Cancelled: the current call is cancelled, before or meanwhile.
        """
        go_on()
        user = TransactionUser(user_id=self.user_id, flush=flush)
        with self.shared.transaction_as(user, snapshot=snapshot) as connection, interruptible(connection):
            yield UserSession(connection, self.user_id)

    def run(self, work: Callable[[UserSession], Result], *, flush: bool = True) -> Result:
        """Run ``work`` in a transaction of its own; retry it after a deadlock or a serialisation failure.

        If the embedded server went away, it is started and the work repeated. The first attempt may have been
        committed, so ``work`` must check what is there already.
        """

        def attempt() -> Result:
            with self.transaction(flush=flush) as session:
                return work(session)

        return _persist(attempt, is_embedded=self.shared.server is not None)


def _persist(attempt: Callable[[], Result], *, is_embedded: bool) -> Result:
    """Retry an attempt after a deadlock or serialisation failure, or when the embedded server went away."""
    for number in range(1, ATTEMPTS + 1):
        try:
            return attempt()
        except (PalaceError, sa.exc.DBAPIError) as problem:
            is_worth_it = is_transient(problem) or (is_embedded and is_lost(problem))
            if number == ATTEMPTS or not is_worth_it:
                raise
            time.sleep(_JITTER.uniform(0.01, 0.05) * 2**number)
    raise AssertionError("unreachable")
