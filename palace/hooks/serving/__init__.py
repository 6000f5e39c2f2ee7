"""Answering hooks from a worker that has everything loaded: a socket in the home, for its owner alone."""
