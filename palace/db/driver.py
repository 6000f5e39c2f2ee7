"""Statements of text, sent on the driver's own cursor, as SQLAlchemy takes as long as the driver for each of them."""

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
_make_dialect: Any = sa.make_url("postgresql+psycopg://").get_dialect()
_NUMBERING: sa.Dialect = _make_dialect(paramstyle="numeric_dollar")


class TextResult(IteratorResult[*tuple[Any, ...]]):
    """The rows that a statement of text returned, all of them fetched."""

    def __init__(self, cursor: psycopg.Cursor[Any]) -> None:
        """Fetch the rows of a cursor."""
        result = cursor.pgresult
        names = tuple(result.fname(place) for place in range(result.nfields)) if result else ()
        super().__init__(_metadata(names), iter(cursor.fetchall() if names else ()))
        self.rowcount = cursor.rowcount


class TextStatement(NamedTuple):
    """A statement of text as the driver takes it, and the statements that set options of the server before it."""

    text: str
    numbered: bytes
    """The text with numbers in place of the parameters' names."""
    values: Sequence[Any]
    options: Sequence[str]


@dataclass(slots=True, eq=False)
class Answer(Generic[Value]):
    """What a statement that was asked returns; reading it sends all that were asked so far, in one message."""

    channel: Channel
    statement: TextStatement
    read: Callable[[TextResult], Value]
    """Converts the rows."""
    result: TextResult | BaseException | None = None
    """The rows, or the error of the message; None before it is sent."""
    _values: list[Value] = field(default_factory=list)

    def get(self) -> Value:
        """Return what the rows were converted to; raise the error if the message failed, each time it is read."""
        if self.result is None:
            self.channel.send_asked()
        if isinstance(self.result, BaseException):
            raise self.result
        assert self.result is not None
        if not self._values:
            self._values.append(self.read(self.result))
        return self._values[0]


@dataclass(frozen=True, slots=True)
class Channel:
    """Sends a session's statements: plain text on the driver's own cursor, all others through SQLAlchemy."""

    connection: sa.Connection
    _wanted: dict[str, object] = field(default_factory=dict)
    """Options that the next statement needs, ``DEFAULT`` to set one back."""
    _set: dict[str, object] = field(default_factory=dict)
    """Options as the server has them when it executes the next statement."""
    _waiting: list[Answer[Any]] = field(default_factory=list)
    """Answers whose statements go with the next one."""

    @contextmanager
    def options(self, **values: object) -> Iterator[None]:
        """Set options of the server for the block, sent with its first statement; ``a__b`` stands for a.b.

        An extension's, such as a.b, stay as they are: statements that depend on one set it.
        """
        before = {name: self._wanted.get(name, DEFAULT) for name in values if "__" not in name}
        self._wanted.update(values)
        try:
            yield
        finally:
            self._wanted.update(before)

    def ask(
        self, text: sa.TextClause, parameters: Mapping[str, Any] | None, plan: str, read: Callable[[TextResult], Value]
    ) -> Answer[Value]:
        """Have a plain text executed together with others, once one of their answers is read.

        Raises:
            InvalidRequestError: a parameter is missing.
        """
        numbered, names = _number_parameters(text.text)
        if missing := [name for name in names if name not in (parameters or {})]:
            raise sa.exc.InvalidRequestError(f"a statement needs a value for {', '.join(missing)}: {text.text[:200]}")
        values = [parameters[name] for name in names] if parameters else ()
        self._wanted["plan_cache_mode"] = plan
        answer = Answer(self, TextStatement(text.text, numbered, values, self._set_options()), read)
        self._waiting.append(answer)
        return answer

    def execute(
        self, statement: sa.Executable, parameters: Any = None, plan: str | None = None
    ) -> sa.CursorResult[*tuple[Any, ...]]:
        """Execute a statement at once, after those that were asked; a text's ``TextResult`` reads like another's."""
        plan = plan or str(self._wanted.get("plan_cache_mode", DEFAULT))
        if isinstance(statement, sa.TextClause) and _is_plain(statement):
            return cast(
                "sa.CursorResult[*tuple[Any, ...]]", self.ask(statement, parameters, plan, lambda rows: rows).get()
            )
        self.send_asked()
        self._wanted["plan_cache_mode"] = plan
        if options := self._set_options():
            self.connection.exec_driver_sql("; ".join(options))
        return self.connection.execute(statement, parameters)

    def send_asked(self) -> None:
        """Send what was asked, so that the answers can be read."""
        waiting = list(self._waiting)
        self._waiting.clear()
        if not waiting:
            return
        try:
            results = _send(self.connection, [each.statement for each in waiting])
        except BaseException as problem:
            for answer in waiting:
                answer.result = problem
            raise
        for answer, result in zip(waiting, results, strict=True):
            answer.result = result

    def _set_options(self) -> list[str]:
        """Return statements that set the options for the next statement, and note that they are set."""
        changed = {name: value for name, value in self._wanted.items() if self._set.get(name, DEFAULT) != value}
        self._set.update(changed)
        return [f"SET LOCAL {name.replace('__', '.')} = {value}" for name, value in changed.items()]


