"""What verbs leave in a palace's activity, and listing it."""
