"""What recall makes of the times that a query speaks of, and what it answers where there is nothing else in it."""