def _is_plain(text: sa.TextClause) -> bool:
    """Check whether no parameter of a text has a value or a type, or is expanded, by ``bindparams``."""
    parameters = (each for each in text.get_children() if isinstance(each, sa.BindParameter))
    return all(each.required and not each.expanding and isinstance(each.type, sa.types.NullType) for each in parameters)


def _send(connection: sa.Connection, statements: Sequence[TextStatement]) -> list[TextResult]:
    """Send statements of text, several at once; after one that fails, no later one is executed."""
    with _errors_of_sqlalchemy(connection, statements) as driver:
        cursors = []
        with _in_pipeline(driver) if len(statements) > 1 or statements[0].options else nullcontext():
            for statement in statements:
                for option in statement.options:
                    driver.execute(option)
                cursors.append(psycopg.RawCursor(driver).execute(statement.numbered, statement.values))
        return list(map(TextResult, cursors))


@contextmanager
def _in_pipeline(driver: psycopg.Connection[Any]) -> Iterator[None]:
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
def _errors_of_sqlalchemy(
    connection: sa.Connection, statements: Sequence[TextStatement]
) -> Iterator[psycopg.Connection[Any]]:
    """Give the driver's connection; raise its errors as SQLAlchemy does, which discards a lost connection.

    One that was interrupted (Ctrl-C) is discarded, too, as it may be left in pipeline mode; the interrupt goes on.
    """
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)
    try:
        yield driver
    except BaseException as problem:
        if interrupt := _interrupt_in(problem):
            connection.invalidate(interrupt)
            raise interrupt from None
        if not isinstance(problem, psycopg.Error):
            raise
        is_lost = driver.closed
        if is_lost:
            connection.invalidate(problem)
        texts = "; ".join(statement.text for statement in statements)
        raise sa.exc.DBAPIError.instance(
            texts, None, problem, psycopg.Error, connection_invalidated=is_lost, dialect=connection.dialect
        ) from problem


def _interrupt_in(problem: BaseException | None) -> BaseException | None:
    """Return what is no ``Exception`` among an error and those during whose handling it was raised."""
    while isinstance(problem, Exception):
        problem = problem.__context__
    return problem


@lru_cache(maxsize=1024)
def _number_parameters(text: str) -> tuple[bytes, list[str]]:
    """Return a text with numbered parameters, and their names; the driver would look for named ones each time."""
    compiled = sa.text(text).compile(dialect=_NUMBERING)
    return str(compiled).encode(), list(getattr(compiled, "positiontup", None) or ())


@lru_cache(maxsize=1024)
def _metadata(names: tuple[bytes | None, ...]) -> SimpleResultMetaData:
    return SimpleResultMetaData([(name or b"").decode() for name in names])
