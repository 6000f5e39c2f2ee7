"""Working memory, as far as it is stored."""
