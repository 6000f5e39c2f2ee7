"""Everything that talks to Postgres. What leaves is a record; no function here commits."""
