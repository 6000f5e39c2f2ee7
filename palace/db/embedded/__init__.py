"""The embedded Postgres server: one per home, started when needed, stopped when idle."""
