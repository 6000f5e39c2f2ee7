"""What makes a schema what it is, read from the database's catalog, so that two can be compared."""

from __future__ import annotations

import sqlalchemy as sa

CATALOG = {
    "columns": """
        SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attstorage,
               pg_get_expr(d.adbin, d.adrelid)
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d
             ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE c.relnamespace = :schema ::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped""",
    "constraints": """
        SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = :schema ::regnamespace AND contype <> 'n'""",
    "indexes": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = :schema",
    "policies": """
        SELECT tablename, policyname, permissive, roles::text, cmd, qual, with_check FROM pg_policies
        WHERE schemaname = :schema""",
    "security": """
        SELECT relname, relrowsecurity, relforcerowsecurity, relacl::text FROM pg_class
        WHERE relnamespace = :schema ::regnamespace AND relkind = 'r'""",
    "functions": """
        SELECT proname, pg_get_functiondef(oid), proacl::text FROM pg_proc
        WHERE pronamespace = :schema ::regnamespace""",
    "text search": """
        SELECT c.cfgname, m.maptokentype, m.mapseqno, m.mapdict::regdictionary::text, d.dictinitoption
        FROM pg_ts_config c JOIN pg_ts_config_map m ON m.mapcfg = c.oid JOIN pg_ts_dict d ON d.oid = m.mapdict
        WHERE c.cfgnamespace = :schema ::regnamespace""",
}


def catalog(connection: sa.Connection) -> dict[str, list[tuple[str, ...]]]:
    """Read everything that makes a schema what it is, apart from the revision table."""
    connection.execute(sa.text("SET search_path = palace, public"))
    found = {}
    for name, query in CATALOG.items():
        text = query.replace(":schema ::regnamespace", "'palace'::regnamespace").replace(":schema", "'palace'")
        rows = sorted(tuple(map(repr, row)) for row in connection.execute(sa.text(text)))
        found[name] = [row for row in rows if "schema_revision" not in "".join(row)]
    return found
