"""A listener that fails on every SQLAlchemy statement a session sends without its user.

In every select, update and delete, each table with users' rows must be held to the user: by comparing its key with the
user's id, or with the key of a table that is held to it already. Only what always applies counts: conditions joined by
AND, and of an outer join what it says of the side it adds. An insert that is no ``UserSession.insert`` must select its
key from such a table, and no statement may give rows to another user. What a kind of statement names the user by is
read once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
import sqlalchemy as sa
from sqlalchemy.sql import operators
from sqlalchemy.sql.dml import UpdateBase
from sqlalchemy.sql.elements import BindParameter, BooleanClauseList, ClauseElement, Grouping
from sqlalchemy.sql.selectable import AliasedReturnsRows, FromClause, FromClauseAlias, SelectBase

from palace import UserNotNamed, UserSession
from palace.db.binding import KEY, KEYS, unnamed, user_table_in

Tables = frozenset[FromClause]
Condition = tuple[ClauseElement | None, Tables | None]
"""A condition, and the tables it can hold to the user; None for all of them."""

NOWHERE: Tables = frozenset()
MOST_KINDS = 2000

_STATEMENTS = (SelectBase, UpdateBase)
_AROUND = ("_prefixes", "_suffixes", "_hints", "_statement_hints")
"""Where SQLAlchemy keeps texts that are put into a statement as they are."""
_known: dict[tuple[object, bool], tuple[int, ...]] = {}
"""The places of the parameters that name the user, by the kind of statement and whether its rows are the session's."""


@contextmanager
def statements_name_their_user() -> Iterator[None]:
    """Read every statement that a session is about to send, for the length of a block."""
    execute, insert = UserSession.execute, UserSession.insert

    def checked(session: UserSession, statement: Any, parameters: Any = None, **options: Any) -> Any:
        if isinstance(statement, _STATEMENTS):
            require_named(statement, session.user_id)
        return execute(session, statement, parameters, **options)

    def checked_insert(session: UserSession, into: sa.Insert, rows: Any) -> Any:
        require_named(into, session.user_id, is_owned=True)
        return insert(session, into, rows)

    setattr(UserSession, "execute", checked)  # noqa: B010 — a type checker refuses to have a method replaced
    setattr(UserSession, "insert", checked_insert)  # noqa: B010
    try:
        yield
    finally:
        setattr(UserSession, "execute", execute)  # noqa: B010
        setattr(UserSession, "insert", insert)  # noqa: B010


@contextmanager
def sent_statements() -> Iterator[list[str]]:
    """Collect the texts of the statements that any connection sends, for the length of a block."""
    execute, sent = psycopg.Cursor.execute, list[str]()

    def noted(cursor: psycopg.Cursor[Any], query: Any, *arguments: Any, **options: Any) -> Any:
        sent.append(str(query))
        return execute(cursor, query, *arguments, **options)

    setattr(psycopg.Cursor, "execute", noted)  # noqa: B010
    try:
        yield sent
    finally:
        setattr(psycopg.Cursor, "execute", execute)  # noqa: B010


def require_named(statement: ClauseElement, user_id: int, *, is_owned: bool = False) -> None:
    cache_key = statement._generate_cache_key()  # a select keeps it, so that nothing is made twice
    if cache_key is not None and cache_key.params:
        raise _replaced()
    kind = None if cache_key is None else (cache_key.key, is_owned)
    places = None if kind is None else _known.get(kind)
    if cache_key is None or kind is None or places is None:
        named: list[BindParameter[Any]] = []
        _examine(statement, NOWHERE, NOWHERE, named, is_owned=is_owned)
        given = [] if cache_key is None else [id(parameter) for parameter in cache_key.bindparams]
        if kind is not None and all(id(parameter) in given for parameter in named):
            if len(_known) >= MOST_KINDS:
                _known.clear()
            _known[kind] = tuple(given.index(id(parameter)) for parameter in named)
    else:
        named = [cache_key.bindparams[place] for place in places]
    # What is computed may be another the next time.
    if any(parameter.callable is not None or parameter.value != user_id for parameter in named):
        raise UserNotNamed("a statement names another user than the session's")


def _examine(
    statement: ClauseElement, held: Tables, around: Tables, named: list[BindParameter[Any]], *, is_owned: bool = False
) -> None:
    """Collect the parameters that a statement and those inside it name the user by.

    ``held`` are the tables outside of it that are held to the user, ``around`` those it may be correlated with. Of an
    insert that ``is_owned`` the session says whose the rows are.
    """
    tables = NOWHERE
    conditions: list[Condition] = []
    if isinstance(statement, sa.Select):
        tables, conditions = _froms_of(statement, around)
    elif isinstance(statement, (sa.Update, sa.Delete)):
        mentioned = (_table_of(part) for part in _parts(statement))
        tables = frozenset([statement.table, *(table for table in mentioned if table is not None)])
        tables, conditions = frozenset(filter(_has_key, tables)), [(statement.whereclause, None)]
    elif isinstance(statement, sa.Insert) and not is_owned:
        _check_insert(statement)
    _check_set(statement)
    _check_texts(statement)
    held -= tables  # of the same name, but not the same rows
    held |= _hold(conditions, held, named)
    for table in tables - held:
        raise unnamed(_name_of(table))
    for inner, is_derived in _statements_in(statement):
        _examine(inner, NOWHERE if is_derived else held, NOWHERE if is_derived else tables, named)


