"""How soon hits stand on the screen after the last key, in `palace browse`."""
