"""What somebody puts in the way of a function that runs as the owner, and a way to see as whom it then runs.

Each kind of shadow bears the names that a function's body uses. Wherever one is taken for what was meant, a spy in it
tells as whom it runs. All of it is made by the runtime role.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

Connection = psycopg.Connection[tuple[Any, ...]]

SPY = """
CREATE FUNCTION pg_temp.spy() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RAISE NOTICE 'a spy runs as %', current_user;
    RETURN true;
END $$
"""
SAMPLES = {
    "tsquery[]": "ARRAY['lantern'::pg_catalog.tsquery]",
    "double precision[]": "ARRAY[1.0::double precision]",
    "integer": "100",
    "boolean": "true",
    "bigint": "NULL::bigint",
    "bigint[]": "NULL::bigint[]",
    "text[]": "NULL::pg_catalog.text[]",
    "text": "NULL::pg_catalog.text",
    "timestamp with time zone": "NULL::timestamp with time zone",
}
"""An argument of each type; who adds a function with one of another type adds it here."""

PLACES = ("pg_temp", "public")
"""Where functions and operators are made: the first is searched for neither, the second where a path names it."""


@dataclass(frozen=True)
class Definer:
    """A function that runs as its owner."""

    name: str
    arguments: tuple[str, ...]
    body: str
    owner: str
    path: str
    """Its own search path; empty where it has none."""
    schema: str = "palace"

    def call(self, whose: int | None) -> str:
        """Write the statement that calls it for a user, who is its first argument if it is told any."""
        given = [SAMPLES[kind] for kind in self.arguments]
        if self.arguments[:1] == ("bigint",) and whose is not None:
            given[0] = f"'{whose}'::pg_catalog.int8"
        if self.name == "enqueue_job":
            # A job is another each time; that there is one is what two calls have in common.
            return f"SELECT count(*) FROM {self.schema}.enqueue_job({given[0]}, 'index', 1)"
        return f"SELECT * FROM {self.schema}.{self.name}({', '.join(given)})"

    @property
    def words(self) -> list[str]:
        """Every word that its body may take for a name."""
        return sorted(set(re.findall(r"[a-z_][a-z_0-9]*", self.body)))


def list_definers(connection: Connection) -> list[Definer]:
    """List the functions that run as their owner, wherever they are; those of extensions are not ours."""
    query = b"""
        SELECT proname, ARRAY(SELECT format_type(kind, NULL) FROM unnest(proargtypes) AS kind), prosrc,
               pg_get_userbyid(proowner),
               coalesce((SELECT substr(said, 13) FROM unnest(proconfig) AS said WHERE said ^@ 'search_path='), ''),
               nspname
        FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
        WHERE prosecdef AND nspname NOT IN ('pg_catalog', 'information_schema')
          AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e')
        ORDER BY nspname, proname, proargtypes
    """
    found = connection.execute(query)
    return [Definer(name, tuple(kinds), *rest) for name, kinds, *rest in found]


def views(connection: Connection, _: Definer) -> Iterator[str]:
    """Views named like the tables, which call something for each row."""
    for table in _tables(connection):
        yield f"CREATE VIEW pg_temp.{table} AS SELECT t.* FROM palace.{table} AS t WHERE pg_temp.spy()"
        yield f"GRANT ALL ON pg_temp.{table} TO PUBLIC"


def tables(connection: Connection, _: Definer) -> Iterator[str]:
    """Tables named like the tables, with each row thrice, and a policy and an index that call something for each.

    A policy does not bind a superuser, who owns the schema on the embedded server: there they lie and run nothing.
    """
    yield (
        "CREATE FUNCTION pg_temp.spy_on(oid) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS"
        " 'BEGIN RETURN pg_temp.spy(); END'"
    )
    for table in _tables(connection):
        rows = f"SELECT t.*, 1::oid AS spied FROM palace.{table} AS t, generate_series(1, 3)"
        yield f"CREATE TABLE pg_temp.{table} AS {rows}"
        yield f"CREATE INDEX ON pg_temp.{table} (pg_temp.spy_on(spied))"
        yield f"GRANT ALL ON pg_temp.{table} TO PUBLIC"
        yield f"ALTER TABLE pg_temp.{table} ENABLE ROW LEVEL SECURITY"
        yield f"CREATE POLICY spied ON pg_temp.{table} USING (pg_temp.spy())"


def types(connection: Connection, definer: Definer) -> Iterator[str]:
    """Domains named like the types, whose check calls something."""
    query = "SELECT typname FROM pg_type WHERE typname = ANY(%s) AND typtype = 'b' AND typnamespace = %s::regnamespace"
    names = [*definer.words, "int4", "int8", "float8", "bool", "text", "tsquery", "timestamptz", "regconfig"]
    for (name,) in connection.execute(query, (names, "pg_catalog")).fetchall():
        yield f'CREATE DOMAIN pg_temp."{name}" AS pg_catalog."{name}" CHECK (pg_temp.spy())'


def functions(connection: Connection, definer: Definer) -> Iterator[str]:
    """Functions of the same names and arguments, in every place."""
    query = b"""
        SELECT DISTINCT proname, arguments, result
        FROM pg_proc, pg_get_function_identity_arguments(oid) AS arguments, pg_get_function_result(oid) AS result
        WHERE proname = ANY(%s) AND pronamespace = 'pg_catalog'::regnamespace AND prokind IN ('f', 'a')
          AND concat(arguments, result) !~ 'any|internal|OUT|VARIADIC'
    """
    for name, arguments, result in connection.execute(query, (definer.words,)).fetchall():
        for place in PLACES:
            yield f'CREATE FUNCTION {place}."{name}"({arguments}) RETURNS {result} {_body(result)}'


def operators(connection: Connection, definer: Definer) -> Iterator[str]:
    """Operators of the same names and arguments, in every place."""
    names = sorted(set(re.findall(r"[-+*/<>=~!@#%^&|`?]+", definer.body)))
    query = b"""
        SELECT oprname, row_number() OVER (), oprleft::regtype::text, oprright::regtype::text, oprresult::regtype::text
        FROM pg_operator WHERE oprname = ANY(%s) AND oprkind = 'b' AND oprnamespace = 'pg_catalog'::regnamespace
          AND concat(oprleft::regtype, oprright::regtype, oprresult::regtype) !~ 'any|internal|"'
    """
    for name, number, left, right, result in connection.execute(query, (names,)).fetchall():
        for place in PLACES:
            function = f"{place}.stand_in_{number}"
            yield f"CREATE FUNCTION {function}({left}, {right}) RETURNS {result} {_body(result)}"
            yield f"CREATE OPERATOR {place}.{name} (LEFTARG = {left}, RIGHTARG = {right}, FUNCTION = {function})"


def text_search(_: Connection, __: Definer) -> Iterator[str]:
    """Dictionaries and configurations that make other words of a text."""
    for place in PLACES:
        for name in ("palace_plain", "english", "simple"):
            yield f"CREATE TEXT SEARCH DICTIONARY {place}.{name} (TEMPLATE = pg_catalog.simple, ACCEPT = false)"
            yield f"CREATE TEXT SEARCH CONFIGURATION {place}.{name} (PARSER = pg_catalog.default)"
            yield (
                f"ALTER TEXT SEARCH CONFIGURATION {place}.{name} ADD MAPPING FOR asciiword, word WITH {place}.{name}"
            )


KINDS: dict[str, Callable[[Connection, Definer], Iterator[str]]] = {
    "views": views,
    "tables": tables,
    "types": types,
    "functions": functions,
    "operators": operators,
    "text search": text_search,
}


@dataclass(frozen=True)
class Outcome:
    """What came of calling a function."""

    rows: Sequence[tuple[Any, ...]]
    ran_as: frozenset[str]
    """As whom the spies ran."""
    refusal: str = ""


def attack(connection: Connection, definer: Definer, *kinds: str, whose: int | None) -> Outcome:
    """Put shadows of the kinds in the way of a function and call it for a user, in the transaction that is open."""
    heard: list[str] = []
    connection.add_notice_handler(lambda notice: heard.append(notice.message_primary or ""))
    statements = [statement for kind in kinds for statement in KINDS[kind](connection, definer)]
    for statement in (SPY, *statements):
        connection.execute(statement.encode())
    heard.clear()
    connection.execute(b"SET LOCAL search_path = pg_temp, palace, public, pg_catalog")
    try:
        rows = connection.execute(definer.call(whose).encode()).fetchall()
        refusal = ""
    except psycopg.Error as problem:
        rows, refusal = [], str(problem)
    prefix = "a spy runs as "
    return Outcome(rows, frozenset(said.removeprefix(prefix) for said in heard if said.startswith(prefix)), refusal)


def _body(result: str) -> str:
    answer = "RETURN" if result.startswith("SETOF ") or result == "void" else "RETURN NULL"
    return f"LANGUAGE plpgsql AS 'BEGIN PERFORM pg_temp.spy(); {answer}; END'"


def _tables(connection: Connection) -> list[str]:
    query = b"SELECT relname FROM pg_class WHERE relnamespace = 'palace'::regnamespace AND relkind = 'r'"
    return [str(name) for (name,) in connection.execute(query).fetchall() if name != "schema_revision"]
