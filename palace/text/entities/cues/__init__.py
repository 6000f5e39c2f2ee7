"""Words around a name that say that it is one, and what it names."""
