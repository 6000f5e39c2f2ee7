"""Statements of text, sent on the driver's own cursor: SQLAlchemy adds as much time again to each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar, cast

import psycopg
import sqlalchemy as sa
from sqlalchemy.engine import IteratorResult
from sqlalchemy.engine.result import SimpleResultMetaData

from palace.db.binding import DEFAULT

Value = TypeVar("Value")
_dialect: Any = sa.make_url("postgresql+psycopg://").get_dialect()
_NUMBERED: sa.Dialect = _dialect(paramstyle="numeric_dollar")


class TextResult(IteratorResult[*tuple[Any, ...]]):
    """The rows that a statement of text returned, all of them fetched."""

    def __init__(self, cursor: psycopg.Cursor[Any]) -> None:
        """Fetch the rows of a cursor."""
        result = cursor.pgresult
        names = tuple(result.fname(place) for place in range(result.nfields)) if result else ()
        super().__init__(_metadata(names), iter(cursor.fetchall() if names else ()))
        self.rowcount = cursor.rowcount


class Message(NamedTuple):
    """A statement of text with its parameters, and the statements that set options of the server before it."""

    statement: sa.TextClause
    parameters: Mapping[str, Any] | None
    options: Sequence[str] = ()


@dataclass(slots=True, eq=False)
class Answer(Generic[Value]):
    """What a statement that was asked returns; reading it sends all that were asked so far, in one message."""

    channel: Channel
    message: Message
    read: Callable[[TextResult], Value]
    """Converts the rows."""
    result: TextResult | None = None

    def get(self) -> Value:
        """Return what the rows were converted to."""
        if self.result is None:
            self.channel.send_asked()
        assert self.result is not None
        return self.read(self.result)


@dataclass(frozen=True, slots=True)
class Channel:
    """The way of a session's statements: those of text on the driver's cursor, others through SQLAlchemy."""

    connection: sa.Connection
    _options: dict[str, object] = field(default_factory=dict)
    """Options that the next statement needs, ``DEFAULT`` to set one back."""
    _sent: dict[str, object] = field(default_factory=dict)
    """Options as the server has them when it executes the next statement."""
    _asked: list[Answer[Any]] = field(default_factory=list)
    """Answers whose statements go with the next one."""

    @contextmanager
    def options(self, **values: object) -> Iterator[None]:
        """Set options of the server for the block, sent with its first statement; ``a__b`` stands for a.b.

        An extension's, such as a.b, stay as they are: statements that depend on one set it.
        """
        before = {name: self._options.get(name, DEFAULT) for name in values if "__" not in name}
        self._options.update(values)
        try:
            yield
        finally:
            self._options.update(before)

    def ask(
        self, text: sa.TextClause, parameters: Mapping[str, Any] | None, plan: str, read: Callable[[TextResult], Value]
    ) -> Answer[Value]:
        """Have a text executed together with others, once one of their answers is read."""
        self._options["plan_cache_mode"] = plan
        answer = Answer(self, Message(text, parameters, self._changed_options()), read)
        self._asked.append(answer)
        return answer

    def execute(
        self, statement: sa.Executable, parameters: Any = None, plan: str | None = None
    ) -> sa.CursorResult[*tuple[Any, ...]]:
        """Execute a statement at once, after those that were asked; a text's ``TextResult`` reads like another's."""
        plan = plan or str(self._options.get("plan_cache_mode", DEFAULT))
        if isinstance(statement, sa.TextClause):
            return cast(
                "sa.CursorResult[*tuple[Any, ...]]", self.ask(statement, parameters, plan, lambda rows: rows).get()
            )
        self.send_asked()
        self._options["plan_cache_mode"] = plan
        if options := self._changed_options():
            self.connection.exec_driver_sql("; ".join(options))
        return self.connection.execute(statement, parameters)

    def send_asked(self) -> None:
        """Send what was asked, so that the answers can be read."""
        waiting = list(self._asked)
        self._asked.clear()
        if waiting:
            for answer, result in zip(waiting, _send(self.connection, [each.message for each in waiting]), strict=True):
                answer.result = result

    def _changed_options(self) -> list[str]:
        """List statements that set the options for the next statement, which is then sent."""
        changed = {name: value for name, value in self._options.items() if self._sent.get(name, DEFAULT) != value}
        self._sent.update(changed)
        return [f"SET LOCAL {name.replace('__', '.')} = {value}" for name, value in changed.items()]


def _send(connection: sa.Connection, messages: Sequence[Message]) -> list[TextResult]:
    """Send statements of text, several at once; after one that fails, no later one is executed.

    Raises:
        DBAPIError: as from ``connection.execute``.
    """
    with _raised_as_usual(connection, messages) as driver:
        sent = []
        with _pipelined(driver) if len(messages) > 1 or messages[0].options else nullcontext():
            for statement, parameters, options in messages:
                for option in options:
                    driver.execute(option)
                text, names = _numbered(statement.text)
                values = [parameters[name] for name in names] if parameters else ()
                sent.append(psycopg.RawCursor(driver).execute(text, values))
        return list(map(TextResult, sent))


@contextmanager
def _pipelined(driver: psycopg.Connection[Any]) -> Iterator[None]:
    """Send the block's statements without waiting between them; raise the first error.

    The driver logs a lost connection where it leaves its pipeline mode with an error.
    """
    problems: list[psycopg.Error] = []
    try:
        with driver.pipeline():
            try:
                yield
            except psycopg.Error as problem:
                problems.append(problem)
    except psycopg.Error as problem:
        problems.append(problem)
    if problems:
        raise problems[0]


@contextmanager
def _raised_as_usual(connection: sa.Connection, messages: Sequence[Message]) -> Iterator[psycopg.Connection[Any]]:
    """Give the driver's connection; raise its errors as SQLAlchemy does, which discards a lost connection."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)
    try:
        yield driver
    except psycopg.Error as problem:
        is_lost = driver.closed
        if is_lost:
            connection.invalidate(problem)
        texts = "; ".join(message.statement.text for message in messages)
        raise sa.exc.DBAPIError.instance(
            texts, None, problem, psycopg.Error, connection_invalidated=is_lost, dialect=connection.dialect
        ) from problem


@lru_cache(maxsize=1024)
def _numbered(text: str) -> tuple[bytes, list[str]]:
    """Return a text with numbered parameters, and their names; the driver would look for named ones each time."""
    compiled = sa.text(text).compile(dialect=_NUMBERED)
    return str(compiled).encode(), list(getattr(compiled, "positiontup", None) or ())


@lru_cache(maxsize=1024)
def _metadata(names: tuple[bytes | None, ...]) -> SimpleResultMetaData:
    return SimpleResultMetaData([(name or b"").decode() for name in names])
