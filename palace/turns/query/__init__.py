"""What recall is asked for a message of a person."""

from palace.turns.query.writing import Query, query

__all__ = ["Query", "query"]
