"""The grammar of German clauses."""
