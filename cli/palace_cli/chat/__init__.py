"""A talk with a model at the terminal, or through a pipe, with what the palace remembers."""
