"""Files that Palace writes: the lines of an export, and writing one whole or not at all."""