def _froms_of(statement: sa.Select[Any], around: Tables) -> tuple[Tables, list[Condition]]:
    """Give the tables that a select reads itself, and its conditions."""
    froms = list(statement.get_final_froms())
    if len(froms) > 1:  # then SQLAlchemy leaves out those of the statement around it
        froms = [from_ for from_ in froms if from_ not in around]
    conditions: list[Condition] = [(statement.whereclause, None)]
    tables = NOWHERE.union(*(_read_from(from_, conditions) for from_ in froms))
    return tables, conditions


def _read_from(from_: FromClause, conditions: list[Condition]) -> Tables:
    if not isinstance(from_, sa.Join):
        return frozenset({from_}) if _has_key(from_) else NOWHERE
    left, right = _read_from(from_.left, conditions), _read_from(from_.right, conditions)
    if not from_.full:
        conditions.append((from_.onclause, right if from_.isouter else None))
    return left | right


def _hold(conditions: Sequence[Condition], held: Tables, named: list[BindParameter[Any]]) -> Tables:
    """Give the tables that conditions hold to the user, directly or by another one."""
    found, links = set(held), []
    for condition, only in conditions:
        for one, other in _equals(condition):
            table, source = _keyed(one), _keyed(other)
            if table is None or (only is not None and table not in only):
                continue
            if isinstance(other, BindParameter):
                found.add(table)
                named.append(other)
            elif source is not None:
                links.append((table, source))
    for _ in links:
        found |= {table for table, source in links if source in found}
    return frozenset(found)


def _equals(condition: Any) -> Iterator[tuple[ClauseElement, ClauseElement]]:
    """Give both sides of what a condition always demands to be equal, either way round."""
    if isinstance(condition, Grouping):
        yield from _equals(condition.element)
    elif isinstance(condition, BooleanClauseList) and condition.operator is operators.and_:
        for part in condition.clauses:
            yield from _equals(part)
    elif isinstance(condition, sa.BinaryExpression) and condition.operator is operators.eq:
        yield condition.left, condition.right
        yield condition.right, condition.left


def _keyed(side: ClauseElement) -> FromClause | None:
    """Give the table whose rows' user a column says."""
    table = _table_of(side)
    is_key = _has_key(table) and isinstance(side, sa.ColumnClause) and side.name == KEYS[_name_of(table)]
    return table if is_key else None


def _check_insert(statement: sa.Insert) -> None:
    if not _has_key(statement.table):
        return
    selected = None if statement.select is None else getattr(statement.select, "selected_columns", {}).get(KEY)
    if selected is None or _keyed(selected) is None:
        raise UserNotNamed(f"rows of {statement.table.name} go through the session's insert: it says whose they are")


def _check_set(statement: ClauseElement) -> None:
    """Refuse to give rows to another user: by an update, or by an insert that updates what is there."""
    if isinstance(statement, sa.Update):
        columns = list(statement._values or ())
    elif isinstance(statement, sa.Insert):
        columns = [name for name, _ in _updates_of(statement)]
    else:
        return
    key = KEYS.get(_name_of(statement.table))
    if key is not None and key in (getattr(column, "name", column) for column in columns):
        raise UserNotNamed(f"a statement on {_name_of(statement.table)} says whose the rows are from now on")


def _updates_of(statement: sa.Insert) -> Sequence[tuple[Any, Any]]:
    """Give what an insert sets where the row is there already."""
    found = getattr(getattr(statement, "_post_values_clause", None), "update_values_to_set", None) or ()
    return list(found.items() if isinstance(found, Mapping) else found)


def _check_texts(statement: ClauseElement) -> None:
    """Refuse a table that stands in a text within a statement, where nothing can be read of it.

    A text that is put around it, and parameters to take the place of others, are refused whatever they hold.
    """
    if getattr(statement, "_params", None):
        raise _replaced()
    for part in (statement, *_parts(statement)):
        if found := user_table_in(_text_of(part)):
            raise unnamed(found)
        if any(getattr(part, texts, None) for texts in _AROUND):
            raise UserNotNamed(
                "a statement has a prefix, suffix or hint, of which nothing can be read: it goes as text"
            )


def _text_of(part: ClauseElement) -> str:
    if isinstance(part, sa.ColumnClause):
        return str(part.name) if part.is_literal else ""
    if isinstance(operator := getattr(part, "operator", None), operators.custom_op):
        return operator.opstring
    return part.text if isinstance(part, sa.TextClause) else ""


def _statements_in(element: ClauseElement, *, is_derived: bool = False) -> Iterator[tuple[ClauseElement, bool]]:
    """Give the statements right inside a statement, and whether each stands where it sees nothing around it."""
    for child in element.get_children():
        if isinstance(child, _STATEMENTS):
            yield child, is_derived
        else:
            yield from _statements_in(child, is_derived=is_derived or isinstance(child, AliasedReturnsRows))


def _parts(element: ClauseElement) -> Iterator[ClauseElement]:
    """Give what a statement consists of, without the statements inside it."""
    for child in element.get_children():
        if not isinstance(child, _STATEMENTS):
            yield child
            yield from _parts(child)


def _table_of(element: ClauseElement) -> FromClause | None:
    return element.table if isinstance(element, sa.ColumnClause) else None


def _has_key(table: FromClause | None) -> bool:
    return table is not None and _name_of(table) in KEYS


def _name_of(table: FromClause | None) -> str:
    """Name the table that is read, under whatever alias; "" for what is none."""
    while isinstance(table, FromClauseAlias):
        table = table.element
    return table.name.lower() if isinstance(table, sa.TableClause) else ""


def _replaced() -> UserNotNamed:
    return UserNotNamed("a statement is given parameters in the place of those it holds")
