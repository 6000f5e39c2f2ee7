"""Names: folded, short and full, in several languages. Pure."""
