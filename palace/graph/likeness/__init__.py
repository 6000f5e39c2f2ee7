"""Which entities may be one, though nothing but their likeness says so."""
