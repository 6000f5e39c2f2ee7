"""All access to Postgres. Functions return frozen records, and none commits."""
