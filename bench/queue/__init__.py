"""Holds workers that are killed to what the queue promises: everything done, once, in order."""
