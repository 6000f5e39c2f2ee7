"""One turn: what is recalled for a message, within a deadline and without ever failing its caller."""
